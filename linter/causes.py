"""Why a value is traced, in words: the middle part of a message, and the provenance steps of a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .domain import Level, Root, Value, roots_of, traced_parts, trail_of
from .findings import Step

if TYPE_CHECKING:
    import libcst as cst

    from .events import Event
    from .source import SourceFile

MAX_TEXT = 60


def text_of(node: cst.CSTNode, source: SourceFile) -> str:
    """The source text of an expression, on one line, shortened in the middle."""
    text = " ".join(source.module.code_for_node(node).split())
    if len(text) > MAX_TEXT:
        text = f"{text[: MAX_TEXT // 2 - 2]} ... {text[-MAX_TEXT // 2 + 3 :]}"
    return text


def line_of(node: cst.CSTNode, source: SourceFile) -> int:
    """The 1-based line on which a node starts."""
    return source.span_of(node).start.row


def root_phrase(root: Root) -> str:
    """`x, traced by jit (line 12)`."""
    if root.entry is None:
        return root.name
    by = f"{root.entry.transform} (line {line_of(root.entry.node, root.entry.source)})"
    if root.kind == "operation":
        return f"{root.name}, which {by} stages"
    if root.kind == "constant":
        return f"{root.name}, an array on which {by} stages every operation"
    return f"{root.name}, traced by {by}"


def why(event: Event, value: Value, node: cst.CSTNode | None = None) -> str:
    """`x > threshold depends on x, traced by jit (line 12)`; shorter where the value is the argument itself."""
    roots = roots_of([value])
    text = text_of(node or event.node, event.source)
    if not roots:
        return f"{text} is traced"
    if len(roots) == 1 and roots[0].name == text:
        phrase = root_phrase(roots[0])
        return f"{phrase[: len(text)]} is{phrase[len(text) + 1 :]}" if roots[0].kind == "parameter" else phrase
    named = [root_phrase(root) for root in roots[:2]]
    if len(roots) > 1 and roots[0].entry is roots[1].entry and roots[0].kind == roots[1].kind == "parameter":
        names = ", ".join(root.name for root in roots[:-1][:3])
        last = roots[-1] if len(roots) <= 4 else roots[3]
        return f"{text} depends on {names} and {root_phrase(last)}"
    return f"{text} depends on {' and on '.join(named)}"


def configurable(value: Value) -> tuple[list[Root], list[Root]]:
    """The roots of a value: those that could be made static, and those that could not (or of which nothing is known)."""
    can: list[Root] = []
    cannot: list[Root] = []
    for root in roots_of([value]):
        (can if root.kind == "parameter" and root.configuration else cannot).append(root)
    return can, cannot


def static_advice(value: Value, otherwise: str) -> str:
    """Which parameters to make static, where that helps; otherwise the structured way out.

    Making an argument static helps only when *every* cause is configuration.
    """
    can, cannot = configurable(value)
    if can and not cannot:
        names = ", ".join(repr(root.name) for root in can)
        comma = "," if len(can) == 1 else ""
        return f"make {_listed(can)} static: static_argnames=({names}{comma})"
    if can:
        return f"making {_listed(can)} static does not help, {_listed(cannot)} stays traced: {otherwise}"
    already = _static_beside(value)
    if already:
        return f"{already} static already, making {'them' if ' and ' in already else 'it'} static does not help: {otherwise}"
    return otherwise


def _listed(roots: list[Root]) -> str:
    names = [root.name for root in roots]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _static_beside(value: Value) -> str:
    """Arguments of the same entry point that are static: `threshold is`."""
    names: list[str] = []
    for root in roots_of([value]):
        if root.kind == "parameter" and root.entry is not None:
            for name, option in root.entry.options:
                if name == "static" and name not in names:
                    names.extend(getattr(option, "value", "").split())
    names = list(dict.fromkeys(name for name in names if name))
    if not names:
        return ""
    return f"{names[0]} is" if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]} are"


def is_shaped(value: Value) -> bool:
    """Whether some tracer in the value is known to be no scalar: then Python itself refuses its truth (ValueError)."""
    return any(getattr(part, "shape", None) not in (None, ()) for part in traced_parts(value))


def is_abstract(value: Value) -> bool:
    """Whether some tracer in the value has no value that Python could see."""
    return any(part.level is Level.ABSTRACT for part in traced_parts(value))


def steps(value: Value) -> tuple[Step, ...]:
    """The provenance of a value, outermost cause first."""
    trail = trail_of([value])
    if trail is None:
        return ()
    return tuple(
        Step(step.message, step.source.filename, step.source.span_of(step.node).start) for step in trail.steps()
    )
