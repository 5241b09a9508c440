"""The principal branch of the logarithm of the gamma function, over the complex plane."""

from __future__ import annotations

import math

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike, promote_args_inexact

#: How far an argument is shifted to the right, where Stirling's series needs few terms.
_SHIFT = 8
#: B_2k / (2k (2k - 1)), the coefficients of that series (DLMF 5.11.1).
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)


def loggamma(x: ArrayLike) -> Array:
    """log(gamma(x)) for positive real numbers, continued analytically over the complex plane, with a cut along the negative axis.

    A real argument gives a real result: NaN where it is not positive.
    """
    (z,) = promote_args_inexact("loggamma", x)
    if z.dtype.kind != "c":
        return jnp.where(z > 0, lax.lgamma(jnp.where(z > 0, z, 1)), math.nan)
    # The upper half-plane; the lower one is its mirror image.
    below = jnp.imag(z) < 0
    upper = jnp.where(below, lax.conj(z), z)
    left = jnp.real(upper) < 0.5
    right = _right_half(jnp.where(left, 1 - upper, upper))
    value = jnp.where(left, math.log(math.pi) - _log_sine(jnp.where(left, upper, 0.25)) - right, right)
    pole = (jnp.imag(z) == 0) & (jnp.real(z) <= 0) & (jnp.real(z) == lax.floor(jnp.real(z)))
    return jnp.where(pole, math.nan, jnp.where(below, lax.conj(value), value))


def _right_half(z: Array) -> Array:
    """By Stirling's series at z + 8 and the recurrence down from there; the sum of logarithms has no jumps."""
    shifted = z + _SHIFT
    inverse = 1 / shifted
    square = inverse * inverse
    series = jnp.zeros_like(z)
    for coefficient in reversed(_STIRLING):
        series = series * square + coefficient
    stirling = (shifted - 0.5) * lax.log(shifted) - shifted + 0.5 * math.log(2 * math.pi) + inverse * series
    for k in range(_SHIFT):
        stirling = stirling - lax.log(z + k)
    return stirling


def _log_sine(z: Array) -> Array:
    """log(sin(pi z)) in the upper half-plane, continued from (0, 1)."""
    # Whole periods are taken away before anything is multiplied by pi, and do not change the exponential.
    period = lax.round(jnp.real(z))
    turn = lax.exp(2j * math.pi * (z - period))
    return -1j * math.pi * (z - 0.5) - math.log(2) + lax.log1p(-turn)
