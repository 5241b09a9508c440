"""Integrals of the Gaussian that have no primitive: Dawson's integral and the scaled complementary error function."""

from __future__ import annotations

import math
from typing import Any

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...lax.elementwise import convert_to
from ...numpy.promotion import ArrayLike, promote_args_inexact
from ...transforms.custom_jvp import custom_jvp

_ROOT_PI = math.sqrt(math.pi)
#: Rybicki's sum: a step this small leaves an error of exp(-(pi / 2 step)^2), below the precision of float64.
_STEP = 0.25
_TERMS = 13
_ASYMPTOTIC_TERMS, _POWER_TERMS = 9, 14
#: Where the continued fraction of erfcx takes over from its definition, and how many of its terms are needed there.
_FRACTION_FROM = 2.0
_FRACTION_TERMS = 60


@custom_jvp
def _dawsn(x: Array) -> Array:
    """Rybicki's method: exponentially convergent sampling of the Hilbert transform of a Gaussian."""
    size = lax.abs(x)
    near = lax.min(size, jnp.full_like(size, 12.0))
    even = 2 * lax.round(near / (2 * _STEP))
    rest = near - even * _STEP
    total = jnp.zeros_like(near)
    for k in range(-2 * _TERMS + 1, 2 * _TERMS, 2):
        place = even + k
        total = total + lax.exp(-lax.square(rest - k * _STEP)) / place
    # Far away the asymptotic series needs few terms.
    far = lax.max(size, jnp.full_like(size, 12.0))
    inverse = 1 / lax.square(far)
    series = jnp.zeros_like(far)
    for k in range(_ASYMPTOTIC_TERMS, 0, -1):
        series = (k - 0.5) * inverse * (1 + series)
    value = jnp.where(size < 12.0, total / _ROOT_PI, (0.5 / far) * (1 + series))
    # Near zero the samples cancel, and the power series has only a few terms.
    square = lax.square(lax.min(size, jnp.full_like(size, 0.5)))
    power = jnp.zeros_like(size)
    for k in range(_POWER_TERMS, 0, -1):
        power = -2 * square / (2 * k + 1) * (1 + power)
    value = jnp.where(size < 0.5, size * (1 + power), value)
    return jnp.where(jnp.isnan(x), x, lax.sign(x) * value)


@_dawsn.defjvp
def _dawsn_jvp(primals: Any, tangents: Any) -> Any:
    (x,), (t,) = primals, tangents
    value = _dawsn(x)
    return value, t * (1 - 2 * x * value)


def dawsn(x: ArrayLike) -> Array:
    """Dawson's integral exp(-x^2) int_0^x exp(t^2) dt (Rybicki, 1989)."""
    (x,) = promote_args_inexact("dawsn", x)
    if x.dtype.kind == "c":
        raise ValueError("dawsn does not support complex-valued inputs.")
    return _dawsn(convert_to(x, x.dtype, False))


@custom_jvp
def _erfcx(x: Array) -> Array:
    small = lax.min(lax.abs(x), jnp.full_like(x, _FRACTION_FROM))
    direct = lax.exp(lax.square(small)) * lax.erfc(small)
    large = lax.max(lax.abs(x), jnp.full_like(x, _FRACTION_FROM))
    fraction = large
    for k in range(_FRACTION_TERMS, 0, -1):
        fraction = large + (0.5 * k) / fraction
    value = jnp.where(lax.abs(x) < _FRACTION_FROM, direct, 1 / (_ROOT_PI * fraction))
    return jnp.where(x < 0, 2 * lax.exp(lax.square(x)) - value, value)


@_erfcx.defjvp
def _erfcx_jvp(primals: Any, tangents: Any) -> Any:
    (x,), (t,) = primals, tangents
    value = _erfcx(x)
    return value, t * (2 * x * value - 2 / _ROOT_PI)


def erfcx(x: ArrayLike) -> Array:
    """exp(x^2) erfc(x), which neither over- nor underflows for positive x."""
    (x,) = promote_args_inexact("erfcx", x)
    if x.dtype.kind == "c":
        from .faddeeva import wofz

        return wofz(lax.complex(-lax.imag(x), lax.real(x)))
    return _erfcx(convert_to(x, x.dtype, False))
