"""`jax.scipy.stats.expon`: the exponential distribution."""

from __future__ import annotations

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike
from .standardization import floats, standardized


def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the density."""
    z, scale = standardized("expon.logpdf", x, loc=loc, scale=scale)
    return jnp.where(z < 0, -jnp.inf, -z - lax.log(scale))


def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Density."""
    return lax.exp(logpdf(x, loc, scale))


def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Distribution function."""
    z, _ = standardized("expon.cdf", x, loc=loc, scale=scale)
    return jnp.where(z < 0, 0, -lax.expm1(-z))


def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the distribution function."""
    z, _ = standardized("expon.logcdf", x, loc=loc, scale=scale)
    return jnp.where(z < 0, -jnp.inf, lax.log1p(-lax.exp(-z)))


def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Survival function."""
    return lax.exp(logsf(x, loc, scale))


def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the survival function."""
    z, _ = standardized("expon.logsf", x, loc=loc, scale=scale)
    return jnp.where(z < 0, 0, -z)


def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Quantile function."""
    q, loc, scale = floats("expon.ppf", q, loc, scale)
    return jnp.where((q < 0) | (q > 1), jnp.nan, loc - scale * lax.log1p(-q))
