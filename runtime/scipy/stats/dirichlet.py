"""`jax.scipy.stats.dirichlet`: the Dirichlet distribution, over the first axis."""

from __future__ import annotations

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike, asarray, promote_dtypes_inexact
from ..special.entropies import xlogy
from ..special.gammas import gammaln


def logpdf(x: ArrayLike, alpha: ArrayLike) -> Array:
    """Logarithm of the density at points of the simplex; -inf elsewhere.

    The first axis of `x` has as many entries as `alpha`, or one less: then the last follows from the others.
    Raises ValueError when `alpha` is no vector or the lengths do not fit.
    """
    x, alpha = (asarray(v) for v in promote_dtypes_inexact(x, alpha))
    if alpha.ndim != 1:
        raise ValueError(f"`alpha` must be one-dimensional; got alpha.shape={alpha.shape}")
    if x.shape[0] not in (alpha.shape[0], alpha.shape[0] - 1):
        raise ValueError(
            f"`x` must have either the same number of entries as `alpha` or one entry fewer; got x.shape={x.shape}, "
            f"alpha.shape={alpha.shape}"
        )
    if x.shape[0] != alpha.shape[0]:
        x = jnp.concatenate([x, 1 - x.sum(0, keepdims=True)])
    norm = gammaln(alpha).sum() - gammaln(alpha.sum())
    exponents = alpha.reshape((-1,) + (1,) * (x.ndim - 1)) - 1
    on_simplex = (x >= 0).all(0) & (lax.abs(x.sum(0) - 1) < 1e-6)
    return jnp.where(on_simplex, xlogy(exponents, x).sum(0) - norm, -jnp.inf)


def pdf(x: ArrayLike, alpha: ArrayLike) -> Array:
    """Density."""
    return lax.exp(logpdf(x, alpha))
