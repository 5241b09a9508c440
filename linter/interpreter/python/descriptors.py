"""Attributes whose assignment runs code: setters of properties, and objects with `__set__` in the body of a class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ...domain import ClassValue, Const, FunctionValue, InstanceValue, MethodValue, Value
from ..calls import call
from .classes import find_member

if TYPE_CHECKING:
    from ..machine import Interpreter


def setter_key(name: str) -> str:
    """The slot of a class that holds what sets the attribute; no name of Python has a space."""
    return f"set {name}"


def note_property_setter(interp: Interpreter, function: Value) -> None:
    """`@width.setter` above a function in the body of a class."""
    if isinstance(function, FunctionValue) and interp.frame.is_class:
        interp.frame.scope.slots[setter_key(function.name)] = function
        interp.setters = True


def set_up_descriptors(interp: Interpreter, cls: ClassValue) -> None:
    """Objects in a class body learn their name (`__set_name__`), and are asked when it is assigned to (`__set__`)."""
    for name, value in list(cls.box.slots.items()):
        if not isinstance(value, InstanceValue) or not isinstance(value.cls, ClassValue):
            continue
        named = find_member(interp, value.cls, "__set_name__")
        if isinstance(named, FunctionValue):
            call(interp, MethodValue(named, value), [cls, Const(name)], {}, cls.node)
        method = find_member(interp, value.cls, "__set__")
        if isinstance(method, FunctionValue):
            cls.box.slots[setter_key(name)] = MethodValue(method, value)
            interp.setters = True


def set_by_code(
    interp: Interpreter, owner: InstanceValue, name: str, value: Value, node: cst.CSTNode
) -> bool:
    """Runs what the class has for assignments to the attribute; whether it has anything."""
    setter = find_member(interp, owner.cls, setter_key(name))
    if isinstance(setter, FunctionValue):
        call(interp, MethodValue(setter, owner), [value], {}, node)
    elif setter is not None:
        call(interp, setter, [owner, value], {}, node)
    return setter is not None
