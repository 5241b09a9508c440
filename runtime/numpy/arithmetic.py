"""Arithmetic of `jax.numpy` that is more than one primitive: division, powers, exponents, integers, NaN handling."""

from __future__ import annotations

import math
import operator
from typing import Any

from .. import lax
from ..arrays.array import ArrayImpl
from ..core import Array
from ..lax import types as dtypes
from ..lax.elementwise import convert_to
from .promotion import (
    ArrayLike,
    asarray,
    broadcast_together,
    check_arraylike,
    exactly_like,
    jitted,
    like,
    promote_args,
    promote_args_inexact,
    promote_args_numeric,
    promote_shapes,
)
from .selection import where
from .ufuncs import absolute, copysign, greater, less


def floor_divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Division rounded towards minus infinity; integers stay integers."""
    x1, x2 = promote_args_numeric("floor_divide", x1, x2)
    return _floor_divide(x1, x2)


@jitted(name="floor_divide")
def _floor_divide(x1: Array, x2: Array) -> Array:
    kind = dtypes.dtype(x1).kind
    if kind == "u":
        return lax.div(x1, x2)
    if kind == "i":
        quotient = lax.div(x1, x2)
        signs_differ = lax.ne(lax.sign(x1), lax.sign(x2))
        inexact = lax.ne(lax.rem(x1, x2), like(x1, 0))
        return where(lax.bitwise_and(signs_differ, inexact), lax.sub(quotient, exactly_like(x1, 1)), quotient)
    if kind == "c":
        raise TypeError("floor_divide does not support complex-valued inputs")
    return _float_divmod(x1, x2)[0]


def _float_divmod(x1: Array, x2: Array) -> tuple[Array, Array]:
    rest = lax.rem(x1, x2)
    # By zero there is no remainder to take off.
    quotient = lax.div(where(lax.eq(x2, like(x2, 0)), x1, lax.sub(x1, rest)), x2)
    adjust = lax.bitwise_and(lax.ne(lax.sign(x2), lax.sign(rest)), lax.ne(rest, like(rest, 0)))
    quotient = lax.sub(quotient, convert_to(adjust, dtypes.dtype(quotient), quotient.weak_type))
    rest = lax.select(*broadcast_together(adjust, lax.add(rest, x2), rest))
    return lax.round(quotient), rest


@jitted()
def divmod(x1: ArrayLike, x2: ArrayLike, /) -> tuple[Array, Array]:
    """`(x1 // x2, x1 % x2)`."""
    from .ufuncs import remainder

    x1, x2 = promote_args_numeric("divmod", x1, x2)
    if dtypes.issubdtype(dtypes.dtype(x1), dtypes.integer):
        return floor_divide(x1, x2), remainder(x1, x2)
    return _float_divmod(x1, x2)


def power(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """`x1 ** x2`; an integer power of an integer must not be a negative constant."""
    exponent = _static_integer(x2)
    if exponent is not None:
        (base,) = promote_args_numeric("power", x1)
        if dtypes.issubdtype(dtypes.dtype(base), dtypes.integer) and exponent < 0:
            raise TypeError(f"Integers cannot be raised to negative powers, got integer_pow(x, {exponent})")
        if exponent == 2:
            return lax.square(base)
        return lax.integer_pow(base, exponent)
    check_arraylike("power", x1, x2)
    if dtypes.dtype(x1).kind in "fc" and dtypes.dtype(x2).kind in "iu":
        # As an integer the exponent gives `x1` a derivative at 0 too.
        return lax.pow(*promote_shapes("power", asarray(x1), asarray(x2)))
    base, exponent = promote_args_numeric("power", x1, x2)
    if dtypes.issubdtype(dtypes.dtype(base), dtypes.integer):
        return _integer_power(base, exponent)
    return lax.pow(base, exponent)


pow = power


def _static_integer(x: Any) -> int | None:
    """The value of an integer scalar that is known while tracing, else None."""
    if isinstance(x, ArrayImpl) and not x.shape and x.dtype.kind in "iu":
        return int(x)
    if not hasattr(x, "__index__") or dtypes.is_tracer_or_array(x):
        return None
    try:
        return operator.index(x)
    except TypeError:
        return None


def _integer_power(base: Array, exponent: Array) -> Array:
    """Powers of integers by repeated squaring, over the last six bits of the exponent alone, as in JAX.

    More of them overflow, or do not matter; so do negative exponents, whose sign is read as one of the bits.
    """
    base, exponent = broadcast_together(base, exponent)
    empty = lax.bitwise_and(lax.eq(base, like(base, 0)), lax.ne(exponent, like(exponent, 0)))
    result = where(empty, like(base, 0), like(base, 1))
    square = base
    for bit in range(6):
        if bit:
            square = lax.mul(square, square)
        chosen = lax.ne(lax.bitwise_and(exponent, like(exponent, 1 << bit)), like(exponent, 0))
        result = where(chosen, lax.mul(result, square), result)
    return lax.convert_element_type(result, result.dtype)  # Never weak.


def float_power(x: ArrayLike, y: ArrayLike, /) -> Array:
    """`x ** y` in floating point, whatever the input types."""
    return lax.pow(*promote_args_inexact("float_power", x, y))


@jitted()
def heaviside(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """0 below zero, 1 above, x2 at zero."""
    x1, x2 = promote_args_inexact("heaviside", x1, x2)
    zero, one = like(x1, 0), like(x1, 1)
    inner = where(lax.ne(x1, x1), x1, x2)
    return where(lax.lt(x1, zero), zero, where(lax.gt(x1, zero), one, inner))


@jitted()
def hypot(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """sqrt(x1² + x2²) without overflow."""
    x1, x2 = promote_args_inexact("hypot", x1, x2)
    if dtypes.issubdtype(dtypes.dtype(x1), dtypes.complexfloating):
        raise ValueError("jnp.hypot is not well defined for complex-valued inputs.")
    x1, x2 = lax.abs(x1), lax.abs(x2)
    infinite = lax.bitwise_or(lax.eq(x1, like(x1, math.inf)), lax.eq(x2, like(x2, math.inf)))
    largest, smallest = lax.max(x1, x2), lax.min(x1, x2)
    zero = lax.eq(largest, like(largest, 0))
    scale = where(zero, like(largest, 1), largest)
    ratio = lax.div(smallest, scale)
    length = where(zero, largest, lax.mul(largest, lax.sqrt(lax.add(like(ratio, 1), lax.square(ratio)))))
    return where(infinite, like(length, math.inf), length)


def _float_bits(dtype: Any) -> tuple[Any, int, int]:
    """Integer type of the same width, mantissa bits and exponent bias of a floating type."""
    info = dtypes.finfo(dtype)
    return dtypes.canonical(f"int{info.bits}"), int(info.nmant), 1 - int(info.minexp)


@jitted()
def frexp(x: ArrayLike, /) -> tuple[Array, Array]:
    """Mantissa in [0.5, 1) and integer exponent."""
    (x,) = promote_args_inexact("frexp", x)
    if dtypes.issubdtype(dtypes.dtype(x), dtypes.complexfloating):
        raise TypeError("frexp does not support complex-valued inputs")
    integer, mantissa_bits, bias = _float_bits(dtypes.dtype(x))
    scale = float(2 ** (mantissa_bits + 1))
    tiny = lax.lt(lax.abs(x), like(x, float(dtypes.finfo(dtypes.dtype(x)).tiny)))
    normal = where(tiny, lax.mul(x, like(x, scale)), x)
    bits = lax.bitcast_convert_type(normal, integer)
    mask = (1 << (dtypes.dtype(x).itemsize * 8 - 1 - mantissa_bits)) - 1
    field = lax.bitwise_and(lax.shift_right_logical(bits, like(bits, mantissa_bits)), like(bits, mask))
    exponent = lax.sub(field, like(bits, bias - 1))
    exponent = where(tiny, lax.sub(exponent, like(bits, mantissa_bits + 1)), exponent)
    kept = lax.bitwise_and(bits, like(bits, ~(mask << mantissa_bits)))
    mantissa = lax.bitcast_convert_type(
        lax.bitwise_or(kept, like(bits, (bias - 1) << mantissa_bits)), dtypes.dtype(x)
    )
    unusual = lax.bitwise_or(lax.eq(x, like(x, 0)), lax.bitwise_not(lax.is_finite(x)))
    mantissa = where(unusual, x, mantissa)
    exponent = lax.convert_element_type(where(unusual, like(exponent, 0), exponent), dtypes.int32)
    return mantissa, exponent


@jitted()
def ldexp(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """x1 * 2**x2."""
    if dtypes.issubdtype(dtypes.dtype(x2), dtypes.inexact):
        raise ValueError(f"ldexp not supported for input types {(dtypes.dtype(x1), dtypes.dtype(x2))}")
    (x1,) = promote_args_inexact("ldexp", x1)
    (x2,) = promote_args_numeric("ldexp", x2)
    x1, exponent = promote_shapes("ldexp", x1, lax.convert_element_type(x2, dtypes.dtype(x1)))
    half = lax.floor(lax.div(exponent, like(exponent, 2)))
    two = like(x1, 2)
    product = lax.mul(lax.mul(x1, lax.pow(two, half)), lax.pow(two, lax.sub(exponent, half)))
    unusual = lax.bitwise_or(lax.eq(x1, like(x1, 0)), lax.bitwise_not(lax.is_finite(x1)))
    return where(unusual, x1, product)


@jitted()
def modf(x: ArrayLike, /, out: None = None) -> tuple[Array, Array]:
    """Fractional and integral parts, both with the sign of x."""
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.modf is not supported.")
    (x,) = promote_args_inexact("modf", x)
    whole = where(lax.ge(x, like(x, 0)), lax.floor(x), lax.ceil(x))
    return lax.sub(x, whole), whole


@jitted()
def fmax(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Maximum that ignores NaN."""
    x1, x2 = promote_args("fmax", x1, x2)
    return where(lax.bitwise_or(greater(x1, x2), lax.ne(x2, x2)), x1, x2)


@jitted()
def fmin(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Minimum that ignores NaN."""
    x1, x2 = promote_args("fmin", x1, x2)
    return where(lax.bitwise_or(less(x1, x2), lax.ne(x2, x2)), x1, x2)


@jitted()
def nan_to_num(
    x: ArrayLike,
    copy: bool = True,
    nan: ArrayLike = 0.0,
    posinf: ArrayLike | None = None,
    neginf: ArrayLike | None = None,
) -> Array:
    """Replace NaN by `nan` and infinities by the largest finite numbers, or by the values given."""
    del copy
    (x,) = promote_args("nan_to_num", x)
    dtype = dtypes.dtype(x)
    if not dtypes.issubdtype(dtype, dtypes.inexact):
        return x
    if dtypes.issubdtype(dtype, dtypes.complexfloating):
        parts = [nan_to_num(part(x), nan=nan, posinf=posinf, neginf=neginf) for part in (lax.real, lax.imag)]
        return lax.complex(*parts)
    info = dtypes.finfo(dtype)
    high = float(info.max) if posinf is None else posinf
    low = float(info.min) if neginf is None else neginf
    x = where(lax.ne(x, x), _typed(nan, dtype), x)
    x = where(lax.eq(x, like(x, math.inf)), _typed(high, dtype), x)
    return where(lax.eq(x, like(x, -math.inf)), _typed(low, dtype), x)


def _typed(value: Any, dtype: Any) -> Any:
    return (
        lax.convert_element_type(value, dtype)
        if dtypes.is_tracer_or_array(value)
        else dtypes.scalar(value, dtype)
    )


@jitted()
def gcd(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Greatest common divisor, by Euclid's algorithm on whole arrays."""
    x1, x2 = promote_args("gcd", x1, x2)
    if not dtypes.issubdtype(dtypes.dtype(x1), dtypes.integer):
        raise ValueError("Arguments to jax.numpy.gcd must be integers.")
    x1, x2 = broadcast_together(absolute(x1), absolute(x2))

    def unfinished(pair: tuple[Array, Array]) -> Array:
        return lax.reduce_or(lax.ne(pair[1], like(pair[1], 0)), tuple(range(pair[1].ndim)))

    def step(pair: tuple[Array, Array]) -> tuple[Array, Array]:
        a, b = pair
        done = lax.eq(b, like(b, 0))
        rest = lax.rem(a, where(done, like(b, 1), b))
        return where(done, a, b), where(done, b, rest)

    result: Array = lax.while_loop(unfinished, step, (x1, x2))[0]
    return convert_to(result, result.dtype, result.weak_type and not result.ndim)


@jitted()
def lcm(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Least common multiple; 0 where either is 0."""
    x1, x2 = promote_args("lcm", x1, x2)
    if not dtypes.issubdtype(dtypes.dtype(x1), dtypes.integer):
        raise ValueError("Arguments to jax.numpy.lcm must be integers.")
    x1, x2 = absolute(x1), absolute(x2)
    divisor = gcd(x1, x2)
    safe = where(lax.eq(divisor, like(divisor, 0)), like(divisor, 1), divisor)
    return lax.mul(x1, lax.div(x2, safe))


@jitted()
def spacing(x: ArrayLike, /) -> Array:
    """Distance to the next representable number away from zero; in float16 to the next larger one, as in NumPy."""
    (x,) = promote_args_inexact("spacing", x)
    if dtypes.issubdtype(dtypes.dtype(x), dtypes.complexfloating):
        raise ValueError("jnp.spacing is not defined for complex inputs.")
    if dtypes.dtype(x) == "float16":
        return lax.sub(lax.nextafter(*broadcast_together(x, like(x, math.inf))), x)
    gap = lax.sub(lax.nextafter(*broadcast_together(x, copysign(like(x, math.inf), x))), x)
    dtype = dtypes.dtype(x)
    least = dtypes.scalar(float(dtypes.finfo(dtype).smallest_subnormal), dtype)
    return where(lax.eq(gap, like(x, 0)), copysign(least, x), gap)
