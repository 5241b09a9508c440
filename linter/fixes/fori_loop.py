"""`for i in range(traced)` → `lax.fori_loop`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from .blocks import carried, define, is_pure, later_reads, lines_of, packed
from .draft import Draft
from .names import bound, dotted, fresh
from .place import comments, parents, suite

if TYPE_CHECKING:
    from ..events import Iterated, Unrolled
    from ..findings import Fix

_CARRIED = "values that are carried keep their shape and dtype from turn to turn"
COST = "reverse-mode derivatives do not pass through the loop"


def fori_loop(event: Iterated) -> Fix | None:
    """A loop over `range(stop)` or `range(start, stop)` whose body only computes and binds names."""
    return _rewritten(event, COST)


def rolled(event: Unrolled) -> Fix | None:
    """The same for a range of known length, through which reverse-mode derivatives pass."""
    return _rewritten(event, _CARRIED)


def _rewritten(event: Iterated | Unrolled, cost: str) -> Fix | None:
    source, loop = event.source, parents(event.source).get(event.node)
    if not isinstance(loop, cst.For) or loop.iter is not event.node or loop.orelse is not None:
        return None
    bounds = range_bounds(loop.iter)
    body = suite(loop.body)
    lines = lines_of(source, loop.body)
    if bounds is None or not isinstance(loop.target, cst.Name) or lines is None or not is_pure(body):
        return None
    index = loop.target.value
    if index in later_reads(source, loop) or index in bound(*body):
        return None
    carry = carried(source, loop, body)
    if not carry:
        return None
    draft = Draft(source, loop)
    step, state = fresh(source, "advance", "carry")
    lower, upper = ("0" if bounds[0] is None else draft.text(bounds[0])), draft.text(bounds[1])
    unpack = [] if len(carry) == 1 else [f"{packed(carry)} = {state}"]
    parameter = carry[0] if len(carry) == 1 else state
    initial = carry[0] if len(carry) == 1 else f"({packed(carry)})"
    written = [
        *define(step, [index, parameter], [*unpack, *lines, f"return {packed(carry)}"], draft.unit),
        f"{packed(carry)} = {draft.lax('fori_loop')}({lower}, {upper}, {step}, {initial})",
    ]
    header = comments(loop.body.header) if isinstance(loop.body, cst.IndentedBlock) else []
    draft.replace_statements(loop, loop, [*header, *written])
    return draft.fix("Loop with lax.fori_loop", cost=cost)


def range_bounds(node: cst.BaseExpression) -> tuple[cst.BaseExpression | None, cst.BaseExpression] | None:
    """Start and stop of a `range` call that counts by one."""
    if (
        not isinstance(node, cst.Call)
        or dotted(node.func) != "range"
        or any(a.keyword or a.star for a in node.args)
    ):
        return None
    values = [arg.value for arg in node.args]
    match values:
        case [stop]:
            return None, stop
        case [start, stop] | [start, stop, cst.Integer(value="1")]:
            return start, stop
        case _:
            return None
