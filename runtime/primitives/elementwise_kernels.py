"""NumPy evaluation of elementwise primitives where NumPy's own function differs from XLA's."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from . import complex_kernels

Values = np.ndarray[Any, Any]


def atan2(y: Values, x: Values) -> Any:
    """The angle of the point (x, y), continued to complex numbers."""
    if y.dtype.kind != "c":
        return np.arctan2(y, x)
    return -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y))


def identity(x: Values) -> Any:
    return x


def equal(x: Values, y: Values) -> Any:
    """Also of keys, which NumPy's function does not know."""
    return x == y


def not_equal(x: Values, y: Values) -> Any:
    return x != y


def divide(x: Values, y: Values) -> Any:
    """Integers are divided towards zero; division by zero gives -1 (all bits set), and the least integer / -1 itself."""
    if x.dtype.kind not in "iu":
        if y.size < x.size and x.dtype.kind == "f":
            return np.multiply(x, np.divide(1, y, dtype=y.dtype))  # As XLA does it.
        if x.dtype.kind == "c":
            return complex_kernels.divide(x, y)
        return np.divide(x, y)
    return np.where(
        y == 0, x.dtype.type(-1) if x.dtype.kind == "i" else np.iinfo(x.dtype).max, _truncating(x, y)[0]
    )


def remainder(x: Values, y: Values) -> Any:
    """With the sign of `x`; the remainder of an integer by zero is `x`."""
    return np.fmod(x, y) if x.dtype.kind not in "iu" else _truncating(x, y)[1]


def _truncating(x: Values, y: Values) -> tuple[Values, Values]:
    divisor = np.where(y == 0, y.dtype.type(1), y)
    if x.dtype.kind == "u":
        quotient = x // divisor
        return quotient, np.where(y == 0, x, x - quotient * divisor)
    # Dividing by -1 is negation, which wraps where the quotient would not fit.
    negated = divisor == -1
    divisor = np.where(negated, x.dtype.type(1), divisor)
    floor = x // divisor
    rest = x - floor * divisor
    quotient = floor + ((rest != 0) & ((x < 0) != (divisor < 0))).astype(x.dtype)
    quotient = np.where(negated, -x, quotient)
    return quotient, np.where(y == 0, x, np.where(negated, x.dtype.type(0), x - quotient * divisor))


def maximum(x: Values, y: Values) -> Any:
    if x.dtype.kind == "c":
        return complex_kernels.maximum(x, y)
    return np.logical_or(x, y) if x.dtype.kind == "b" else np.maximum(x, y)


def minimum(x: Values, y: Values) -> Any:
    if x.dtype.kind == "c":
        return complex_kernels.minimum(x, y)
    return np.logical_and(x, y) if x.dtype.kind == "b" else np.minimum(x, y)


def power(x: Values, y: Values) -> Any:
    result = np.power(x, y.astype(x.dtype))
    if y.size == 1 and y.item() == 0.5 and x.dtype.kind == "f":  # Of which NumPy takes the square root.
        return np.where(x == -np.inf, np.inf, result)
    return result


def make_complex(x: Values, y: Values) -> Any:
    result = np.empty(np.broadcast_shapes(x.shape, y.shape), np.result_type(x.dtype, np.complex64))
    result.real, result.imag = x, y
    return result


def conjugate(x: Values, *, input_dtype: Any) -> Any:
    return np.conj(x)


# ------------------------------------------------------------------------------------------------ shifts


def _amount(x: Values, y: Values) -> tuple[Values, Values]:
    """The shift as a number below the width, and where it was not."""
    width = 8 * x.dtype.itemsize
    count = y.view(f"u{y.dtype.itemsize}") if y.flags.c_contiguous else y.astype(f"u{y.dtype.itemsize}")
    too_far = count >= width
    return np.where(too_far, y.dtype.type(0), y), too_far


def shift_left(x: Values, y: Values) -> Any:
    """Zero when all bits are shifted out."""
    amount, too_far = _amount(x, y)
    return np.where(too_far, x.dtype.type(0), np.left_shift(x, amount))


def shift_right_logical(x: Values, y: Values) -> Any:
    """Zeros move in from the left."""
    amount, too_far = _amount(x, y)
    unsigned = np.dtype(f"u{x.dtype.itemsize}")
    shifted = np.right_shift(x.astype(unsigned), amount.astype(unsigned))
    return np.where(too_far, unsigned.type(0), shifted).astype(x.dtype)


def shift_right_arithmetic(x: Values, y: Values) -> Any:
    """Copies of the sign move in from the left, for unsigned types as well."""
    amount, too_far = _amount(x, y)
    signed = np.dtype(f"i{x.dtype.itemsize}")
    bits, count = x.astype(signed), amount.astype(signed)
    return np.where(
        too_far, np.where(bits < 0, signed.type(-1), signed.type(0)), np.right_shift(bits, count)
    ).astype(x.dtype)


# ------------------------------------------------------------------------------------------------ unary


def sign(x: Values) -> Any:
    """Zeros keep their sign; of a complex number, the direction."""
    if x.dtype.kind == "c":
        return complex_kernels.sign(x)
    return np.where(x == 0, x, np.sign(x))


def absolute(x: Values) -> Any:
    return complex_kernels.absolute(x) if x.dtype.kind == "c" else np.abs(x)


def round_half(x: Values, *, rounding_method: int) -> Any:
    """Halves go away from zero (0) or to the even neighbour (1)."""
    if int(rounding_method) == 1:
        return np.rint(x)
    whole = np.trunc(x)
    return np.copysign(np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1, x), whole), x).astype(
        x.dtype
    )


def exp2(x: Values) -> Any:
    return narrow_exp2(_unrounded, x) if x.dtype == np.float16 else np.exp2(x)


def narrow_exp2(fit: Callable[[Values], Any], x: Values) -> Any:
    """As XLA has it: exp of a product that is rounded."""
    return np.exp(fit(x * fit(x.dtype.type(math.log(2)))))


def narrow_nextafter(fit: Callable[[Values], Any], x: Values, y: Values) -> Any:
    """A step of the upper half of the bits, which is what bfloat16 has."""
    up, unit = y > x, np.int32(1 << 16)
    moved = (x.view(np.int32) + np.where(up == (x > 0), unit, -unit)).view(np.float32)
    least = np.copysign(unit.view(np.float32), y)
    result = np.where(x == y, y, np.where(x == 0, least, moved))
    return np.where(np.isnan(x) | np.isnan(y), x + y, result)


def logistic(x: Values) -> Any:
    return narrow_logistic(_unrounded, x)


def narrow_logistic(fit: Callable[[Values], Any], x: Values) -> Any:
    one = x.dtype.type(1)
    return divide(np.ones_like(x), fit(one + fit(np.exp(-x))))


def _unrounded(x: Values) -> Values:
    return x


def rsqrt(x: Values) -> Any:
    if x.dtype.kind == "c":
        return complex_kernels.divide(np.ones_like(x), np.sqrt(x))
    wide = x.astype(np.float32) if x.dtype == np.float16 else x
    return wide.dtype.type(1) / np.sqrt(wide)


def integer_power(x: Values, *, y: int) -> Any:
    """By repeated squaring, so that integers wrap."""
    result, base, exponent = None, x, abs(y)
    while exponent:
        if exponent & 1:
            result = base if result is None else result * base
        base, exponent = base * base, exponent >> 1
    result = np.ones_like(x) if result is None else result
    return result if y >= 0 else divide(np.ones_like(x), result)


def population_count(x: Values) -> Any:
    bits = x.astype(f"u{x.dtype.itemsize}")
    count = np.zeros_like(bits)
    for position in range(8 * x.dtype.itemsize):
        count += (bits >> bits.dtype.type(position)) & bits.dtype.type(1)
    return count.astype(x.dtype)


def count_leading_zeros(x: Values) -> Any:
    bits = x.astype(f"u{x.dtype.itemsize}")
    width = 8 * x.dtype.itemsize
    count = np.full(x.shape, width, x.dtype)
    for position in range(width):
        count = np.where(
            (bits >> bits.dtype.type(position)) & bits.dtype.type(1), width - 1 - position, count
        )
    return count.astype(x.dtype)


def reduce_precision(x: Values, *, exponent_bits: int, mantissa_bits: int) -> Any:
    """Rounded to a format of that many bits: to nearest even, to infinity above its range, to zero below it.

    A format with as long an exponent as the type's has its subnormal numbers, too.
    """
    wide = x.astype(np.float64)
    own = np.finfo(x.dtype)
    exponent = np.maximum(np.frexp(wide)[1], own.minexp + 1) - mantissa_bits - 1
    kept = np.ldexp(np.rint(np.ldexp(wide, -exponent)), exponent)
    if exponent_bits < own.nexp:
        bias = 2 ** (exponent_bits - 1) - 1
        largest = np.ldexp(2.0 - np.ldexp(1.0, -mantissa_bits), bias)
        kept = np.where(np.abs(kept) > largest, np.copysign(np.inf, wide), kept)
        kept = np.where(np.abs(kept) < np.ldexp(1.0, 1 - bias), np.copysign(0.0, wide), kept)
    return np.where(np.isfinite(wide), kept, wide).astype(x.dtype)


# ------------------------------------------------------------------------------------------------ total order


def _order_key(x: Values) -> Any:
    """Integers that are ordered as IEEE 754 orders all floats: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN."""
    signed = np.dtype(f"i{x.dtype.itemsize}")
    bits = np.ascontiguousarray(x).view(signed).reshape(x.shape)
    return np.where(bits < 0, bits ^ np.iinfo(signed).max, bits)


def equal_total(x: Values, y: Values) -> Any:
    return np.equal(_order_key(x), _order_key(y))


def less_total(x: Values, y: Values) -> Any:
    return np.less(_order_key(x), _order_key(y))


def less_equal_total(x: Values, y: Values) -> Any:
    return np.less_equal(_order_key(x), _order_key(y))
