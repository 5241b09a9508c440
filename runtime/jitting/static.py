"""Parameters that must be static: JAX keeps compiled programs by them, so they must be hashable, and no array is."""

from __future__ import annotations

import operator
from typing import Any

from ..core import Tracer


def require_hashable(parameter: str, value: Any) -> None:
    """Raises TypeError for a value that programs cannot be kept by, such as an array of JAX or NumPy, traced or not."""
    try:
        hash(value)
    except TypeError:
        origin = value._origin_msg() if isinstance(value, Tracer) else ""
        raise TypeError(
            f"{parameter} must be static and hashable, got {value} of type {type(value).__name__}, which is not: "
            f"pass a Python number.{origin}"
        ) from None


def hashable_int(parameter: str, value: Any) -> int:
    """An integer that programs are kept by. Raises TypeError for arrays, and for what is no integer."""
    if type(value) is int:
        return value
    require_hashable(parameter, value)
    return operator.index(value)


def hashable_ints(parameter: str, values: Any) -> tuple[int, ...]:
    """Integers that programs are kept by. Raises TypeError if one is an array."""
    return tuple([hashable_int(parameter, value) for value in values])
