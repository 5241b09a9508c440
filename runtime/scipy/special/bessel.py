"""Bessel functions."""

from __future__ import annotations

import operator

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike, concrete, promote_args_inexact


def i0e(x: ArrayLike) -> Array:
    """exp(-|x|) I_0(x)."""
    return lax.bessel_i0e(*promote_args_inexact("i0e", x))


def i0(x: ArrayLike) -> Array:
    """Modified Bessel function of order 0."""
    (x,) = promote_args_inexact("i0", x)
    return lax.mul(lax.exp(lax.abs(x)), lax.bessel_i0e(x))


def i1e(x: ArrayLike) -> Array:
    """exp(-|x|) I_1(x)."""
    return lax.bessel_i1e(*promote_args_inexact("i1e", x))


def i1(x: ArrayLike) -> Array:
    """Modified Bessel function of order 1."""
    (x,) = promote_args_inexact("i1", x)
    return lax.mul(lax.exp(lax.abs(x)), lax.bessel_i1e(x))


def bessel_jn(z: ArrayLike, *, v: int, n_iter: int = 50) -> Array:
    """J_0(z), ..., J_v(z) by Miller's backward recurrence, along a new first axis."""
    (z,) = promote_args_inexact("bessel_jn", z)
    order = operator.index(concrete(v, "Argument v of bessel_jn."))
    rounds = operator.index(concrete(n_iter, "Argument n_iter of bessel_jn."))
    later, now = jnp.zeros_like(z), jnp.full_like(z, 1e-16)
    total = jnp.zeros_like(z)
    kept = []
    for k in range(rounds - 1, -1, -1):
        now, later = 2 * (k + 1) * now / z - later, now
        if k % 2 == 0:
            total = total + 2 * now
        if k <= order:
            kept.append(now)
    return jnp.stack(kept[::-1]) / (total - now)
