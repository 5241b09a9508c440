"""Arms of a branch, each run from the same state, and joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ..domain import Array, Arrays, Level, Static, Unknown, Value, members

if TYPE_CHECKING:
    from .machine import Interpreter


Arm: TypeAlias = "tuple[Callable[[], bool], bool]"  # what to run, and whether it is in doubt that it runs


def branch(interp: Interpreter, arms: Sequence[Arm]) -> bool:
    """Runs each arm from the present state and joins the states of those that end normally."""
    if len(arms) == 1:
        run, doubt = arms[0]
        with interp.doubting(doubt):
            return run()
    mark = interp.state.mark()
    frame, ends, returns, goes_on = interp.frame, [], len(interp.frame.returns), False
    before, broken_off = interp.broken_off, True
    for run, doubt in arms:
        with interp.doubting(doubt):
            if run():
                ends.append(interp.state.delta(mark))
                goes_on = goes_on or not doubt
        broken_off, interp.broken_off = broken_off and interp.broken_off > before, before
        interp.state.rollback(mark)
    interp.broken_off += broken_off
    if len(frame.returns) > returns and not goes_on and any(doubt for _, doubt in arms):
        frame.perhaps_left, interp.certain = True, False
    if not ends:
        return False
    interp.state.merge(ends)
    return True


def doubts(value: Value) -> tuple[bool, bool]:
    """Whether it is doubtful that tracing takes the branch where the value holds, and the one where it does not."""
    if isinstance(value, Unknown):
        return value.may_trace, value.may_trace
    if isinstance(value, Static) and value.likely is not None:
        return not value.likely.value, bool(value.likely.value)
    if isinstance(value, Static) and value.settled:
        return True, True  # one of them is never taken
    if any(isinstance(m, Array) and m.level is not Level.ABSTRACT for m in members(value)):
        return True, True  # data decides
    if any(isinstance(m, Arrays) and m.traced and not m.sure for m in members(value)):
        return True, True
    if any(isinstance(m, Unknown) for m in members(value)):
        return True, True
    return False, False
