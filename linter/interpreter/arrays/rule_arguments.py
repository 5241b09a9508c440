"""Arguments of a call as shape rules read them: their shapes, and integers that are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ...domain import Const, Shape, Value
from .shapes import nested

if TYPE_CHECKING:
    from ..machine import Interpreter

Arguments: TypeAlias = "list[Value | None]"
NONE = (None, Const(None))
"""What is not given, or given as None."""


def shape_given(interp: Interpreter, value: Value | None) -> Shape:
    """The shape of an array, or of the array that NumPy would make of it; None where it is not known."""
    return None if value is None else nested(interp, value)[0]


def known_integer(value: Value | None, default: int) -> int | None:
    """An integer that is known, the default where none was given."""
    if value in NONE:
        return default
    return value.value if isinstance(value, Const) and type(value.value) is int else None
