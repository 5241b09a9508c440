"""Shape rules of what joins, sorts, chooses and draws: columns and blocks, selections, samples, factors of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...domain import Const, Shape, Static, TupleValue, Value
from ..python.containers import items_of
from .rule_arguments import NONE, Arguments, known_integer, shape_given
from .shapes import as_shape, broadcast

if TYPE_CHECKING:
    from ..machine import Interpreter


def _total(lengths: list[int | None]) -> int | None:
    known = [length for length in lengths if length is not None]
    return sum(known) if len(known) == len(lengths) else None


def columns(interp: Interpreter, args: Arguments) -> Shape:
    """`columns(arrays)`: side by side, a vector as one column."""
    items = items_of(interp, args[0]) if args[0] is not None else None
    shapes = [shape_given(interp, item) for item in items or ()]
    tables = [shape if shape is None or len(shape) > 1 else (*(shape or (1,)), 1) for shape in shapes]
    if not tables or any(table is None or len(table) != 2 for table in tables):
        return None
    known = [table for table in tables if table is not None]
    return known[0][0], _total([table[1] for table in known])


def blocks(interp: Interpreter, args: Arguments) -> Shape:
    """`blocks(arrays)`: along a diagonal, a vector as one row."""
    arrays = args[0].items if isinstance(args[0], TupleValue) and args[0].rest is None else ()
    shapes = [shape_given(interp, array) for array in arrays]
    if not shapes or any(shape is None or len(shape) > 2 for shape in shapes):
        return None
    tables = [(*(1,) * (2 - len(shape)), *shape) for shape in shapes if shape is not None]
    return _total([table[0] for table in tables]), _total([table[1] for table in tables])


def pad(interp: Interpreter, args: Arguments) -> Shape:
    """`pad(a, widths)`: widths are one number, a pair for all axes, or a pair for each."""
    shape, widths = shape_given(interp, args[0]), args[1]
    if shape is None or widths is None:
        return None
    pairs = items_of(interp, widths)
    if pairs is None or all(items_of(interp, pair) is None for pair in pairs):
        grown = [_growth(interp, widths)] * len(shape)
    else:
        each = [_growth(interp, pair) for pair in pairs]
        grown = each * len(shape) if len(each) == 1 else each
    if len(grown) != len(shape):
        return (None,) * len(shape)
    return tuple(_total([length, width]) for length, width in zip(shape, grown, strict=True))


def _growth(interp: Interpreter, width: Value) -> int | None:
    """How much longer an axis gets: by a number on both sides, or by one on each."""
    pair = items_of(interp, width)
    sides = [known_integer(side, 0) for side in pair or ()] or [known_integer(width, 0)]
    total = _total(sides)
    return total * 2 // len(sides) if total is not None and len(sides) <= 2 else None


def sorted_along(interp: Interpreter, args: Arguments) -> Shape:
    """`sorted_along(a, axis)`: as the array, but flat where the axis is None."""
    shape = shape_given(interp, args[0])
    if args[1] is None or (isinstance(args[1], Const | Static) and args[1] != Const(None)):
        return shape
    if shape is None or None in shape or args[1] != Const(None):
        return None
    size = 1
    for length in shape:
        size *= length or 0
    return (size,)


def topmost(interp: Interpreter, args: Arguments) -> Shape:
    """`topmost(operand, k, axis)`: so many along an axis, the last by default."""
    shape, count, axis = shape_given(interp, args[0]), known_integer(args[1], 0), known_integer(args[2], -1)
    if not shape or axis is None or not -len(shape) <= axis < len(shape):
        return None
    axis %= len(shape)
    return (*shape[:axis], count, *shape[axis + 1 :])


def along(interp: Interpreter, args: Arguments) -> Shape:
    """`along(a, indices, axis)`: as the indices, where all other axes are of one length."""
    shape, indices, axis = (
        shape_given(interp, args[0]),
        shape_given(interp, args[1]),
        known_integer(args[2], -1),
    )
    if shape is None or indices is None or axis is None or len(shape) != len(indices):
        return None
    others = [k for k in range(len(shape)) if k != axis % len(shape)]
    return indices if all(shape[k] == indices[k] for k in others) else None


def selected(interp: Interpreter, args: Arguments) -> Shape:
    """`selected(conditions, choices)`: all broadcast."""
    parts = [items_of(interp, value) if value is not None else None for value in args[:2]]
    if any(part is None for part in parts):
        return None
    return broadcast([shape_given(interp, item) for part in parts for item in part or ()])


def segments(interp: Interpreter, args: Arguments) -> Shape:
    """`segments(data, count)`: so many instead of the rows."""
    shape, count = shape_given(interp, args[0]), known_integer(args[1], 0)
    return (count, *shape[1:]) if shape and count else None


def last_dropped(interp: Interpreter, args: Arguments) -> Shape:
    """`last_dropped(a, axis)`: without one axis, the last by default."""
    shape, axis = shape_given(interp, args[0]), known_integer(args[1], -1)
    if not shape or axis is None or not -len(shape) <= axis < len(shape):
        return None
    axis %= len(shape)
    return (*shape[:axis], *shape[axis + 1 :])


def drawn(interp: Interpreter, args: Arguments) -> Shape:
    """`drawn(a, shape)`: that shape, a scalar without one, of a vector's elements or of numbers below an integer."""
    source = shape_given(interp, args[0])
    if source is None or len(source) > 1:
        return None
    return () if args[1] in NONE else as_shape(interp, args[1])


def permuted(interp: Interpreter, args: Arguments) -> Shape:
    """`permuted(x)`: as the array, or all numbers below an integer."""
    if isinstance(args[0], Const | Static) and getattr(args[0], "kind", "int") == "int":
        return (known_integer(args[0], 0),)
    return shape_given(interp, args[0])


def samples(interp: Interpreter, args: Arguments) -> Shape:
    """`samples(parameter, shape)`: vectors as long as the parameter's last axis, so many as the shape says."""
    parameter = shape_given(interp, args[0])
    if not parameter:
        return None
    given = parameter[:-1] if args[1] in NONE else as_shape(interp, args[1])
    return None if given is None else (*given, parameter[-1])


def tall(interp: Interpreter, args: Arguments) -> Shape:
    """`tall(a)`: the orthogonal factor of a matrix, with no more columns than rows."""
    shape = shape_given(interp, args[0])
    return None if shape is None or len(shape) < 2 else (*shape[:-1], _smaller(*shape[-2:]))


def wide(interp: Interpreter, args: Arguments) -> Shape:
    """`wide(a)`: the triangular factor of a matrix, with no more rows than columns."""
    shape = shape_given(interp, args[0])
    return None if shape is None or len(shape) < 2 else (*shape[:-2], _smaller(*shape[-2:]), shape[-1])


def _smaller(rows: int | None, count: int | None) -> int | None:
    return None if rows is None or count is None else min(rows, count)


RULES: dict[str, Callable[[Interpreter, Arguments], Shape]] = {
    rule.__name__: rule
    for rule in (
        along, blocks, columns, drawn, last_dropped, pad, permuted, samples, segments, selected, sorted_along, tall, topmost,
        wide,
    )
}  # fmt: skip
