"""Python's containers: what they hold, iterating over them, and indexing them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    MAX_ITEMS,
    UNKNOWN,
    Array,
    BoxedValue,
    Const,
    DictValue,
    InstanceValue,
    Level,
    ListValue,
    Mapping,
    MethodValue,
    RangeValue,
    Static,
    TransformedValue,
    Tree,
    TupleValue,
    Union,
    Unknown,
    Value,
    members,
    surely_traced,
    traced_parts,
)
from ...events import HostIndex
from ...joins import join
from .keys import compared_by_name, key_value, known_key

if TYPE_CHECKING:
    from ..machine import Interpreter

EMPTY = TupleValue(())
SETS = ("set", "frozenset")
OWNER = object()
"""The slot of the object whose attributes a dict holds, as `__dict__` does."""
CONTENT = object()
"""The slot of what an object holds whose class is derived from dict or list."""


def new_list(interp: Interpreter, content: TupleValue, site: object, kind: str = "list") -> ListValue:
    """A fresh list (set, deque) with this content."""
    box = interp.new_box(kind, site=site)
    box.slots["items"] = TupleValue(content.items, content.rest, count=content.count)
    return ListValue(box, kind)


def new_dict(interp: Interpreter, content: Mapping, site: object, kind: str = "dict") -> DictValue:
    """A fresh dict (Counter) with this content."""
    box = interp.new_box("dict", site=site)
    box.slots["items"] = content
    return DictValue(box, kind)


def content_of(interp: Interpreter, value: ListValue) -> TupleValue:
    """What a list holds."""
    if interp.lifetimes.copies.unseen:
        interp.lifetimes.copies.looked_at(interp, value.box)
    content = interp.state.read(value.box, "items")
    return content if isinstance(content, TupleValue) else TupleValue((), UNKNOWN)


def mapping_of(interp: Interpreter, value: DictValue) -> Mapping:
    """What a dict holds."""
    if interp.lifetimes.copies.unseen:
        interp.lifetimes.copies.looked_at(interp, value.box)
    content = interp.state.read(value.box, "items")
    return content if isinstance(content, Mapping) else Mapping((), UNKNOWN)


def held_by(interp: Interpreter, value: Value) -> DictValue | ListValue | None:
    """What an object of a class derived from dict or list holds; None for any other."""
    if not isinstance(value, InstanceValue) or CONTENT not in value.box.slots:
        return None
    held = interp.state.read(value.box, CONTENT)
    return held if isinstance(held, DictValue | ListValue) else None


def contents(value: Value) -> Iterator[Value]:
    """The values directly inside a mutable container or instance."""
    if isinstance(value, BoxedValue):
        for slot in list(value.box.slots.values()):
            if isinstance(slot, TupleValue):
                yield from slot.items
                if slot.rest is not None:
                    yield slot.rest
            elif isinstance(slot, Mapping):
                yield from (item for _, item in slot.items)
                if slot.rest is not None:
                    yield slot.rest
            elif isinstance(slot, Array | Tree | Union):
                yield slot


def range_length(value: Value) -> int | None:
    """The number of steps of a range with constant bounds."""
    if isinstance(value, RangeValue):
        bounds = [bound.value for bound in (value.start, value.stop, value.step) if isinstance(bound, Const)]
        if len(bounds) == 3 and all(isinstance(bound, int) for bound in bounds) and bounds[2] != 0:
            return len(range(*bounds))
    return None


def items_of(interp: Interpreter, value: Value) -> list[Value] | None:
    """The items that iterating gives, in order, or None where they or their number are not known."""
    match value:
        case TupleValue():
            return list(value.items) if value.rest is None else None
        case ListValue():
            content = content_of(interp, value)
            return list(content.items) if content.rest is None and value.kind not in SETS else None
        case DictValue():
            mapping = mapping_of(interp, value)
            return [key_value(key) for key, _ in mapping.items] if mapping.rest is None else None
        case RangeValue():
            length = range_length(value)
            if length is None or length > MAX_ITEMS:
                return None
            assert isinstance(value.start, Const) and isinstance(value.step, Const)
            return [Const(value.start.value + k * value.step.value) for k in range(length)]
        case Const() if isinstance(value.value, str | bytes):
            return list(map(Const, value.value)) if len(value.value) <= MAX_ITEMS else None
        case Array() if value.shape and value.shape[0] is not None and value.shape[0] <= 8:
            return [row(value)] * value.shape[0]
        case InstanceValue():
            return _iterate_instance(interp, value)
        case _:
            return None


def _iterate_instance(interp: Interpreter, value: InstanceValue) -> list[Value] | None:
    from ..calls import call
    from .classes import find_member

    method = find_member(interp, value.cls, "__iter__")
    if method is None:
        held = held_by(interp, value)
        return None if held is None else items_of(interp, held)
    result = call(interp, MethodValue(method, value), [], {}, None)
    return items_of(interp, result) if not isinstance(result, InstanceValue) else None


def length_of(interp: Interpreter, value: Value) -> int | None:
    """How many items iterating gives, where that is known."""
    match value:
        case RangeValue():
            return range_length(value)
        case Array() | Static(kind="ndarray"):
            return value.shape[0] if value.shape else None
        case TupleValue():
            return value.length
        case ListValue() if value.kind not in SETS:
            return content_of(interp, value).length
        case ListValue() | InstanceValue():
            return None  # equal items are one; an object may have code of its own
        case _:
            items = items_of(interp, value)
            return None if items is None else len(items)


def row(value: Array) -> Array:
    """One element along the first axis."""
    return replace(value, shape=value.shape[1:] if value.shape else None)


def elements(interp: Interpreter, value: Value, node: cst.CSTNode | None = None) -> Value:
    """One value that stands for every item that iterating gives."""
    known = items_of(interp, value)
    if known is not None and not isinstance(value, RangeValue):
        return _varying(known, join_all(known)) if known else UNKNOWN
    match value:
        case TupleValue():
            return join_all(value.parts)
        case ListValue():
            content = content_of(interp, value)
            return join_all(content.parts)
        case DictValue():
            return (
                Static("str")
                if all(isinstance(k, str) for k, _ in mapping_of(interp, value).items)
                else UNKNOWN
            )
        case RangeValue():
            return Static("int", varies=True)
        case Const(value=str()) | Static(kind="str"):
            return Static("str")
        case Static(kind="ndarray"):
            return Static("ndarray", None, value.shape[1:] if value.shape else None, mask=value.mask)
        case Static():
            return Static()
        case Array():
            return row(value)
        case InstanceValue() if (held := held_by(interp, value)) is not None:
            return elements(interp, held, node)
        case Tree():
            return value
        case Union():
            return join_all([elements(interp, member, node) for member in value.members])
        case Unknown():
            return value
        case _:
            return UNKNOWN


def _varying(items: list[Value], joined: Value) -> Value:
    """What stands for all of these items: a number that is another one in each of them varies."""
    if isinstance(joined, Static):
        numbers = {item for item in items if isinstance(item, Const)}
        return replace(joined, varies=True) if len(items) == len(numbers) > 1 else joined
    if isinstance(joined, TupleValue) and joined.rest is None:
        rows = [item.items for item in items if isinstance(item, TupleValue)]
        columns = zip(*rows, strict=False) if len(rows) == len(items) else ()
        kept = tuple(_varying(list(c), j) for c, j in zip(columns, joined.items, strict=False))
        return replace(joined, items=kept) if len(kept) == len(joined.items) else joined
    return joined


def join_all(values: list[Value]) -> Value:
    """What any one of these is; of none nothing is known."""
    if not values:
        return UNKNOWN
    result = values[0]
    for value in values[1:]:
        result = join(result, value)
    return result


def sequence_of(interp: Interpreter, value: Value, node: cst.CSTNode | None = None) -> TupleValue:
    """What `tuple(value)` holds."""
    known = items_of(interp, value)
    if known is not None:
        return TupleValue(tuple(known))
    if isinstance(value, TupleValue | ListValue):
        content = value if isinstance(value, TupleValue) else content_of(interp, value)
        return TupleValue(content.items, content.rest, count=content.count)
    return TupleValue((), elements(interp, value, node), count=length_of(interp, value))


def needs_hash(interp: Interpreter, value: Value, node: cst.CSTNode, how: str) -> None:
    """Tells of a tracer, of any sort, that a container asks for its hash; that of a tuple asks its items."""
    for part in traced_parts(value):
        if isinstance(part, Array) and id(part) not in interp.frame.unhashable:
            only = len(members(value)) == 1
            interp.tell(HostIndex, node, part.sure and only, value=part, how=how, error="TypeError")
            if interp.certain and not interp.swallowed and only:
                interp.frame.unhashable.add(id(part))
    if isinstance(value, InstanceValue) and interp.trace is not None:
        from .hashing import without_hash

        held = without_hash(interp, value)
        if isinstance(held, Array) and held.traced:
            interp.tell(HostIndex, node, value=held, how=how, error="TypeError")


def needs_integer(interp: Interpreter, value: Value, node: cst.CSTNode, how: str = "list index") -> None:
    """Tells of a tracer that a sequence asks for its integer."""
    for member in members(value):
        if isinstance(member, Array) and member.level is Level.ABSTRACT:
            sure = surely_traced(value)
            interp.emit(HostIndex, node, member, sure, how=how, error=integer_error(member))


def integer_error(value: Array) -> str:
    """What an abstract tracer raises where it is asked for its integer: one of floats or booleans never has any."""
    integer = value.dtype is None or value.dtype.startswith(("int", "uint"))
    return "TracerIntegerConversionError" if integer else "TypeError"


def index_sequence(
    interp: Interpreter, container: TupleValue, index: Value, node: cst.CSTNode, how: str
) -> Value:
    """A tuple's or list's item; an abstract tracer as index is refused."""
    if isinstance(index, Array) and index.level is Level.ABSTRACT:
        item = join_all(container.parts)
        interp.emit(HostIndex, node, index, how=how, error=integer_error(index), item=item)
        return item
    if isinstance(index, Const) and isinstance(index.value, int):
        position = int(index.value)
        if container.rest is None:
            if -len(container.items) <= position < len(container.items):
                return container.items[position]
            return UNKNOWN
        if 0 <= position < len(container.items):
            return container.items[position]
        return container.rest
    if isinstance(index, Const) and isinstance(index.value, slice) and container.rest is None:
        try:
            return TupleValue(container.items[index.value])
        except (TypeError, ValueError):
            return UNKNOWN
    parts = container.parts
    if isinstance(index, Static) and index.kind == "slice":
        return TupleValue((), join_all(parts) if parts else UNKNOWN)
    return join_all(parts) if parts else UNKNOWN


def index_mapping(interp: Interpreter, container: DictValue, index: Value, node: cst.CSTNode) -> Value:
    """A dict's item."""
    needs_hash(interp, index, node, "dict key")
    mapping = mapping_of(interp, container)
    key = known_key(index)
    if key is not None:
        found = mapping.get(key.value)
        if found is not None or not compared_by_name(key.value):
            return found if found is not None else UNKNOWN
    parts = [item for _, item in mapping.items] + ([mapping.rest] if mapping.rest is not None else [])
    return join_all(parts) if parts else UNKNOWN


def store_item(
    interp: Interpreter, container: ListValue | DictValue, index: Value, value: Value, node: cst.CSTNode
) -> None:
    """`container[index] = value`."""
    box = container.box
    if isinstance(container, DictValue):
        needs_hash(interp, index, node, "dict key")
        mapping = mapping_of(interp, container)
        key = known_key(index)
        interp.repetition.filed(interp, box, value, mapping.get(key.value) if key is not None else None)
        if key is not None and len(mapping.items) < MAX_ITEMS:
            kept = [k == key.value for k, _ in mapping.items]
            if any(kept):
                items = tuple(
                    (k, value if same else v) for (k, v), same in zip(mapping.items, kept, strict=True)
                )
            else:
                items = (*mapping.items, (key.value, value))
            interp.state.write(box, "items", Mapping(items, mapping.rest))
            return
        rest = value if mapping.rest is None else join(mapping.rest, value)
        if isinstance(value, TransformedValue):
            interp.lifetimes.frozen.filed.add(value.serial)
        kind = index.kind if isinstance(index, Static) else None
        known = tuple(
            (k, join(v, value) if kind in (None, type(k).__name__) else v) for k, v in mapping.items
        )
        interp.state.write(box, "items", Mapping(known, rest, True))
        return
    content = content_of(interp, container)
    if isinstance(index, Array) and index.level is Level.ABSTRACT:
        interp.emit(HostIndex, node, index, how="list index", error=integer_error(index))
    if isinstance(index, Const) and isinstance(index.value, int) and content.rest is None:
        position = index.value
        if -len(content.items) <= position < len(content.items):
            position %= len(content.items)
            interp.state.write(
                box, "items", TupleValue((*content.items[:position], value, *content.items[position + 1 :]))
            )
            return
    parts = [value, *content.parts]  # what is stored last is what is met
    interp.state.write(box, "items", TupleValue((), join_all(parts)))


def extend(interp: Interpreter, container: ListValue, added: TupleValue, front: bool = False) -> None:
    """Adds items at the end of a list, or in front."""
    content = content_of(interp, container)
    if content.rest is None and added.rest is None and len(content.items) + len(added.items) <= MAX_ITEMS:
        items = (*added.items, *content.items) if front else (*content.items, *added.items)
        interp.state.write(container.box, "items", TupleValue(items))
        return
    parts = [*content.items, *added.items, *(r for r in (content.rest, added.rest) if r is not None)]
    interp.state.write(container.box, "items", TupleValue((), join_all(parts)))
