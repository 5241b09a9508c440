"""`jax.scipy.stats.multinomial`: the multinomial distribution of `n` trials, over the last axis; what is not a single split of `n` has probability 0, as in JAX."""

from __future__ import annotations

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike, asarray
from ..special.entropies import xlogy
from ..special.gammas import gammaln
from .standardization import floats


def logpmf(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    """Logarithm of the probability mass."""
    x, p = floats("multinomial.logpmf", x, p)
    n = asarray(n)
    ways = gammaln(n.astype(x.dtype) + 1)
    value = ways + (xlogy(x, p) - gammaln(x + 1)).sum(-1)
    return jnp.where(x.sum() == n, value, -jnp.inf)


def pmf(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    """Probability mass."""
    return lax.exp(logpmf(x, n, p))
