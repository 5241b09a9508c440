"""Members of enumerations, which are told apart where they are nothing but members.

Source: Python's `enum`; members of one value are one member, that of the first name.
"""

from __future__ import annotations

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
KNOWN = {"enum.Enum", "enum.IntEnum", "enum.StrEnum", "builtins.int", "builtins.str"}
"""Bases of enumerations whose members are nothing but themselves, numbers or strings."""


class EnumMember:
    """The object that a name of an enumeration stands for."""

    KIND = "EnumMember"
    name: str
    cls: ClassValue
    text: str  # what `str` makes of it

    def __repr__(self) -> str:
        return f"{self.cls.name}.{self.name}"

    def __str__(self) -> str:
        return self.text


class _Plain(EnumMember):
    """A member that equals nothing but itself."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Plain) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


class _Number(EnumMember, int):
    """A member that is a number besides."""

    KIND = "int"


class _Text(EnumMember, str):
    """A member that is a string besides."""

    KIND = "str"


def member_of(interp: Interpreter, cls: ClassValue, name: str) -> Value | None:
    """`Colour.RED`; None for what is no member, as a method."""
    value = find_member(interp, cls, name)
    if value is None or isinstance(value, FunctionValue | MethodValue):
        return None
    held = _held(cls, name, value)
    for other, earlier in cls.box.slots.items():
        if isinstance(earlier, Const) and earlier == held:
            name = str(other)
            break
    return _made(interp, cls, name, held)


def _held(cls: ClassValue, name: str, value: Value) -> Value:
    """The value of a member: what the class body says, or the number or word that `auto()` stands for."""
    if value != NUMBERED or enum_kind(cls) == "str":
        return Const(name.lower()) if value == NUMBERED else value
    number = 0
    for other, before in cls.box.slots.items():
        if before == NUMBERED:
            number += 1
        elif isinstance(before, Const) and isinstance(before.value, int):
            number = before.value
        if other == name:
            break
    return Const(number)


def _made(interp: Interpreter, cls: ClassValue, name: str, held: Value) -> Value:
    """The member of this name, of which its kind alone is known where the class has code for what it equals."""
    kind = enum_kind(cls)
    member: EnumMember
    if _is_open(interp, cls):
        return Static(kind)
    if kind == "EnumMember":
        member = _Plain()
    elif isinstance(held, Const) and kind == held.kind:
        member = _Number(held.value) if kind == "int" else _Text(held.value)
    else:
        return Static(kind)
    member.name, member.cls = name, cls
    mixed = kind == "EnumMember" or has_base(cls, ("builtins.int", "builtins.str"))
    member.text = repr(member) if mixed or not isinstance(held, Const) else str(held.value)
    return Const(member)


def _is_open(interp: Interpreter, cls: ClassValue) -> bool:
    """Whether members may be more than their names: flags, or what code of the class makes of them."""
    externals = {one.name for one in ancestors(cls) if isinstance(one, ExternalValue)}
    others = any(not isinstance(one, ClassValue | ExternalValue) for one in ancestors(cls))
    coded = any(find_member(interp, cls, method) for method in ("__eq__", "__new__", "__init__"))
    return others or coded or not externals <= KNOWN


def member_with(interp: Interpreter, cls: ClassValue, value: Value, node: cst.CSTNode) -> Value:
    """`Colour("red")`; a value without a hash is compared with that of each member, and the answers asked for their truth."""
    from ..arrays.operators import array_result

    for one in members(value):
        if isinstance(one, Array) and _has_numbers(interp, cls):
            answer = array_result(interp, (one,), node, one.shape, "bool", False, f"{cls.name}()", (one,))
            if answer.level is Level.ABSTRACT:
                interp.emit(Truth, node, answer, one is value, place="builtin", function=f"enum.{cls.name}")
    if isinstance(value, Const):
        for name, stored in cls.box.slots.items():
            held = _held(cls, name, stored)
            if isinstance(name, str) and isinstance(held, Const) and held.value == value.value:
                return _made(interp, cls, name, held)
    return Static(enum_kind(cls))


def member_attribute(interp: Interpreter, member: Const, name: str, node: cst.CSTNode) -> Value:
    """An attribute of a member: its name, its value, or what its class defines."""
    held: EnumMember = member.value
    if name in ("name", "_name_"):
        return Const(held.name)
    if name in ("value", "_value_"):
        value = find_member(interp, held.cls, held.name)
        return Static() if value is None else _held(held.cls, held.name, value)
    value = find_member(interp, held.cls, name)
    if value is not None:
        return bind_member(interp, value, member, node)
    kind = enum_kind(held.cls)
    return Static() if kind == "EnumMember" else MethodValue(ExternalValue(f"{kind}.{name}"), member)


def _has_numbers(interp: Interpreter, cls: ClassValue) -> bool:
    """Whether a member's value is a number, which is compared with an array item by item; strings just differ from it."""
    if has_base(cls, ("enum.StrEnum", "builtins.str")):
        return False
    held = (interp.state.read(cls.box, name) for name in cls.box.slots if isinstance(name, str))
    return any(
        value == NUMBERED or (isinstance(value, Const) and isinstance(value.value, int | float))
        for value in held
    )
