"""`jax.scipy.stats.truncnorm`: the normal distribution cut off at `a` and `b` standard deviations."""

from __future__ import annotations

import math

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike
from ..special.normal import log_ndtr
from .standardization import standardized

_HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)


def _log_difference(high: Array, low: Array) -> Array:
    """log(exp(high) - exp(low))."""
    return high + lax.log1p(-lax.exp(low - high))


def _log_mass(a: Array, b: Array) -> Array:
    """Logarithm of the normal probability of [a, b], with the digits of the tail that it lies in."""
    # Each branch gets an interval of its own kind, so that the others give no NaN to derivatives.
    left, right = b <= 0, a > 0
    middle = ~(left | right)
    low, high = jnp.where(left, a, -2.0), jnp.where(left, b, -1.0)
    in_left = _log_difference(log_ndtr(high), log_ndtr(low))
    low, high = jnp.where(right, a, 1.0), jnp.where(right, b, 2.0)
    in_right = _log_difference(log_ndtr(-low), log_ndtr(-high))
    low, high = jnp.where(middle, a, -1.0), jnp.where(middle, b, 1.0)
    outside = lax.exp(log_ndtr(low)) + lax.exp(log_ndtr(-high))
    return jnp.where(left, in_left, jnp.where(right, in_right, lax.log1p(-outside)))


def _arguments(
    name: str, x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike, scale: ArrayLike
) -> tuple[Array, ...]:
    x, a, b, scale = standardized(f"truncnorm.{name}", x, a, b, loc=loc, scale=scale)
    return (*jnp.broadcast_arrays(x, a, b), scale)


def logpdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the density; NaN where ``a >= b``."""
    z, a, b, scale = _arguments("logpdf", x, a, b, loc, scale)
    value = -0.5 * lax.square(z) - _HALF_LOG_TWO_PI - lax.log(scale) - _log_mass(a, b)
    value = jnp.where((z < a) | (z > b), -jnp.inf, value)
    return jnp.where(a >= b, jnp.nan, value)


def pdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Density."""
    return lax.exp(logpdf(x, a, b, loc, scale))


def logcdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the distribution function."""
    z, a, b, _ = _arguments("logcdf", x, a, b, loc, scale)
    inside = (z > a) & (z < b)
    total = _log_mass(a, b)
    below = _log_mass(a, jnp.where(inside, z, b)) - total
    # Where nearly all lies below, the little that lies above has more digits.
    above = _log_mass(jnp.where(inside, z, a), b) - total
    value = jnp.where(below > -0.1, lax.log1p(-lax.exp(above)), below)
    value = jnp.where(z <= a, -jnp.inf, jnp.where(z >= b, 0, value))
    return jnp.where(a >= b, jnp.nan, value)


def logsf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the survival function."""
    z, a, b, _ = _arguments("logsf", x, a, b, loc, scale)
    return logcdf(-z, -b, -a)


def sf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Survival function."""
    return lax.exp(logsf(x, a, b, loc, scale))


def cdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Distribution function."""
    return lax.exp(logcdf(x, a, b, loc, scale))
