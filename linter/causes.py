"""Why a value is traced, in words: the middle part of a message, and the provenance steps of a finding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .domain import Entry, Root, TransformedValue, Value, roots_of, traced_parts, trail_of
from .files.notebook import name_of_row
from .findings import Step
from .syntax.walk import children

if TYPE_CHECKING:
    import libcst as cst

    from .events import Event
    from .files.source import SourceFile

MAX_TEXT = 60
MAX_NAMES = 4
STATIC_ARGUMENTS = ("jit", "pjit", "pmap")  # transforms that take `static_argnames` or the like


def text_of(node: cst.CSTNode, source: SourceFile) -> str:
    """The source text of an expression, on one line, shortened in the middle."""
    text = " ".join(source.segment(source.span_of(node)).split())
    if len(text) > MAX_TEXT:
        text = f"{text[: MAX_TEXT // 2 - 2]} ... {text[-MAX_TEXT // 2 + 3 :]}"
    return text


def line_of(node: cst.CSTNode, source: SourceFile) -> int:
    """The 1-based line on which a node starts."""
    return source.span_of(node).start.row


def place_of(node: cst.CSTNode, source: SourceFile, seen_from: SourceFile) -> str:
    """`line 12`, or `line 12 of model.py` where that is another file."""
    line = name_of_row(source, line_of(node, source))
    return (
        line
        if source is seen_from
        else f"{line} of {source.filename.replace(chr(92), '/').rsplit('/', 1)[-1]}"
    )


def tracer_phrase(entry: Entry, seen_from: SourceFile) -> str:
    """`jit (line 12)`: the transform that traces, and where it is applied."""
    return f"{entry.transform} ({place_of(entry.node, entry.source, seen_from)})"


def why(event: Event, value: Value, node: cst.CSTNode | None = None) -> str:
    """`x > threshold depends on x, traced by jit (line 12)`; `x is traced by jit (line 12)` for the argument itself."""
    roots = roots_of([value])
    marked = node or event.node
    text = text_of(getattr(marked, "value", marked) if is_statement(marked) else marked, event.source)
    if not roots:
        return (
            f"{text} is traced by {tracer_phrase(event.entry, event.source)}"
            if event.entry
            else f"{text} is traced"
        )
    if len(roots) == 1 and roots[0].name == text:
        return f"{text} is {_cause(roots[0], event.source)}"
    return f"{text} depends on {causes(event, value)}"


def causes(event: Event, value: Value) -> str:
    """`x and y, traced by jit (line 12)`: the roots of a value, those of one cause together."""
    roots = roots_of([value])
    grouped: dict[str, list[str]] = {}
    for root in [root for root in roots if root.kind == "parameter"] or roots:
        names = grouped.setdefault(_cause(root, event.source), [])
        if root.name not in names:
            names.append(root.name)
    return ", and on ".join(
        f"{listed(names)}, {cause}" if cause else listed(names) for cause, names in grouped.items()
    )


def is_statement(node: cst.CSTNode) -> bool:
    """Whether a node is an assignment, whose right side says more than the whole."""
    return type(node).__name__ in ("Assign", "AnnAssign", "AugAssign")


def _cause(root: Root, seen_from: SourceFile) -> str:
    if root.entry is None:
        return ""
    by = tracer_phrase(root.entry, seen_from)
    if root.kind == "operation":
        return f"staged by {by}, where even operations on constants are traced"
    if root.kind == "constant":
        return f"a constant array on which {by} stages every operation"
    return f"traced by {by}"


def listed(names: Iterable[str], conjunction: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`; no more than `MAX_NAMES`."""
    shown = list(names)
    if len(shown) > MAX_NAMES:
        shown = [*shown[: MAX_NAMES - 1], f"{len(shown) - MAX_NAMES + 1} more"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {conjunction} {shown[-1]}"


# --- what to do ------------------------------------------------------------------------------------------------


def argument_roots(value: Value) -> list[Root]:
    """The roots of a value, each inner argument replaced by the outer arguments that it was made from."""
    found: dict[int, Root] = {}
    pending = list(roots_of([value]))
    while pending:
        root = pending.pop(0)
        if root.origins and root.kind == "parameter":
            pending = [*root.origins, *pending]
        elif id(root) not in found:
            found[id(root)] = root
    return list(found.values())


def configurable(value: Value, *, plausible: bool = False) -> tuple[list[Root], list[Root]]:
    """The causes of a value: those that could be made static, and those that could not.

    `plausible` says that the place itself (a loop count, a shape, an axis) suggests a setting, so that an argument of
    which nothing else is known counts as one.
    """
    can: list[Root] = []
    cannot: list[Root] = []
    for root in argument_roots(value):
        takes = (
            root.kind == "parameter" and root.entry is not None and root.entry.transform in STATIC_ARGUMENTS
        )
        setting = root.configuration or (plausible and root.configuration is None)
        (can if takes and setting else cannot).append(root)
    return can, cannot


def static_advice(event: Event, value: Value, otherwise: str, *, plausible: bool = False) -> str:
    """Which arguments to make static, where that helps; otherwise the structured way out.

    Making an argument static helps only when *every* cause is configuration.  Where its declaration says that it is,
    that is the advice; where only a call suggests it, or the place does (`plausible`), both ways are named.
    """
    if all(root.kind != "parameter" for root in roots_of([value])):
        return f"compute constants with NumPy or math, which run while tracing, or {otherwise}"
    can, cannot = configurable(value)
    if can and not cannot:
        if all(is_declared(root) for root in can):
            return f"make {_names(can)} static with {static_argnames(can)}"
        if not plausible:
            return f"{otherwise}, or make {_names(can)} static where it is a setting: {static_argnames(can)}"
    elif can:
        return f"making {_names(can)} static does not help, {_names(cannot)} stays traced: {otherwise}"
    can, cannot = configurable(value, plausible=True)
    if can and not cannot:
        if plausible:
            return f"make {_names(can)} static with {static_argnames(can)}, or {otherwise}"
        if len(can) == 1 and text_of(event.node, event.source) == can[0].name:
            return f"{otherwise}, or make {can[0].name} static where it is a setting: {static_argnames(can)}"
    already = _static_beside(event, value)
    if already:
        verb, pronoun = ("is", "it") if len(already) == 1 else ("are", "them")
        return f"{listed(already)} {verb} static already, making {pronoun} static does not help: {otherwise}"
    return otherwise


def is_declared(root: Root) -> bool:
    """Whether the parameter's own annotation or default says what it is."""
    return (
        getattr(root.node, "annotation", None) is not None or getattr(root.node, "default", None) is not None
    )


def static_argnames(roots: Sequence[Root]) -> str:
    """`static_argnames=('n',)`, ready to paste: with the names that are static there already."""
    options = dict(roots[0].entry.options) if roots and roots[0].entry is not None else {}
    already = str(getattr(options.get("static"), "value", "")).split()
    return static_option((*already, *(root.name for root in roots)))


def static_with(name: str, transformed: TransformedValue) -> str:
    """The option that makes one more argument of a transformed function static."""
    from .interpreter.tracing.named_arguments import (
        constants,  # not needed to list or explain rules, as below
    )

    already = constants(transformed.option("static_argnames"), str) or ()
    return static_option((*map(str, already), name))


def static_option(names: Iterable[str]) -> str:
    """`static_argnames=('n',)`, or `static_argnums=(3,)` for what only has a position (`args[3]`)."""
    unique = tuple(dict.fromkeys(names))
    numbers = tuple(int(name[5:-1]) for name in unique if name.startswith("args[") and name[5:-1].isdigit())
    if numbers and len(numbers) == len(unique):
        return f"static_argnums={numbers!r}"
    return f"static_argnames={unique!r}"


def _names(roots: Iterable[Root]) -> str:
    return listed(dict.fromkeys(root.name for root in roots))


def _static_beside(event: Event, value: Value) -> list[str]:
    """Static arguments of the same entry point that the marked expression itself names."""
    names: list[str] = []
    for root in roots_of([value]):
        if root.kind == "parameter" and root.entry is not None:
            for name, option in root.entry.options:
                if name == "static":
                    names.extend(str(getattr(option, "value", "")).split())
    written = _names_in(event.node) if names else set()
    return [name for name in dict.fromkeys(names) if name in written]


def _names_in(node: cst.CSTNode) -> set[str]:
    from libcst import Name  # not needed to list or explain rules, and slow to import

    found: set[str] = set()
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, Name):
            found.add(current.value)
        pending.extend(children(current))
    return found


# --- what the value is -----------------------------------------------------------------------------------------


def is_shaped(value: Value) -> bool:
    """Whether some tracer in the value is known to be no scalar: then Python itself refuses its truth (ValueError)."""
    return any(getattr(part, "shape", None) not in (None, ()) for part in traced_parts(value))


def steps(value: Value) -> tuple[Step, ...]:
    """The provenance of a value, outermost cause first."""
    trail = trail_of([value])
    if trail is None:
        return ()
    return tuple(
        Step(step.message, step.source.filename, step.source.span_of(step.node).start)
        for step in trail.steps()
    )
