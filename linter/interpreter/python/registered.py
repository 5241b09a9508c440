"""What the functions that classes are registered with as pytrees give as children: attributes, or places of a named tuple."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...domain import ClassValue, FunctionValue, InstanceValue, TupleValue, Value
from ..calls import call
from .classes import find_member
from .containers import items_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..machine import Interpreter

FLATTEN = "__flatten__"
"""The slot of a class that holds the function which takes its objects apart."""


def children_of(interp: Interpreter, value: InstanceValue) -> set[str] | None:
    """The attributes that are children of an object; None where that is not known."""
    found = _children(interp, find_member(interp, value.cls, FLATTEN), value, value.box.slots.items())
    return None if found is None else set(map(str, found))


def places_of(interp: Interpreter, value: TupleValue) -> Iterable[int] | None:
    """The places of a tuple whose items are its children: all, unless its class is registered; None where that is not known."""
    flatten = _flatten_of(interp, value)
    if flatten is None:
        return range(len(value.items))
    return _children(interp, flatten, value, enumerate(value.items)) if value.rest is None else None


def _flatten_of(interp: Interpreter, value: TupleValue) -> Value | None:
    if isinstance(value.cls, ClassValue):
        return find_member(interp, value.cls, FLATTEN)
    return value.cls.box.slots.get(FLATTEN) if isinstance(value.cls, InstanceValue) else None


def _children(
    interp: Interpreter, flatten: Value | None, value: Value, held: Iterable[tuple[Any, Value]]
) -> set[Any] | None:
    """The keys of what is held that the function gives as children."""
    if not isinstance(flatten, FunctionValue):
        return None
    parts = items_of(interp, call(interp, flatten, [value], {}, flatten.node))
    children = items_of(interp, parts[0]) if parts is not None and len(parts) == 2 else None
    if children is None:
        return None
    wanted = {id(child) for child in children}
    found = [(key, id(item)) for key, item in held if id(item) in wanted]
    return {key for key, _ in found} if {item for _, item in found} == wanted else None
