"""Deep copies of pytrees: what goes into a trace, comes out of it, or is mapped over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from ...domain import (
    TAINTED,
    Array,
    Arrays,
    DictValue,
    InstanceValue,
    ListValue,
    Mapping,
    TupleValue,
    Union,
    Value,
    unsure,
)
from ...joins import join
from ..libraries.variables import FUNCTION
from ..stores import ARGUMENT
from .containers import content_of, mapping_of, new_dict, new_list
from .flattening import arrays_alone, pytree_fields
from .registered import children_of, places_of

if TYPE_CHECKING:
    from ..machine import Interpreter

Leaf: TypeAlias = "Callable[[Value], Value]"

_DEPTH = 10  # containers inside each other that are told apart


def fresh_copy(
    interp: Interpreter, value: Value, leaf: Leaf, site: object, around: tuple[object, ...] = ()
) -> Value:
    """A deep copy of a pytree made in the current trace, `leaf` applied to what is no container.

    `around` are the containers that the value stands in: one that stands in itself is no pytree.
    """
    match value:
        case TupleValue() | ListValue(kind="list") | DictValue():
            box = None if isinstance(value, TupleValue) else value.box
            if len(around) > _DEPTH or (box is not None and box in around):
                return TAINTED
            return _copied(interp, value, leaf, site, (*around, box))
        case Union():
            with interp.doubting(True):  # what one of them is, the value may not be
                copies = [fresh_copy(interp, member, leaf, site, around) for member in value.members]
            result = copies[0]
            for other in copies[1:]:
                result = join(result, other)
            return result
        case InstanceValue():
            if len(around) > _DEPTH or value.box in around:
                return TAINTED
            return _copied_instance(interp, value, leaf, site, (*around, value.box))
        case _:
            return leaf(value)


def _copied(
    interp: Interpreter,
    value: TupleValue | ListValue | DictValue,
    leaf: Leaf,
    site: object,
    around: tuple[object, ...],
) -> Value:
    """A copy of a sequence or dict."""

    def inside(item: Value) -> Value:
        interp.budget.spend()
        return fresh_copy(interp, item, leaf, site, around)

    def sequence(content: TupleValue) -> TupleValue:
        rest = None if content.rest is None else inside(content.rest)
        return replace(content, items=tuple(map(inside, content.items)), rest=rest)

    if isinstance(value, TupleValue):
        places = places_of(interp, value)
        if places is None:
            with interp.doubting(True):  # some of them may be static metadata
                return unsure(sequence(value))
        parts = tuple(inside(item) if k in places else item for k, item in enumerate(value.items))
        return replace(value, items=parts, rest=None if value.rest is None else inside(value.rest))
    if isinstance(value, ListValue):
        made: ListValue | DictValue = new_list(
            interp, sequence(content_of(interp, value)), site or value.box.site
        )
    else:
        mapping = mapping_of(interp, value)
        items = tuple((key, inside(item)) for key, item in mapping.items)
        rest = None if mapping.rest is None else inside(mapping.rest)
        made = new_dict(interp, Mapping(items, rest), site or value.box.site, value.kind)
    made.box.origin = value.box
    return made


def _array_leaf(value: Value, leaf: Leaf) -> Value:
    return leaf(value) if isinstance(value, Arrays) else value


def _perhaps(leaf: Leaf) -> Leaf:
    """A leaf's change where only an array is a leaf for sure: what is no array may be static metadata, in lists as well."""
    return lambda one: leaf(one) if isinstance(one, Array) else unsure(leaf(one))


def _copied_instance(
    interp: Interpreter, value: InstanceValue, leaf: Leaf, site: object, around: tuple[object, ...]
) -> Value:
    """An instance of a pytree class with `leaf` applied to its dynamic fields; any other instance as it is."""
    fields = pytree_fields(interp, value.cls)
    if fields is None:
        return leaf(value)
    if fields is True:
        fields = children_of(interp, value) or fields
    box = interp.new_box(value.box.name, site=value.box.site)
    if site is ARGUMENT:
        box.origin = value.box
    alone = arrays_alone(interp, value)
    for key, item in value.box.slots.items():
        if key == FUNCTION:
            box.slots[key] = leaf(item)
        elif alone:
            box.slots[key] = fresh_copy(interp, item, lambda one: _array_leaf(one, leaf), site, around)
        elif isinstance(fields, bool):
            with interp.doubting(True):  # it may be static metadata
                copied = fresh_copy(interp, item, _perhaps(leaf), site, around)
            box.slots[key] = copied if isinstance(item, Array) else unsure(copied)
        else:
            box.slots[key] = fresh_copy(interp, item, leaf, site, around) if key in fields else item
    return InstanceValue(value.cls, box)
