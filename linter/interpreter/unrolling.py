"""Python loops inside traces: how many steps they have, all of which end up in the program."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import Const, Value, members
from ..events import Unrolled
from ..syntax.walk import children, in_order
from .python.containers import length_of

if TYPE_CHECKING:
    from .machine import Interpreter

LONG = 64  # steps of a Python loop from which unrolling it into a trace is worth a word
LONG_TOGETHER = 100  # steps of loops inside each other


@contextmanager
def unrolling(
    interp: Interpreter, node: cst.CSTNode, sequence: Value, steps: int | None = None
) -> Iterator[None]:
    """Runs the body, which a Python loop goes through once for each item of a sequence, or so many times."""
    if interp.trace is None or not interp.staging:
        yield
        return
    interp.unrolling.append((interp.trace, node, _steps(interp, sequence) if steps is None else steps))
    staged = interp.staged_operations
    try:
        yield
    finally:
        if interp.staged_operations > staged:
            _tell(interp, sequence, interp.staged_operations - staged)
        interp.unrolling.pop()


def _tell(interp: Interpreter, sequence: Value, operations: int) -> None:
    """Tells of the loop under way, or of those that it stands in, where they are long."""
    trace, node, count = interp.unrolling[-1]
    if count >= LONG:
        interp.tell(Unrolled, node, value=sequence, count=count, operations=operations)
        return
    around = [entry for entry in interp.unrolling if entry[0] is trace]
    together = math.prod(steps for _, _, steps in around)
    if together >= LONG_TOGETHER and all(steps < LONG for _, _, steps in around):
        interp.tell(Unrolled, around[0][1], value=sequence, count=together, operations=operations)


def _steps(interp: Interpreter, sequence: Value) -> int:
    """How many steps a loop over a sequence has, 1 where that is not known; the most, where it may be one of several."""
    return max(1, *(length_of(interp, member) or 1 for member in members(sequence)))


def while_steps(interp: Interpreter, node: cst.While) -> int:
    """How many steps `while k < n` has, whose body does nothing to `k` but add a constant; 1 where that is not known."""
    test = node.test
    if type(test) is not cst.Comparison or type(test.left) is not cst.Name or len(test.comparisons) != 1:
        return 1
    name, bound = test.left.value, test.comparisons[0].comparator
    step = _step_of(node.body, name)
    if step is None or not isinstance(bound, cst.Name | cst.Attribute | cst.Integer):
        return 1
    start, stop = interp.lookup(name), interp.evaluate(bound)
    if not (_is_integer(start) and _is_integer(stop)):
        return 1
    assert isinstance(start, Const) and isinstance(stop, Const)
    match test.comparisons[0].operator:
        case cst.LessThan() | cst.NotEqual() if step > 0:
            return len(range(start.value, stop.value, step))
        case cst.LessThanEqual() if step > 0:
            return len(range(start.value, stop.value + 1, step))
        case cst.GreaterThan() | cst.NotEqual() if step < 0:
            return len(range(start.value, stop.value, step))
        case cst.GreaterThanEqual() if step < 0:
            return len(range(start.value, stop.value - 1, step))
    return 1


def _is_integer(value: Value) -> bool:
    return isinstance(value, Const) and type(value.value) is int


def _step_of(body: cst.BaseSuite, name: str) -> int | None:
    """What each turn of a body adds to a name, where nothing else is done to it."""
    changes = [
        node
        for node in in_order(body)
        if isinstance(node, cst.AugAssign | cst.AssignTarget | cst.For | cst.CompFor | cst.NamedExpr)
        and any(type(part) is cst.Name and part.value == name for part in in_order(node.target))
    ]
    at_top = {id(small) for line in body.body for small in children(line)}
    change = changes[0] if len(changes) == 1 else None
    if type(change) is not cst.AugAssign or id(change) not in at_top or type(change.value) is not cst.Integer:
        return None
    amount = int(change.value.value.replace("_", ""), 0)
    if isinstance(change.operator, cst.AddAssign):
        return amount or None
    return -amount or None if isinstance(change.operator, cst.SubtractAssign) else None
