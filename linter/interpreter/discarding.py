"""Statements that throw a functional update away: `x.at[i].set(v)`, `state.replace(step=1)`, `optax.apply_updates(...)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..domain import Array, ExternalValue, MethodValue, Value, members
from ..events import Discarded

if TYPE_CHECKING:
    from .machine import Interpreter

METHODS = frozenset(("instance.replace", "tuple._replace"))
FUNCTIONS = frozenset(
    """dataclasses.replace optax.apply_updates optax.incremental_update equinox.tree_at equinox.apply_updates
    jax.lax.dynamic_update_slice jax.lax.dynamic_update_slice_in_dim jax.lax.dynamic_update_index_in_dim""".split()
)
"""Functions that give a changed copy of their argument, and do nothing else."""
_NAMES = frozenset(("replace", "_replace")) | {name.rsplit(".", 1)[-1] for name in FUNCTIONS}


def note_discarded(interp: Interpreter, call: cst.Call, value: Value) -> None:
    """A call stands as a statement, and gives this value."""
    function = call.func
    if type(function) is cst.Name:
        if function.value in _NAMES and _updates(interp, function):
            interp.tell(Discarded, call, value=value, how="update")
        return
    if type(function) is not cst.Attribute:
        return
    place = function.value
    if type(place) is cst.Subscript and type(place.value) is cst.Attribute and place.value.attr.value == "at":
        if all(isinstance(m, Array) for m in members(value)):
            interp.tell(Discarded, call, value=value, how="update")
    elif function.attr.value in _NAMES and _updates(interp, function):
        interp.tell(Discarded, call, value=value, how="update")


def _updates(interp: Interpreter, function: cst.BaseExpression) -> bool:
    """Whether what is called gives a changed copy."""
    mark = interp.state.mark()
    called = interp.evaluate(function)
    interp.state.rollback(mark)
    if isinstance(called, ExternalValue):
        return interp.catalogue.canonical(called.name) in FUNCTIONS
    return isinstance(called, MethodValue) and (
        isinstance(called.function, ExternalValue) and called.function.name in METHODS
    )
