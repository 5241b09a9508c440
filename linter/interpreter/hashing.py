"""Which values Python can hash."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..domain import (
    Array,
    Const,
    DictValue,
    ExternalValue,
    InstanceValue,
    ListValue,
    Static,
    TupleValue,
    Value,
)
from .classes import fields_of, find_member

if TYPE_CHECKING:
    from .machine import Interpreter

FIELDS_HASH = ExternalValue("dataclasses.dataclass.__hash__")
"""The `__hash__` that a frozen dataclass gets: that of the tuple of its fields."""
DEPTH = 4  # how far inside tuples and fields is looked


def without_hash(interp: Interpreter, value: Value, depth: int = DEPTH) -> Value | None:
    """The value, or what stands inside it, that has no hash; None where everything may have one."""
    match value:
        case ListValue():
            return None if value.kind == "frozenset" else value
        case DictValue() | Array():
            return value
        case Static():
            lacking = value.kind == "Namespace" or (value.kind == "ndarray" and value.shape not in (None, ()))
            return value if lacking else None
        case TupleValue():
            parts = list(value.items)
        case InstanceValue():
            method = find_member(interp, value.cls, "__hash__")
            if method == Const(None):
                return value
            parts = []
            if method == FIELDS_HASH:
                parts = [
                    part
                    for name in fields_of(value.cls)
                    if (part := interp.state.read(value.box, name)) is not None
                ]
        case _:
            return None
    found = (without_hash(interp, part, depth - 1) for part in parts if depth > 0)
    return next((part for part in found if part is not None), None)
