"""Exponential integrals and Spence's function, by series and continued fractions."""

from __future__ import annotations

import math

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...lax.elementwise import convert_to
from ...numpy.promotion import ArrayLike, promote_args_inexact
from .normal import single_or_double

_EULER = 0.5772156649015329
_TERMS = 60


def exp1(x: ArrayLike) -> Array:
    """E_1(x)."""
    return expn(1, x)


def _power_series(x: Array) -> Array:
    """sum of x^k / (k k!), good for |x| up to about 20."""
    term = total = x
    for k in range(2, _TERMS):
        term = term * x / k
        total = total + term / k
    return total


def expi(x: ArrayLike) -> Array:
    """Exponential integral Ei(x)."""
    (value,) = promote_args_inexact("expi", x)
    x = convert_to(value, value.dtype, False)
    near = jnp.clip(x, -10, 20)
    series = _EULER + lax.log(lax.abs(near)) + _power_series(near)
    far = jnp.where(x > 20, x, 25.0)
    term = total = jnp.ones_like(far)
    for k in range(1, 20):
        term = term * k / far
        total = total + term
    positive = jnp.where(x > 20, lax.exp(far) / far * total, series)
    value = jnp.where(x < -1, -expn(1, jnp.where(x < -1, -x, 1.0)), positive)
    return jnp.where((x == 0) | jnp.isinf(x), math.nan, value)  # JAX's values there, not the limits.


def expn(n: ArrayLike, x: ArrayLike) -> Array:
    """Generalised exponential integral E_n(x)."""
    n, x = jnp.broadcast_arrays(*promote_args_inexact("expn", n, x))
    n, x = (convert_to(value, value.dtype, False) for value in (n, x))
    # Above 1: the continued fraction of Lentz, evaluated backwards.
    large = jnp.maximum(x, 1.0)
    fraction = large
    for k in range(_TERMS, 0, -1):
        fraction = large + (n + k - 1) / (1 + k / fraction)
    tail = lax.exp(-large) / fraction
    # Below: the power series (DLMF 8.19.8) with its logarithmic term.
    small = jnp.clip(x, 0.0, 1.0)
    safe = jnp.where(small == 0, 1.0, small)
    psi = lax.digamma(n)
    leading = _signed_power(-safe, n - 1)
    log_term = leading / lax.exp(lax.lgamma(n)) * (psi - lax.log(safe))
    term = jnp.ones_like(safe)
    total = jnp.zeros_like(safe)
    for k in range(_TERMS // 2):
        if k:
            term = term * -safe / k
        gap = k - n + 1
        total = total + jnp.where(gap == 0, 0.0, term / jnp.where(gap == 0, 1.0, gap))
    series = log_term - total
    value = jnp.where(x > 1, tail, series)
    at_zero = jnp.where(n >= 2, 1 / jnp.maximum(n, 2.0), math.inf)  # JAX's value; the limit is 1 / (n - 1).
    value = jnp.where(x == 0, at_zero, value)
    value = jnp.where(n == 0, lax.exp(-x) / x, value)
    # Infinity, and orders between integers below 1: JAX's values, not those of the function.
    undefined = (x < 0) | jnp.isinf(x) | ((x <= 1) & (n != lax.floor(n)))
    return jnp.where(undefined, math.nan, value)


def _signed_power(x: Array, n: Array) -> Array:
    """x to an integral power held as a float, for negative x."""
    magnitude = lax.exp(n * lax.log(lax.abs(x)))
    return jnp.where((n % 2) == 1, -magnitude, magnitude)


def spence(x: ArrayLike) -> Array:
    """Dilogarithm of 1 - x, by its series near 1 and reflections elsewhere."""
    x = single_or_double("spence", x)
    large = x > 1.5
    inverse = 1 / jnp.where(large, x, 1.0)
    y = jnp.where(large, inverse, x)
    tiny = y < 0.5
    w = jnp.where(tiny, y, 1 - y)
    term = total = w
    for k in range(2, _TERMS):
        term = term * w
        total = total + term / (k * k)
    safe = jnp.where((y == 0) | (y == 1), 0.5, y)
    reflected = math.pi**2 / 6 - lax.log(safe) * lax.log1p(-safe) - total
    value = jnp.where(tiny, jnp.where(y == 0, math.pi**2 / 6, reflected), total)
    flipped = -0.5 * lax.square(lax.log(jnp.where(large, x, 1.0))) - value
    return jnp.where((x < 0) | (x == math.inf), math.nan, jnp.where(large, flipped, value))
