"""Tangents and cotangents: of the structure, the shapes and the dtypes of what they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...domain import NONE, Array, Const, DictValue, ListValue, SequenceValue, Static, TupleValue, Value
from ..arrays import shapes
from ..python.containers import items_of, mapping_of
from .carries import shown

if TYPE_CHECKING:
    from ..machine import Interpreter

_DEPTH = 6


def misfit(
    interp: Interpreter, value: Value, tangent: Value, prefix: bool = False, depth: int = 0
) -> tuple[str, str]:
    """How a tangent differs from what its value asks for: `structure`, `shape` or `dtype`, and in words; empty if not.

    With `prefix`, any tree may stand for a leaf of the value, and only structures are compared.
    """
    if depth > _DEPTH:
        return "", ""
    kind, other = _kind(value), _kind(tangent)
    if not kind or not other or (prefix and kind == "leaf"):
        return "", ""
    if kind != other:
        return "structure", f"{_named(other)} for {_named(kind)}"
    if isinstance(value, SequenceValue):
        parts, tangents = items_of(interp, value), items_of(interp, tangent)
        if parts is None or tangents is None:
            return "", ""
        if len(parts) != len(tangents):
            return "structure", f"a {kind} of {len(tangents)} for a {kind} of {len(parts)}"
        pairs = list(zip(parts, tangents, strict=True))
    elif isinstance(value, DictValue) and isinstance(tangent, DictValue):
        known, given = mapping_of(interp, value), mapping_of(interp, tangent)
        if known.rest is not None or given.rest is not None:
            return "", ""
        if {k for k, _ in known.items} != {k for k, _ in given.items}:
            return "structure", "a dict with other keys"
        pairs = [(item, given.get(key) or NONE) for key, item in known.items]
    else:
        return _leaf(value, tangent)
    return next((found for a, b in pairs if (found := misfit(interp, a, b, prefix, depth + 1))[0]), ("", ""))


def _leaf(value: Value, tangent: Value) -> tuple[str, str]:
    shape, given = shapes.shape_of(value), shapes.shape_of(tangent)
    if shape is not None and given is not None and None not in (*shape, *given) and shape != given:
        return "shape", f"shape {shown(given)} for shape {shown(shape)}"
    dtype, other = shapes.dtype_of(value)[0], shapes.dtype_of(tangent)[0]
    if dtype is None or other is None or "key" in (dtype, other):
        return "", ""
    if shapes.kind_of(dtype) in "fc" and shapes.kind_of(other) in "biu":
        return "dtype", f"{other} for {dtype}"
    return "", ""


def integral(value: Value) -> str | None:
    """The dtype of a value that is surely of integers, booleans or keys, whose tangents are of dtype float0."""
    if isinstance(value, Array) and not value.sure:
        return None
    dtype = shapes.dtype_of(value)[0]
    return dtype if dtype is not None and (dtype == "key" or shapes.kind_of(dtype) in "biu") else None


def _kind(value: Value) -> str:
    """The container that a value surely is, `leaf` for an array or a number, empty where it is not known."""
    match value:
        case TupleValue():
            if value.kind != "tuple" or value.rest is not None:
                return ""
            return "tuple" if not value.fields and value.cls is None else getattr(value.cls, "name", "")
        case ListValue(kind="list"):
            return "list"
        case DictValue():
            return value.kind
        case Const(value=None):
            return "None"
        case Array():
            return "leaf" if value.sure else ""
        case Const():
            return "leaf" if isinstance(value.value, int | float | complex) else ""
        case Static():
            return "leaf" if value.kind in ("int", "float", "bool", "ndarray") else ""
        case _:
            return ""


def _named(kind: str) -> str:
    return {"leaf": "an array", "None": "None"}.get(kind, f"a {kind}")
