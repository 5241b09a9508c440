"""`jax.scipy.stats.gennorm`: the generalised normal distribution, of density proportional to ``exp(-|x| ** beta)``."""

from __future__ import annotations

from ... import lax
from ...core import Array
from ...numpy.promotion import ArrayLike
from ..special.gammas import gammainc, gammaln
from .standardization import floats


def logpdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Logarithm of the density."""
    x, beta = floats("gennorm.logpdf", x, beta)
    return lax.log(0.5 * beta) - gammaln(1 / beta) - lax.abs(x) ** beta


def pdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Density."""
    return lax.exp(logpdf(x, beta))


def cdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Distribution function."""
    x, beta = floats("gennorm.cdf", x, beta)
    return 0.5 * (1 + lax.sign(x) * gammainc(1 / beta, lax.abs(x) ** beta))
