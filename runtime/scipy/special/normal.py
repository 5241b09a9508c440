"""Error functions, the normal distribution, and the logistic function."""

from __future__ import annotations

import math
import operator
from functools import partial

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...lax.elementwise import convert_to
from ...numpy.promotion import ArrayLike, asarray, check_arraylike, like, promote_args_inexact
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


def single_or_double(name: str, x: ArrayLike) -> Array:
    """The argument as an array. Raises TypeError unless it is of float32 or float64, as JAX does."""
    check_arraylike(name, x)
    value = asarray(x)
    if value.dtype.kind != "f" or value.dtype.itemsize < 4:
        raise TypeError(f"x.dtype={value.dtype} is not supported: {name} takes float32 and float64")
    return convert_to(value, value.dtype, False)


def ndtr(x: ArrayLike) -> Array:
    """Normal distribution function, accurate in both tails."""
    x = single_or_double("ndtr", x)
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
    p = single_or_double("ndtri", p)
    # Near 1 the complement is inverted, where it has more digits.
    return lax.mul(like(p, math.sqrt(2)), lax.erf_inv(lax.sub(lax.mul(like(p, 2), p), like(p, 1))))


@partial(custom_jvp, nondiff_argnums=(1,))
def _log_ndtr(x: Array, order: int) -> Array:
    single = x.dtype.itemsize < 8
    low, high = (-10.0, 5.0) if single else (-20.0, 8.0)
    lower = jnp.minimum(x, low)
    middle = jnp.maximum(x, low)
    return jnp.where(
        x > high, -ndtr(-x), jnp.where(x > low, lax.log(ndtr(middle)), _log_ndtr_lower(lower, order))
    )


def _log_ndtr_lower(x: Array, order: int) -> Array:
    """Asymptotic expansion far in the lower tail."""
    square = lax.square(x)
    even = odd = jnp.zeros_like(x)
    power = square
    for n in range(1, order + 1):
        term = math.prod(range(1, 2 * n, 2)) / power
        odd, even = (odd + term, even) if n % 2 else (odd, even + term)
        power = power * square
    return -square / 2 - lax.log(-x) - 0.5 * math.log(2 * math.pi) + lax.log(1 + even - odd)


@_log_ndtr.defjvp
def _log_ndtr_jvp(order: int, primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    (x,), (t,) = primals, tangents
    value = _log_ndtr(x, order)
    return value, lax.mul(t, lax.exp(-lax.square(x) / 2 - value - 0.5 * math.log(2 * math.pi)))


def log_ndtr(x: ArrayLike, series_order: int = 3) -> Array:
    """Logarithm of the normal distribution function, far below 0 by `series_order` terms of its expansion."""
    order = operator.index(series_order)
    if order < 0:
        raise ValueError(f"series_order must be non-negative, got {order}")
    if order > 30:
        raise ValueError(f"series_order must be at most 30, got {order}")
    return _log_ndtr(single_or_double("log_ndtr", x), order)
