"""`jax.scipy.stats.multivariate_normal`: the normal distribution of vectors."""

from __future__ import annotations

import math

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike, asarray, promote_dtypes_inexact
from ...primitives.linalg import solve_triangular

_LOG_TWO_PI = math.log(2 * math.pi)


def logpdf(x: ArrayLike, mean: ArrayLike, cov: ArrayLike, allow_singular: None = None) -> Array:
    """Logarithm of the density, for the vectors in the last axis of `x`.

    `mean` and `cov` may be scalars. Raises ValueError where the shapes of mean and covariance do not fit, and
    NotImplementedError for `allow_singular`, as JAX does. A covariance that is not positive definite gives NaN.
    """
    if allow_singular is not None:
        raise NotImplementedError("allow_singular argument of multivariate_normal.logpdf")
    x, mean, cov = (asarray(v) for v in promote_dtypes_inexact(x, mean, cov))
    gap = x - mean
    if not mean.shape:
        return -0.5 * (lax.square(gap) / cov + _LOG_TWO_PI + lax.log(cov))
    n = mean.shape[-1]
    if not cov.shape:
        return -0.5 * (lax.square(gap).sum(-1) / cov + n * (_LOG_TWO_PI + lax.log(cov)))
    if cov.ndim < 2 or cov.shape[-2:] != (n, n):
        raise ValueError("multivariate_normal.logpdf got incompatible shapes")
    factor = jnp.linalg.cholesky(cov)
    lead = lax.broadcast_shapes(gap.shape[:-1], cov.shape[:-2])
    white = solve_triangular(
        jnp.broadcast_to(factor, (*lead, n, n)),
        jnp.broadcast_to(gap, (*lead, n))[..., None],
        left=True,
        lower=True,
    )
    half_log_determinant = lax.log(jnp.diagonal(factor, axis1=-2, axis2=-1)).sum(-1)
    return -0.5 * (jnp.square(white[..., 0]).sum(-1) + n * _LOG_TWO_PI) - half_log_determinant


def pdf(x: ArrayLike, mean: ArrayLike, cov: ArrayLike) -> Array:
    """Density."""
    return lax.exp(logpdf(x, mean, cov))
