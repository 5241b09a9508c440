"""`jax.scipy.stats.bernoulli`: the Bernoulli distribution of success probability `p`."""

from __future__ import annotations

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike
from ..special.entropies import xlog1py, xlogy
from .standardization import floats


def logpmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Logarithm of the probability mass."""
    k, p, loc = floats("bernoulli.logpmf", k, p, loc)
    k = k - loc
    value = xlogy(k, p) + xlog1py(1 - k, -p)
    return jnp.where((k < 0) | (k > 1), -jnp.inf, value)


def pmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Probability mass."""
    return lax.exp(logpmf(k, p, loc))


def cdf(k: ArrayLike, p: ArrayLike) -> Array:
    """Distribution function."""
    k, p = floats("bernoulli.cdf", k, p)
    valid = (p >= 0) & (p <= 1) & ~jnp.isnan(k)
    steps = jnp.where(k < 0, 0, jnp.where(k < 1, 1 - p, 1))
    return jnp.where(valid, steps, jnp.nan)


def ppf(q: ArrayLike, p: ArrayLike) -> Array:
    """Quantile function."""
    q, p = floats("bernoulli.ppf", q, p)
    valid = (p >= 0) & (p <= 1) & (q >= 0) & (q <= 1)
    steps = jnp.where(q == 0, -1, jnp.where(q <= 1 - p, 0, 1))
    return jnp.where(valid, steps, jnp.nan)
