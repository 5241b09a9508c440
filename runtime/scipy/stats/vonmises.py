"""`jax.scipy.stats.vonmises`: the von Mises distribution of concentration `kappa`."""

from __future__ import annotations

import math

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike
from ..special.bessel import i0e
from .standardization import floats


def logpdf(x: ArrayLike, kappa: ArrayLike) -> Array:
    """Logarithm of the density."""
    x, kappa = floats("vonmises.logpdf", x, kappa)
    value = kappa * (lax.cos(x) - 1) - lax.log(2 * math.pi * i0e(kappa))
    return jnp.where(kappa > 0, value, jnp.nan)


def pdf(x: ArrayLike, kappa: ArrayLike) -> Array:
    """Density."""
    return lax.exp(logpdf(x, kappa))
