"""Confluent hypergeometric function."""

from __future__ import annotations

from typing import Any

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike, asarray, broadcast_together, promote_args_inexact
from ...transforms.custom_jvp import custom_jvp
from ...transforms.loops import while_loop
from .gammas import gammasgn

#: From where on the asymptotic series stands in for the power series.
_FAR = 100.0
_POWER_TERMS, _ASYMPTOTIC_TERMS = 500, 50


def _sum(ratio: Any, like: Array, limit: int, *, diverges: bool) -> Array:
    """1 + r(0) + r(0) r(1) + ... until no term counts; a series that diverges ends where its terms grow."""
    precision = jnp.finfo(like.dtype).eps

    def going(state: Any) -> Any:
        k, term, total, stopped = state
        return (k < limit) & ~jnp.all(stopped | (lax.abs(term) <= precision * lax.abs(total)))

    def step(state: Any) -> Any:
        k, term, total, stopped = state
        following = term * ratio(k.astype(like.dtype))
        if diverges:
            stopped = stopped | (lax.abs(following) > lax.abs(term))
        return (
            k + 1,
            jnp.where(stopped, 0.0, following),
            jnp.where(stopped, total, total + following),
            stopped,
        )

    one = jnp.ones_like(like)
    return while_loop(going, step, (jnp.int32(0), one, one, jnp.isnan(like)))[2]


def _power_series(a: Array, b: Array, x: Array) -> Array:
    """DLMF 13.2.2, for negative x by Kummer's transformation (13.2.39), so that terms do not cancel."""
    flipped = x < 0
    first, z = jnp.where(flipped, b - a, a), lax.abs(x)
    total = _sum(lambda k: (first + k) / (b + k) * z / (k + 1), z, _POWER_TERMS, diverges=False)
    return jnp.where(flipped, lax.exp(x), 1.0) * total


def _asymptotic_series(a: Array, b: Array, x: Array) -> Array:
    """DLMF 13.7.2, where one of the two exponentials is all that counts."""
    flipped = x < 0
    first, z = jnp.where(flipped, b - a, a), lax.abs(x)
    total = _sum(
        lambda k: (b - first + k) * (1 - first + k) / ((k + 1) * z), z, _ASYMPTOTIC_TERMS, diverges=True
    )
    size = lax.lgamma(b) - lax.lgamma(first) + (first - b) * lax.log(z) + jnp.where(flipped, 0.0, z)
    return gammasgn(b) * gammasgn(first) * lax.exp(size) * total


@custom_jvp
def _hyp1f1(a: Array, b: Array, x: Array) -> Array:
    first = jnp.where(x < 0, b - a, a)
    polynomial = (first <= 0) & (first == lax.round(first))
    far = (lax.abs(x) >= _FAR) & ~polynomial
    near = _power_series(a, b, jnp.where(far, 0.0, x))
    value = jnp.where(far, _asymptotic_series(a, b, jnp.where(far, x, _FAR)), near)
    value = jnp.where(b == a, lax.exp(x), value)
    return jnp.where((a == 0) | (x == 0), 1.0, value)


def _by_parameters(a: Array, b: Array, x: Array) -> tuple[Array, Array]:
    """The power series differentiated by `a` and by `b`, term after term."""
    zero, one = jnp.zeros_like(x), jnp.ones_like(x)
    precision = jnp.finfo(x.dtype).eps

    def going(state: Any) -> Any:
        k, _, _, _, by_a, by_b, change = state
        return (k < _POWER_TERMS) & ~jnp.all(
            (change <= precision * (lax.abs(by_a) + lax.abs(by_b))) & (k > 1)
        )

    def step(state: Any) -> Any:
        k, term, term_a, term_b, by_a, by_b, _ = state
        n = k.astype(x.dtype)
        scale = x / ((b + n) * (n + 1))
        term_a = (term_a * (a + n) + term) * scale
        term_b = (term_b - term / (b + n)) * (a + n) * scale
        change = lax.abs(term_a) + lax.abs(term_b)
        return k + 1, term * (a + n) * scale, term_a, term_b, by_a + term_a, by_b + term_b, change

    return while_loop(going, step, (jnp.int32(0), one, zero, zero, zero, zero, one))[4:6]


@_hyp1f1.defjvp
def _hyp1f1_jvp(primals: Any, tangents: Any) -> Any:
    (a, b, x), (a_dot, b_dot, x_dot) = primals, tangents
    by_a, by_b = _by_parameters(a, b, x)
    return _hyp1f1(a, b, x), by_a * a_dot + by_b * b_dot + a / b * _hyp1f1(a + 1, b + 1, x) * x_dot


def hyp1f1(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Confluent hypergeometric function 1F1(a; b; x) of real numbers.

    By its power series near zero and its asymptotic series far away (Pearson, Olver and Porter, "Numerical methods for
    the computation of the confluent and Gauss hypergeometric functions", 2017). Raises ValueError for complex ones.
    """
    a, b, x = map(asarray, broadcast_together(*promote_args_inexact("hyp1f1", a, b, x)))
    if x.dtype.kind == "c":
        raise ValueError("hyp1f1 does not support complex-valued inputs.")
    return _hyp1f1(a, b, x)
