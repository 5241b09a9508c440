"""`jax.scipy.stats.cauchy`: the Cauchy distribution."""

from __future__ import annotations

import math

from ... import lax
from ...core import Array
from ...numpy.promotion import ArrayLike
from .standardization import floats, standardized


def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the density."""
    z, scale = standardized("cauchy.logpdf", x, loc=loc, scale=scale)
    return -lax.log(math.pi * scale) - lax.log1p(lax.square(z))


def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Density."""
    return lax.exp(logpdf(x, loc, scale))


def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Distribution function."""
    z, _ = standardized("cauchy.cdf", x, loc=loc, scale=scale)
    return 0.5 + lax.atan(z) / math.pi


def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the distribution function."""
    return lax.log(cdf(x, loc, scale))


def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Survival function."""
    z, _ = standardized("cauchy.sf", x, loc=loc, scale=scale)
    return 0.5 - lax.atan(z) / math.pi


def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the survival function."""
    return lax.log(sf(x, loc, scale))


def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Quantile function."""
    q, loc, scale = floats("cauchy.ppf", q, loc, scale)
    return loc + scale * lax.tan(math.pi * (q - 0.5))


def isf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Inverse survival function."""
    q, loc, scale = floats("cauchy.isf", q, loc, scale)
    return loc + scale * lax.tan(math.pi * (0.5 - q))
