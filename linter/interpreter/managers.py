"""Context managers: what `with` binds, and what is run where a block begins and ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..domain import NONE, ClassValue, FunctionValue, InstanceValue, ListValue, MethodValue, Unknown, Value
from .calls import call
from .python.attributes import attribute
from .python.classes import find_member
from .python.containers import elements

if TYPE_CHECKING:
    from .machine import Interpreter


def entered(interp: Interpreter, manager: Value, node: cst.CSTNode) -> Value:
    """What `as` binds: the result of `__enter__`, or what the generator of a `contextmanager` yields."""
    if isinstance(manager, ListValue) and manager.kind == "iterator":
        generation = interp.generations.get(manager.box)
        if generation is not None:
            interp.state.apply(generation.entering)
        return elements(interp, manager, node)
    given = call(interp, attribute(interp, manager, "__enter__", node), [], {}, node)
    return manager if isinstance(given, Unknown) and not isinstance(manager, Unknown) else given


def is_analysed(interp: Interpreter, manager: Value) -> bool:
    """Whether a manager is an object of a class of the analysed code."""
    return isinstance(manager, InstanceValue) and isinstance(manager.cls, ClassValue)


def has_effects(interp: Interpreter, manager: Value) -> bool:
    """Whether something is done where the block begins or ends: by a class, or by a generator around its `yield`."""
    generation = interp.generations.get(manager.box) if isinstance(manager, ListValue) else None
    return is_analysed(interp, manager) or (generation is not None and bool(generation.entering))


def left(interp: Interpreter, manager: Value, node: cst.CSTNode) -> None:
    """Runs `__exit__` of an analysed class, as it is run where nothing was raised, or the end of a generator."""
    generation = interp.generations.get(manager.box) if isinstance(manager, ListValue) else None
    if generation is not None:
        interp.state.apply(generation.leaving)
    if isinstance(manager, InstanceValue) and is_analysed(interp, manager):
        method = find_member(interp, manager.cls, "__exit__")
        if isinstance(method, FunctionValue):
            call(interp, MethodValue(method, manager), [NONE, NONE, NONE], {}, node)
