"""exp and what follows from it: exp2, expm1, tanh, sinh, cosh, logistic."""

from __future__ import annotations

import math
from typing import NamedTuple

from ..builder import Builder, Value
from ..engine import host
from ..types import Element, integer_of
from .polynomial import horner


class Format(NamedTuple):
    """What reduction by powers of two needs to know of a floating-point format."""

    mantissa: int
    bias: int
    shift: float  # 1.5 * 2**mantissa: adding it leaves the nearest integer in the low bits
    ln2_high: float  # so few bits that its product with an exponent is exact
    ln2_low: float
    largest: float  # beyond these, exp overflows or vanishes
    smallest: float


FORMATS = {
    32: Format(23, 127, 1.5 * 2.0**23, 0.693145751953125, 1.4286068203094173e-06, 89.0, -104.0),
    64: Format(52, 1023, 1.5 * 2.0**52, 0.6931471805592082, 7.371002565167799e-13, 710.0, -746.0),
}

#: (exp(r) - 1 - r) / r² in powers of r, for |r| <= ln(2) / 2: of least relative error in exp; and Taylor's series.
_EXP_TAIL = {
    32: (
        0.4999999343210185,
        0.16666520398867923,
        0.041668390789083465,
        0.008368745125133623,
        0.0013814539908413896,
    ),
    64: tuple(1 / math.factorial(k) for k in range(2, 14)),
}


def _clamp(b: Builder, x: Value, low: float, high: float) -> Value:
    """Bounds x and keeps NaN."""
    x = b.select(b.cmp("gt", x, b.like(x, high)), b.like(x, high), x)
    return b.select(b.cmp("lt", x, b.like(x, low)), b.like(x, low), x)


def power_of_two(b: Builder, n: Value, elem: Element) -> Value:
    """2**n for an integer n within the range of normal numbers."""
    form = FORMATS[elem.bits]
    return b.bitcast(b.shl(b.add(n, b.like(n, form.bias)), form.mantissa), elem)


def scale(b: Builder, x: Value, n: Value) -> Value:
    """x * 2**n with one rounding, even of results that are subnormal: in two steps where no instruction does it."""
    if host().scales:
        return b.ldexp(x, n)
    half = b.ashr(n, 1)
    return b.mul(b.mul(x, power_of_two(b, half, x.elem)), power_of_two(b, b.sub(n, half), x.elem))


def _reduce(b: Builder, x: Value) -> tuple[Value, Value]:
    """The integer n nearest to x / ln 2, and x - n ln 2."""
    form = FORMATS[x.elem.bits]
    shifted = b.fma(x, b.like(x, 1 / math.log(2)), b.like(x, form.shift))
    whole = b.sub(shifted, b.like(x, form.shift))
    rest = b.fma(whole, b.like(x, -form.ln2_high), x)
    rest = b.fma(whole, b.like(x, -form.ln2_low), rest)
    ints = integer_of(x.elem)
    n = b.sub(b.bitcast(shifted, ints), b.bitcast(b.like(x, form.shift), ints))
    return n, rest


def _reduced_exp(b: Builder, r: Value) -> Value:
    """exp(r) for |r| <= ln(2) / 2."""
    return horner(b, r, (1.0, 1.0, *_EXP_TAIL[r.elem.bits]))


def exp(b: Builder, x: Value) -> Value:
    form = FORMATS[x.elem.bits]
    n, r = _reduce(b, _clamp(b, x, form.smallest, form.largest))
    return scale(b, _reduced_exp(b, r), n)


def exp2(b: Builder, x: Value) -> Value:
    form = FORMATS[x.elem.bits]
    x = _clamp(b, x, form.smallest / math.log(2) - 1, form.largest / math.log(2) + 1)
    shifted = b.add(x, b.like(x, form.shift))
    r = b.mul(b.sub(x, b.sub(shifted, b.like(x, form.shift))), b.like(x, math.log(2)))
    ints = integer_of(x.elem)
    n = b.sub(b.bitcast(shifted, ints), b.bitcast(b.like(x, form.shift), ints))
    return scale(b, _reduced_exp(b, r), n)


def expm1(b: Builder, x: Value) -> Value:
    form = FORMATS[x.elem.bits]
    bounded = _clamp(b, x, -form.largest / 2, form.largest)
    n, r = _reduce(b, bounded)
    tail = b.fma(b.mul(r, r), horner(b, r, _EXP_TAIL[x.elem.bits]), r)
    # 2**n (e**r - 1) + (2**n - 1), halved so that n = 128 (or 1024) does not overflow before it must.
    half = power_of_two(b, b.sub(n, b.like(n, 1)), x.elem)
    result = b.fma(half, tail, b.sub(half, b.like(x, 0.5)))
    result = b.add(result, result)
    # Zero keeps its sign, and what is below the precision is its own result.
    tiny = b.cmp("lt", b.abs(x), b.like(x, 2.0 ** -(form.mantissa + 2)))
    return b.select(tiny, x, result)


def tanh(b: Builder, x: Value) -> Value:
    """t / (t + 2) with t = exp(2 x) - 1, which never exceeds 1."""
    form = FORMATS[x.elem.bits]
    limit = 10.0 if x.elem.bits == 32 else 20.0
    bounded = _clamp(b, x, -limit, limit)
    # As in `_reduce`, of x itself: n is so small that one part of ln 2 is enough.
    shifted = b.fma(bounded, b.like(x, 2 / math.log(2)), b.like(x, form.shift))
    whole = b.sub(shifted, b.like(x, form.shift))
    r = b.fma(whole, b.like(x, -math.log(2) / 2), bounded)
    series = horner(b, r, [c * 2.0**k for k, c in enumerate(_EXP_TAIL[x.elem.bits], 2)])
    tail = b.fma(b.mul(r, r), series, b.add(r, r))
    one = b.like(x, 1)
    ints = integer_of(x.elem)
    power = b.bitcast(b.add(b.shl(b.bitcast(shifted, ints), form.mantissa), b.bitcast(one, ints)), x.elem)
    t = b.fma(power, tail, b.sub(power, one))
    return b.copysign(b.fdiv(t, b.add(t, b.like(x, 2))), x)


def logistic(b: Builder, x: Value) -> Value:
    return b.fdiv(b.like(x, 1), b.add(b.call("exp", exp, b.neg(x)), b.like(x, 1)))


def sinh(b: Builder, x: Value) -> Value:
    size = b.abs(x)
    t = b.call("expm1", expm1, size)
    near = b.mul(b.like(x, 0.5), b.add(t, b.fdiv(t, b.add(t, b.like(x, 1)))))
    root = b.call("exp", exp, b.mul(size, b.like(x, 0.5)))
    far = b.mul(b.mul(b.like(x, 0.5), root), root)
    large = b.cmp("gt", size, b.like(x, FORMATS[x.elem.bits].largest / 2))
    return b.copysign(b.select(large, far, near), x)


def cosh(b: Builder, x: Value) -> Value:
    root = b.call("exp", exp, b.mul(b.abs(x), b.like(x, 0.5)))
    # cosh x = 1 + 2 sinh²(x/2) near zero, where adding the two exponentials would round twice.
    power = b.mul(root, root)
    near = b.mul(b.like(x, 0.5), b.add(power, b.fdiv(b.like(x, 1), power)))
    far = b.mul(b.mul(b.like(x, 0.5), root), root)
    large = b.cmp("gt", b.abs(x), b.like(x, FORMATS[x.elem.bits].largest / 2))
    return b.select(large, far, near)
