"""What a dict finds its items by, where that is known."""

from __future__ import annotations

from typing import Any

from ...domain import ClassValue, Const, ExternalValue, FunctionValue, Static, TupleValue, Value


def known_key(value: Value) -> Const | None:
    """A key as Python compares it: a constant, a function, class or dtype, or a tuple of these; None for any other."""
    match value:
        case Const():
            return value
        case ClassValue() | ExternalValue() | FunctionValue():
            return Const(value)
        case Static(kind="dtype") if value.likely is not None:
            return Const(value)
        case TupleValue(kind="tuple", rest=None):
            parts = [known_key(item) for item in value.items]
            return None if None in parts else Const(tuple(part.value for part in parts if part is not None))
        case _:
            return None


def key_value(key: Any) -> Value:
    """The value that a key of a known dict stands for."""
    if isinstance(key, Value):
        return key
    return TupleValue(tuple(map(key_value, key))) if isinstance(key, tuple) else Const(key)


def compared_by_name(key: Any) -> bool:
    """Whether what is not found under a key may be there all the same, as objects have several names."""
    return isinstance(key, Value) or (isinstance(key, tuple) and any(map(compared_by_name, key)))
