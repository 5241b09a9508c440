"""`jax.scipy.stats.poisson`: the Poisson distribution of mean `mu`."""

from __future__ import annotations

import math

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike
from ..special.entropies import entr, xlogy
from ..special.gammas import gammaincc, gammaln
from .standardization import floats

#: Above this many events the probability under a mean of 100 is below the least float32.
_COUNTED = 250


def logpmf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Logarithm of the probability mass."""
    k, mu, loc = floats("poisson.logpmf", k, mu, loc)
    shifted = k - loc
    value = xlogy(shifted, mu) - gammaln(shifted + 1) - mu
    return jnp.where((shifted < 0) | (k != lax.round(k)), -jnp.inf, value)


def pmf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Probability mass."""
    return lax.exp(logpmf(k, mu, loc))


def cdf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Distribution function."""
    k, mu, loc = floats("poisson.cdf", k, mu, loc)
    k = k - loc
    return jnp.where(k < 0, 0, gammaincc(jnp.maximum(lax.floor(k) + 1, 0), mu))


def entropy(mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Entropy: the sum of its terms up to a mean of 100, Stirling's expansion above (Evans & Boersma, 1988)."""
    mu, loc = floats("poisson.entropy", mu, loc)
    mu, _ = jnp.broadcast_arrays(mu, loc)
    few = jnp.minimum(mu, 100)
    counts = jnp.arange(_COUNTED, dtype=mu.dtype).reshape((-1,) + (1,) * mu.ndim)
    exact = entr(pmf(counts, few)).sum(0)
    many = jnp.maximum(mu, 100)
    expansion = 0.5 * lax.log(2 * math.pi * math.e * many) - (1 + 0.5 / many) / (12 * many)
    return jnp.where(mu < 100, exact, expansion)
