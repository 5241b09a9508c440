"""Samples of gamma distributions: Marsaglia and Tsang's rejection on the lanes of vectors, until each has accepted one.

Each element draws from a key of its own, in JAX's order, as `primitives.random_kernels` has it.
"""

from __future__ import annotations

import math

import numpy as np

from .builder import Builder, Value
from .threefry import successor
from .types import F64, U32, Element, NotLowered, integer_of
from .vmath.blocks import in_parts, iterate
from .vmath.error_functions import erf_inv
from .vmath.exponential import FORMATS
from .vmath.logarithm import log, log1p
from .vmath.power import power

Values = list[Value]


def random_gamma(b: Builder, alpha: Value, key: Value, *, log_space: bool) -> Value:
    """A sample of each distribution, or its logarithm, from a key for each."""
    if alpha.elem.bits < 32:
        raise NotLowered("random_gamma", f"of {alpha.elem.name}")
    rule = _logarithm if log_space else _sample
    return in_parts(b, f"gamma{rule.__name__}", rule, [alpha, key])


def _sample(b: Builder, alpha: Value, key: Value) -> Value:
    one = b.like(alpha, 1)
    d, v, boost_key = _accepted(b, alpha, key)
    u = b.sub(one, _uniform(b, boost_key, alpha.elem))
    boost = b.call("pow", power, u, b.fdiv(one, alpha), shared=True)
    return b.mul(b.mul(d, v), b.select(b.cmp("ge", alpha, one), one, boost))


def _logarithm(b: Builder, alpha: Value, key: Value) -> Value:
    one, zero = b.like(alpha, 1), b.like(alpha, 0)
    d, v, boost_key = _accepted(b, alpha, key)
    log_u = b.call("log1p", log1p, b.neg(_uniform(b, boost_key, alpha.elem)))
    none = b.or_(b.cmp("ge", alpha, one), b.cmp("eq", log_u, zero))
    boost = b.select(none, zero, b.mul(log_u, b.fdiv(one, alpha)))
    return b.add(b.add(_log(b, d), _log(b, v)), boost)


def _log(b: Builder, x: Value) -> Value:
    return b.call("log", log, x, shared=True)


def _accepted(b: Builder, alpha: Value, key: Value) -> tuple[Value, Value, Value]:
    """d and v, whose product is a sample for alpha >= 1, else for alpha + 1; and a key that is left."""
    one, zero = b.like(alpha, 1), b.like(alpha, 0)
    a = b.select(b.cmp("ge", alpha, one), alpha, b.add(alpha, one))
    d = b.sub(a, b.like(alpha, 1 / 3))
    c = b.fdiv(b.like(alpha, 1 / 3), b.sqrt(d))
    everywhere = b.cmp("eq", one, one)

    def attempt(inner: Builder, now: Values) -> tuple[Values, Value]:
        key, v, open_ = now
        x, w = _point(inner, successor(inner, key, 1), c, open_)
        u = _uniform(inner, successor(inner, key, 2), alpha.elem)
        square, cube = inner.mul(x, x), inner.mul(inner.mul(w, w), w)
        squeeze = inner.sub(one, inner.mul(b.like(alpha, 0.0331), inner.mul(square, square)))
        change = inner.add(inner.sub(one, cube), _log(inner, cube))
        bound = inner.add(inner.mul(square, b.like(alpha, 0.5)), inner.mul(d, change))
        rejected = inner.and_(inner.cmp("ge", u, squeeze), inner.cmp("ge", _log(inner, u), bound))
        still = inner.and_(open_, rejected)
        return [successor(inner, key, 0), inner.select(open_, cube, v), still], still

    _, v, _ = iterate(b, [successor(b, key, 0), zero, everywhere], attempt)
    return d, v, successor(b, key, 1)


def _point(b: Builder, key: Value, c: Value, wanted: Value) -> tuple[Value, Value]:
    """A standard normal x with 1 + c x > 0, and that, in the lanes that are `wanted`."""
    one, zero = b.like(c, 1), b.like(c, 0)

    def attempt(inner: Builder, now: Values) -> tuple[Values, Value]:
        key, x, w = now
        pending = inner.cmp("le", w, zero)
        drawn = _normal(inner, successor(inner, key, 1), c.elem)
        x = inner.select(pending, drawn, x)
        w = inner.select(pending, inner.add(one, inner.mul(drawn, c)), w)
        return [successor(inner, key, 0), x, w], inner.cmp("le", w, zero)

    _, x, w = iterate(b, [key, zero, b.select(wanted, b.neg(one), one)], attempt)
    return x, w


def _uniform(b: Builder, key: Value, elem: Element) -> Value:
    """A number of [0, 1): random mantissa bits under the exponent of 1."""
    bits = successor(b, key, 0)
    unsigned = integer_of(elem, signed=False)
    if elem is not F64:
        bits = b.xor(b.convert(b.lshr(bits, 32), U32), b.convert(bits, U32))
    one = b.const(elem, 1)
    mantissa = b.lshr(bits, elem.bits - FORMATS[elem.bits].mantissa)
    return b.sub(b.bitcast(b.or_(mantissa, b.bitcast(one, unsigned)), elem), one)


def _normal(b: Builder, key: Value, elem: Element) -> Value:
    """A standard normal number, through the inverse error function."""
    real = np.dtype(elem.name).type
    low = np.nextafter(real(-1), real(0))
    u = b.add(b.mul(_uniform(b, key, elem), b.const(elem, real(1) - low)), b.const(elem, low))
    u = b.select(b.cmp("lt", u, b.const(elem, low)), b.const(elem, low), u)
    return b.mul(b.const(elem, math.sqrt(2)), b.call("erf_inv", erf_inv, u, shared=True))
