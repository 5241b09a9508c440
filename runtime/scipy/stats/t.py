"""`jax.scipy.stats.t`: Student's t distribution of `df` degrees of freedom."""

from __future__ import annotations

import math

from ... import lax
from ...core import Array
from ...numpy.promotion import ArrayLike
from ..special.gammas import gammaln
from .standardization import standardized


def logpdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Logarithm of the density."""
    z, df, scale = standardized("t.logpdf", x, df, loc=loc, scale=scale)
    half = (df + 1) / 2
    norm = gammaln(df / 2) - gammaln(half) + 0.5 * lax.log(math.pi * df) + lax.log(scale)
    return -norm - half * lax.log1p(lax.square(z) / df)


def pdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Density."""
    return lax.exp(logpdf(x, df, loc, scale))
