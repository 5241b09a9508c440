"""The regularised incomplete beta function, by its continued fraction (DLMF 8.17.22), which Lentz's algorithm evaluates."""

from __future__ import annotations

import math

from ..builder import Builder, Value
from .blocks import choose, in_double, iterate
from .exponential import exp
from .gamma import lgamma
from .incomplete_gamma import MOST_TERMS, PRECISION
from .logarithm import log, log1p

_TINY = 1e-300


def _nonzero(b: Builder, x: Value) -> Value:
    tiny = b.like(x, _TINY)
    return b.select(b.cmp("lt", b.abs(x), tiny), tiny, x)


def _fraction(b: Builder, p: Value, q: Value, x: Value, bits: int) -> Value:
    one, two = b.like(x, 1), b.like(x, 2)
    both = b.add(p, q)
    start = b.fdiv(one, _nonzero(b, b.sub(one, b.fdiv(b.mul(both, x), b.add(p, one)))))
    precision = b.like(x, PRECISION[bits])

    def step(f: Builder, now: list[Value]) -> tuple[list[Value], Value]:
        open_, m, c, d, total = now
        m = f.add(m, one)
        middle = f.add(p, f.mul(m, two))
        below, above = f.sub(middle, one), f.add(middle, one)
        even = f.fdiv(f.mul(f.mul(m, f.sub(q, m)), x), f.mul(below, middle))
        odd = f.fdiv(f.mul(f.mul(f.add(p, m), f.add(both, m)), x), f.mul(middle, above))
        change, after = one, total
        for numerator in (even, f.neg(odd)):
            d = f.fdiv(one, _nonzero(f, f.fma(numerator, d, one)))
            c = _nonzero(f, f.add(one, f.fdiv(numerator, c)))
            change = f.mul(c, d)
            after = f.mul(after, change)
        total = f.select(open_, after, total)
        still = f.cmp("gt", f.abs(f.sub(change, one)), precision)
        still = f.and_(f.and_(open_, still), f.cmp("lt", m, f.like(m, MOST_TERMS)))
        return [still, m, c, d, total], still

    return iterate(b, [b.cmp("eq", one, one), b.like(x, 0), one, start, start], step)[4]


def _betainc(b: Builder, p: Value, q: Value, x: Value, bits: int) -> Value:
    zero, one, inf = b.like(x, 0), b.like(x, 1), b.like(x, math.inf)
    inside = b.and_(b.and_(b.cmp("gt", p, zero), b.cmp("gt", q, zero)), b.cmp("lt", b.add(p, q), inf))
    inside = b.and_(inside, b.and_(b.cmp("gt", x, zero), b.cmp("lt", x, one)))
    half = b.like(x, 0.5)
    first, second, at = (b.select(inside, v, half) for v in (p, q, x))
    mean = b.fdiv(b.add(first, one), b.add(b.add(first, second), b.like(x, 2)))
    swap = b.cmp("gt", at, mean)
    near, far = b.select(swap, second, first), b.select(swap, first, second)
    y = b.select(swap, b.sub(one, at), at)
    powers = b.fma(near, b.call("log", log, y), b.mul(far, b.call("log1p", log1p, b.neg(y))))
    norm = b.sub(b.add(lgamma(b, near), lgamma(b, far)), lgamma(b, b.add(near, far)))
    value = b.fdiv(b.mul(b.call("exp", exp, b.sub(powers, norm)), _fraction(b, near, far, y, bits)), near)
    value = b.select(swap, b.sub(one, value), value)
    # All of the weight is at an end where one parameter is 0 or infinite.
    below = b.or_(b.cmp("eq", p, zero), b.cmp("eq", q, inf))
    above = b.or_(b.cmp("eq", q, zero), b.cmp("eq", p, inf))
    ordinary = b.and_(b.cmp("ge", p, zero), b.cmp("ge", q, zero))
    ordinary = b.and_(ordinary, b.not_(b.and_(below, above)))
    ordinary = b.and_(ordinary, b.and_(b.cmp("ge", x, zero), b.cmp("le", x, one)))
    return choose(
        b,
        b.like(x, math.nan),
        (b.not_(ordinary), math.nan),
        (b.cmp("eq", x, zero), 0.0),
        (b.cmp("eq", x, one), 1.0),
        (inside, value),
        (below, 1.0),
        (above, 0.0),
    )


betainc = in_double("betainc", _betainc)
