"""The zeta function of Hurwitz, by Euler and Maclaurin's summation (DLMF 25.11.28), and the polygamma functions."""

from __future__ import annotations

import math

from ...primitives.special_kernels import EULER_MACLAURIN
from ..builder import Builder, Value
from .blocks import choose, in_double, iterate, where_any
from .exponential import exp
from .gamma import digamma, lgamma
from .logarithm import log
from .power import power

#: So many terms are added up one by one.
_SUMMED = {32: 8, 64: 12}
#: The coefficients of the tail, as many as are needed.
_TAIL = {32: EULER_MACLAURIN[:5], 64: EULER_MACLAURIN}


def _inverse_power(b: Builder, x: Value, s: Value, bits: int) -> Value:
    """x**-s; of a negative x for whole s."""
    if bits == 64:
        return b.call("pow", power, x, b.neg(s), shared=True)
    size = b.call("exp", exp, b.mul(b.neg(s), b.call("log", log, b.abs(x), shared=True)), shared=True)
    negative = b.and_(b.cmp("lt", x, b.like(x, 0)), b.not_(_is_even(b, s)))
    return b.select(negative, b.neg(size), size)


def _is_whole(b: Builder, x: Value) -> Value:
    return b.cmp("eq", b.intrinsic("floor", x), x)


def _is_even(b: Builder, x: Value) -> Value:
    finite = b.cmp("lt", b.abs(x), b.like(x, math.inf))
    return b.and_(finite, _is_whole(b, b.mul(x, b.like(x, 0.5))))


def _summed(b: Builder, s: Value, q: Value, bits: int) -> Value:
    one, zero = b.like(s, 1), b.like(s, 0)

    def step(c: Builder, now: list[Value]) -> tuple[list[Value], Value]:
        k, total = now
        total = c.add(total, _inverse_power(c, c.add(q, k), s, bits))
        k = c.add(k, one)
        return [k, total], c.cmp("lt", k, c.like(k, _SUMMED[bits]))

    first, total = iterate(b, [zero, zero], step)
    a = b.add(q, first)
    last = _inverse_power(b, a, s, bits)
    total = b.add(total, b.mul(last, b.add(b.fdiv(a, b.sub(s, one)), b.like(s, 0.5))))
    inverse = b.fdiv(one, a)
    square, factor = b.mul(inverse, inverse), b.mul(b.mul(last, inverse), s)
    for k, coefficient in enumerate(_TAIL[bits]):
        total = b.fma(factor, b.like(s, coefficient), total)
        for j in (
            1,
            2,
        ):  # One after the other: where powers have vanished, their product must not be infinite.
            factor = b.mul(factor, b.add(s, b.like(s, 2 * k + j)))
        factor = b.mul(factor, square)
    return total


def zeta_of(b: Builder, s: Value, q: Value, bits: int) -> Value:
    """The sum of (q + k)**-s over k >= 0, with JAX's values where there is none: infinity for even s, else NaN."""
    zero, one, inf = b.like(s, 0), b.like(s, 1), b.like(s, math.inf)
    left = b.cmp("le", q, zero)
    even = _is_even(b, s)
    undefined = b.or_(b.cmp("uno", s, q), b.or_(b.cmp("lt", s, one), b.cmp("eq", q, inf)))
    undefined = b.or_(undefined, b.or_(b.cmp("eq", s, inf), b.and_(left, b.not_(_is_whole(b, s)))))
    pole = b.and_(left, _is_whole(b, q))
    return choose(
        b,
        _summed(b, s, q, bits),
        (b.cmp("eq", s, one), math.inf),
        (b.and_(pole, even), math.inf),
        (b.or_(pole, undefined), math.nan),
    )


def polygamma_of(b: Builder, m: Value, x: Value, bits: int) -> Value:
    """The m-th derivative of the digamma function."""
    zero = b.like(m, 0)
    order = b.add(m, b.like(m, 1))
    factorial = b.call("exp", exp, lgamma(b, order), shared=True)
    size = b.mul(factorial, zeta_of(b, order, x, bits))
    value = b.select(_is_even(b, m), b.neg(size), size)
    itself = b.cmp("eq", m, zero)
    (first,) = where_any(b, itself, [value], lambda: [digamma(b, x)])
    none = b.or_(b.cmp("lt", m, zero), b.not_(_is_whole(b, m)))
    return choose(b, value, (none, math.nan), (itself, first))


zeta, polygamma = in_double("zeta", zeta_of), in_double("polygamma", polygamma_of)
