"""What is given as a function: whether it can be called, and whether it has the hash that caches of traces ask for."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ...domain import (
    Array,
    ClassValue,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    MethodValue,
    PartialValue,
    RangeValue,
    Static,
    TransformedValue,
    TupleValue,
    Value,
)
from ..python.classes import find_member, open_ended
from ..python.enumerations import EnumMember
from ..python.hashing import without_hash
from ..python.signatures import refuses

if TYPE_CHECKING:
    from ..machine import Interpreter

HASHING = frozenset("jit pmap checkpoint scan while_loop fori_loop cond switch".split())
"""What looks its function up in a cache of traces (measured: `vmap`, derivatives and `map` do not)."""
_DATA = frozenset("int float bool complex str bytes ndarray tuple list dict".split())


def not_callable(interp: Interpreter, value: Value) -> bool:
    """Whether a value surely is no function, and nothing else that can be called."""
    match value:
        case Const():
            return not isinstance(value.value, EnumMember)
        case Static():
            return value.kind in _DATA and not value.claimed
        case Array():
            return value.sure
        case TupleValue():
            return value.cls is None
        case ListValue() | DictValue() | RangeValue():
            return True
        case InstanceValue(cls=ClassValue() as cls):
            return find_member(interp, cls, "__call__") is None and not open_ended(interp, cls)
        case _:
            return False


def is_callable(interp: Interpreter, value: Value) -> bool | None:
    """What `callable` answers of a value; None where that is not known."""
    match value:
        case FunctionValue() | ClassValue() | MethodValue() | PartialValue() | TransformedValue():
            return True
        case ExternalValue():
            return True if interp.catalogue.function(value.name) is not None else None
        case InstanceValue(cls=ClassValue() as cls) if find_member(interp, cls, "__call__") is not None:
            return True
        case _:
            return False if not_callable(interp, value) else None


def unhashable(interp: Interpreter, function: Value, transform: str) -> bool:
    """Whether a transform asks for the hash of its function, and that has none."""
    return transform in HASHING and without_hash(interp, function) is not None


def unfit(
    interp: Interpreter, function: Value, count: int, transform: str, named: Collection[str] = ()
) -> str:
    """Why a transform cannot call a function with so many arguments, and these by name, in words; empty if it may."""
    if not_callable(interp, function):
        return f"what {transform} is given as a function is none, and cannot be called"
    if unhashable(interp, function, transform):
        return f"the object that {transform} is given as a function has no hash"
    return refuses(function, count, named)
