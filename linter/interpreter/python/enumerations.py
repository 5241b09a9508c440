"""Members of enumerations, which are told apart where they are nothing but members.

Source: Python's `enum`; members of one value are one member, that of the first name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    Array,
    ClassValue,
    Const,
    ExternalValue,
    FunctionValue,
    Level,
    MethodValue,
    Static,
    Value,
    members,
)
from ...events import Truth
from .binding import bind_member
from .classes import ancestors, enum_kind, find_member, has_base

if TYPE_CHECKING:
    from ..machine import Interpreter

NUMBERED = Static("auto")
"""`enum.auto()`."""


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


def member_with(interp: Interpreter, cls: ClassValue, value: Value, node: cst.CSTNode) -> Value:
    """`Colour("red")`; a value without a hash is compared with that of each member, and the answers asked for their truth."""
    from ..arrays.operators import array_result

    for one in members(value):
        if isinstance(one, Array) and _has_numbers(interp, cls):
            answer = array_result(interp, (one,), node, one.shape, "bool", False, f"{cls.name}()", (one,))
            if answer.level is Level.ABSTRACT:
                interp.emit(Truth, node, answer, one is value, place="builtin", function=f"enum.{cls.name}")
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


def _has_numbers(interp: Interpreter, cls: ClassValue) -> bool:
    """Whether a member's value is a number, which is compared with an array item by item; strings just differ from it."""
    if has_base(cls, ("enum.StrEnum", "builtins.str")):
        return False
    held = (interp.state.read(cls.box, name) for name in cls.box.slots if isinstance(name, str))
    return any(
        value == NUMBERED or (isinstance(value, Const) and isinstance(value.value, int | float))
        for value in held
    )


def _is_plain(interp: Interpreter, cls: ClassValue) -> bool:
    """Whether members equal nothing but themselves: they are no strings or numbers, and say nothing of `==`."""
    external = {one.name for one in ancestors(cls) if isinstance(one, ExternalValue)}
    return external == {"enum.Enum"} and find_member(interp, cls, "__eq__") is None
