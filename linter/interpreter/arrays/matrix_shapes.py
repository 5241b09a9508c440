"""Shape rules of linear algebra, and of functions over samples: differences, convolutions, spectra, statistics."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...domain import Const, Shape, TupleValue
from .rule_arguments import NONE, Arguments, known_integer, shape_given
from .shapes import broadcast, reduced

if TYPE_CHECKING:
    from ..machine import Interpreter


def _changed(shape: Shape, axis: int | None, change: Callable[[int], int]) -> Shape:
    """The shape with the length along one axis changed."""
    if shape is None or axis is None or not -len(shape) <= axis < len(shape):
        return None
    axis %= len(shape)
    length = shape[axis]
    return (*shape[:axis], None if length is None else max(change(length), 0), *shape[axis + 1 :])


def leading(interp: Interpreter, args: Arguments) -> Shape:
    """`leading(a, count)`: all axes but the last ones, so many."""
    shape, count = shape_given(interp, args[0]), known_integer(args[1], 1)
    return None if shape is None or count is None or len(shape) < count else shape[: len(shape) - count]


def trace(interp: Interpreter, args: Arguments) -> Shape:
    """`trace(a, axis1, axis2)`: without these two axes, by default the first ones."""
    shape, axes = shape_given(interp, args[0]), (known_integer(args[1], 0), known_integer(args[2], 1))
    if shape is None or None in axes or len(shape) < 2:
        return None
    dropped = {axis % len(shape) for axis in axes if axis is not None}
    return tuple(length for k, length in enumerate(shape) if k not in dropped)


def difference(interp: Interpreter, args: Arguments) -> Shape:
    """`difference(a, n, axis, prepend, append)`, as `numpy.diff`."""
    shape, order, axis = shape_given(interp, args[0]), known_integer(args[1], 1), known_integer(args[2], -1)
    added = 0
    for more in args[3:]:
        if more in NONE:
            continue
        extra = shape_given(interp, more)
        length = None if extra is None or axis is None else 1 if extra == () else extra[axis]
        if length is None:
            return None
        added += length
    return None if order is None else _changed(shape, axis, lambda length: length + added - order)


def convolved(interp: Interpreter, args: Arguments) -> Shape:
    """`convolved(a, v, mode)`, of vectors; `full` without a mode."""
    lengths = [shape_given(interp, value) for value in args[:2]]
    mode = args[2].value if isinstance(args[2], Const) else "full" if args[2] is None else None
    if mode is None or any(shape is None or len(shape) != 1 or shape[0] is None for shape in lengths):
        return None
    first, second = sorted(shape[0] or 0 for shape in lengths if shape is not None)
    return {"full": (first + second - 1,), "same": (second,), "valid": (second - first + 1,)}.get(mode)


def correlated(interp: Interpreter, args: Arguments) -> Shape:
    """`correlated(a, v, mode)`: `valid` without a mode."""
    return convolved(interp, [*args[:2], args[2] if args[2] is not None else Const("valid")])


def quantiles(interp: Interpreter, args: Arguments) -> Shape:
    """`quantiles(a, q, axis, keepdims)`: one result for each of the quantiles, which come first."""
    wanted, rest = shape_given(interp, args[1]), reduced(shape_given(interp, args[0]), args[2], args[3])
    return None if wanted is None or rest is None else (*wanted, *rest)


def covariance(interp: Interpreter, args: Arguments) -> Shape:
    """`covariance(m, y, rowvar)`: of one set of variables, in rows by default."""
    shape = shape_given(interp, args[0])
    if shape is None or args[1] not in NONE or len(shape) > 2:
        return None
    rows = True if args[2] is None else args[2].value if isinstance(args[2], Const) else None
    if len(shape) < 2 or shape[0] == 1:
        return ()
    count = None if rows is None else shape[0 if rows else 1]
    return None if count is None else () if count == 1 else (count, count)


def crossed(interp: Interpreter, args: Arguments) -> Shape:
    """`crossed(a, b)`: of vectors of three along the last axis."""
    shapes = [shape_given(interp, value) for value in args[:2]]
    if any(shape is None or not shape or shape[-1] != 3 for shape in shapes) or any(
        axis not in NONE for axis in args[2:]
    ):
        return None
    return broadcast(shapes)


def kronecker(interp: Interpreter, args: Arguments) -> Shape:
    """`kronecker(a, b)`: the lengths multiplied."""
    left, right = shape_given(interp, args[0]), shape_given(interp, args[1])
    if left is None or right is None:
        return None
    rank = max(len(left), len(right))
    left, right = ((1,) * (rank - len(shape)) + shape for shape in (left, right))
    return tuple(None if a is None or b is None else a * b for a, b in zip(left, right, strict=True))


def contracted(interp: Interpreter, args: Arguments) -> Shape:
    """`contracted(a, b, axes)`: over so many axes, two by default, the last of one and the first of the other."""
    left, right = shape_given(interp, args[0]), shape_given(interp, args[1])
    count = known_integer(args[2], 2)
    if left is None or right is None or count is None or min(len(left), len(right)) < count:
        return None
    return (*left[: len(left) - count], *right[count:])


def inner(interp: Interpreter, args: Arguments) -> Shape:
    """`inner(a, b)`: over the last axis of both."""
    left, right = shape_given(interp, args[0]), shape_given(interp, args[1])
    if left is None or right is None:
        return None
    return (*left[:-1], *right[:-1]) if left and right else broadcast([left, right])


def spectrum(interp: Interpreter, args: Arguments) -> Shape:
    """`spectrum(a, n, axis)`: that axis, the last by default, gets the length n, if one is given."""
    n = args[1]
    length = known_integer(n, 0)
    axis = known_integer(args[2], -1)
    return None if length is None else _changed(shape_given(interp, args[0]), axis, lambda old: length or old)


def half_spectrum(interp: Interpreter, args: Arguments) -> Shape:
    """`half_spectrum(a, n, axis)`, of real values: without the negative frequencies."""
    return _changed(spectrum(interp, args), known_integer(args[2], -1), lambda length: length // 2 + 1)


def whole_spectrum(interp: Interpreter, args: Arguments) -> Shape:
    """`whole_spectrum(a, n, axis)`, the inverse of `half_spectrum`: an even length, unless one is given."""
    if args[1] in NONE:
        return _changed(
            shape_given(interp, args[0]), known_integer(args[2], -1), lambda length: 2 * (length - 1)
        )
    return spectrum(interp, args)


def spectra(interp: Interpreter, args: Arguments) -> Shape:
    """`spectra(a, s)`: as the array, unless sizes are given."""
    return shape_given(interp, args[0]) if args[1] in NONE else None


def halved(interp: Interpreter, args: Arguments) -> Shape:
    """`halved(n)`: one axis for the frequencies of so many real samples."""
    length = known_integer(args[0], 0)
    return (length // 2 + 1,) if length else None


def grid(interp: Interpreter, args: Arguments) -> Shape:
    """`grid(xi, indexing)`: an axis for each vector, the first two swapped by default."""
    vectors = args[0].items if isinstance(args[0], TupleValue) and args[0].rest is None else ()
    lengths: list[int | None] = []
    for vector in vectors:
        shape = shape_given(interp, vector)
        if shape is None or len(shape) > 1:
            return None
        lengths.append(shape[0] if shape else 1)
    if not lengths or not (args[1] is None or isinstance(args[1], Const)):
        return None
    if (args[1] is None or args[1] == Const("xy")) and len(lengths) > 1:
        lengths[:2] = lengths[1::-1]
    return tuple(lengths)


def powers(interp: Interpreter, args: Arguments) -> Shape:
    """`powers(x, N)`: a row for each element, as many columns by default."""
    shape = shape_given(interp, args[0])
    if shape is None or len(shape) != 1:
        return None
    return (shape[0], shape[0]) if args[1] in NONE else (shape[0], known_integer(args[1], 0))


RULES: dict[str, Callable[[Interpreter, Arguments], Shape]] = {
    rule.__name__: rule
    for rule in (
        contracted, convolved, correlated, covariance, crossed, difference, grid, half_spectrum, halved, inner, kronecker,
        leading, powers, quantiles, spectra, spectrum, trace, whole_spectrum,
    )
}  # fmt: skip
