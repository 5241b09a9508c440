"""`jax.scipy.stats.logistic`: the logistic distribution."""

from __future__ import annotations

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike
from ..special.entropies import logit
from .standardization import floats, standardized


def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the density."""
    z, scale = standardized("logistic.logpdf", x, loc=loc, scale=scale)
    return -2 * jnp.logaddexp(z / 2, -z / 2) - lax.log(scale)


def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Density."""
    return lax.exp(logpdf(x, loc, scale))


def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Distribution function."""
    z, _ = standardized("logistic.cdf", x, loc=loc, scale=scale)
    return lax.logistic(z)


def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Survival function."""
    z, _ = standardized("logistic.sf", x, loc=loc, scale=scale)
    return lax.logistic(-z)


def ppf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Quantile function."""
    x, loc, scale = floats("logistic.ppf", x, loc, scale)
    return loc + scale * logit(x)


def isf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Inverse survival function."""
    x, loc, scale = floats("logistic.isf", x, loc, scale)
    return loc - scale * logit(x)
