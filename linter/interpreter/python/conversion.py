"""Python numbers, and lists of them, made of arrays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    MAX_ITEMS,
    UNKNOWN,
    Array,
    Arrays,
    Const,
    Level,
    Shape,
    Static,
    TupleValue,
    Value,
    members,
)
from ...events import Converted
from ..arrays.shapes import kind_of
from .containers import new_list

if TYPE_CHECKING:
    from ..machine import Interpreter

CONVERTED = {
    **{name: name for name in ("int", "float", "complex")},
    "index": "int",
    "operator.index": "int",
    "tolist": "list",
}
"""The type of what a conversion gives, where its name tells."""


def convert(interp: Interpreter, function: str, value: Value, node: cst.CSTNode) -> Value:
    """`int(value)` and its like: an abstract tracer has no number; a tracer over a known value refuses `float`."""
    interp.lifetimes.asked(interp, (value,), node)
    floating = function in ("float", "complex", "tolist")
    for member in members(value):
        if isinstance(member, Arrays) and (
            member.level is Level.ABSTRACT or (floating and member.level is Level.DUAL)
        ):
            interp.tell(
                Converted, node, member.sure and len(members(value)) == 1, value=member, function=function
            )
            return Static(CONVERTED.get(function))
    if function == "tolist":
        kind = kind_of(value.dtype) if isinstance(value, Array) and value.dtype is not None else ""
        number = Static({"i": "int", "u": "int", "f": "float", "b": "bool"}.get(kind))
        return _listed(interp, getattr(value, "shape", None), number, node)
    if isinstance(value, Const) and function in ("int", "float", "complex"):
        try:
            return Const({"int": int, "float": float, "complex": complex}[function](value.value))
        except (TypeError, ValueError, OverflowError):
            return UNKNOWN
    return Static(CONVERTED.get(function))


def _listed(interp: Interpreter, shape: Shape, number: Value, node: cst.CSTNode) -> Value:
    """What `tolist` gives for an array of this shape: numbers in lists, as many as are worth telling apart."""
    if shape == ():
        return number
    if not shape or None in shape or math.prod(n or 0 for n in shape) > MAX_ITEMS:
        return new_list(interp, TupleValue((), Static(), count=shape[0] if shape else None), node)
    rows = tuple(_listed(interp, shape[1:], number, node) for _ in range(shape[0] or 0))
    return new_list(interp, TupleValue(rows), node)
