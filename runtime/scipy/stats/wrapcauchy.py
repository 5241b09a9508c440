"""`jax.scipy.stats.wrapcauchy`: the Cauchy distribution wrapped around the circle."""

from __future__ import annotations

import math

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike
from .standardization import floats


def logpdf(x: ArrayLike, c: ArrayLike) -> Array:
    """Logarithm of the density."""
    x, c = floats("wrapcauchy.logpdf", x, c)
    ratio = (1 - c * c) / (2 * math.pi * (1 + c * c - 2 * c * lax.cos(x)))
    value = jnp.where((x < 0) | (x > 2 * math.pi), -jnp.inf, lax.log(ratio))
    return jnp.where((c > 0) & (c < 1), value, jnp.nan)


def pdf(x: ArrayLike, c: ArrayLike) -> Array:
    """Density."""
    return lax.exp(logpdf(x, c))
