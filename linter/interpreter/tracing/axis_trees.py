"""Whether `in_axes` and `out_axes` are trees of axes, and prefixes of the trees of what they are for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...domain import NONE, Array, Const, DictValue, ListValue, SequenceValue, TupleValue, Value
from ..python.containers import content_of, mapping_of

if TYPE_CHECKING:
    from ..machine import Interpreter

MAX_DEPTH = 6  # containers inside each other


def no_axis(interp: Interpreter, axis: Value, depth: int = 0) -> str:
    """What stands in a tree of axes and is none, as its text; empty if nothing does."""
    if isinstance(axis, Const):
        is_axis = axis == NONE or (isinstance(axis.value, int) and not isinstance(axis.value, bool))
        return "" if is_axis else repr(axis.value)
    if depth > MAX_DEPTH:
        return ""
    parts: list[Value] = []
    if isinstance(axis, TupleValue):
        parts = list(axis.items)
    elif isinstance(axis, ListValue) and axis.kind == "list":
        parts = list(content_of(interp, axis).items)
    elif isinstance(axis, DictValue):
        parts = [item for _, item in mapping_of(interp, axis).items]
    return next((text for part in parts if (text := no_axis(interp, part, depth + 1))), "")


def misfit(interp: Interpreter, axis: Value, value: Value, name: str, depth: int = 0) -> str:
    """How a tree of axes is no prefix of a value's tree; empty if it may be one."""
    kind, given = _kind(axis), _kind(value)
    if kind in ("", "leaf") or given == "" or depth > MAX_DEPTH:
        return ""
    if kind != given:
        return f"there is a {kind} of axes for {name}, which is {'an array' if given == 'leaf' else f'a {given}'}"
    if isinstance(axis, DictValue) and isinstance(value, DictValue):
        axes, items = mapping_of(interp, axis), mapping_of(interp, value)
        if axes.rest is not None or items.rest is not None:
            return ""
        wanted, known = dict(axes.items), dict(items.items)
        for key in wanted:
            if key not in known:
                return f"there is an axis for {name}[{key!r}], which does not exist"
        for key in known:
            if key not in wanted:
                return f"there is no axis for {name}[{key!r}]"
        pairs = [(wanted[key], item, f"{name}[{key!r}]") for key, item in known.items()]
    else:
        parts = [
            v if isinstance(v, TupleValue) else content_of(interp, v)
            for v in (axis, value)
            if isinstance(v, SequenceValue)
        ]
        if len(parts) < 2 or any(part.rest is not None for part in parts):
            return ""
        axes_of, items_of = (part.items for part in parts)
        if len(axes_of) != len(items_of):
            return f"there are {len(axes_of)} axes for the {len(items_of)} parts of {name}"
        pairs = [(a, v, f"{name}[{k}]") for k, (a, v) in enumerate(zip(axes_of, items_of, strict=True))]
    return next((text for a, v, part in pairs if (text := misfit(interp, a, v, part, depth + 1))), "")


def _kind(value: Value) -> str:
    """The container that a value surely is, `leaf` for none, empty where it is not known."""
    match value:
        case TupleValue():
            return "tuple" if value.kind == "tuple" and not value.fields and value.cls is None else ""
        case ListValue(kind="list"):
            return "list"
        case DictValue():
            return "dict"
        case Array():
            return "leaf" if value.sure else ""
        case Const():
            return "leaf" if isinstance(value.value, int | float | complex) else ""
        case _:
            return ""
