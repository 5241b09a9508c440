"""What is asked of classes: their bases, members and fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    UNKNOWN,
    ClassValue,
    Const,
    ExternalValue,
    InstanceValue,
    MethodValue,
    TupleValue,
    Value,
)
from ..calls import call
from .fields import as_field

if TYPE_CHECKING:
    from ..machine import Interpreter

LINEN = ("flax.linen.Module", "flax.linen.RNNCellBase")
ENUMS = ("enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag")


def fields_of(cls: Value) -> list[str]:
    """The field names of a dataclass or NamedTuple, those of its bases first."""
    names: list[str] = []
    for one in reversed(list(ancestors(cls))):
        if isinstance(one, ClassValue):
            slot = one.box.slots.get("__fields__")
            for item in slot.items if isinstance(slot, TupleValue) else ():
                if isinstance(item, Const) and item.value not in names:
                    names.append(item.value)
    return names


def annotated(node: cst.ClassDef) -> Iterator[tuple[str, cst.BaseExpression]]:
    """The annotated names of a class body."""
    for line in node.body.body:
        for small in line.body if type(line) is cst.SimpleStatementLine else ():
            if type(small) is cst.AnnAssign and type(small.target) is cst.Name:
                yield small.target.value, small.annotation.annotation


def field_annotation(cls: ClassValue, name: str) -> cst.BaseExpression | None:
    """The annotation of a field of a class's own, be it without a value in the class body."""
    fields = cls.box.slots.get("__fields__")
    if not isinstance(fields, TupleValue) or Const(name) not in fields.items:
        return None
    return dict(annotated(cls.node)).get(name)


def field_default(interp: Interpreter, cls: Value, name: str) -> Value | None:
    """A field's default: the value in the class body, or what `field(default=...)` says."""
    value = find_member(interp, cls, name)
    given = as_field(value)
    if given is None:
        return value
    return given.default if given.factory in (NONE, UNKNOWN) else call(interp, given.factory, [], {}, None)


def ancestors(cls: Value, depth: int = 0) -> Iterator[Value]:
    """The class, then its bases, library classes among them, in the order in which their members are looked up."""
    yield cls
    if isinstance(cls, ClassValue) and depth < 20:
        if len(cls.bases) == 1:
            yield from ancestors(cls.bases[0], depth + 1)
        elif cls.bases:
            yield from _of_several(cls.bases, depth)


def _of_several(bases: tuple[Value, ...], depth: int) -> Iterator[Value]:
    """The ancestors by several bases: one that several lead to comes after all that derive from it."""
    found = [one for base in bases for one in ancestors(base, depth + 1)]
    kept = {one.node if isinstance(one, ClassValue) else one: one for one in reversed(found)}
    return reversed(kept.values())


def find_member(interp: Interpreter, cls: Value, name: str) -> Value | None:
    """What a name means in a class or its bases."""
    for one in ancestors(cls):
        if isinstance(one, ClassValue):
            value = interp.state.read(one.box, name)
            if value is not None:
                return value
    return None


def open_ended(interp: Interpreter, cls: Value) -> bool:
    """Whether a base is a library's class, so that there may be members that are not seen."""
    return any(
        (isinstance(one, ClassValue) and "__open__" in one.box.slots)
        or (
            not isinstance(one, ClassValue)
            and not (
                isinstance(one, ExternalValue)
                and one.name in ("builtins.object", "abc.ABC", "typing.Protocol", "typing.Generic")
            )
        )
        for one in ancestors(cls)
    )


def has_base(cls: Value, names: tuple[str, ...]) -> bool:
    """Whether one of these library classes is a base."""
    return any(isinstance(one, ExternalValue) and one.name in names for one in ancestors(cls))


def enum_kind(cls: Value) -> str:
    """What the members of an enumeration are besides: numbers, strings, or neither."""
    if has_base(cls, ("enum.IntEnum", "enum.IntFlag", "builtins.int")):
        return "int"
    return "str" if has_base(cls, ("enum.StrEnum", "builtins.str")) else "EnumMember"


def library_method(interp: Interpreter, value: Value, name: str) -> Value | None:
    """A method that a library's class has for the classes derived from it."""
    for one in ancestors(value.cls if isinstance(value, InstanceValue) else value):
        word = interp.catalogue.object(one.name) if isinstance(one, ExternalValue) else None
        kind = (word or "").removeprefix("class:")
        if kind and interp.catalogue.method(kind, name) is not None:
            return MethodValue(ExternalValue(f"{kind}.{name}"), value)
    return None
