"""Loops: unrolled where the items are known and few, otherwise run to a fixed point."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import NONE, Array, Value, members
from ..events import Iterated
from .machine import Loop
from .narrowing import narrow
from .python.containers import elements, items_of
from .repetition import GROWING
from .settling import settled
from .state import Delta
from .stores import assign
from .truth import truth
from .unrolling import unrolling, while_steps

if TYPE_CHECKING:
    from .machine import Interpreter

UNROLL = 10  # items of a loop that are run one by one
ROUNDS = 4  # joined rounds before a loop is taken to be stable


def run_for(interp: Interpreter, node: cst.For) -> bool:
    """`for`: over known items one by one, over others with an element that stands for all."""
    interp.consumed = node.iter
    sequence = interp.evaluate(node.iter)
    note_iteration(interp, sequence, node.iter, "for")
    with unrolling(interp, node.iter, sequence):
        return _run_over(interp, node, sequence, items_of(interp, sequence))


def _run_over(interp: Interpreter, node: cst.For, sequence: Value, items: list[Value] | None) -> bool:
    if items is not None and len(items) <= UNROLL:
        return _unrolled(interp, node, items)
    element = elements(interp, sequence, node.iter)
    exact = items[:GROWING] if items is not None and interp.trace is None else []
    first = iter(exact)

    def begin() -> bool:
        # The first turns as they are: what grows is seen
        assign(interp, node.target, next(first, element), node)
        return True

    return _fixed_point(interp, node.body, node.orelse, begin, lambda: None, least=len(exact) + 1)


def run_while(interp: Interpreter, node: cst.While) -> bool:
    """`while`: the test is asked before each round."""
    value_known: list[bool | None] = []

    def begin() -> bool:
        value = interp.evaluate(node.test)
        known = truth(interp, value, node.test, "while")
        value_known.append(known)
        if known is False:
            return False
        narrow(interp, node.test, True)
        return True

    def leave() -> None:
        narrow(interp, node.test, False)

    with unrolling(interp, node.test, NONE, while_steps(interp, node)):
        return _fixed_point(interp, node.body, node.orelse, begin, leave, value_known, node.test)


def note_iteration(interp: Interpreter, value: Value, node: cst.CSTNode, how: str) -> None:
    """Tells of a tracer that Python iterates over, where it is known to be a scalar."""
    if isinstance(value, Array):
        interp.lifetimes.asked(interp, (value,), node)
    for member in members(value):
        if isinstance(member, Array) and member.traced and member.shape == ():
            interp.emit(Iterated, node, member, len(members(value)) == 1, how=how)


def _unrolled(interp: Interpreter, node: cst.For, items: list[Value]) -> bool:
    """Runs the body once for each item, in order."""
    body = node.body
    loop = Loop(interp.state.mark())
    interp.frame.loops.append(loop)
    reached = True
    with interp.looping(body):
        for item in items:
            loop.continues.clear()
            assign(interp, node.target, item, node)
            ended = interp.execute(node.body)
            reached = _join_round(interp, loop, ended)
            if not reached:
                break
    interp.frame.loops.pop()
    return _leave(interp, loop, node.orelse, reached)


def _join_round(interp: Interpreter, loop: Loop, ended: bool) -> bool:
    """The state after one round: the end of the body and every `continue`."""
    return _joined(interp, loop, loop.continues, ended)


def _leave(interp: Interpreter, loop: Loop, orelse: cst.Else | None, reached: bool) -> bool:
    """The state after the loop: run dry (with its `else`) or left by a `break`."""
    if reached and orelse is not None:
        reached = interp.execute(orelse.body)
    return _joined(interp, loop, loop.breaks, reached)


def _joined(interp: Interpreter, loop: Loop, jumps: list[Delta], reached: bool) -> bool:
    """Joins the states of jumps with the present one, if that is reached; whether any is."""
    if not jumps:
        return reached
    states = [*jumps, interp.state.delta(loop.mark)] if reached else list(jumps)
    interp.state.rollback(loop.mark)
    interp.state.merge(states)
    return True


def _fixed_point(
    interp: Interpreter,
    body: cst.BaseSuite,
    orelse: cst.Else | None,
    begin: Callable[[], bool],
    leave: Callable[[], None],
    known: list[bool | None] | None = None,
    test: cst.BaseExpression | None = None,
    least: int = 1,
) -> bool:
    """Runs rounds, the first ones exactly, the others joined, until nothing changes, but at least so many.

    A loop is taken to run at least once: programs whose loops never run are not what people write.
    """
    loop = Loop(interp.state.mark())
    born = interp.new_box("loop").serial
    interp.frame.loops.append(loop)
    exits: list[Delta] = []
    previous: Delta | None = None
    runs_dry = False
    exact = known is not None and not (isinstance(test, cst.Name | cst.Integer))
    apart = 1 if interp.trace is not None else GROWING - 1  # outside a trace, what grows is seen
    with interp.looping(body):
        for turn in range(1 + apart + ROUNDS + (UNROLL if exact else 0)):
            loop.continues.clear()
            if not begin():
                runs_dry = True
                exits.append(interp.state.delta(loop.mark))
                break
            if known is not None and known[-1] is None and turn > 0:
                exits.append(interp.state.delta(loop.mark))
            ended = interp.execute(body)
            if not _join_round(interp, loop, ended):
                break
            after = interp.state.delta(loop.mark)
            runs_dry = known is None or known[-1] is None
            if previous is not None and turn + 1 >= least and settled(previous, after, born):
                exits.append(after)
                break
            counting = exact and known is not None and known[-1] and turn < UNROLL
            if turn >= apart and previous is not None and not counting:
                interp.state.rollback(loop.mark)
                interp.state.merge([previous, after])
                after = interp.state.delta(loop.mark)
                if turn + 1 >= least and settled(previous, after, born):
                    exits.append(after)
                    break
            previous = after
        else:
            if previous is not None:
                exits.append(previous)
    interp.frame.loops.pop()
    interp.state.rollback(loop.mark)
    if exits and runs_dry:
        interp.state.merge(exits)
        leave()
        return _leave(interp, loop, orelse, True)
    if previous is not None and not loop.breaks:
        interp.state.apply(
            previous
        )  # an exception alone ends it, and whoever handles that sees what has been done
    return _leave(interp, loop, orelse, False)
