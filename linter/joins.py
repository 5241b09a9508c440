"""Joins of abstract values: what is true of either."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .domain import (
    MAX_ITEMS,
    TAINTED,
    UNKNOWN,
    Array,
    ClassValue,
    Const,
    DictValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    Mapping,
    Shape,
    Static,
    TransformedValue,
    Tree,
    TupleValue,
    Union,
    Unknown,
    Value,
    members,
    roots_of,
    traced_parts,
    unsure,
)

MAX_UNION = 6  # members of a `Union` before it widens


def join_shapes(left: Shape, right: Shape) -> Shape:
    """The shape that is true of both."""
    if left is None or right is None or len(left) != len(right):
        return None
    return tuple(a if a == b else None for a, b in zip(left, right, strict=True))


def join(left: Value, right: Value) -> Value:
    """What is true of a value that is one or the other: the least upper bound, widened where it grows large."""
    if left is right:
        return left
    if left == right:
        if isinstance(left, Array):
            shared = right.buffer if isinstance(right, Array) else 0
            return replace(left, buffer=left.buffer or shared)  # one of two arrays, which are alike
        if isinstance(left, Static) and isinstance(right, Static) and left.buffer != right.buffer:
            return replace(left, buffer=0)
        return left
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        tainted = any(isinstance(v, Unknown) and v.may_trace for v in (left, right)) or any(
            True for v in (left, right) for _ in traced_parts(v)
        )
        return TAINTED if tainted else UNKNOWN
    kept: list[Value] = []
    for member in (*members(left), *members(right)):
        for position, other in enumerate(kept):
            merged = _merge(other, member)
            if merged is not None:
                kept[position] = merged
                break
        else:
            kept.append(member)
    if len(kept) == 1:
        return kept[0]
    if len(kept) > MAX_UNION:
        return TAINTED if any(True for v in kept for _ in traced_parts(v)) else UNKNOWN
    return Union(tuple(kept))


def _merge(left: Value, right: Value) -> Value | None:
    """The one value that stands for both, or None where a union must keep them apart."""
    if left == right:
        return left
    match left, right:
        case Array(), Array():
            if left.level is not right.level:
                return None
            return Array(
                left.level,
                join_shapes(left.shape, right.shape),
                left.dtype if left.dtype == right.dtype else None,
                left.weak and right.weak,
                left.sure and right.sure,
                roots_of((left, right)),
                left.trail or right.trail,
                buffer=left.buffer or right.buffer,
            )
        case Tree(), Tree() if left.level is right.level:
            return Tree(
                left.level, left.sure and right.sure, roots_of((left, right)), left.trail or right.trail
            )
        case Const(), Const() if left.value is not None and right.value is not None:
            if type(left.value) is type(right.value):
                return Static(left.kind)
            return None
        case (Static(), Const()) | (Const(), Static()):
            static, const = (left, right) if isinstance(left, Static) else (right, left)
            assert isinstance(static, Static) and isinstance(const, Const)
            if static.kind == const.kind:
                return Static(static.kind)
            return Static() if static.kind is None and const.value is not None else None
        case Static(), Static():
            if left.kind == right.kind:
                shape = join_shapes(left.shape, right.shape)
                mask, claimed = left.mask and right.mask, left.claimed or right.claimed
                return replace(left, likely=None, shape=shape, mask=mask, claimed=claimed)
            return Static() if None in (left.kind, right.kind) else None
        case TupleValue(), TupleValue():
            return _merge_tuples(left, right)
        case Mapping(), Mapping():
            return _merge_mappings(left, right)
        case ListValue() | DictValue() | InstanceValue(), ListValue() | DictValue() | InstanceValue() if (
            type(left) is type(right) and left.box.site is right.box.site is not None
        ):
            return right
        case FunctionValue() | ClassValue(), FunctionValue() | ClassValue() if left.node is right.node:
            return right
        case TransformedValue(), TransformedValue() if left.node is right.node:
            return right if _merge(left.function, right.function) is not None else None
        case _:
            return None


def _merge_tuples(left: TupleValue, right: TupleValue) -> TupleValue | None:
    if left.fields != right.fields or left.kind != right.kind:
        return None
    if len(left.items) == len(right.items) and (left.rest is None) == (right.rest is None):
        items = tuple(join(a, b) for a, b in zip(left.items, right.items, strict=True))
        rest = join(left.rest, right.rest) if left.rest is not None and right.rest is not None else None
        count = left.count if left.count == right.count else None
        return replace(left, items=items, rest=rest, count=count)
    element: Value | None = None
    for item in (*left.items, *right.items, left.rest, right.rest):
        if item is not None:
            element = item if element is None else join(element, item)
    if element is not None and any(not side.items and side.rest is None for side in (left, right)):
        element = unsure(element)  # on one of the ways there is none
    return TupleValue((), element, kind=left.kind)


def _merge_mappings(left: Mapping, right: Mapping) -> Mapping:
    keys = dict.fromkeys(key for key, _ in (*left.items, *right.items))
    items: list[tuple[Any, Value]] = []
    rest = (
        left.rest if right.rest is None else right.rest if left.rest is None else join(left.rest, right.rest)
    )
    for key in keys:
        a, b = left.get(key), right.get(key)
        if a is not None and b is not None:
            items.append((key, join(a, b)))
        else:
            only = a if a is not None else b
            assert only is not None
            rest = unsure(only) if rest is None else join(rest, unsure(only))
    return Mapping(tuple(items[:MAX_ITEMS]), rest, left.filled and right.filled)
