"""`jax.scipy.stats.nbinom`: the negative binomial distribution: failures before the `n`-th success."""

from __future__ import annotations

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike
from ..special.entropies import xlog1py
from ..special.gammas import gammaln
from .standardization import floats


def logpmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Logarithm of the probability mass."""
    k, n, p, loc = floats("nbinom.logpmf", k, n, p, loc)
    k = k - loc
    choices = gammaln(k + n) - gammaln(n) - gammaln(k + 1)
    value = choices + n * lax.log(p) + xlog1py(k, -p)
    return jnp.where(k < 0, -jnp.inf, value)


def pmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Probability mass."""
    return lax.exp(logpmf(k, n, p, loc))
