"""Parameters that haiku makes while `init` runs: inside a loop or branch of jax's own they belong to that trace, and leak."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...domain import Array, Const, InstanceValue, Tree, Value
from ..tracing.traces import Trace, outward

if TYPE_CHECKING:
    from ..machine import Interpreter
    from .library import Call

STAGED = frozenset("cond fori_loop jit map scan switch while_loop".split())
"""Transforms in whose traces everything is staged; haiku has loops of its own, which hand the parameters on."""


@dataclass(slots=True, eq=False)
class Making:
    """The parameters of one call of `init`, by the layer or the name that they are made for."""

    home: Trace | None
    made: set[object] = field(default_factory=set)
    leaked: Array | None = None


@contextmanager
def making(interp: Interpreter, parameters: Making | None) -> Iterator[None]:
    """While `init` runs, or haiku's own transforms (None), which make parameters where they belong."""
    outer, interp.haiku_making = interp.haiku_making, parameters
    try:
        yield
    finally:
        interp.haiku_making = outer


def note_made(call: Call, array: Array) -> None:
    """A layer is called, or a parameter asked for: the first time it is made, in the trace under way."""
    interp, now = call.interp, call.interp.haiku_making
    if now is None:
        return
    receiver, name = call.bound.get("self"), call.bound.get("name")
    key: object = name.value if isinstance(name, Const) else None
    if isinstance(receiver, InstanceValue):
        key = receiver.box.site
    if key is None or key in now.made:
        return
    now.made.add(key)
    inner: Trace | None = None
    for trace in outward(interp.trace):
        if trace is now.home:
            break
        inner = trace if trace.entry.transform in STAGED else inner
    described = any(trace.entry.transform == "eval_shape" for trace in outward(now.home))
    if inner is not None and not described:
        interp.lifetimes.leaks.stored(interp, array, call.node, "parameters", "", True)
        now.leaked = now.leaked or array


def with_leaked(parameters: Value, now: Making) -> Value:
    """The parameters that `init` gives, the leaked ones among them."""
    if now.leaked is None:
        return parameters
    return Tree(now.leaked.level, now.leaked.sure, now.leaked.roots, now.leaked.trail)
