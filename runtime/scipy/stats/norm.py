"""`jax.scipy.stats.norm`: the normal distribution."""

from __future__ import annotations

import math

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike, promote_args_inexact
from ..special.normal import log_ndtr, ndtr, ndtri


def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the density."""
    x, loc, scale = promote_args_inexact("norm.logpdf", x, loc, scale)
    variance = jnp.square(scale)
    norm = jnp.log(jnp.multiply(2 * math.pi, variance))
    quadratic = jnp.divide(jnp.square(jnp.subtract(x, loc)), variance)
    return (quadratic + norm) / -2


def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Density."""
    return lax.exp(logpdf(x, loc, scale))


def _standard(name: str, x: ArrayLike, loc: ArrayLike, scale: ArrayLike) -> Array:
    x, loc, scale = promote_args_inexact(f"norm.{name}", x, loc, scale)
    return jnp.divide(jnp.subtract(x, loc), scale)


def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Distribution function."""
    return ndtr(_standard("cdf", x, loc, scale))


def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the distribution function."""
    return log_ndtr(_standard("logcdf", x, loc, scale))


def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Quantile function."""
    q, loc, scale = promote_args_inexact("norm.ppf", q, loc, scale)
    return jnp.add(jnp.multiply(ndtri(q), scale), loc)


def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Survival function."""
    x, loc, scale = promote_args_inexact("norm.sf", x, loc, scale)
    return cdf(jnp.negative(x), jnp.negative(loc), scale)


def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the survival function."""
    x, loc, scale = promote_args_inexact("norm.logsf", x, loc, scale)
    return logcdf(jnp.negative(x), jnp.negative(loc), scale)


def isf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Inverse survival function."""
    return ppf(jnp.subtract(1, q), loc, scale)
