"""How two trees differ in structure, shape or dtype: carries of loops, results of branches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...domain import (
    NONE,
    Array,
    ClassValue,
    Const,
    DictValue,
    InstanceValue,
    ListValue,
    SequenceValue,
    Static,
    TupleValue,
    Value,
)
from ...events import ControlFlow
from ..arrays import shapes
from ..libraries.library import Call
from ..python.containers import items_of, mapping_of
from ..python.flattening import pytree_fields
from .traces import number_dtype

if TYPE_CHECKING:
    from ..machine import Interpreter


def compare_carry(call_: Call, before: Value, after: Value, transform: str) -> None:
    """Tells how the carry that the body returns differs from the one it was given."""
    difference = differs(call_.interp, before, after)
    if difference:
        call_.interp.tell(
            ControlFlow, call_.node, function=transform, problem="carry", detail=difference, error="TypeError"
        )


def structure(interp: Interpreter, value: Value) -> str | None:
    """The kind of a tree's root: what `cond` and `scan` compare; None where it is not known."""
    match value:
        case TupleValue():
            return (
                None
                if value.rest is not None
                else f"tuple of {len(value.items)}"
                if not value.fields
                else f"{getattr(value.cls, 'name', 'tuple')}"
            )
        case ListValue():
            items = items_of(interp, value)
            return None if items is None else f"list of {len(items)}"
        case DictValue():
            mapping = mapping_of(interp, value)
            return (
                None
                if mapping.rest is not None
                else f"{value.kind} with keys " + ", ".join(sorted(str(k) for k, _ in mapping.items))
            )
        case InstanceValue(cls=ClassValue() as cls):
            return f"an object of {cls.name}" if isinstance(pytree_fields(interp, cls), set) else None
        case Const() if value.value is None:
            return "None"
        case Array() if value.sure:
            return "an array"
        case Const() | Static() if number_dtype(value) is not None:
            return "an array"
        case _:
            return None


def differs(interp: Interpreter, before: Value, after: Value, place: str = "", carry: bool = True) -> str:
    """The first difference of structure, shape or dtype between two trees, in words; empty where none is known."""
    one, two = structure(interp, before), structure(interp, after)
    if one is None or two is None:
        return ""
    where = f" at {place}" if place else ""
    if one != two:
        return f"{one} becomes {two}{where}" if carry else f"{one} against {two}{where}"
    if isinstance(before, SequenceValue):
        for k, (a, b) in enumerate(
            zip(items_of(interp, before) or [], items_of(interp, after) or [], strict=False)
        ):
            found = differs(interp, a, b, f"{place}[{k}]", carry)
            if found:
                return found
    if isinstance(before, InstanceValue) and isinstance(after, InstanceValue):
        return _fields_differ(interp, before, after, place, carry)
    if isinstance(before, DictValue) and isinstance(after, DictValue):
        other = mapping_of(interp, after)
        for key, item in mapping_of(interp, before).items:
            inner = other.get(key)
            found = differs(interp, item, inner, f"{place}[{key!r}]", carry) if inner is not None else ""
            if found:
                return found
    return _leaf_differs(before, after, where, carry)


def _fields_differ(
    interp: Interpreter, before: InstanceValue, after: InstanceValue, place: str, carry: bool
) -> str:
    """The first difference between the dynamic fields of two objects of one registered class."""
    fields = pytree_fields(interp, before.cls)
    if not isinstance(fields, set):
        return ""
    for name in before.box.slots:
        one, two = interp.state.read(before.box, name), interp.state.read(after.box, name)
        if isinstance(name, str) and name in fields and one is not None and two is not None:
            found = differs(interp, one, two, f"{place}.{name}", carry)
            if found:
                return found
    return ""


def _leaf_differs(before: Value, after: Value, where: str, carry: bool) -> str:
    if (
        not isinstance(before, Array | Const | Static)
        or not isinstance(after, Array | Const | Static)
        or before == NONE
    ):
        return ""
    shape_a, shape_b = shapes.shape_of(before), shapes.shape_of(after)
    dtype_a, weak_a = shapes.dtype_of(before)
    dtype_b, weak_b = shapes.dtype_of(after)
    verb = "becomes" if carry else "against"
    if (
        shape_a is not None
        and shape_b is not None
        and (
            len(shape_a) != len(shape_b)
            or any(a is not None and b is not None and a != b for a, b in zip(shape_a, shape_b, strict=False))
        )
    ):
        return f"shape {shown(shape_a)} {verb} {shown(shape_b)}{where}"
    if dtype_a and dtype_b and dtype_a != dtype_b:
        # A start that is weak, as no boolean is, takes the dtype of the result, if that is no lower one
        yields = carry and weak_a and dtype_a != "bool"
        if not yields or shapes.promote((dtype_a, weak_a), (dtype_b, weak_b))[0] not in (None, dtype_b):
            return f"{dtype_a} {verb} {dtype_b}{where}"
    return ""


def shown(shape: tuple[int | None, ...]) -> str:
    inner = ", ".join("?" if n is None else str(n) for n in shape)
    return f"({inner},)" if len(shape) == 1 else f"({inner})"
