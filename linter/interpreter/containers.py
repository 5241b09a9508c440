"""Python's containers: what they hold, iterating over them, indexing them, and their methods."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import (
    MAX_ITEMS,
    TAINTED,
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
    Tree,
    TupleValue,
    Union,
    Unknown,
    Value,
    members,
)
from ..events import HostIndex
from ..joins import join

if TYPE_CHECKING:
    from .machine import Interpreter

EMPTY = TupleValue(())
SETS = ("set", "frozenset")


def new_list(interp: Interpreter, content: TupleValue, site: object, kind: str = "list") -> ListValue:
    """A fresh list (set, deque) with this content."""
    box = interp.new_box(kind, site=site)
    box.slots["items"] = TupleValue(content.items, content.rest)
    return ListValue(box, kind)


def new_dict(interp: Interpreter, content: Mapping, site: object) -> DictValue:
    """A fresh dict with this content."""
    box = interp.new_box("dict", site=site)
    box.slots["items"] = content
    return DictValue(box)


def content_of(interp: Interpreter, value: ListValue) -> TupleValue:
    """What a list holds."""
    if interp.lifetimes.unseen:
        interp.lifetimes.looked_at(interp, value.box)
    content = interp.state.read(value.box, "items")
    return content if isinstance(content, TupleValue) else TupleValue((), UNKNOWN)


def mapping_of(interp: Interpreter, value: DictValue) -> Mapping:
    """What a dict holds."""
    if interp.lifetimes.unseen:
        interp.lifetimes.looked_at(interp, value.box)
    content = interp.state.read(value.box, "items")
    return content if isinstance(content, Mapping) else Mapping((), UNKNOWN)


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
            return [Const(key) for key, _ in mapping.items] if mapping.rest is None else None
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
    from .calls import call
    from .classes import find_member

    method = find_member(interp, value.cls, "__iter__")
    if method is None:
        return None
    result = call(interp, MethodValue(method, value), [], {}, None)
    return items_of(interp, result) if not isinstance(result, InstanceValue) else None


def row(value: Array) -> Array:
    """One element along the first axis."""
    return replace(value, shape=value.shape[1:] if value.shape else None)


def elements(interp: Interpreter, value: Value, node: cst.CSTNode | None = None) -> Value:
    """One value that stands for every item that iterating gives."""
    known = items_of(interp, value)
    if known is not None and not isinstance(value, RangeValue):
        return _join_all(known) if known else UNKNOWN
    match value:
        case TupleValue():
            return _join_all([*value.items, *([value.rest] if value.rest is not None else [])])
        case ListValue():
            content = content_of(interp, value)
            return _join_all([*content.items, *([content.rest] if content.rest is not None else [])])
        case DictValue():
            return (
                Static("str")
                if all(isinstance(k, str) for k, _ in mapping_of(interp, value).items)
                else UNKNOWN
            )
        case RangeValue():
            return Static("int", varies=True)
        case Const() | Static(kind="str"):
            return Static("str")
        case Static(kind="ndarray"):
            return Static("ndarray", None, value.shape[1:] if value.shape else None, mask=value.mask)
        case Static():
            return Static()
        case Array():
            return row(value)
        case Tree():
            return value
        case Union():
            return _join_all([elements(interp, member, node) for member in value.members])
        case Unknown():
            return value
        case _:
            return UNKNOWN


def _join_all(values: list[Value]) -> Value:
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
    if isinstance(value, TupleValue):
        return TupleValue(value.items, value.rest)
    if isinstance(value, ListValue):
        content = content_of(interp, value)
        return TupleValue(content.items, content.rest)
    return TupleValue((), elements(interp, value, node))


def needs_hash(interp: Interpreter, value: Value, node: cst.CSTNode, how: str) -> None:
    """Tells of a tracer that a container asks for its hash."""
    for member in members(value):
        if (
            isinstance(member, Array)
            and member.level is not Level.CONCRETE
            and id(member) not in interp.frame.unhashable
        ):
            interp.emit(HostIndex, node, member, how=how, error="TypeError")
            if interp.certain and not interp.swallowed and member is value:
                interp.frame.unhashable.add(id(member))


def needs_integer(interp: Interpreter, value: Value, node: cst.CSTNode, how: str = "list index") -> None:
    """Tells of a tracer that a sequence asks for its integer."""
    for member in members(value):
        if isinstance(member, Array) and member.level is Level.ABSTRACT:
            interp.emit(HostIndex, node, member, how=how, error="TracerIntegerConversionError")


def index_sequence(
    interp: Interpreter, container: TupleValue, index: Value, node: cst.CSTNode, how: str
) -> Value:
    """A tuple's or list's item; an abstract tracer as index is refused."""
    if isinstance(index, Array) and index.level is Level.ABSTRACT:
        interp.emit(HostIndex, node, index, how=how, error="TracerIntegerConversionError")
        return _join_all([*container.items, *([container.rest] if container.rest is not None else [])])
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
    parts = [*container.items, *([container.rest] if container.rest is not None else [])]
    if isinstance(index, Static) and index.kind == "slice":
        return TupleValue((), _join_all(parts) if parts else UNKNOWN)
    return _join_all(parts) if parts else UNKNOWN


def index_mapping(interp: Interpreter, container: DictValue, index: Value, node: cst.CSTNode) -> Value:
    """A dict's item."""
    needs_hash(interp, index, node, "dict key")
    mapping = mapping_of(interp, container)
    if isinstance(index, Const):
        found = mapping.get(index.value)
        return found if found is not None else UNKNOWN
    parts = [item for _, item in mapping.items] + ([mapping.rest] if mapping.rest is not None else [])
    return _join_all(parts) if parts else UNKNOWN


def store_item(
    interp: Interpreter, container: ListValue | DictValue, index: Value, value: Value, node: cst.CSTNode
) -> None:
    """`container[index] = value`."""
    box = container.box
    if isinstance(container, DictValue):
        needs_hash(interp, index, node, "dict key")
        mapping = mapping_of(interp, container)
        if isinstance(index, Const) and len(mapping.items) < MAX_ITEMS:
            kept = tuple(
                (k, v) for k, v in mapping.items if not (k == index.value and type(k) is type(index.value))
            )
            if len(kept) < len(mapping.items):
                kept = tuple(
                    (k, value if k == index.value and type(k) is type(index.value) else v)
                    for k, v in mapping.items
                )
                interp.state.write(box, "items", Mapping(kept, mapping.rest))
                return
            interp.state.write(box, "items", Mapping((*kept, (index.value, value)), mapping.rest))
            return
        rest = value if mapping.rest is None else join(mapping.rest, value)
        interp.state.write(box, "items", Mapping(mapping.items, rest))
        return
    content = content_of(interp, container)
    if isinstance(index, Array) and index.level is Level.ABSTRACT:
        interp.emit(HostIndex, node, index, how="list index", error="TracerIntegerConversionError")
    if isinstance(index, Const) and isinstance(index.value, int) and content.rest is None:
        position = index.value
        if -len(content.items) <= position < len(content.items):
            position %= len(content.items)
            interp.state.write(
                box, "items", TupleValue((*content.items[:position], value, *content.items[position + 1 :]))
            )
            return
    parts = [*content.items, *([content.rest] if content.rest is not None else []), value]
    interp.state.write(box, "items", TupleValue((), _join_all(parts)))


def extend(interp: Interpreter, container: ListValue, added: TupleValue, front: bool = False) -> None:
    """Adds items at the end of a list, or in front."""
    content = content_of(interp, container)
    if content.rest is None and added.rest is None and len(content.items) + len(added.items) <= MAX_ITEMS:
        items = (*added.items, *content.items) if front else (*content.items, *added.items)
        interp.state.write(container.box, "items", TupleValue(items))
        return
    parts = [*content.items, *added.items, *(r for r in (content.rest, added.rest) if r is not None)]
    interp.state.write(container.box, "items", TupleValue((), _join_all(parts)))


CHANGING = frozenset(
    "append add appendleft extend update extendleft insert pop popleft remove discard clear sort reverse".split()
)
"""Methods that change a list, set or deque."""


def list_method(
    interp: Interpreter,
    receiver: ListValue,
    name: str,
    args: list[Value],
    node: cst.CSTNode,
    kwargs: dict[str, Value] | None = None,
) -> Value:
    """A method of `list`, `set` or `deque`."""
    from .stores import note_escape

    content = content_of(interp, receiver)
    box = receiver.box
    if name in CHANGING:
        interp.lifetimes.changed_list(interp, box, node)
    if name in ("append", "add", "appendleft") and args:
        if receiver.kind in SETS:
            needs_hash(interp, args[0], node, "set member")
        note_escape(interp, box, args[0], node, "", "container")
        extend(interp, receiver, TupleValue((args[0],)), name == "appendleft")
        return Const(None)
    if name in ("extend", "update", "extendleft") and args:
        added = sequence_of(interp, args[0], node)
        note_escape(interp, box, added, node, "", "container")
        extend(interp, receiver, added)
        return Const(None)
    if name == "insert" and len(args) == 2:
        note_escape(interp, box, args[1], node, "", "container")
        needs_integer(interp, args[0], node)
        position = args[0].value if isinstance(args[0], Const) and isinstance(args[0].value, int) else None
        if position is not None and content.rest is None and len(content.items) < MAX_ITEMS:
            items = list(content.items)
            items.insert(position, args[1])
            interp.state.write(box, "items", TupleValue(tuple(items)))
        else:
            extend(interp, receiver, TupleValue((args[1],)))
        return Const(None)
    if name in ("pop", "popleft"):
        if args:
            needs_integer(interp, args[0], node)
        if content.rest is None and content.items:
            index = args[0].value if args and isinstance(args[0], Const) else (0 if name == "popleft" else -1)
            if isinstance(index, int) and -len(content.items) <= index < len(content.items):
                items = list(content.items)
                value = items.pop(index)
                interp.state.write(box, "items", TupleValue(tuple(items)))
                return value
        return _join_all([*content.items, *([content.rest] if content.rest is not None else [])])
    if name == "copy":
        return new_list(interp, content, node, receiver.kind)
    if name == "clear":
        interp.state.write(box, "items", EMPTY)
        return Const(None)
    if name == "reverse":
        interp.state.write(box, "items", replace(content, items=content.items[::-1]))
        return Const(None)
    if name in ("index", "count"):
        from .arrays import compare

        if args:
            compare(interp, "In", args[0], receiver, node, node, node)
        return Static("int")
    if name in ("remove", "discard"):
        if content.rest is None and args and args[0] in content.items:
            items = list(content.items)
            items.remove(args[0])
            interp.state.write(box, "items", TupleValue(tuple(items)))
            return Const(None)
        if content.items or content.rest is not None:
            interp.state.write(box, "items", TupleValue((), elements(interp, receiver)))
        return Const(None)
    if name == "sort":
        from .orderings import by_key, note_ordering

        note_ordering(interp, by_key(interp, content, (kwargs or {}).get("key"), node), node, "sort")
        return Const(None)
    if name in ("union", "intersection", "difference", "symmetric_difference"):
        return new_list(interp, TupleValue((), elements(interp, receiver)), node, receiver.kind)
    if name in ("issubset", "issuperset", "isdisjoint"):
        return Static("bool")
    return UNKNOWN


def dict_method(
    interp: Interpreter,
    receiver: DictValue,
    name: str,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
) -> Value:
    """A method of `dict`."""
    from .stores import note_escape

    mapping = mapping_of(interp, receiver)
    if name == "keys":
        return sequence_of(interp, receiver, node)
    if name == "values":
        values = [value for _, value in mapping.items]
        return TupleValue(tuple(values), mapping.rest)
    if name == "items":
        pairs = tuple(TupleValue((Const(key), value)) for key, value in mapping.items)
        rest = TupleValue((Static(), mapping.rest)) if mapping.rest is not None else None
        return TupleValue(pairs, rest)
    if name in ("get", "pop", "setdefault") and args:
        needs_hash(interp, args[0], node, "dict key")
        default = args[1] if len(args) > 1 else Const(None)
        if isinstance(args[0], Const):
            found = next(
                (v for k, v in mapping.items if k == args[0].value and type(k) is type(args[0].value)), None
            )
            if found is None:
                found = default if mapping.rest is None else join(mapping.rest, default)
                if name == "setdefault":
                    note_escape(interp, receiver.box, default, node, "", "container")
                    store_item(interp, receiver, args[0], default, node)
            elif name == "pop":
                kept = tuple((k, v) for k, v in mapping.items if k != args[0].value)
                interp.state.write(receiver.box, "items", Mapping(kept, mapping.rest))
            return found
        return join(index_mapping(interp, receiver, args[0], node), default)
    if name == "update":
        for other in args:
            if isinstance(other, DictValue):
                for key, value in mapping_of(interp, other).items:
                    store_item(interp, receiver, Const(key), value, node)
                if mapping_of(interp, other).rest is not None:
                    store_item(interp, receiver, Static(), mapping_of(interp, other).rest or UNKNOWN, node)
            else:
                store_item(interp, receiver, Static(), TAINTED, node)
        for key, value in kwargs.items():
            note_escape(interp, receiver.box, value, node, "", "container")
            store_item(interp, receiver, Const(key), value, node)
        return Const(None)
    if name == "copy":
        return new_dict(interp, mapping, node)
    if name == "clear":
        interp.state.write(receiver.box, "items", Mapping())
        return Const(None)
    if name == "popitem":
        return TupleValue((Static(), index_mapping(interp, receiver, Static(), node)))
    return UNKNOWN
