"""`jax.scipy.stats.pareto`: the Pareto distribution of shape `b`."""

from __future__ import annotations

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike
from .standardization import floats, standardized


def logpdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the density."""
    z, b, scale = standardized("pareto.logpdf", x, b, loc=loc, scale=scale)
    return jnp.where(z < 1, -jnp.inf, lax.log(b) - lax.log(scale) - (b + 1) * lax.log(z))


def pdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Density."""
    return lax.exp(logpdf(x, b, loc, scale))


def cdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Distribution function."""
    z, b, _ = standardized("pareto.cdf", x, b, loc=loc, scale=scale)
    return jnp.where(z < 1, 0, 1 - lax.pow(z, -b))


def logcdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the distribution function."""
    z, b, _ = standardized("pareto.logcdf", x, b, loc=loc, scale=scale)
    return jnp.where(z < 1, -jnp.inf, lax.log1p(-lax.pow(z, -b)))


def sf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Survival function."""
    return lax.exp(logsf(x, b, loc, scale))


def logsf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the survival function."""
    z, b, _ = standardized("pareto.logsf", x, b, loc=loc, scale=scale)
    return jnp.where(z < 1, 0, -b * lax.log(z))


def ppf(q: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Quantile function."""
    q, b, loc, scale = floats("pareto.ppf", q, b, loc, scale)
    return jnp.where((q < 0) | (q > 1), jnp.nan, loc + scale * jnp.power(1 - q, -1 / b))
