"""Builtins that ask their items for their order or their truth: `min`, `max`, `sorted`, `any`, `all`, `sum`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    InstanceValue,
    Level,
    SequenceValue,
    Static,
    TupleValue,
    Value,
    members,
)
from ...joins import join
from ..arrays.operators import array_result, binary, note_order
from ..calls import call
from ..libraries.handling import Handler
from ..truth import truth
from ..unrolling import unrolling
from .containers import elements, new_list, sequence_of
from .equality import compared_fields

if TYPE_CHECKING:
    from ..machine import Interpreter


def note_ordering(interp: Interpreter, content: TupleValue, node: cst.CSTNode, function: str) -> None:
    """Tells of tracers that Python orders by `<`, whose truth it asks for."""
    parts = [*content.items, *((content.rest,) if content.rest is not None else ())]
    if len(content.items) < 2 and content.rest is None:
        return
    if len(content.items) > 1 and all(isinstance(item, SequenceValue) for item in content.items[:2]):
        note_order(interp, content.items[1], content.items[0], node, "builtin", function)
        return
    if all(isinstance(item, InstanceValue) for item in parts):
        first, second = parts[0], parts[min(1, len(parts) - 1)]
        operator = "GreaterThan" if function == "max" else "LessThan"
        pair = compared_fields(interp, second, first, "__lt__")
        if pair is not None:
            note_order(interp, *pair, node, "builtin", f"objects.{function}")
            return
        asked = binary(interp, operator, second, first, node)
        truth(interp, asked, node, "builtin", f"objects.{function}")
        return
    for value in parts:
        for member in members(value):
            if isinstance(member, Array) and (member.level is Level.ABSTRACT or interp.staging):
                shape = None if value is content.rest else member.shape
                asked = array_result(interp, (value,), node, shape, "bool", False, function, (value,))
                truth(interp, asked if len(members(value)) == 1 else value, node, "builtin", function)
                return


def by_key(interp: Interpreter, content: TupleValue, key: Value | None, node: cst.CSTNode) -> TupleValue:
    """What items are ordered by: their keys, where there is a key function."""
    if key is None or key == NONE:
        return content
    with interp.looping(node):
        keyed = tuple(call(interp, key, [item], {}, node) for item in content.items)
        rest = None if content.rest is None else call(interp, key, [content.rest], {}, node)
    return TupleValue(keyed, rest, count=content.count)


def run_extreme(function: str) -> Handler:
    def run(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
        content = (
            TupleValue(tuple(args))
            if len(args) > 1
            else sequence_of(interp, args[0], node)
            if args
            else TupleValue(())
        )
        if len(args) == 1 and isinstance(args[0], Array) and args[0].shape and args[0].shape[0] == 1:
            return elements(interp, args[0], node)
        note_ordering(interp, by_key(interp, content, kwargs.get("key"), node), node, function)
        if content.rest is None and content.items and all(isinstance(item, Const) for item in content.items):
            try:
                chosen = {"min": min, "max": max}[function](
                    item.value for item in content.items if isinstance(item, Const)
                )
            except TypeError:
                return UNKNOWN
            return Const(chosen)
        result = elements(interp, content, node)
        if "default" in kwargs:
            result = join(result, kwargs["default"])
        return result

    return run


def run_sorted(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    content = sequence_of(interp, args[0], node) if args else TupleValue(())
    note_ordering(interp, by_key(interp, content, kwargs.get("key"), node), node, "sorted")
    if (
        content.rest is None
        and all(isinstance(item, Const) for item in content.items)
        and "key" not in kwargs
    ):
        try:
            ordered = sorted(item.value for item in content.items if isinstance(item, Const))
        except TypeError:
            return UNKNOWN
        return new_list(interp, TupleValue(tuple(map(Const, ordered))), node)
    return new_list(interp, TupleValue((), elements(interp, content, node), count=content.count), node)


def run_any_all(function: str) -> Handler:
    def run(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
        content = sequence_of(interp, args[0], node) if args else TupleValue(())
        decisive = function == "any"
        answers: list[bool | None] = []
        for item in content.parts:
            known = truth(interp, item, node, "builtin", function)
            answers.append(known)
            if known is decisive and item is not content.rest:
                return Const(decisive)
            if known is None and any(isinstance(m, Array) for m in members(item)):
                break
        if content.rest is None and None not in answers:
            return Const(not decisive)
        likely = any(isinstance(i, Static) and i.likely == Const(decisive) for i in content.parts)
        return Static("bool", Const(decisive) if likely else None)

    return run


def run_sum(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    content = sequence_of(interp, args[0], node) if args else TupleValue(())
    total: Value = args[1] if len(args) > 1 else kwargs.get("start", Const(0))
    first = node.args[0].value if type(node) is cst.Call and node.args else None
    told = isinstance(first, cst.BaseComp)  # of its loop, whose steps are these
    with unrolling(interp, node, content, 1 if told else None):
        for item in content.parts:
            total = binary(interp, "Add", total, item, node)
    return total
