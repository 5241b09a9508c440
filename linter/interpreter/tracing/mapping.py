"""`vmap` and `pmap`: arguments lose the mapped axis, results get it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    UNKNOWN,
    Array,
    Box,
    Const,
    DictValue,
    FunctionValue,
    InstanceValue,
    Level,
    ListValue,
    Mapping,
    Root,
    SequenceValue,
    Shape,
    Static,
    TransformedValue,
    TupleValue,
    Union,
    Unknown,
    Value,
)
from ...events import TracedCall
from ..arrays import shapes
from ..python.containers import items_of, mapping_of, new_dict
from ..python.copies import fresh_copy
from ..python.signatures import spreads
from ..stores import ARGUMENT
from .axis_names import axis_name
from .boundaries import check_result
from .entries import root_for, traced
from .jitting import call_refused
from .mapped_axes import axes_refused, outputs_refused, sizes_differ
from .named_arguments import constants
from .traces import Trace, entries_of, inner_trace, origins
from .transformed_calls import TransformedCall
from .transforms import enter, entry_for, leave, level_of_roots, outside_level
from .trees import surely_empty

if TYPE_CHECKING:
    from ..machine import Interpreter


def run_vmap(called: TransformedCall) -> Value:
    """Arguments are traced without the mapped axis; what is returned gets it."""
    interp, transformed, node = called.interp, called.transformed, called.node
    args, kwargs, spread = called.args, called.kwargs, called.spread
    function, names = called.function, called.names
    entry = entry_for(interp, transformed, transformed.kind)
    refusals = interp.refusals
    per_argument = axes_of_arguments(interp, transformed, len(args))
    _check_axes(called)
    if _maps_nothing(called):
        return UNKNOWN
    inside: list[Value] = []
    for name, value, axis in zip(names, args, per_argument, strict=True):
        root = root_for(interp, entry, function, name, value)
        inside.append(_mapped(interp, transformed, value, axis, root, node))
    named = {
        k: _mapped(interp, transformed, v, Const(0), root_for(interp, entry, function, k, v), node)
        for k, v in kwargs.items()
    }
    if spread is None and not kwargs and axes_refused(interp, transformed, args, per_argument, names, node):
        return UNKNOWN
    keyword_axes: list[Value] = [Const(0)] * len(kwargs)
    if sizes_differ(
        interp, transformed, called.inputs, [*per_argument, *keyword_axes], [*names, *kwargs], node
    ):
        return UNKNOWN
    if interp.refusals > refusals:
        return UNKNOWN
    if spread is None and call_refused(interp, transformed, args, list(kwargs), node):
        return UNKNOWN
    trace = inner_trace(entry, transformed.kind == "pmap", interp.trace)
    with axis_name(interp, transformed.option("axis_name")):
        result = enter(interp, trace, function, inside, named, node, spread)
    check_result(interp, result, transformed.kind, node)
    outputs_refused(interp, transformed, result, node, entry)
    return _unmapped(called, result, per_argument)


def _check_axes(called: TransformedCall) -> None:
    """Tells of `in_axes` that has not one entry for each positional argument."""
    axes, count = called.transformed.option("in_axes"), len(called.args)
    if not isinstance(axes, TupleValue) or axes.rest is not None or len(axes.items) == count:
        return
    if called.spread is None and not spreads(called.node):
        plural = "s" if count != 1 else ""
        called.interp.tell(
            TracedCall, called.node, transformed=called.transformed, problem="axes", error="ValueError",
            detail=f"in_axes has {len(axes.items)} entries for {count} positional argument{plural}",
        )  # fmt: skip


def _maps_nothing(called: TransformedCall) -> bool:
    """Tells of a call without any array, of which nothing says how often the function is mapped."""
    transformed, node = called.transformed, called.node
    sized = transformed.option("axis_size") not in (None, NONE) or transformed.kind != "vmap"
    if sized or called.spread is not None or spreads(node):
        return False
    if called.inputs and not surely_empty(called.interp, called.inputs):
        return False
    if node is not transformed.node:  # a call that is seen, and not assumed
        # A parameter that was left out is not used on every way through a function
        sure = NONE not in called.inputs or called.interp.frame.function is None
        called.interp.tell(
            TracedCall, node, sure, transformed=transformed, problem="axes", error="ValueError",
            detail=f"there is no {'array in the arguments' if called.inputs else 'argument'} to map over, and no axis_size is given",
        )  # fmt: skip
    return True


def _unmapped(called: TransformedCall, result: Value, per_argument: list[Value]) -> Value:
    """What a mapped function returns, as it is outside: with the axis, and as traced as what went in."""
    at_front = called.transformed.option("out_axes") in (None, Const(0))
    length = _mapped_length(called.args, per_argument) if at_front else None
    return with_axes(called, result, (length,))


def with_axes(called: TransformedCall, result: Value, axes: Shape) -> Value:
    """A result with these axes in front of its own, as traced as what went in."""
    interp, node = called.interp, called.node
    outer = outside_level(interp, called.inputs)
    active = entries_of(interp.trace)

    def leaf(item: Value) -> Value:
        if isinstance(item, Array):
            shape = None if item.shape is None or axes is None else (*axes, *item.shape)
            own = max(outer, level_of_roots(item.roots, active))
            roots = origins(item.roots, active) if own else ()
            return Array(own, shape, item.dtype, False, True, roots, item.trail if own else None)
        if isinstance(item, Const | Static) and item != NONE:
            return Array(outer, None, None)
        return leave(interp, item, outer, node)

    return fresh_copy(interp, result, leaf, node)


def _mapped_length(args: list[Value], axes: list[Value]) -> int | None:
    """The length of the axis that is mapped, where an argument tells it."""
    for value, axis in zip(args, axes, strict=True):
        shape = shapes.shape_of(value)
        if (
            shape
            and isinstance(axis, Const)
            and isinstance(axis.value, int)
            and -len(shape) <= axis.value < len(shape)
        ):
            return shape[axis.value]
    return None


def axes_of_arguments(interp: Interpreter, transformed: TransformedValue, count: int) -> list[Value]:
    """The axis of each positional argument; None for what `pmap` makes static, unknown for what it may make static."""
    axes = axes_for(interp, transformed.option("in_axes") or Const(0), count)
    static = constants(transformed.option("static_broadcasted_argnums"), int)
    if static is None:
        return [UNKNOWN] * count
    for number in static:
        if number < count:
            axes[number] = NONE
    return axes


def most_positional(transformed: Value) -> int | None:
    """How many arguments by position `in_axes` allows, here or in a transform inside; None where any number."""
    found: list[int] = []
    while isinstance(transformed, TransformedValue):
        axes = transformed.option("in_axes")
        if isinstance(axes, TupleValue) and axes.rest is None:
            found.append(len(axes.items))
        transformed = transformed.function
    return min(found, default=None)


def axes_for(interp: Interpreter, axes: Value, n: int) -> list[Value]:
    """The axis specification of each positional argument."""
    if isinstance(axes, SequenceValue):
        items = items_of(interp, axes)
        if items is not None:
            return [items[k] if k < len(items) else Const(0) for k in range(n)]
        first = axes.items if isinstance(axes, TupleValue) else ()
        return [first[k] if k < len(first) else UNKNOWN for k in range(n)]
    return [axes] * n


def _mapped(
    interp: Interpreter,
    transformed: TransformedValue,
    value: Value,
    axis: Value,
    root: Root,
    node: cst.CSTNode,
) -> Value:
    """An argument inside `vmap`: without the mapped axis, or the caller's own where `in_axes` is None."""
    if axis == NONE:
        return _own_structure(interp, value, root)
    if isinstance(axis, Unknown):  # it may be None, and the argument the caller's own
        return UNKNOWN if not isinstance(value, FunctionValue | InstanceValue) else value
    if isinstance(axis, TupleValue) and isinstance(value, TupleValue) and len(axis.items) == len(value.items):
        items = tuple(
            _mapped(interp, transformed, v, a, root, node)
            for v, a in zip(value.items, axis.items, strict=True)
        )
        return TupleValue(items, value.rest, value.fields, value.cls)
    if isinstance(axis, DictValue) and isinstance(value, DictValue):
        axes, known = mapping_of(interp, axis), mapping_of(interp, value)
        pairs = tuple(
            (key, _mapped(interp, transformed, item, axes.get(key) or UNKNOWN, root, node))
            for key, item in known.items
        )
        with interp.bearing(_inside(interp, root)):
            made = new_dict(interp, Mapping(pairs, None if known.rest is None else UNKNOWN), ARGUMENT)
        made.box.origin = value.box
        return made
    if isinstance(axis, InstanceValue):  # one of a class that is a pytree, of axes
        parts = axis.box.slots
        if all(part == NONE for part in parts.values()) or isinstance(value, FunctionValue):
            return _own_structure(interp, value, root)
        if not isinstance(value, InstanceValue):
            return UNKNOWN
        with interp.bearing(_inside(interp, root)):
            box = interp.new_box(value.box.name, site=value.box.site)
        box.origin = value.box
        for key, item in value.box.slots.items():
            box.slots[key] = _mapped(interp, transformed, item, parts.get(key, UNKNOWN), root, node)
        return InstanceValue(value.cls, box)
    return without_axis(interp, traced(interp, value, root, Level.ABSTRACT, transformed, node), axis)


def _own_structure(interp: Interpreter, value: Value, root: Root) -> Value:
    """An argument that is not mapped: the same arrays, in containers that JAX has made anew."""
    with interp.bearing(_inside(interp, root)):
        return fresh_copy(interp, value, lambda item: item, ARGUMENT)


def _inside(interp: Interpreter, root: Root) -> Trace:
    """The trace that a mapped function is about to begin."""
    assert root.entry is not None
    return Trace(root.entry, False, interp.trace)


def without_axis(interp: Interpreter, value: Value, axis: Value) -> Value:
    """A tree of tracers, just made for an argument, whose arrays have lost this axis."""
    position = axis.value if isinstance(axis, Const) and isinstance(axis.value, int) else None

    def leaf(item: Array) -> Array:
        shape = item.shape
        if shape is not None and position is not None:
            known = -len(shape) <= position < len(shape)
            at = position % len(shape) if known else 0
            shape = shape[:at] + shape[at + 1 :] if known else None
        return replace(item, shape=shape if position is not None else None)

    return _with_leaves(value, leaf, set())


def _with_leaves(value: Value, leaf: Callable[[Array], Array], seen: set[Box]) -> Value:
    """A tree that nobody has seen yet with other tracers, its containers the same."""

    def inside(item: Value) -> Value:
        return _with_leaves(item, leaf, seen)

    match value:
        case Array() if value.traced:
            return leaf(value)
        case TupleValue():
            rest = None if value.rest is None else inside(value.rest)
            return replace(value, items=tuple(map(inside, value.items)), rest=rest)
        case Mapping():
            rest = None if value.rest is None else inside(value.rest)
            return Mapping(tuple((key, inside(item)) for key, item in value.items), rest)
        case Union():
            return Union(tuple(map(inside, value.members)))
        case ListValue() | DictValue() | InstanceValue() if value.box not in seen:
            seen.add(value.box)
            for key, item in value.box.slots.items():
                value.box.slots[key] = inside(item)
    return value
