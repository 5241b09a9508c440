"""Window functions for filters, and the Bessel function that Kaiser's needs."""

from __future__ import annotations

import math
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from ..transforms.custom_jvp import custom_jvp
from .promotion import ArrayLike, concrete, jitted, promote_args_inexact
from .selection import where


def _ramp(name: str, M: Any) -> tuple[int, Array]:
    n = int(concrete(M, f"M argument of jnp.{name}"))
    return n, lax.iota(dtypes.float_default(), n)


def bartlett(M: int) -> Array:
    """Triangle."""
    n, k = _ramp("bartlett", M)
    return lax.full((n,), 1, k.dtype) if n <= 1 else 1.0 - lax.abs(2.0 * k + 1.0 - n) / (n - 1)


def blackman(M: int) -> Array:
    """Three cosine terms."""
    n, k = _ramp("blackman", M)
    if n <= 1:
        return lax.full((n,), 1, k.dtype)
    return 0.42 - 0.5 * lax.cos(2 * math.pi * k / (n - 1)) + 0.08 * lax.cos(4 * math.pi * k / (n - 1))


def hamming(M: int) -> Array:
    """Raised cosine on a pedestal."""
    n, k = _ramp("hamming", M)
    return lax.full((n,), 1, k.dtype) if n <= 1 else 0.54 - 0.46 * lax.cos(2 * math.pi * k / (n - 1))


def hanning(M: int) -> Array:
    """Raised cosine."""
    n, k = _ramp("hanning", M)
    return lax.full((n,), 1, k.dtype) if n <= 1 else 0.5 * (1 - lax.cos(2 * math.pi * k / (n - 1)))


def kaiser(M: int, beta: ArrayLike) -> Array:
    """Kaiser's window with shape parameter beta."""
    n, k = _ramp("kaiser", M)
    if n <= 1:
        return lax.full((n,), 1, k.dtype)
    alpha = 0.5 * (n - 1)
    return i0(beta * lax.sqrt(1 - ((k - alpha) / alpha) ** 2)) / i0(beta)


@custom_jvp
def _i0(x: Array) -> Array:
    magnitude = lax.abs(x)
    return lax.mul(lax.exp(magnitude), lax.bessel_i0e(magnitude))


@_i0.defjvp
def _i0_jvp(primals: Any, tangents: Any) -> Any:
    (x,), (t,) = primals, tangents
    return _i0(x), t * where(x == 0, 0.0, lax.exp(lax.abs(x)) * lax.bessel_i1e(x))


@jitted()
def i0(x: ArrayLike) -> Array:
    """Modified Bessel function of order 0."""
    (value,) = promote_args_inexact("i0", x)
    if value.dtype.kind == "c":
        raise ValueError(f"Unsupported input type to jax.numpy.i0: {value.dtype}")
    return _i0(value)
