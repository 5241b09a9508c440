"""log, log1p, log2 and the inverse hyperbolic functions."""

from __future__ import annotations

import math

from ..builder import Builder, Value
from ..types import I32, integer_of
from .exponential import FORMATS, exp
from .polynomial import horner

_TERMS = {32: 5, 64: 11}  # of the series of log((1 + s) / (1 - s)) for |s| < 0.172


def split(b: Builder, x: Value) -> tuple[Value, Value]:
    """k and m with x = 2**k m and m in [sqrt(1/2), sqrt(2)), for positive finite x; k has the type of x."""
    form = FORMATS[x.elem.bits]
    smallest_normal = 2.0 ** (1 - form.bias)
    subnormal = b.cmp("lt", x, b.like(x, smallest_normal))
    lifted = b.select(subnormal, b.mul(x, b.like(x, 2.0 ** (form.mantissa + 2))), x)
    k, m = _split_normal(b, lifted)
    return b.sub(k, b.select(subnormal, b.like(x, form.mantissa + 2), b.like(x, 0))), m


def _split_normal(b: Builder, x: Value) -> tuple[Value, Value]:
    """`split` of numbers that are not subnormal."""
    form = FORMATS[x.elem.bits]
    ints = integer_of(x.elem)
    bits = b.bitcast(x, ints)
    pivot = b.bitcast(b.like(x, math.sqrt(0.5)), ints)
    exponent = b.ashr(b.sub(bits, pivot), form.mantissa)
    mantissa = b.bitcast(b.sub(bits, b.shl(exponent, form.mantissa)), x.elem)
    if x.elem.bits == 64:  # a 64-bit integer converts slowly; these fit in 32 bits
        exponent = b.convert(exponent, I32)
    return b.convert(exponent, x.elem), mantissa


def log1p_reduced(b: Builder, f: Value, k: Value, correction: Value | None) -> Value:
    """k ln 2 + log(1 + f) + correction for 1 + f in [sqrt(1/2), sqrt(2)) (the arrangement of fdlibm's e_log.c)."""
    form = FORMATS[f.elem.bits]
    s = b.fdiv(f, b.add(f, b.like(f, 2)))
    z = b.mul(s, s)
    series = b.mul(z, horner(b, z, [2 / (2 * j + 1) for j in range(1, _TERMS[f.elem.bits])]))
    half_square = b.mul(b.mul(f, f), b.like(f, 0.5))
    low = b.mul(k, b.like(f, form.ln2_low))
    if correction is not None:
        low = b.add(low, correction)
    inner = b.fma(s, b.add(half_square, series), low)
    rest = b.sub(f, b.sub(half_square, inner))
    return b.fma(k, b.like(f, form.ln2_high), rest)


def _ends(b: Builder, x: Value, result: Value, zero_at: float) -> Value:
    """The values of a logarithm outside of its proper domain, which begins at ``zero_at``."""
    inf = b.like(x, math.inf)
    result = b.select(b.cmp("eq", x, inf), inf, result)
    result = b.select(b.cmp("eq", x, b.like(x, zero_at)), b.like(x, -math.inf), result)
    result = b.select(b.cmp("lt", x, b.like(x, zero_at)), b.like(x, math.nan), result)
    return b.select(b.is_nan(x), x, result)


def log(b: Builder, x: Value) -> Value:
    k, m = split(b, x)
    return _ends(b, x, log1p_reduced(b, b.sub(m, b.like(x, 1)), k, None), 0.0)


def log_normal(b: Builder, x: Value) -> Value:
    """log of positive numbers that are neither subnormal nor infinite."""
    k, m = _split_normal(b, x)
    return log1p_reduced(b, b.sub(m, b.like(x, 1)), k, None)


def log2(b: Builder, x: Value) -> Value:
    k, m = split(b, x)
    fraction = log1p_reduced(b, b.sub(m, b.like(x, 1)), b.like(x, 0), None)
    return _ends(b, x, b.fma(fraction, b.like(x, 1 / math.log(2)), k), 0.0)


def log1p(b: Builder, x: Value) -> Value:
    one, zero = b.like(x, 1), b.like(x, 0)
    u = b.add(x, one)
    k, m = split(b, u)
    # What the rounding of 1 + x lost, relative to it.
    lost = b.select(b.cmp("gt", x, one), b.sub(one, b.sub(u, x)), b.sub(x, b.sub(u, one)))
    near = b.cmp("eq", k, zero)
    f = b.select(near, x, b.sub(m, one))
    correction = b.select(near, zero, b.fdiv(lost, u))
    result = _ends(b, x, log1p_reduced(b, f, k, correction), -1.0)
    return b.select(b.cmp("eq", x, zero), x, result)


def logaddexp(b: Builder, x: Value, y: Value) -> Value:
    """The logarithm of the sum of exponentials."""
    larger = b.extreme("gt", x, y)
    other = b.call("exp", exp, b.neg(b.abs(b.sub(x, y))))
    # Of two infinities there is no difference.
    other = b.select(b.cmp("eq", x, y), b.like(x, 1), other)
    return b.add(larger, b.call("log1p", log1p, other))


def asinh(b: Builder, x: Value) -> Value:
    size = b.abs(x)
    one = b.like(x, 1)
    square = b.mul(size, size)
    near = b.call("log1p", log1p, b.add(size, b.fdiv(square, b.add(one, b.sqrt(b.add(one, square))))))
    far = b.add(b.call("log", log, size), b.like(x, math.log(2)))
    large = b.cmp("gt", size, b.like(x, 2.0 ** (FORMATS[x.elem.bits].mantissa // 2 + 3)))
    result = b.select(large, far, near)
    tiny = b.cmp("lt", size, b.like(x, 2.0 ** -(FORMATS[x.elem.bits].mantissa // 2 + 2)))
    return b.copysign(b.select(tiny, size, result), x)


def acosh(b: Builder, x: Value) -> Value:
    t = b.sub(x, b.like(x, 1))
    near = b.call("log1p", log1p, b.add(t, b.sqrt(b.fma(t, t, b.add(t, t)))))
    far = b.add(b.call("log", log, x), b.like(x, math.log(2)))
    large = b.cmp("gt", x, b.like(x, 2.0 ** (FORMATS[x.elem.bits].mantissa // 2 + 3)))
    result = b.select(large, far, near)
    return b.select(b.cmp("lt", x, b.like(x, 1)), b.like(x, math.nan), result)


def atanh(b: Builder, x: Value) -> Value:
    size = b.abs(x)
    ratio = b.fdiv(b.add(size, size), b.sub(b.like(x, 1), size))
    result = b.mul(b.like(x, 0.5), b.call("log1p", log1p, ratio))
    beyond = b.cmp("gt", size, b.like(x, 1))
    return b.select(beyond, b.like(x, math.nan), b.copysign(result, x))
