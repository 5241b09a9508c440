"""Attributes of classes and their instances, and calls of instances."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    UNKNOWN,
    ClassValue,
    Const,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Mapping,
    MethodValue,
    Static,
    Value,
)
from ..calls import call, callee, opaque
from ..functions import underlying
from .classes import ENUMS, LINEN, ancestors, find_member, has_base, library_method, open_ended
from .containers import OWNER, held_by, new_dict
from .derived import inherited_attribute

if TYPE_CHECKING:
    from ..machine import Interpreter


def instance_attribute(interp: Interpreter, value: InstanceValue, name: str, node: cst.CSTNode) -> Value:
    """`instance.name`."""
    stored = interp.state.read(value.box, name)
    if stored is not None:
        if interp.trace is not None:
            interp.lifetimes.frozen.read(interp, value.box, name, stored, node, "attribute")
        elif interp.lifetimes.copies.unseen:
            interp.lifetimes.copies.looked_at(interp, value.box, name)
        return stored
    if name == "__class__":
        return value.cls
    if name == "__dict__":
        return attributes_of(interp, value, node)
    from ..libraries.lifting import lifted, set_up

    member = lifted(value, name, find_member(interp, value.cls, name))
    if member is not None:
        from .binding import bind_member

        return bind_member(interp, member, value, node)
    if has_base(value.cls, LINEN):
        if name in ("apply", "init", "init_with_output"):
            return MethodValue(ExternalValue(f"flax.{name}"), value)
        made = set_up(interp, value, name, node)
        if made is not None:
            return made
    inherited = inherited_attribute(interp, value, name, node) or library_method(interp, value, name)
    if inherited is not None:
        return inherited
    getter = find_member(interp, value.cls, "__getattr__")
    if (
        isinstance(getter, FunctionValue)
        and not name.startswith("__")
        and (held_by(interp, value) is not None or not open_ended(interp, value.cls))
    ):
        return call(interp, MethodValue(getter, value), [Const(name)], {}, node)
    if getter is not None:
        return UNKNOWN
    if name in ("replace", "_replace"):
        return MethodValue(ExternalValue("instance.replace"), value)
    from ..libraries.objects import object_attribute

    return object_attribute(interp, value, name, node)


def attributes_of(interp: Interpreter, value: InstanceValue, node: cst.CSTNode) -> Value:
    """The `__dict__` of an instance as it is now; of what is put into it later, its methods alone are seen."""
    items = tuple((key, item) for key, item in value.box.slots.items() if isinstance(key, str))
    made = new_dict(interp, Mapping(items, UNKNOWN if open_ended(interp, value.cls) else None), node)
    made.box.slots[OWNER] = value
    return made


BUILTIN_NEW = ExternalValue("builtins.object.__new__")


def class_attribute(interp: Interpreter, value: ClassValue, name: str) -> Value:
    """`Class.name`."""
    if name in ("__name__", "__qualname__", "__doc__", "__module__"):
        return Static("str")
    if has_base(value, ENUMS) and not name.startswith("_"):
        from .enumerations import member_of

        found = member_of(interp, value, name)
        if found is not None:
            return found
    member = find_member(interp, value, name)
    if isinstance(member, MethodValue) and isinstance(member.function, ExternalValue):
        if member.function.name == "descriptor.staticmethod":
            return member.receiver
        if member.function.name == "descriptor.classmethod":
            return MethodValue(member.receiver, value)
    if member is None and name == "__new__" and not open_ended(interp, value):
        return BUILTIN_NEW
    if member is None and name == "create":
        member = library_method(interp, value, name)  # an alternative constructor, as of flax's TrainState
    if isinstance(member, Const) and _of_unknown_class(interp, value):
        return UNKNOWN  # a metaclass may give something else, as those of enumerations do
    return member if member is not None else UNKNOWN


def _of_unknown_class(interp: Interpreter, cls: ClassValue) -> bool:
    """Whether a base is a library's class of which no table tells."""
    return any(isinstance(one, ExternalValue) and not _is_known(interp, one.name) for one in ancestors(cls))


def _is_known(interp: Interpreter, name: str) -> bool:
    return name.split(".", 1)[0] in sys.stdlib_module_names or interp.catalogue.object(name) is not None


@callee(InstanceValue)
def _call_instance(
    interp: Interpreter,
    instance: InstanceValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    from ..libraries.lifting import lifted
    from ..libraries.objects import object_method

    method = lifted(instance, "__call__", find_member(interp, instance.cls, "__call__"))
    own = object_method(interp, instance, "__call__") if method is None else None
    if own is not None:
        return call(interp, own, args, kwargs, node, spread)
    if method is None or isinstance(underlying(method), InstanceValue):  # perhaps one whose class is this one
        return opaque(interp, [instance, *args], kwargs, spread)
    return call(interp, MethodValue(method, instance), args, kwargs, node, spread)
