"""`jax.scipy.stats.laplace`: the Laplace distribution."""

from __future__ import annotations

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike
from .standardization import standardized


def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the density."""
    z, scale = standardized("laplace.logpdf", x, loc=loc, scale=scale)
    return -lax.abs(z) - lax.log(2 * scale)


def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Density."""
    return lax.exp(logpdf(x, loc, scale))


def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Distribution function."""
    z, _ = standardized("laplace.cdf", x, loc=loc, scale=scale)
    tail = 0.5 * lax.exp(-lax.abs(z))
    return jnp.where(z <= 0, tail, 1 - tail)
