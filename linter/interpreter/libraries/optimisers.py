"""Gradient transformations of optax, the user's own among them, and chains of these.

A transformation is a pair `(init, update)`; a chain hands the updates from one to the next, each with its own part of the
state.  All run in the trace that is under way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...domain import TAINTED, UNKNOWN, Array, InstanceValue, Tree, TupleValue, Unknown, Value
from ...knowledge import Result
from ..calls import call as run
from ..python.attributes import attribute
from ..python.copies import fresh_copy
from .library import Call, argument
from .objects import make_object

if TYPE_CHECKING:
    from ..machine import Interpreter


LIKE_UPDATES = Result("like", ("updates",))


def transformation(call: Call) -> Value:
    """`optax.GradientTransformation(init, update)`: a named tuple of functions."""
    return TupleValue((argument(call, "init"), argument(call, "update")), None, ("init", "update"))


def chain(call: Call) -> Value:
    """`optax.chain(*transforms)`; where not all of them are known, it is any transformation."""
    kind = "OptaxChain" if call.spread is None else "OptaxTransformation"
    return make_object(call, Result("object", (kind,)))


def chain_init(call: Call) -> Value:
    """`init(params)` of a chain: the states, in order."""
    return TupleValue(tuple(_invoke(call, one, "init", call.args) for one in _links(call)))


def chain_update(call: Call) -> Value:
    """`update(updates, state, params)` of a chain: the last updates, and the new states."""
    links = _links(call)
    updates, others = (
        argument(call, "updates"),
        [call.bound[name] for name in ("params",) if name in call.bound],
    )
    states: list[Value] = []
    for one, state in zip(links, _states(call.interp, argument(call, "state"), len(links)), strict=True):
        updates, after = update_of(call, one, [updates, state, *others])
        states.append(after)
    return TupleValue((updates, TupleValue(tuple(states))))


def updates_and_state(call: Call) -> Value:
    """What the `update` of a library's transformation gives: updates of the same structure and shapes, and a state."""

    def leaf(value: Value) -> Value:
        return replace(value, dtype=None) if isinstance(value, Array) else value

    updates = fresh_copy(call.interp, call.result(LIKE_UPDATES), leaf, call.node)
    return TupleValue((updates, call.result(Result("tree"))))


def update_of(call: Call, transformation: Value, args: list[Value]) -> tuple[Value, Value]:
    """The updates and the state that a transformation gives for these arguments."""
    if isinstance(transformation, Unknown):
        return _anything(call.interp), _anything(call.interp)
    return _pair(call.interp, _invoke(call, transformation, "update", args))


def _links(call: Call) -> tuple[Value, ...]:
    receiver = call.bound.get("self")
    given = (
        call.interp.state.read(receiver.box, "transforms") if isinstance(receiver, InstanceValue) else None
    )
    return given.items if isinstance(given, TupleValue) else ()


def _invoke(call: Call, link: Value, name: str, args: list[Value]) -> Value:
    return run(call.interp, attribute(call.interp, link, name, call.node), args, {}, call.node, call.spread)


def _states(interp: Interpreter, state: Value, count: int) -> list[Value]:
    """The parts of a chain's state; those of a tree of unknown structure are such trees too."""
    if isinstance(state, TupleValue) and len(state.items) == count and state.rest is None:
        return list(state.items)
    part = state if isinstance(state, Tree) else _anything(interp)
    return [part] * count


def _pair(interp: Interpreter, result: Value) -> tuple[Value, Value]:
    """What an `update` has returned."""
    if isinstance(result, TupleValue) and len(result.items) == 2:
        return result.items[0], result.items[1]
    part = result if isinstance(result, Tree) else _anything(interp)
    return part, part


def _anything(interp: Interpreter) -> Value:
    return TAINTED if interp.staging else UNKNOWN
