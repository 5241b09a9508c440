"""The traces that are under way, and what happens to values at their borders."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import replace

from ...domain import (
    Array,
    Arrays,
    Const,
    DictValue,
    Entry,
    InstanceValue,
    Level,
    ListValue,
    Root,
    Shape,
    Static,
    Trail,
    Tree,
    TupleValue,
    Union,
    Value,
    members,
)
from ...joins import join
from ...records import record
from ..arrays.precision import default_dtype
from ..python.containers import contents

NUMBER_DTYPES = {"bool": "bool", "int": "int32", "float": "float32", "complex": "complex64"}


@record(frozen=True, slots=True, eq=False)
class Trace:
    """One transform at work on one function.

    `staging`: every jax operation inside is recorded, even on concrete arrays (`jit`, `scan`, `cond`, `checkpoint`);
    `vmap` and `grad` trace only what depends on their arguments.  `reverse`, `forward`: inside differentiation of that mode;
    `derivative`: it is the differentiation itself, which runs its function at every call.
    """

    entry: Entry
    staging: bool
    parent: Trace | None = None
    reverse: bool = False
    forward: bool = False
    derivative: bool = False

    def within(self, other: object) -> bool:
        """Whether this is the other trace (one of the same entry point) or stands inside it."""
        trace: Trace | None = self
        while trace is not None:
            if isinstance(other, Trace) and trace.entry is other.entry:
                return True
            trace = trace.parent
        return other is None


def inner_trace(entry: Entry, staging: bool, outer: Trace | None) -> Trace:
    """The trace of a transform inside another one: differentiated where that one is."""
    if outer is None:
        return Trace(entry, staging)
    return Trace(entry, staging, outer, outer.reverse, outer.forward)


def outward(trace: Trace | None) -> Iterator[Trace]:
    """A trace and those around it, from the inside out."""
    while trace is not None:
        yield trace
        trace = trace.parent


def entries_of(trace: Trace | None) -> set[int]:
    """The entry points of a trace and of those around it, by identity."""
    return {id(one.entry) for one in outward(trace)}


def staged_by(trace: Trace | None) -> Trace | None:
    """The innermost trace that records jax operations whatever their arguments."""
    while trace is not None and not trace.staging:
        trace = trace.parent
    return trace


def runs_once(trace: Trace | None) -> bool:
    """Whether Python runs once for what are several calls or rows: derivatives alone run their function each time."""
    while trace is not None and trace.derivative:
        trace = trace.parent
    return trace is not None


def made_inside(roots: tuple[Root, ...], trace: Trace | None, stage: Trace) -> bool:
    """Whether any of the roots belongs to a trace that stages, or to one inside it."""
    while trace is not None:
        if any(root.entry is trace.entry for root in roots):
            return True
        trace = trace.parent if trace is not stage else None
    return False


def level_of(value: Value, seen: set[int] | None = None) -> Level:
    """The highest level of any array in the value, containers included, each of these `seen` once."""
    highest = Level.CONCRETE
    for member in members(value):
        match member:
            case Array() | Tree():
                highest = max(highest, member.level)
            case TupleValue():
                for item in member.items:
                    highest = max(highest, level_of(item, seen))
                if member.rest is not None:
                    highest = max(highest, level_of(member.rest, seen))
            case ListValue() | DictValue() | InstanceValue():
                seen = set() if seen is None else seen
                if member.box.serial not in seen:
                    seen.add(member.box.serial)
                    for item in contents(member):
                        highest = max(highest, level_of(item, seen))
            case _:
                pass
    return highest


def map_leaves(value: Value, leaf: Callable[[Value], Value], depth: int = 0) -> Value:
    """The same immutable structure with `leaf` applied to whatever is no tuple, mapping or union."""
    if depth > 12:
        return value
    match value:
        case TupleValue():
            return replace(
                value,
                items=tuple(map_leaves(item, leaf, depth + 1) for item in value.items),
                rest=None if value.rest is None else map_leaves(value.rest, leaf, depth + 1),
            )
        case Union():
            result = map_leaves(value.members[0], leaf, depth + 1)
            for member in value.members[1:]:
                result = join(result, map_leaves(member, leaf, depth + 1))
            return result
        case _:
            return leaf(value)


def with_step(value: Value, message: str, node: object, source: object) -> Value:
    """The value with one more step on the trail of its tracers."""

    def leaf(item: Value) -> Value:
        if isinstance(item, Arrays) and item.traced:
            return item.along(Trail(message, node, source, item.trail))  # type: ignore[arg-type]
        return item

    if isinstance(value, Arrays):
        return leaf(value)
    return map_leaves(value, leaf)


def number_dtype(value: Value) -> str | None:
    """The dtype that a Python number takes when it becomes an array, or None for what is no number."""
    dtype = NUMBER_DTYPES.get(value.kind or "") if isinstance(value, Const | Static) else None
    return None if dtype is None else default_dtype(dtype)


def number_shape(value: Value) -> Shape:
    """The shape of what is taken for a Python number."""
    return None if isinstance(value, Static) and value.claimed and value.kind == "float" else ()


def is_configuration(value: Value) -> bool | None:
    """Whether an argument speaks for a setting (a Python int, bool or string) or against it (an array)."""
    match value:
        case Const():
            return isinstance(value.value, int | str | bool) or value.value is None or None
        case Static():
            return (
                True if value.kind in ("int", "bool", "str") else False if value.kind == "ndarray" else None
            )
        case Array():
            return False
        case _:
            return None


def origins(root_list: tuple[Root, ...], active: Container[int] = ()) -> tuple[Root, ...]:
    """What a value depends on outside its trace: roots of entry points that are `active` still, of others the origins."""
    result: dict[int, Root] = {}
    for root in root_list:
        for origin in (root,) if id(root.entry) in active else root.origins:
            result.setdefault(id(origin), origin)
    return tuple(result.values())
