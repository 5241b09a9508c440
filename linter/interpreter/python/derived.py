"""Objects of classes derived from dict or list: what they hold as such."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    ClassValue,
    Const,
    DictValue,
    ExternalValue,
    InstanceValue,
    ListValue,
    Mapping,
    MethodValue,
    Value,
)
from .classes import ancestors, find_member
from .containers import CONTENT, EMPTY, held_by, index_mapping, new_dict, new_list

if TYPE_CHECKING:
    from ..machine import Interpreter

DICTS = ("builtins.dict", "collections.OrderedDict", "collections.UserDict")
LISTS = ("builtins.list", "collections.UserList")


def begin(interp: Interpreter, cls: ClassValue, instance: InstanceValue, node: cst.CSTNode) -> Value | None:
    """Gives a new object an empty dict or list, where its class is derived from these; its constructor, which fills it."""
    if find_member(interp, cls, "__new__") is not None:
        return None
    for base in ancestors(cls):
        if isinstance(base, ExternalValue) and base.name in DICTS + LISTS:
            made = base.name in DICTS
            held = new_dict(interp, Mapping(), node) if made else new_list(interp, EMPTY, node)
            instance.box.slots[CONTENT] = held
            return own_method(held, "__init__")
    return None


def own_method(held: DictValue | ListValue, name: str) -> MethodValue | None:
    """A method that dict or list has itself."""
    kind = "dict" if isinstance(held, DictValue) else "list"
    if not hasattr(dict if kind == "dict" else list, name):
        return None
    if name == "__init__":
        name = "update" if kind == "dict" else "extend"
    return MethodValue(ExternalValue(f"{kind}.{name}"), held)


def inherited_attribute(
    interp: Interpreter, value: InstanceValue, name: str, node: cst.CSTNode
) -> Value | None:
    """A method of dict or list; an item, where items are attributes, too."""
    held = held_by(interp, value)
    if held is None:
        return None
    method = own_method(held, name)
    if method is not None:
        return method
    getter = find_member(interp, value.cls, "__getattr__")
    by_name = getter in (ExternalValue("builtins.dict.__getitem__"), ExternalValue("builtins.dict.get"))
    if isinstance(held, DictValue) and (by_name or value.box.slots.get("__dict__") == value):
        return index_mapping(interp, held, Const(name), node)
    return None
