"""A list passed for a static argument → a tuple, which has a hash."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..domain import FunctionValue, ListValue
from .draft import Draft
from .names import parameters

if TYPE_CHECKING:
    from ..events import TracedCall
    from ..findings import Fix


def as_tuple(event: TracedCall) -> Fix | None:
    """The argument at the call."""
    call, function = event.node, event.transformed.function
    if event.problem != "unhashable-static" or not isinstance(call, cst.Call) or not isinstance(event.value, ListValue):
        return None
    order = parameters(function.node) if isinstance(function, FunctionValue) else []
    argument: cst.BaseExpression | None = None
    for position, arg in enumerate(call.args):
        if arg.star:
            return None
        name = arg.keyword.value if arg.keyword is not None else order[position] if position < len(order) else ""
        if name == event.parameter:
            argument = arg.value
    if argument is None or event.value.kind not in ("list", "set"):
        return None
    draft = Draft(event.source, call)
    draft.replace(argument, _tuple(argument, event.value.kind, draft))
    return draft.fix(f"Pass a tuple for {event.parameter}", cost="compiles again for each new value")


def _tuple(node: cst.BaseExpression, kind: str, draft: Draft) -> str:
    if isinstance(node, cst.List) and node.elements:
        items = ", ".join(draft.text(element.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for element in node.elements)
        return f"({items}{',' if len(node.elements) == 1 else ''})"
    return f"{'frozenset' if kind == 'set' else 'tuple'}({draft.text(node)})"
