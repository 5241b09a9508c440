"""The regularised incomplete gamma functions P and Q = 1 - P, and their derivatives in the first argument.

Up to a + 1 by the power series (DLMF 8.7.1), beyond by the continued fraction (DLMF 8.9.2), which Steed's algorithm
sums; each lane stands still once it is precise, whatever its neighbours do.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ..builder import Builder, Rule, Value
from .blocks import choose, in_double, iterate, where_any
from .exponential import exp
from .gamma import digamma, lgamma
from .logarithm import log

Values = list[Value]

#: How large the last term may be, next to the sum.
PRECISION = {32: 2.0**-32, 64: 2.0**-53}
MOST_TERMS = 2000


class _Region(NamedTuple):
    """Where an argument lies: where there is a value at all, and by which of the two ways."""

    a: Value
    x: Value
    low: Value
    high: Value

    @classmethod
    def of(cls, b: Builder, a: Value, x: Value) -> _Region:
        zero, inf, one = b.like(x, 0), b.like(x, math.inf), b.like(x, 1)
        positive = b.and_(b.cmp("gt", a, zero), b.cmp("gt", x, zero))
        valid = b.and_(positive, b.and_(b.cmp("lt", a, inf), b.cmp("lt", x, inf)))
        low = b.cmp("le", x, b.add(a, one))
        return cls(a, x, b.and_(valid, low), b.and_(valid, b.not_(low)))

    def ordinary(self, b: Builder, mask: Value, x: float) -> tuple[Value, Value]:
        """The arguments, and in the lanes that others see to some that end soon."""
        return b.select(mask, self.a, b.like(self.a, 1)), b.select(mask, self.x, b.like(self.x, x))


def _series(b: Builder, a: Value, x: Value, bits: int, *, slope: bool) -> Values:
    """1 + x / (a + 1) + x² / (a + 1)(a + 2) + ..., and its derivative in a if `slope`."""
    one, zero = b.like(a, 1), b.like(a, 0)

    def step(c: Builder, now: Values) -> tuple[Values, Value]:
        open_, n, term, total, *rest = now
        n = c.add(n, one)
        inverse = c.fdiv(one, c.add(a, n))
        ratio = c.mul(x, inverse)
        after: Values = []
        size = c.mul(term, ratio)
        if slope:
            change, changes = rest
            change = c.mul(ratio, c.sub(change, c.mul(term, inverse)))
            after = [change, c.select(open_, c.add(changes, change), changes)]
        term, total = size, c.select(open_, c.add(total, size), total)
        still = _goes_on(c, n, [(term, total), *([(after[0], after[1])] if slope else [])], bits)
        still = c.and_(open_, still)
        return [still, n, term, total, *after], still

    start = [b.cmp("eq", one, one), zero, one, one, *([zero, zero] if slope else [])]
    result = iterate(b, start, step)
    return [result[3], *result[5:]]


def _fraction(b: Builder, a: Value, x: Value, bits: int, *, slope: bool) -> Values:
    """1 / (x + 1 - a - (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...))), and its derivative in a if `slope`."""
    one, two, zero = b.like(a, 1), b.like(a, 2), b.like(a, 0)
    first = b.add(b.sub(x, a), one)
    inverse = b.fdiv(one, first)

    def step(c: Builder, now: Values) -> tuple[Values, Value]:
        open_, n, below, d, delta, total, *rest = now
        n, below = c.add(n, one), c.add(below, two)
        above = c.mul(n, c.sub(a, n))
        after: Values = []
        before, d = d, c.fdiv(one, c.fma(above, d, below))
        factor = c.fma(below, d, c.neg(one))
        if slope:
            d_change, change, changes = rest
            inner = c.add(c.fma(n, before, c.neg(one)), c.mul(above, d_change))
            d_change = c.neg(c.mul(inner, c.mul(d, d)))
            change = c.fma(factor, change, c.mul(delta, c.sub(c.mul(below, d_change), d)))
            after = [d_change, change, c.select(open_, c.add(changes, change), changes)]
        delta = c.mul(factor, delta)
        total = c.select(open_, c.add(total, delta), total)
        still = _goes_on(c, n, [(delta, total), *([(after[1], after[2])] if slope else [])], bits)
        still = c.and_(open_, still)
        return [still, n, below, d, delta, total, *after], still

    square = b.mul(inverse, inverse)
    start = [b.cmp("eq", one, one), zero, first, inverse, inverse, inverse]
    result = iterate(b, [*start, *([square] * 3 if slope else [])], step)
    return [result[5], *result[8:]]


def _goes_on(b: Builder, n: Value, sums: list[tuple[Value, Value]], bits: int) -> Value:
    """Whether one of several sums, given with their last terms, is not precise yet."""
    precision = b.like(n, PRECISION[bits])
    open_: Value | None = None
    for term, total in sums:
        larger = b.cmp("gt", b.abs(term), b.mul(b.abs(total), precision))
        open_ = larger if open_ is None else b.or_(open_, larger)
    assert open_ is not None
    return b.and_(open_, b.cmp("lt", n, b.like(n, MOST_TERMS)))


def _both_ways(b: Builder, at: _Region, bits: int, *, slope: bool) -> tuple[Values, Values]:
    """The series and the fraction, each where it is needed."""
    zeros = [b.like(at.x, 0)] * (1 + slope)
    series = where_any(b, at.low, zeros, lambda: _series(b, *at.ordinary(b, at.low, 0.5), bits, slope=slope))
    fraction = where_any(
        b, at.high, zeros, lambda: _fraction(b, *at.ordinary(b, at.high, 3), bits, slope=slope)
    )
    return series, fraction


def _prefactor(b: Builder, a: Value, x: Value) -> Value:
    """x**a exp(-x) / gamma(a)."""
    exponent = b.sub(b.sub(b.mul(a, b.call("log", log, x)), x), lgamma(b, a))
    return b.call("exp", exp, exponent)


def _pair(b: Builder, a: Value, x: Value, bits: int) -> tuple[Value, Value]:
    """P and Q."""
    at = _Region.of(b, a, x)
    (series,), (fraction,) = _both_ways(b, at, bits, slope=False)
    prefactor, one = _prefactor(b, a, x), b.like(x, 1)
    smaller = b.mul(prefactor, b.select(at.low, b.fdiv(series, a), fraction))
    other = b.sub(one, smaller)
    return b.select(at.low, smaller, other), b.select(at.low, other, smaller)


def _limits(b: Builder, a: Value, x: Value, value: Value, *, upper: bool) -> Value:
    """What JAX gives where there is a limit only: at a = 0 that of P from 1 on, at infinite a none."""
    zero, inf = b.like(x, 0), b.like(x, math.inf)
    none = b.or_(b.cmp("uno", a, x), b.or_(b.cmp("lt", a, zero), b.cmp("lt", x, zero)))
    at_zero, at_origin = b.cmp("eq", x, zero), b.cmp("eq", a, zero)
    none = b.or_(none, b.and_(at_zero, at_origin))
    unknown = b.like(x, math.nan)
    at_none = zero if upper else b.select(b.cmp("lt", x, b.like(x, 1)), unknown, b.like(x, 1))
    return choose(
        b,
        value,
        (none, unknown),
        (at_zero, 1.0 if upper else 0.0),
        (b.cmp("eq", x, inf), 0.0 if upper else 1.0),
        (b.cmp("eq", a, inf), unknown),
        (at_origin, at_none),
    )


def _regularised(*, upper: bool) -> Rule:
    def rule(b: Builder, a: Value, x: Value, bits: int) -> Value:
        return _limits(b, a, x, _pair(b, a, x, bits)[upper], upper=upper)

    return rule


def _relative_slope(b: Builder, a: Value, x: Value, bits: int) -> Value:
    """The derivative of P in a, divided by that in x: by the density of the gamma distribution."""
    at = _Region.of(b, a, x)
    series, fraction = _both_ways(b, at, bits, slope=True)
    one = b.like(x, 1)
    level = b.sub(b.call("log", log, x), digamma(b, b.select(at.low, b.add(a, one), a)))
    total, change = (b.select(at.low, p, q) for p, q in zip(series, fraction, strict=True))
    slope = b.mul(x, b.fma(total, level, change))
    slope = b.select(at.low, b.fdiv(slope, a), b.neg(slope))
    nothing = b.and_(b.cmp("eq", x, b.like(x, 0)), b.cmp("gt", a, b.like(x, 0)))
    return choose(b, b.like(x, math.nan), (b.or_(at.low, at.high), slope), (nothing, 0.0))


def _igamma_grad_a(b: Builder, a: Value, x: Value, bits: int) -> Value:
    slope = _relative_slope(b, a, x, bits)
    density = b.fdiv(_prefactor(b, a, x), x)
    return b.select(b.cmp("eq", slope, b.like(x, 0)), slope, b.mul(slope, density))


def _random_gamma_grad(b: Builder, a: Value, x: Value, bits: int) -> Value:
    return b.sub(b.like(x, 0), _relative_slope(b, a, x, bits))


igamma = in_double("igamma", _regularised(upper=False))
igammac = in_double("igammac", _regularised(upper=True))
igamma_grad_a = in_double("igamma_grad_a", _igamma_grad_a)
random_gamma_grad = in_double("random_gamma_grad", _random_gamma_grad)
