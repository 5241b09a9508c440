"""The Faddeeva function, the scaled complementary error function of complex numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike, promote_args_inexact
from ...transforms.custom_jvp import custom_jvp

_ROOT_PI = math.sqrt(math.pi)
#: Terms of Weideman's series, enough for double precision.
_TERMS = 40


def _coefficients() -> tuple[float, list[float]]:
    """The scale of the mapping of the line to a circle, and the Fourier coefficients on the circle, highest first."""
    scale = math.sqrt(_TERMS / math.sqrt(2))
    angles = np.arange(-2 * _TERMS + 1, 2 * _TERMS) * np.pi / (2 * _TERMS)
    places = scale * np.tan(angles / 2)
    values = np.concatenate([[0.0], np.exp(-(places**2)) * (scale**2 + places**2)])
    found = np.fft.fft(np.fft.fftshift(values)).real / (4 * _TERMS)
    return scale, [float(c) for c in found[_TERMS:0:-1]]


@custom_jvp
def _wofz(z: Array) -> Array:
    lower = jnp.imag(z) < 0
    upper = jnp.where(lower, -z, z)
    scale, coefficients = _coefficients()
    below = scale - 1j * upper
    circle = (scale + 1j * upper) / below
    total = jnp.zeros_like(upper)
    for coefficient in coefficients:
        total = total * circle + coefficient
    value = 2 * total / (below * below) + (1 / _ROOT_PI) / below
    return jnp.where(lower, 2 * lax.exp(-z * z) - value, value)


@_wofz.defjvp
def _wofz_jvp(primals: Any, tangents: Any) -> Any:
    (z,), (t,) = primals, tangents
    value = _wofz(z)
    return value, t * (2j / _ROOT_PI - 2 * z * value)


def wofz(z: ArrayLike) -> Array:
    """w(z) = exp(-z^2) erfc(-iz), complex, by a rational series (Weideman, SIAM J. Numer. Anal. 31, 1994)."""
    (z,) = promote_args_inexact("wofz", z)
    wide = jnp.complex128 if z.dtype.name in ("float64", "complex128") else jnp.complex64
    return _wofz(z.astype(wide))
