"""`super()`: the object that runs a method, seen from the classes after the method's own.

Reference: M. Simionato, "The Python 2.3 Method Resolution Order".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    UNKNOWN,
    ClassValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    MethodValue,
    PartialValue,
    TupleValue,
    Value,
)
from .binding import bind_member
from .classes import ancestors, library_method
from .containers import held_by
from .derived import own_method
from .members import class_attribute, instance_attribute

if TYPE_CHECKING:
    from ..machine import Interpreter

SUPER = ExternalValue("super")


def super_value(interp: Interpreter, args: list[Value]) -> Value:
    """`super()` in the method that runs, or `super(Class, object)`."""
    if len(args) == 2:
        owner, receiver = args[0], args[1]
    else:
        function, scope = interp.frame.function, interp.frame.scope
        if args or function is None or function.owner is None:
            return UNKNOWN
        params = [*function.node.params.posonly_params, *function.node.params.params]
        if not params:
            return UNKNOWN
        owner, receiver = function.owner, scope.slots.get(params[0].name.value, UNKNOWN)
    if not isinstance(owner, ClassValue) or not isinstance(receiver, InstanceValue | ClassValue):
        return UNKNOWN
    return MethodValue(SUPER, TupleValue((owner, receiver)))


def super_attribute(interp: Interpreter, seen: Value, name: str, node: cst.CSTNode) -> Value:
    """`super().name`: what the next class that has the name says, bound to the object itself."""
    assert isinstance(seen, TupleValue)
    owner, receiver = seen.items
    assert isinstance(owner, ClassValue)
    order = list(ancestors(receiver.cls if isinstance(receiver, InstanceValue) else receiver))
    place = next((k for k, one in enumerate(order) if _same(one, owner)), None)
    for one in order[place + 1 :] if place is not None else ():
        member = interp.state.read(one.box, name) if isinstance(one, ClassValue) else None
        if member is None:
            continue
        if isinstance(receiver, ClassValue) and isinstance(member, FunctionValue):
            return member
        return bind_member(interp, member, receiver, node)
    for base in owner.bases:
        if isinstance(base, ClassValue):
            if isinstance(receiver, InstanceValue):
                return instance_attribute(interp, InstanceValue(base, receiver.box), name, node)
            return class_attribute(interp, base, name)
    if name == "__setattr__" and isinstance(receiver, InstanceValue):
        return PartialValue(ExternalValue("builtins.object.__setattr__"), (receiver,), ())
    held = held_by(interp, receiver)
    inherited = own_method(held, name) if held is not None else library_method(interp, receiver, name)
    return inherited if inherited is not None else UNKNOWN


def _same(one: Value, owner: ClassValue) -> bool:
    return isinstance(one, ClassValue) and one.node is owner.node
