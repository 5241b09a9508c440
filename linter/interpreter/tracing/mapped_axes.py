"""Which leaf of an argument is mapped along which axis, and whether these axes exist and have one length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    Array,
    Const,
    DictValue,
    Entry,
    Level,
    SequenceValue,
    TransformedValue,
    TupleValue,
    Value,
)
from ...events import TracedCall
from ..arrays import shapes
from ..python.containers import items_of, mapping_of
from .axis_trees import misfit, no_axis

if TYPE_CHECKING:
    from ..machine import Interpreter

MAX_DEPTH = 6  # containers inside each other


def leaves_with_axes(
    interp: Interpreter, value: Value, axis: Value, name: str, depth: int = 0
) -> Iterator[tuple[str, Value, int]]:
    """Each leaf that is mapped along a known axis, with its name; `axis` is a prefix of the value's tree."""
    if axis == NONE or depth > MAX_DEPTH:
        return
    if isinstance(value, SequenceValue):
        items = items_of(interp, value)
        axes = items_of(interp, axis) if isinstance(axis, SequenceValue) else None
        for k, item in enumerate(items or ()):
            one = axes[k] if axes is not None and len(axes) == len(items or ()) else axis
            field = f".{value.fields[k]}" if isinstance(value, TupleValue) and value.fields else f"[{k}]"
            yield from leaves_with_axes(interp, item, one, name + field, depth + 1)
    elif isinstance(value, DictValue):
        for key, item in mapping_of(interp, value).items:
            inner: Value | None = mapping_of(interp, axis).get(key) if isinstance(axis, DictValue) else axis
            if inner is not None:
                yield from leaves_with_axes(interp, item, inner, f"{name}[{key!r}]", depth + 1)
    elif isinstance(axis, Const) and isinstance(axis.value, int) and not isinstance(axis.value, bool):
        yield name, value, axis.value


def sizes_differ(
    interp: Interpreter,
    transformed: TransformedValue,
    args: list[Value],
    axes: list[Value],
    names: list[str],
    node: cst.CSTNode,
) -> bool:
    """Tells of mapped arguments that have no such axis, or axes of different lengths."""
    size = transformed.option("axis_size")
    seen: tuple[str, int] | None = None
    if isinstance(size, Const) and isinstance(size.value, int):
        seen = ("axis_size", size.value)
    for argument, value, axis in zip(names, args, axes, strict=True):
        for name, leaf, number in leaves_with_axes(interp, value, axis, argument):
            shape = shapes.shape_of(leaf)
            if shape is None:
                continue
            detail = ""
            if not -len(shape) <= number < len(shape):
                detail = f"{name} has rank {len(shape)}, so it has no axis {number} to map over"
            else:
                length = shape[number]
                if length is not None and seen is not None and seen[1] != length:
                    first = "axis_size is" if seen[0] == "axis_size" else f"{seen[0]} has"
                    detail = f"{first} {seen[1]} along the mapped axis, {name} has {length}"
                seen = (name, length) if length is not None and seen is None else seen
            if detail:
                interp.tell(
                    TracedCall,
                    node,
                    transformed=transformed,
                    problem="axes",
                    parameter=name,
                    detail=detail,
                    error="ValueError",
                )
                return True
    return False


def axes_refused(
    interp: Interpreter,
    transformed: TransformedValue,
    args: list[Value],
    axes: list[Value],
    names: list[str],
    node: cst.CSTNode,
) -> bool:
    """Tells of an `in_axes` of `vmap` that is no tree of axes, maps nothing, or does not fit the arguments."""
    if transformed.kind != "vmap":
        return False
    given = transformed.option("in_axes") or Const(0)
    wrong = no_axis(interp, given)
    if not wrong and isinstance(given, DictValue):
        wrong = "a dict, not a tuple with one for each argument"
    detail, error = f"in_axes is or contains {wrong}" if wrong else "", "TypeError"
    if not detail:
        error = "ValueError"
        found = (
            misfit(interp, axis, value, name) for name, value, axis in zip(names, args, axes, strict=True)
        )
        detail = next(filter(None, found), "")
    sized = transformed.option("axis_size") not in (None, NONE)
    if not detail and args and len(args) == len(axes) and all(axis == NONE for axis in axes) and not sized:
        detail = "in_axes maps no argument, and no axis_size is given"
    if detail:
        interp.tell(TracedCall, node, transformed=transformed, problem="axes", detail=detail, error=error)
    return bool(detail)


def _mapped_after_all(
    interp: Interpreter, value: Value, axis: Value, entry: Entry, name: str, depth: int = 0
) -> str:
    """The part of a result that depends on what is mapped though its axis is None; empty if there surely is none."""
    if depth > MAX_DEPTH:
        return ""
    if isinstance(value, Array):
        own = any(root.kind == "parameter" and root.entry is entry for root in value.roots)
        return name if axis == NONE and value.sure and value.level is Level.ABSTRACT and own else ""
    if not isinstance(value, SequenceValue):
        return ""
    axes = items_of(interp, axis) if isinstance(axis, SequenceValue) else None
    for k, item in enumerate(items_of(interp, value) or ()):
        one = axes[k] if axes is not None and k < len(axes) else axis
        found = _mapped_after_all(interp, item, one, entry, f"{name}[{k}]", depth + 1)
        if found:
            return found
    return ""


def _out_of_bounds(interp: Interpreter, value: Value, axis: Value, depth: int = 0) -> str:
    """How an axis of a stacked result lies beyond its rank; empty if it surely does not."""
    if isinstance(axis, Const) and isinstance(value, Array) and value.sure and value.shape is not None:
        rank = len(value.shape) + 1
        within = axis == NONE or -rank <= axis.value < rank
        return "" if within else f"out_axes is {axis.value}, but the stacked result has rank {rank}"
    if not isinstance(value, SequenceValue) or depth > MAX_DEPTH:
        return ""
    items = items_of(interp, value) or []
    axes = items_of(interp, axis) if isinstance(axis, SequenceValue) else [axis] * len(items)
    pairs = zip(items, axes or (), strict=False)
    return next((found for a, b in pairs if (found := _out_of_bounds(interp, a, b, depth + 1))), "")


def outputs_refused(
    interp: Interpreter, transformed: TransformedValue, result: Value, node: cst.CSTNode, entry: Entry
) -> None:
    """Tells of an `out_axes` of `vmap` that does not fit the results."""
    axes = transformed.option("out_axes")
    if transformed.kind != "vmap" or axes is None:
        return
    wrong = no_axis(interp, axes)
    detail = f"out_axes is or contains {wrong}" if wrong else misfit(interp, axes, result, "the result")
    detail = detail or _out_of_bounds(interp, result, axes)
    if not detail and transformed.option("axis_name") in (None, NONE):
        part = _mapped_after_all(interp, result, axes, entry, "the result")
        detail = f"out_axes is None for {part}, which depends on what is mapped" if part else ""
    if detail:
        interp.tell(
            TracedCall, node, transformed=transformed, problem="axes", detail=detail,
            error="TypeError" if wrong else "ValueError",
        )  # fmt: skip
