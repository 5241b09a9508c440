"""`x[i] = v` → `x = x.at[i].set(v)`, and updates that nobody kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from .draft import Draft
from .names import dotted, locals_of
from .place import function_of, statement_of

if TYPE_CHECKING:
    from ..events import ArrayMutation, Discarded
    from ..files.source import SourceFile
    from ..findings import Fix

METHODS = {"+=": "add", "-=": "subtract", "*=": "multiply", "/=": "divide", "**=": "power"}
CALLS = {"sort": "sort({0})", "fill": "full_like({0}, {1})"}


def functional(event: ArrayMutation) -> Fix | None:
    """The assignment, or a method that changes its array."""
    node = event.node
    if event.how in ("view", "at"):
        return None  # the buffer is NumPy's, and its other uses may be, too
    draft = Draft(event.source, node)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in CALLS:
        array, arguments = node.func.value, [draft.text(arg.value) for arg in node.args]
        template = CALLS[node.func.attr.value]
        if len(arguments) != template.count("{1}") or not _assignable(event.source, array):
            return None
        draft.replace(
            node, f"{draft.text(array)} = {draft.jnp(template.format(draft.text(array), *arguments))}"
        )
        return draft.fix("Bind the new array")
    if not isinstance(node, cst.Assign | cst.AugAssign):
        return None
    written = functional_text(draft, node)
    if written is None:
        return None
    draft.replace(node, written[1])
    return draft.fix(f"Use .at[...].{written[2]}", cost="other names of the same array do not see the change")


def functional_text(draft: Draft, node: cst.Assign | cst.AugAssign) -> tuple[str, str, str] | None:
    """For an assignment to an item: the array, `x = x.at[i].set(v)`, and the method; None for any other statement."""
    if isinstance(node, cst.Assign) and len(node.targets) > 1:
        return None
    target = node.target if isinstance(node, cst.AugAssign) else node.targets[0].target
    if not isinstance(target, cst.Subscript) or not _assignable(draft.source, target.value):
        return None
    array_text, written = draft.text(target.value), draft.text(target)
    at = f"{array_text}.at{written[len(array_text) :]}"
    if isinstance(node, cst.AugAssign):
        sign = draft.source.module.code_for_node(node.operator).strip()
        method = METHODS.get(sign, "set")
        value = (
            draft.text(node.value) if method != "set" else f"{written} {sign[:-1]} {draft.atom(node.value)}"
        )
    else:
        method, value = "set", draft.text(node.value)
    return array_text, f"{array_text} = {at}.{method}({value})", method


def bind(event: Discarded) -> Fix | None:
    """A functional update that stands as a statement."""
    subject, node = event.changed, event.node
    if subject is None or not _assignable(event.source, subject) or statement_of(event.source, node) is None:
        return None
    draft = Draft(event.source, node)
    draft.insert(event.source.span_of(node).start, f"{draft.text(subject)} = ")
    return draft.fix(f"Bind the new {event.gives}")


def _assignable(source: SourceFile, node: cst.BaseExpression) -> bool:
    """Whether a name or place may be assigned here without becoming another scope's."""
    if isinstance(node, cst.Subscript):
        return _assignable(source, node.value)
    name = dotted(node)
    if not name or name.startswith("self."):
        return False
    function = function_of(source, node)
    return function is None or "." in name or name in locals_of(function)
