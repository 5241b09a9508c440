"""pow, integer powers, cube root, square root's reciprocal."""

from __future__ import annotations

import math

from ..builder import Builder, Value
from ..types import F64, integer_of
from .exponential import exp
from .logarithm import log, split
from .polynomial import Pair, add_pairs, fast_two_sum, horner, multiply_pairs, two_product

_LN2 = (0.6931471805599453, 2.3190468138462996e-17)
_THIRD = (0.3333333333333333, 1.850371707708594e-17)


def power(b: Builder, x: Value, y: Value) -> Value:
    """x to the y, with C's special values: pow(x, 0) = pow(1, y) = 1 even for NaN."""
    size = b.abs(x)
    magnitude = _power_float(b, size, y) if x.elem.bits == 32 else _power_double(b, size, y)
    return _special(b, x, y, magnitude)


def _power_float(b: Builder, size: Value, y: Value) -> Value:
    wide = b.mul(b.convert(y, F64), b.call("log", log, b.convert(size, F64)))
    return b.convert(b.call("exp", exp, wide), size.elem)


def _power_double(b: Builder, size: Value, y: Value) -> Value:
    high, low = _log_pair(b, size)
    product, error = two_product(b, y, high)
    error = b.fma(y, low, error)
    # exp(product + error): the error is tiny, its first-order term is enough. An infinite product has none.
    error = b.select(b.cmp("lt", b.abs(product), b.like(size, 800.0)), error, b.like(size, 0))
    e = b.call("exp", exp, product)
    finite = b.cmp("lt", e, b.like(e, math.inf))
    return b.select(finite, b.fma(e, error, e), e)


def _log_pair(b: Builder, x: Value) -> Pair:
    """log x to about 68 bits, for finite x > 0: 2 s (1 + s² / 3 + s⁴ / 5 + ...), the first terms as pairs."""
    k, m = split(b, x)
    one, two = b.like(x, 1), b.like(x, 2)
    f = b.sub(m, one)
    below = b.add(f, two)
    lost = b.sub(f, b.sub(below, two))
    s_high = b.fdiv(f, below)
    rest = b.fma(b.neg(s_high), below, f)
    rest = b.fma(b.neg(s_high), lost, rest)
    s: Pair = fast_two_sum(b, s_high, b.fdiv(rest, below))
    z = multiply_pairs(b, s, s)
    series = b.mul(z[0], horner(b, z[0], [1 / (2 * j + 1) for j in range(2, 12)]))
    thirds = add_pairs(b, (b.like(x, _THIRD[0]), b.like(x, _THIRD[1])), (series, b.like(x, 0)))
    cubic = multiply_pairs(b, z, thirds)
    factor = add_pairs(b, (one, b.like(x, 0)), cubic)
    log_m = multiply_pairs(b, (b.add(s[0], s[0]), b.add(s[1], s[1])), factor)
    k_high, k_low = two_product(b, k, b.like(x, _LN2[0]))
    k_low = b.fma(k, b.like(x, _LN2[1]), k_low)
    return add_pairs(b, (k_high, k_low), log_m)


def _special(b: Builder, x: Value, y: Value, magnitude: Value) -> Value:
    zero, one, inf = b.like(x, 0), b.like(x, 1), b.like(x, math.inf)
    size = b.abs(x)
    rising = b.cmp("gt", y, zero)
    at_zero = b.select(rising, zero, inf)
    at_infinity = b.select(rising, inf, zero)
    result = b.select(b.cmp("eq", size, zero), at_zero, magnitude)
    result = b.select(b.cmp("eq", size, inf), at_infinity, result)
    # y infinite: the limit depends on which side of 1 the base lies.
    grows = b.xor(b.cmp("gt", size, one), b.cmp("lt", y, zero))
    result = b.select(b.cmp("eq", b.abs(y), inf), b.select(grows, inf, zero), result)
    half = b.mul(y, b.like(y, 0.5))
    whole = b.cmp("eq", b.intrinsic("floor", y), y)
    odd = b.and_(whole, b.cmp("ne", b.intrinsic("floor", half), half))
    ints = integer_of(x.elem)
    negative = b.cmp("lt", b.bitcast(x, ints), b.const(ints, 0))
    result = b.select(b.and_(negative, odd), b.neg(result), result)
    proper = b.and_(b.cmp("lt", x, zero), b.and_(b.not_(whole), b.cmp("lt", size, inf)))
    result = b.select(proper, b.like(x, math.nan), result)
    result = b.select(b.cmp("uno", x, y), b.add(x, y), result)
    unit = b.or_(b.cmp("eq", y, zero), b.cmp("eq", x, one))
    unit = b.or_(unit, b.and_(b.cmp("eq", size, one), b.cmp("eq", b.abs(y), inf)))
    return b.select(unit, one, result)


def integer_power(b: Builder, x: Value, y: int) -> Value:
    """x to a fixed integer power, by repeated squaring."""
    if y == 0:
        return b.like(x, 1)
    result: Value | None = None
    square, rest = x, abs(y)
    while rest:
        if rest & 1:
            result = square if result is None else b.mul(result, square)
        rest >>= 1
        if rest:
            square = b.mul(square, square)
    assert result is not None
    return result if y > 0 else b.fdiv(b.like(x, 1), result)


def cbrt(b: Builder, x: Value) -> Value:
    """The cube root: exp(log|x| / 3), then one step of Newton's method."""
    size = b.abs(x)
    third = b.like(x, 1 / 3)
    # Scaled away from subnormals, whose cubes would vanish in the correction.
    tiny = b.cmp("lt", size, b.like(x, 2.0**-100))
    lifted = b.select(tiny, b.mul(size, b.like(x, 2.0**90)), size)
    r = b.call("exp", exp, b.mul(b.call("log", log, lifted), third))
    step = b.mul(b.sub(r, b.fdiv(lifted, b.mul(r, r))), third)
    r = b.sub(r, step)
    r = b.select(tiny, b.mul(r, b.like(x, 2.0**-30)), r)
    outside = b.or_(b.cmp("eq", size, b.like(x, 0)), b.cmp("eq", size, b.like(x, math.inf)))
    return b.copysign(b.select(outside, size, r), x)


def rsqrt(b: Builder, x: Value) -> Value:
    return b.fdiv(b.like(x, 1), b.sqrt(x))
