"""The transformations of Box and Cox."""

from __future__ import annotations

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike, promote_args_inexact


def _power(logarithm: Array, exponent: Array) -> Array:
    zero = jnp.equal(exponent, 0)
    safe = jnp.where(zero, 1, exponent)
    return jnp.where(zero, logarithm, lax.expm1(safe * logarithm) / safe)


def boxcox(x: ArrayLike, lmbda: ArrayLike) -> Array:
    """(x^lmbda - 1) / lmbda; log(x) where lmbda is 0."""
    x, lmbda = promote_args_inexact("boxcox", x, lmbda)
    return _power(jnp.log(x), jnp.asarray(lmbda))


def boxcox1p(x: ArrayLike, lmbda: ArrayLike) -> Array:
    """((1 + x)^lmbda - 1) / lmbda; log(1 + x) where lmbda is 0."""
    x, lmbda = promote_args_inexact("boxcox1p", x, lmbda)
    return _power(jnp.log1p(x), jnp.asarray(lmbda))
