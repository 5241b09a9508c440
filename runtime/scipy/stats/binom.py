"""`jax.scipy.stats.binom`: the binomial distribution of `n` trials with success probability `p`."""

from __future__ import annotations

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike
from ..special.entropies import xlog1py, xlogy
from ..special.gammas import gammaln
from .standardization import floats


def logpmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Logarithm of the probability mass."""
    k, n, p, loc = floats("binom.logpmf", k, n, p, loc)
    k = k - loc
    choices = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    value = choices + xlogy(k, p) + xlog1py(n - k, -p)
    return jnp.where((k >= 0) & (k < n + 1), value, -jnp.inf)


def pmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Probability mass."""
    return lax.exp(logpmf(k, n, p, loc))
