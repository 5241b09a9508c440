"""`jax.scipy.stats.betabinom`: the beta-binomial distribution of `n` trials."""

from __future__ import annotations

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike
from ..special.gammas import betaln
from .standardization import floats


def logpmf(k: ArrayLike, n: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Logarithm of the probability mass."""
    k, n, a, b, loc = floats("betabinom.logpmf", k, n, a, b, loc)
    k = lax.floor(k) - loc
    choices = -lax.log1p(n) - betaln(n - k + 1, k + 1)
    value = choices + betaln(k + a, n - k + b) - betaln(a, b)
    value = jnp.where((k < 0) | (k > n), -jnp.inf, value)
    return jnp.where((n < 0) | (a <= 0) | (b <= 0), jnp.nan, value)


def pmf(k: ArrayLike, n: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Probability mass."""
    return lax.exp(logpmf(k, n, a, b, loc))
