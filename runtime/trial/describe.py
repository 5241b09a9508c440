"""Values in a few characters: `f32[3]`, `2`, `{'w': f32[3,2]}`, `GameState(i32[], i32[2])`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

_SHORT = {"float": "f", "int": "i", "uint": "u", "complex": "c", "bfloat": "bf"}
_MAX_DEPTH = 4
_MAX_ITEMS = 8


def short_dtype(dtype: Any) -> str:
    """`float32` as `f32`, as in JAX's jaxprs."""
    name = str(getattr(dtype, "name", dtype))
    head = name.rstrip("0123456789")
    return _SHORT[head] + name[len(head) :] if head in _SHORT and head != name else name


def describe(value: Any, depth: int = 0) -> str:
    """A value as a report shows it; arrays and tracers by dtype and shape."""
    if depth > _MAX_DEPTH:
        return "..."
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        text = repr(value)
        return text if len(text) <= 40 else text[:37] + "..."
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if isinstance(shape, tuple) and dtype is not None and not isinstance(value, type):
        if "key<" in str(dtype):
            return "key" if not shape else f"key[{','.join(map(str, shape))}]"
        return f"{short_dtype(dtype)}[{','.join(map(str, shape))}]"
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return f"{type(value).__name__}({_items(value, depth)})"
    if isinstance(value, tuple):
        return f"({_items(value, depth)}{',' if len(value) == 1 else ''})"
    if isinstance(value, list):
        return f"[{_items(value, depth)}]"
    if isinstance(value, Mapping):
        shown = [f"{key!r}: {describe(item, depth + 1)}" for key, item in list(value.items())[:_MAX_ITEMS]]
        return "{" + ", ".join(shown) + (", ..." if len(value) > _MAX_ITEMS else "") + "}"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [getattr(value, field.name, None) for field in dataclasses.fields(value)]
        return f"{type(value).__name__}({_items(fields, depth)})"
    name = getattr(value, "__qualname__", None) or type(value).__qualname__
    return name.rpartition(".")[2] if callable(value) else f"{name.rpartition('.')[2]}(...)"


def _items(values: Any, depth: int) -> str:
    shown = [describe(item, depth + 1) for item in values[:_MAX_ITEMS]]
    return ", ".join(shown) + (", ..." if len(values) > _MAX_ITEMS else "")


def describe_call(
    function: Callable[..., Any], arguments: tuple[Any, ...], keywords: Mapping[str, Any]
) -> str:
    """The arguments of a call: `f32[3], 2, rate=0.1`."""
    del function
    shown = [_safely(value) for value in arguments]
    shown += [f"{name}={_safely(value)}" for name, value in keywords.items()]
    text = ", ".join(shown)
    return text if len(text) <= 200 else text[:197] + "..."


def _safely(value: Any) -> str:
    try:
        return describe(value)
    except Exception:  # noqa: BLE001 (a user's property)
        return type(value).__name__
