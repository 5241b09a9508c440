"""Python's builtins that make, combine and advance iterables: range, zip, map, next and their kin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    UNKNOWN,
    Arrays,
    Const,
    FunctionValue,
    InstanceValue,
    Level,
    ListValue,
    MethodValue,
    RangeValue,
    Static,
    Tree,
    TupleValue,
    Union,
    Unknown,
    Value,
    members,
    unsure,
)
from ...events import Effect, Iterated
from ...joins import join
from ..calls import call
from ..generators import advanced
from ..truth import truth
from ..unrolling import unrolling
from .classes import find_member
from .containers import (
    content_of,
    elements,
    needs_integer,
    new_list,
    sequence_of,
)

if TYPE_CHECKING:
    from ..machine import Interpreter


def run_range(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    bounds = []
    for value in args:
        for member in members(value):
            if isinstance(member, Arrays) and member.level is Level.ABSTRACT:
                interp.tell(
                    Iterated, node, member.sure and len(members(value)) == 1, value=member, how="range"
                )
                return RangeValue(Static("int"), Static("int"), Const(1))
        bounds.append(value if isinstance(value, Const) else Static("int"))
    if len(bounds) == 1:
        return RangeValue(Const(0), bounds[0], Const(1))
    if len(bounds) == 2:
        return RangeValue(bounds[0], bounds[1], Const(1))
    return RangeValue(*bounds) if len(bounds) == 3 else UNKNOWN


def run_enumerate(
    interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode
) -> Value:
    part = sequence_of(interp, args[0], node) if args else TupleValue(())
    start = args[1] if len(args) > 1 else kwargs.get("start", Const(0))
    needs_integer(interp, start, node, "first number of enumerate")
    first = start.value if isinstance(start, Const) and isinstance(start.value, int) else None
    items = tuple(
        TupleValue((Static("int") if first is None else Const(first + k), item))
        for k, item in enumerate(part.items)
    )
    rest = TupleValue((Static("int", varies=True), part.rest)) if part.rest is not None else None
    return TupleValue(items, rest, count=part.count, kind="enumerate")


def run_zip(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    return _rows(interp, args, node).iterated("zip")


def _rows(interp: Interpreter, args: list[Value], node: cst.CSTNode) -> TupleValue:
    """Tuples of the elements that stand at the same place."""
    parts = [sequence_of(interp, value, node) for value in args]
    if not parts:
        return TupleValue(())
    if all(part.rest is None for part in parts):
        return TupleValue(
            tuple(TupleValue(row) for row in zip(*(part.items for part in parts), strict=False))
        )
    known = [len(part.items) for part in parts if part.rest is None]
    if known and all(part.rest is None or not part.items for part in parts):
        rows = [
            TupleValue(tuple(p.items[k] if p.rest is None else p.rest for p in parts))
            for k in range(min(known))
        ]
        return TupleValue(tuple(rows))
    row = TupleValue(tuple(elements(interp, part, node) for part in parts))
    lengths = [part.length for part in parts if part.length is not None]
    return TupleValue((), row, count=min(lengths) if len(lengths) == len(parts) else None)


def run_reversed(
    interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode
) -> Value:
    part = sequence_of(interp, args[0], node) if args else TupleValue(())
    if part.rest is None:
        return TupleValue(part.items[::-1], kind="reversed")
    return TupleValue((), elements(interp, part, node), count=part.count, kind="reversed")


def run_map(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    if len(args) < 2:
        return UNKNOWN
    rows = _rows(interp, args[1:], node)
    rest = None
    with unrolling(interp, node, rows), interp.looping(node):
        results = [
            call(interp, args[0], list(r.items), {}, node) for r in rows.items if isinstance(r, TupleValue)
        ]
        if isinstance(rows.rest, TupleValue):
            rest = call(interp, args[0], list(rows.rest.items), {}, node)
    return TupleValue(tuple(results), rest, count=rows.count, kind="map")


def run_filter(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    if len(args) < 2:
        return UNKNOWN
    content = sequence_of(interp, args[1], node)
    kept: list[Value] = []
    exact = content.rest is None
    for item in (*content.items, *((content.rest,) if content.rest is not None else ())):
        asked = item if args[0] == NONE else call(interp, args[0], [item], {}, node)
        known = truth(interp, asked, node, "builtin", "filter")
        exact = exact and known is not None
        if known is not False:
            kept.append(item if known else unsure(item))
    found = TupleValue(tuple(kept))
    if not exact:
        found = TupleValue((), elements(interp, found, node))
    return found.iterated("filter")


def run_next(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    if not args:
        return UNKNOWN
    if isinstance(args[0], ListValue) and args[0].kind == "iterator":
        return _advance(interp, args[0], args[1] if len(args) > 1 else None, node)
    if isinstance(args[0], InstanceValue):
        method = find_member(interp, args[0].cls, "__next__")
        if isinstance(method, FunctionValue):
            return call(interp, MethodValue(method, args[0]), [], {}, node)
    if interp.staging and _gives_items(args[0]) and _stands_outside(interp, node):
        interp.tell(Effect, node, function="next", kind="iterator")
    value = elements(interp, args[0], node)
    return join(value, args[1]) if len(args) > 1 else value


def _gives_items(value: Value) -> bool:
    """Whether a value is an iterator over items, no view of a dict, and no counter that numbers things."""
    if not isinstance(value, TupleValue) or value.kind == "tuple":
        return False
    return not value.kind.startswith("dict_") and value.kind != "itertools.count"


def _stands_outside(interp: Interpreter, node: cst.CSTNode) -> bool:
    """Whether the first argument of a call is a variable, or an attribute of one, from outside the traces under way."""
    held = node.args[0].value if isinstance(node, cst.Call) and node.args else None
    if isinstance(held, cst.Name):
        box, _ = interp.find(held.value)
        return box is not None and box.context is None
    if isinstance(held, cst.Attribute) and isinstance(held.value, cst.Name):
        owner = interp.lookup(held.value.value)
        return isinstance(owner, InstanceValue) and owner.box.context is None
    return False


def _advance(interp: Interpreter, iterator: ListValue, default: Value | None, node: cst.CSTNode) -> Value:
    """`next(iterator)`: in what is staged an iterator of the world outside advances once, while tracing.

    A map or a derivative alone traces its function at every call, and advances the iterator each time.
    """
    leaks = advanced(interp, iterator, node)
    if interp.staging and iterator.box.context is None and not leaks:
        interp.tell(Effect, node, function="next", kind="iterator")
    content = content_of(interp, iterator)
    if content.items:
        interp.state.write(iterator.box, "items", TupleValue(content.items[1:], content.rest))
        return content.items[0]
    if content.rest is not None:
        return content.rest if default is None else join(content.rest, default)
    return default if default is not None else UNKNOWN


def run_iter(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    if not args or isinstance(args[0], Unknown | Tree | Union):
        return args[0] if args else UNKNOWN
    return new_list(interp, sequence_of(interp, args[0], node), node, "iterator")
