"""Integrals of oscillating functions: the sine and cosine integrals and those of Fresnel."""

from __future__ import annotations

import math
from typing import Any

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...lax.elementwise import convert_to
from ...numpy.promotion import ArrayLike, promote_args_inexact
from ...transforms.custom_jvp import custom_jvp
from .faddeeva import wofz

_EULER = 0.5772156649015329
#: Where continued fractions take over from the power series, and how many terms both need in float64.
_FAR = 4.0
_SERIES_TERMS, _FRACTION_TERMS = 18, 40
#: Up to where Fresnel's integrals are summed as power series, which keep their relative accuracy near zero.
_NEAR = 1.5


def _real(name: str, x: ArrayLike) -> tuple[Array, Any]:
    """The argument in at least single precision, and the type of the result."""
    (value,) = promote_args_inexact(name, x)
    dtype = value.dtype
    if dtype.kind == "c":
        return value, dtype
    return convert_to(value, jnp.float32 if dtype.itemsize < 4 else dtype, False), dtype


@custom_jvp
def _sici(x: Array) -> tuple[Array, Array]:
    size = lax.abs(x)
    near = lax.min(size, jnp.full_like(size, _FAR))
    # sin t / t and (cos t - 1) / t, integrated term by term (DLMF 6.6.5 and 6.6.6).
    term, sine, cosine = near, near, jnp.zeros_like(near)
    for k in range(2, 2 * _SERIES_TERMS, 2):
        term = -term * near / k
        cosine = cosine + term / k
        term = term * near / (k + 1)
        sine = sine + term / (k + 1)
    cosine = cosine + (_EULER + lax.log(near))
    # exp(z) E_1(z) at z = ix (DLMF 6.9.1), contracted to half as many steps and evaluated backwards.
    z = lax.complex(jnp.zeros_like(size), jnp.clip(size, _FAR, jnp.finfo(size.dtype).max / 4))
    fraction = z + (2 * _FRACTION_TERMS + 1)
    for k in range(_FRACTION_TERMS, 0, -1):
        fraction = z + (2 * k - 1) - (k * k) / fraction
    g, f = jnp.real(1 / fraction), -jnp.imag(1 / fraction)
    ends = jnp.isinf(x)
    angle = jnp.where(ends, 0.0, size)
    cos, sin = lax.cos(angle), lax.sin(angle)
    far_sine = math.pi / 2 - jnp.where(ends, 0.0, f * cos + g * sin)
    far_cosine = jnp.where(ends, 0.0, f * sin - g * cos)
    far = size > _FAR
    sine = jnp.copysign(jnp.where(far, far_sine, sine), x)
    cosine = jnp.where(far, far_cosine, cosine)
    return jnp.where(jnp.isnan(x), x, sine), jnp.where(x == -math.inf, math.nan, cosine)


@_sici.defjvp
def _sici_jvp(primals: Any, tangents: Any) -> Any:
    (x,), (t,) = primals, tangents
    slope = jnp.where(x == 0, 1.0, lax.sin(x) / jnp.where(x == 0, 1.0, x))
    return _sici(x), (t * slope, t * (lax.cos(x) / x))


def sici(x: ArrayLike) -> tuple[Array, Array]:
    """The sine integral Si(x) and the cosine integral Ci(x) of real numbers, by series and a continued fraction.

    Ci of a negative number is the real part of the principal value, as in SciPy. Raises ValueError for complex numbers.
    """
    value, dtype = _real("sici", x)
    if dtype.kind == "c":
        raise ValueError(f"Argument `x` to sici must be real-valued. Got dtype {dtype}.")
    sine, cosine = _sici(value)
    return convert_to(sine, dtype, False), convert_to(cosine, dtype, False)


def _quarter_turns(x: Array) -> Array:
    """pi/2 x^2 less whole turns."""
    square = x * x
    # Numbers whose squares overflow are even.
    square = jnp.where(jnp.isinf(square) & jnp.isfinite(x), 0.0, square)
    return (math.pi / 2) * lax.rem(square, jnp.full_like(x, 4.0))


@custom_jvp
def _fresnel(x: Array) -> tuple[Array, Array]:
    size = lax.abs(x)
    near = lax.min(size, jnp.full_like(size, _NEAR))
    square = (math.pi / 2) * near * near
    # Powers of the exponent i pi t^2 / 2, integrated: even ones belong to the cosine, odd ones to the sine.
    term, cosine, sine = near, near, jnp.zeros_like(near)
    for k in range(1, 2 * _SERIES_TERMS, 2):
        term = term * square / k
        sine = sine + term / (2 * k + 1)
        term = -term * square / (k + 1)
        cosine = cosine + term / (2 * k + 3)
    # C + iS = (1 + i)/2 erf(z) with z = sqrt(pi)/2 (1 - i) x (DLMF 7.5.8), erf by Faddeeva's function.
    largest = math.sqrt(jnp.finfo(size.dtype).max) / 4
    far = jnp.clip(size, _NEAR, largest)
    place = (math.sqrt(math.pi) / 2) * far
    w = wofz(lax.complex(place, place))
    angle = _quarter_turns(far)
    cos, sin = lax.cos(angle), lax.sin(angle)
    # w decays as 1/x, so nothing of it is left where x^2 would overflow.
    rest_cosine = jnp.real(w) * (cos - sin) - jnp.imag(w) * (cos + sin)
    rest_sine = jnp.real(w) * (cos + sin) + jnp.imag(w) * (cos - sin)
    large = size > _NEAR
    cosine = jnp.where(large, 0.5 - 0.5 * rest_cosine, cosine)
    sine = jnp.where(large, 0.5 - 0.5 * rest_sine, sine)
    sign = lax.sign(x)
    return sign * sine, sign * cosine


@_fresnel.defjvp
def _fresnel_jvp(primals: Any, tangents: Any) -> Any:
    (x,), (t,) = primals, tangents
    angle = _quarter_turns(x)
    return _fresnel(x), (t * lax.sin(angle), t * lax.cos(angle))


def fresnel(x: ArrayLike) -> tuple[Array, Array]:
    """Fresnel's integrals S(x) of sin(pi t^2 / 2) and C(x) of cos(pi t^2 / 2), of real numbers.

    Raises NotImplementedError for complex numbers, as JAX does.
    """
    value, dtype = _real("fresnel", x)
    if dtype.kind == "c":
        raise NotImplementedError("Support for complex-valued inputs is not implemented yet.")
    sine, cosine = _fresnel(value)
    return convert_to(sine, dtype, False), convert_to(cosine, dtype, False)
