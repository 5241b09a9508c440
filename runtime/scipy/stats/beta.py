"""`jax.scipy.stats.beta`: the beta distribution of shapes `a` and `b`."""

from __future__ import annotations

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike
from ..special.entropies import xlog1py, xlogy
from ..special.gammas import betainc, betaln
from .standardization import standardized


def logpdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the density."""
    z, a, b, scale = standardized("beta.logpdf", x, a, b, loc=loc, scale=scale)
    value = xlogy(a - 1, z) + xlog1py(b - 1, -z) - betaln(a, b) - lax.log(scale)
    value = jnp.where((z < 0) | (z > 1), -jnp.inf, value)
    return jnp.where((a <= 0) | (b <= 0), jnp.nan, value)


def pdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Density."""
    return lax.exp(logpdf(x, a, b, loc, scale))


def cdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Distribution function."""
    z, a, b, _ = standardized("beta.cdf", x, a, b, loc=loc, scale=scale)
    return betainc(a, b, jnp.clip(z, 0, 1))


def logcdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the distribution function."""
    return lax.log(cdf(x, a, b, loc, scale))


def sf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Survival function."""
    z, a, b, _ = standardized("beta.sf", x, a, b, loc=loc, scale=scale)
    return betainc(b, a, 1 - jnp.clip(z, 0, 1))


def logsf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the survival function."""
    return lax.log(sf(x, a, b, loc, scale))
