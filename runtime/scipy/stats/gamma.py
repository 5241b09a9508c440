"""`jax.scipy.stats.gamma`: the gamma distribution of shape `a`."""

from __future__ import annotations

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike
from ..special.entropies import xlogy
from ..special.gammas import gammainc, gammaincc, gammaln
from .standardization import standardized


def logpdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the density."""
    z, a, scale = standardized("gamma.logpdf", x, a, loc=loc, scale=scale)
    value = xlogy(a - 1, z) - z - gammaln(a) - lax.log(scale)
    return jnp.where(z >= 0, value, -jnp.inf)


def pdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Density."""
    return lax.exp(logpdf(x, a, loc, scale))


def cdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Distribution function."""
    z, a, _ = standardized("gamma.cdf", x, a, loc=loc, scale=scale)
    return gammainc(a, jnp.maximum(z, 0))


def logcdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the distribution function."""
    return lax.log(cdf(x, a, loc, scale))


def sf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Survival function."""
    z, a, _ = standardized("gamma.sf", x, a, loc=loc, scale=scale)
    return gammaincc(a, jnp.maximum(z, 0))


def logsf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the survival function."""
    return lax.log(sf(x, a, loc, scale))
