"""`jax.scipy.stats.geom`: the geometric distribution: trials up to the first success."""

from __future__ import annotations

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike
from ..special.entropies import xlog1py
from .standardization import floats


def logpmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Logarithm of the probability mass."""
    k, p, loc = floats("geom.logpmf", k, p, loc)
    k = k - loc
    return jnp.where(k <= 0, -jnp.inf, lax.log(p) + xlog1py(k - 1, -p))


def pmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Probability mass."""
    return lax.exp(logpmf(k, p, loc))
