"""Whether another round of a loop would bring anything new: the states after two rounds, compared.

Objects that a round makes are others each time; they are compared by what they hold, and where nothing that is older than
the loop holds them, not at all.
"""

from __future__ import annotations

from collections.abc import Mapping as Dictionary
from typing import Any

from ..domain import (
    Box,
    DictValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    Mapping,
    MethodValue,
    PartialValue,
    TransformedValue,
    TupleValue,
    Union,
    Value,
)
from .state import Delta

DEEP = 6
"""Containers in containers; what is deeper counts as different."""


def settled(before: Delta, after: Delta, born: int) -> bool:
    """Whether two states differ in no slot of an object that was born before this number."""
    if before == after:
        return True
    old = {place: value for place, value in after.items() if place[0].serial < born}
    if any(place[0].serial < born and place not in old for place in before):
        return False
    return all(place in before and _alike(before[place], value, born, DEEP) for place, value in old.items())


def _alike(left: Value | None, right: Value | None, born: int, deep: int) -> bool:
    """Whether two values are the same but for objects born since, which hold alike values."""
    if left is right or left == right:
        return True
    if type(left) is not type(right) or deep == 0:
        return False
    match left, right:
        case ListValue(), ListValue():
            return left.kind == right.kind and _same_content(left.box, right.box, born, deep)
        case DictValue(), DictValue():
            return _same_content(left.box, right.box, born, deep)
        case InstanceValue(), InstanceValue():
            return left.cls is right.cls and _same_content(left.box, right.box, born, deep)
        case TupleValue(), TupleValue():
            return (
                left.fields == right.fields
                and _all_alike(left.items, right.items, born, deep)
                and _alike(left.rest, right.rest, born, deep - 1)
            )
        case Mapping(), Mapping():
            return (
                [key for key, _ in left.items] == [key for key, _ in right.items]
                and _all_alike([v for _, v in left.items], [v for _, v in right.items], born, deep)
                and _alike(left.rest, right.rest, born, deep - 1)
            )
        case Union(), Union():
            return _all_alike(left.members, right.members, born, deep)
        case FunctionValue(), FunctionValue():
            return (
                left.node is right.node
                and (left.scope is right.scope or min(left.scope.serial, right.scope.serial) >= born)
                and _all_alike([v for _, v in left.defaults], [v for _, v in right.defaults], born, deep)
            )
        case MethodValue(), MethodValue():
            return _alike(left.function, right.function, born, deep - 1) and _alike(
                left.receiver, right.receiver, born, deep - 1
            )
        case PartialValue(), PartialValue():
            return (
                _alike(left.function, right.function, born, deep - 1)
                and [key for key, _ in left.kwargs] == [key for key, _ in right.kwargs]
                and _all_alike(left.args, right.args, born, deep)
                and _all_alike([v for _, v in left.kwargs], [v for _, v in right.kwargs], born, deep)
            )
        case TransformedValue(), TransformedValue():
            return left.node is right.node and _alike(left.function, right.function, born, deep - 1)
        case _:
            return False


def _all_alike(left: Any, right: Any, born: int, deep: int) -> bool:
    return len(left) == len(right) and all(
        _alike(one, other, born, deep - 1) for one, other in zip(left, right, strict=True)
    )


def _same_content(left: Box, right: Box, born: int, deep: int) -> bool:
    if min(left.serial, right.serial) < born or left.site is not right.site:
        return False
    mine: Dictionary[Any, Value] = left.slots
    return mine.keys() == right.slots.keys() and all(
        _alike(value, right.slots[key], born, deep - 1) for key, value in mine.items()
    )
