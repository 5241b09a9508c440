"""`jax.scipy.stats.uniform`: the uniform distribution between `loc` and `loc + scale`."""

from __future__ import annotations

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike
from .standardization import floats, standardized


def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the density."""
    z, scale = standardized("uniform.logpdf", x, loc=loc, scale=scale)
    return jnp.where((z < 0) | (z > 1), -jnp.inf, -lax.log(scale))


def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Density."""
    return lax.exp(logpdf(x, loc, scale))


def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Distribution function."""
    z, _ = standardized("uniform.cdf", x, loc=loc, scale=scale)
    return jnp.clip(z, 0, 1)


def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Quantile function."""
    q, loc, scale = floats("uniform.ppf", q, loc, scale)
    return jnp.where((q < 0) | (q > 1), jnp.nan, loc + scale * q)
