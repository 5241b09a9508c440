"""Members of enumerations, which are told apart where they are nothing but members.

Source: Python's `enum`; members of one value are one member, that of the first name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import ClassValue, Const, ExternalValue, FunctionValue, MethodValue, Static, Value
from .classes import ancestors, bind_member, enum_kind, find_member

if TYPE_CHECKING:
    from .machine import Interpreter


@dataclass(frozen=True, slots=True)
class EnumMember:
    """The object that a name of an enumeration stands for."""

    label: str
    name: str
    cls: ClassValue = field(compare=False)

    def __repr__(self) -> str:
        return self.label


def member_of(interp: Interpreter, cls: ClassValue, name: str) -> Value | None:
    """`Colour.RED`; None for what is no member, as a method."""
    value = find_member(interp, cls, name)
    if value is None or isinstance(value, FunctionValue | MethodValue):
        return None
    if not _is_plain(interp, cls):
        return Static(enum_kind(cls))
    for other, held in cls.box.slots.items():
        if isinstance(held, Const) and held == value:
            name = str(other)
            break
    return Const(EnumMember(f"{cls.name}.{name}", name, cls))


def member_with(interp: Interpreter, cls: ClassValue, value: Value) -> Value:
    """`Colour("red")`."""
    if isinstance(value, Const) and _is_plain(interp, cls):
        for name, held in cls.box.slots.items():
            if isinstance(name, str) and held == value:
                return Const(EnumMember(f"{cls.name}.{name}", name, cls))
    return Static(enum_kind(cls))


def member_attribute(interp: Interpreter, member: Const, name: str, node: cst.CSTNode) -> Value:
    """An attribute of a member: its name, its value, or what its class defines."""
    held: EnumMember = member.value
    if name in ("name", "_name_"):
        return Const(held.name)
    value = find_member(interp, held.cls, held.name if name in ("value", "_value_") else name)
    if value is None:
        return Static()
    return value if name in ("value", "_value_") else bind_member(interp, value, member, node)


def _is_plain(interp: Interpreter, cls: ClassValue) -> bool:
    """Whether members equal nothing but themselves: they are no strings or numbers, and say nothing of `==`."""
    external = {one.name for one in ancestors(cls) if isinstance(one, ExternalValue)}
    return external == {"enum.Enum"} and find_member(interp, cls, "__eq__") is None
