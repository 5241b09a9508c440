"""Error functions, the normal distribution, and the logistic function."""

from __future__ import annotations

import math

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike, like, promote_args_inexact
from ...transforms.custom_jvp import custom_jvp


def erf(x: ArrayLike) -> Array:
    """Error function."""
    return lax.erf(*promote_args_inexact("erf", x))


def erfc(x: ArrayLike) -> Array:
    """Complementary error function."""
    return lax.erfc(*promote_args_inexact("erfc", x))


def erfinv(x: ArrayLike) -> Array:
    """Inverse error function."""
    return lax.erf_inv(*promote_args_inexact("erfinv", x))


def expit(x: ArrayLike) -> Array:
    """Logistic function."""
    return lax.logistic(*promote_args_inexact("expit", x))


def ndtr(x: ArrayLike) -> Array:
    """Normal distribution function, accurate in both tails."""
    (x,) = promote_args_inexact("ndtr", x)
    root = like(x, 0.5 * math.sqrt(2))
    w = lax.mul(x, root)
    z = lax.abs(w)
    tail = lax.erfc(z)
    y = lax.select(
        lax.lt(z, root),
        lax.add(lax.full_like(w, 1), lax.erf(w)),
        lax.select(lax.gt(w, like(w, 0)), lax.sub(lax.full_like(tail, 2), tail), tail),
    )
    return lax.mul(like(y, 0.5), y)


def ndtri(p: ArrayLike) -> Array:
    """Quantiles of the normal distribution: NaN outside [0, 1]."""
    (p,) = promote_args_inexact("ndtri", p)
    # Near 1 the complement is inverted, where it has more digits.
    return lax.mul(like(p, math.sqrt(2)), lax.erf_inv(lax.sub(lax.mul(like(p, 2), p), like(p, 1))))


@custom_jvp
def _log_ndtr(x: Array) -> Array:
    single = x.dtype.itemsize < 8
    low, high = (-10.0, 5.0) if single else (-20.0, 8.0)
    lower = jnp.minimum(x, low)
    middle = jnp.maximum(x, low)
    return jnp.where(x > high, -ndtr(-x), jnp.where(x > low, lax.log(ndtr(middle)), _log_ndtr_lower(lower)))


def _log_ndtr_lower(x: Array) -> Array:
    """Asymptotic expansion far in the lower tail."""
    square = lax.square(x)
    even = odd = jnp.zeros_like(x)
    power = square
    for n in range(1, 4):
        term = math.prod(range(1, 2 * n, 2)) / power
        odd, even = (odd + term, even) if n % 2 else (odd, even + term)
        power = power * square
    return -square / 2 - lax.log(-x) - 0.5 * math.log(2 * math.pi) + lax.log(1 + even - odd)


@_log_ndtr.defjvp
def _log_ndtr_jvp(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    (x,), (t,) = primals, tangents
    value = _log_ndtr(x)
    return value, lax.mul(t, lax.exp(-lax.square(x) / 2 - value - 0.5 * math.log(2 * math.pi)))


def log_ndtr(x: ArrayLike) -> Array:
    """Logarithm of the normal distribution function."""
    (x,) = promote_args_inexact("log_ndtr", x)
    return _log_ndtr(x)
