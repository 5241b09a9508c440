"""What the differentiation rules of primitives speak of: symbolic zeros, undefined primals, sums of tangents.

A JVP rule ``jvp(primals, tangents, **params)`` gets a `Zero` for each tangent that is known to be zero, never for all
of them, and returns the result (a list of them for multiple results) and its tangent, which may be a `Zero` too.

A transpose rule ``transpose(ct, *args, **params)`` gets an `UndefinedPrimal` in the place of each argument in which
the application is linear, and returns one cotangent for each argument: None where there is nothing to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..arrays.array import ArrayImpl
from ..core import Primitive, ShapedArray, Value, get_aval, literal
from ..dtypes import FLOAT0

__all__ = [
    "UndefinedPrimal",
    "Zero",
    "add_any_p",
    "add_tangents",
    "instantiate",
    "is_undefined_primal",
    "zero_of",
    "zeros_like_aval",
]


class Zero:
    """A tangent or cotangent of type `aval` that is zero."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray) -> None:
        self.aval = aval

    @staticmethod
    def from_primal_value(value: Value) -> Zero:
        return zero_of(value)

    def __repr__(self) -> str:
        return f"Zero({self.aval.str_short()})"


class UndefinedPrimal:
    """Stands in a transpose rule for an argument in which the application is linear."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray) -> None:
        self.aval = aval

    def __repr__(self) -> str:
        return f"UndefinedPrimal({self.aval.str_short()})"


def is_undefined_primal(value: Any) -> bool:
    """Whether the application is linear in this argument."""
    return type(value) is UndefinedPrimal


def defined(value: Any) -> Value:
    """The other operand of a product, which is linear in one of them at a time."""
    if type(value) is UndefinedPrimal:
        raise AssertionError(f"a function that multiplies its arguments is not linear: {value}")
    return value


def zero_of(value: Value) -> Zero:
    """The zero tangent of a primal value."""
    return Zero(get_aval(value).to_tangent_aval())


def zeros_like_aval(aval: ShapedArray) -> Value:
    """An array of zeros of this type, under the current trace."""
    import numpy

    from .shape import broadcast_in_dim_p

    if aval.dtype is FLOAT0:
        return ArrayImpl(numpy.zeros(aval.shape, aval.dtype.storage), aval)
    zero = literal(aval.dtype.storage.type(0).item(), aval.dtype, aval.weak_type)
    if not aval.shape:
        return zero
    return broadcast_in_dim_p.bind(zero, shape=aval.shape, broadcast_dimensions=(), sharding=None)


def instantiate(tangent: Value | Zero) -> Value:
    """The tangent, with an array in the place of a symbolic zero."""
    return zeros_like_aval(tangent.aval) if type(tangent) is Zero else tangent


def add_tangents(first: Value | Zero, second: Value | Zero) -> Value | Zero:
    """The sum of two tangents."""
    if type(first) is Zero:
        return second
    if type(second) is Zero:
        return first
    if (
        get_aval(first).dtype is not get_aval(second).dtype
    ):  # a derivative rule of the user gave it a type of its own
        from .family import check_same_dtypes

        check_same_dtypes("add", (get_aval(first), get_aval(second)))
    return add_any_p.bind(first, second)


def _add_any_batch(size: int, args: Sequence[Value], dims: Sequence[int | None]) -> tuple[Value, int | None]:
    from .shape import batch_to_front

    if dims[0] == dims[1]:
        return add_any_p.bind(*args), dims[0]
    return add_any_p.bind(*[batch_to_front(arg, dim, size) for arg, dim in zip(args, dims, strict=True)]), 0


def _add_any_jvp(primals: Sequence[Value], tangents: Sequence[Value | Zero]) -> tuple[Value, Value | Zero]:
    return add_any_p.bind(*primals), add_tangents(*tangents)


def _add_any_impl(x: Any, y: Any) -> Any:
    return x + y


# The sum that differentiation makes: an addition of equal types, told apart from the user's by its name.
add_any_p = Primitive("add_any")
add_any_p.lower = lambda builder, x, y: builder.add(x, y)
add_any_p.abstract_eval = lambda x, y: x if x is y else x.update(weak_type=x.weak_type and y.weak_type)
add_any_p.impl = _add_any_impl
add_any_p.batch = _add_any_batch
add_any_p.jvp = _add_any_jvp
add_any_p.transpose = lambda ct, x, y: [ct, ct]
add_any_p.examples = [(([0.5, -1.5], [2.0, 0.25]), {})]
