"""The logarithm of the gamma function, and its derivative."""

from __future__ import annotations

import math

from ..builder import Builder, Value
from .blocks import choose, in_double, iterate, where_any
from .logarithm import log
from .polynomial import horner

#: lgamma(z) / ((z - 1) (z - 2)) in powers of z - 3/2, for z in [1, 2] (interpolated at Chebyshev nodes).
_LGAMMA = {
    32: (
        0.4831289505409809,
        -0.14595990197047848,
        0.06291140483558316,
        -0.031308005354291575,
        0.01679679922060099,
        -0.009436288268733021,
        0.005453080503264046,
        -0.0031169820596948635,
        0.0018638849491948337,
        -0.0015244858346622184,
        0.0009349331277874866,
    ),
    64: (
        0.4831289505409809,
        -0.14595989591430608,
        0.06291140107456439,
        -0.031308487501010646,
        0.01679709863127416,
        -0.009425622448525798,
        0.005446457839126065,
        -0.0032120740737152814,
        0.0019229163127905161,
        -0.0011644145847310124,
        0.000711519067515296,
        -0.00043799307479613914,
        0.00027131373861446925,
        -0.0001689178215524898,
        0.00010535512483785591,
        -6.614136022346414e-05,
        4.30276814976503e-05,
        -2.7201673025504752e-05,
        1.3186019073996835e-05,
        -8.355075869795273e-06,
        1.2140008083973407e-05,
        -7.760660152513446e-06,
    ),
}
#: From here on there is Stirling's series.
_LARGE = 8
#: B_2k / (2k (2k - 1)) of Stirling's series (DLMF 5.11.1) and B_2k / 2k of that of its derivative (DLMF 5.11.2).
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)
_DIGAMMA = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12, -3617 / 8160)
_SERIES_FROM = {32: 6, 64: 10}
_TERMS = {32: 5, 64: 8}


def _fraction(b: Builder, x: Value) -> Value:
    """x less the nearest integer."""
    return b.sub(x, b.intrinsic("rint", x))


def _sine_of_turns(b: Builder, f: Value) -> Value:
    """sin(pi f) for |f| <= 1/2."""
    u = b.mul(f, b.like(f, math.pi))
    series = horner(b, b.mul(u, u), [(-1) ** k / math.factorial(2 * k + 1) for k in range(12)])
    return b.mul(u, series)


def _cosine_of_turns(b: Builder, f: Value) -> Value:
    """cos(pi f) for |f| <= 1/2."""
    u = b.mul(f, b.like(f, math.pi))
    return horner(b, b.mul(u, u), [(-1) ** k / math.factorial(2 * k) for k in range(12)])


def _is_pole(b: Builder, x: Value) -> Value:
    return b.and_(b.cmp("le", x, b.like(x, 0)), b.cmp("eq", b.intrinsic("floor", x), x))


def lgamma_of_positive(b: Builder, x: Value, bits: int) -> Value:
    """log gamma(x) for x > 0."""
    one, two = b.like(x, 1), b.like(x, 2)
    below, large = b.cmp("lt", x, one), b.cmp("ge", x, b.like(x, _LARGE))
    # gamma(x) = gamma(z) / x, or gamma(z) times a product, with z in [1, 2].
    z, product = b.select(below, b.add(x, one), x), one
    for _ in range(_LARGE - 2):
        beyond, less = b.cmp("ge", z, two), b.sub(z, one)
        product = b.select(beyond, b.mul(product, less), product)
        z = b.select(beyond, less, z)
    logarithm = b.call("log", log, choose(b, product, (large, x), (below, x)))
    factor = b.mul(b.sub(z, one), b.sub(z, two))
    series = horner(b, b.sub(z, b.like(x, 1.5)), _LGAMMA[bits])
    near = b.fma(factor, series, b.select(below, b.neg(logarithm), logarithm))
    inverse = b.fdiv(one, x)
    tail = b.mul(inverse, horner(b, b.mul(inverse, inverse), _STIRLING[: _TERMS[bits]]))
    rest = b.add(b.like(x, math.log(2 * math.pi) / 2), tail)
    far = b.add(b.fma(b.sub(x, b.like(x, 0.5)), b.sub(logarithm, one), rest), b.like(x, -0.5))
    return choose(b, near, (b.cmp("eq", x, b.like(x, math.inf)), x), (large, far))


def _lgamma(b: Builder, x: Value, bits: int) -> Value:
    zero, one = b.like(x, 0), b.like(x, 1)
    negative = b.cmp("lt", x, zero)
    value = lgamma_of_positive(b, b.select(negative, b.sub(one, x), x), bits)

    def reflected() -> list[Value]:
        sine = b.abs(_sine_of_turns(b, _fraction(b, x)))
        return [b.neg(b.add(b.call("log", log, b.mul(sine, b.like(x, 1 / math.pi))), value))]

    (mirrored,) = where_any(b, negative, [value], reflected)
    value = b.select(negative, mirrored, value)
    return choose(b, value, (b.is_nan(x), x), (_is_pole(b, x), math.inf))


def _digamma(b: Builder, x: Value, bits: int) -> Value:
    one, enough = b.like(x, 1), b.like(x, _SERIES_FROM[bits])
    reflect = b.cmp("lt", x, b.like(x, 0.5))
    y = b.select(reflect, b.sub(one, x), x)

    def shifted() -> list[Value]:
        """What 1 / y + 1 / (y + 1) + ... adds up to, as a quotient, and the first y that is large enough."""

        def step(inner: Builder, now: list[Value]) -> tuple[list[Value], Value]:
            above, below, y = now
            low = inner.cmp("lt", y, enough)
            factor, more = inner.select(low, y, one), inner.select(low, below, b.like(x, 0))
            y = inner.add(y, inner.select(low, one, b.like(x, 0)))
            return [inner.fma(above, factor, more), inner.mul(below, factor), y], inner.cmp("lt", y, enough)

        return iterate(b, [b.like(x, 0), one, y], step)

    above, below, y = where_any(b, b.cmp("lt", y, enough), [b.like(x, 0), one, y], shifted)
    inverse = b.fdiv(one, y)
    square = b.mul(inverse, inverse)
    series = b.mul(square, horner(b, square, _DIGAMMA[: _TERMS[bits]]))
    lost = b.add(b.fma(inverse, b.like(x, 0.5), series), b.fdiv(above, below))
    value = b.sub(b.call("log", log, y), lost)

    def reflected() -> list[Value]:
        f = _fraction(b, x)
        cotangent = b.fdiv(_cosine_of_turns(b, f), _sine_of_turns(b, f))
        return [b.fma(b.like(x, -math.pi), cotangent, value)]

    (mirrored,) = where_any(b, reflect, [value], reflected)
    value = b.select(reflect, mirrored, value)
    return b.select(_is_pole(b, x), b.like(x, math.nan), value)


lgamma, digamma = in_double("lgamma", _lgamma), in_double("digamma", _digamma)
