"""What a call gives for a parameter; a view or an iterator given for a traced one → a list, which is a pytree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..domain import FunctionValue, TupleValue
from .draft import Draft
from .names import parameters

if TYPE_CHECKING:
    from ..events import TracedCall
    from ..findings import Fix


def as_list(event: TracedCall) -> Fix | None:
    """`f(d.values())` → `f(list(d.values()))`."""
    argument = argument_of(event, "non-array")
    if not isinstance(argument, cst.Call | cst.GeneratorExp) or not isinstance(event.value, TupleValue):
        return None
    draft = Draft(event.source, event.node)
    draft.replace(argument, f"list({draft.text(argument)})")
    return draft.fix(f"Pass a list for {event.parameter}", "safe")


def argument_of(event: TracedCall, problem: str) -> cst.BaseExpression | None:
    """What the call gives for the parameter that has this problem."""
    call, function = event.node, event.transformed.function
    if event.problem != problem or not isinstance(call, cst.Call):
        return None
    order = parameters(function.node) if isinstance(function, FunctionValue) else []
    found: cst.BaseExpression | None = None
    for position, arg in enumerate(call.args):
        if arg.star:
            return None
        name = (
            arg.keyword.value if arg.keyword is not None else order[position] if position < len(order) else ""
        )
        if name == event.parameter:
            found = arg.value
    return found
