"""Owen's T function, which gives areas under the bivariate normal density."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...lax.elementwise import convert_to
from ...numpy.promotion import ArrayLike, asarray, promote_args_inexact
from ...transforms.custom_jvp import custom_jvp

#: Nodes of the quadrature on [0, 1]: the positive half of a Gaussian rule, as the integrand is even.
_NODES = 20


@custom_jvp
def _owens_t(h: Array, a: Array) -> Array:
    h, size = lax.abs(h), lax.abs(a)
    # Above 1 the function of the reciprocal slope is integrated: T(h, a) + T(ah, 1/a) is known (Owen, 1956).
    steep = size > 1
    turned = h * size
    slope = jnp.where(steep, 1 / size, size)
    height = jnp.where(steep, turned, h)
    nodes, weights = np.polynomial.legendre.leggauss(2 * _NODES)
    exponent = -0.5 * height * height
    total = jnp.zeros_like(exponent)
    for node, weight in zip(nodes[_NODES:].tolist(), weights[_NODES:].tolist()):
        around = 1 + lax.square(slope * node)
        total = total + weight * lax.exp(exponent * around) / around
    value = total * slope / (2 * math.pi)
    tails = [0.5 * lax.erfc(x / math.sqrt(2)) for x in (h, turned)]
    whole = 0.5 * (tails[0] + tails[1]) - tails[0] * tails[1]
    return jnp.where(a < 0, -1.0, 1.0) * jnp.where(steep, whole - value, value)


@_owens_t.defjvp
def _owens_t_jvp(primals: Any, tangents: Any) -> Any:
    (h, a), (h_dot, a_dot) = primals, tangents
    by_h = -lax.exp(-0.5 * h * h) * lax.erf(a * h / math.sqrt(2)) / (2 * math.sqrt(2 * math.pi))
    around = 1 + a * a
    by_a = lax.exp(-0.5 * h * h * around) / (2 * math.pi * around)
    return _owens_t(h, a), by_h * h_dot + by_a * a_dot


def owens_t(h: ArrayLike, a: ArrayLike) -> Array:
    """T(h, a), the integral of exp(-h^2 (1 + x^2) / 2) / (1 + x^2) / (2 pi) over x from 0 to a, by Gaussian quadrature.

    The result has at least single precision.
    """
    h, a = map(asarray, promote_args_inexact("owens_t", h, a))
    dtype = jnp.float32 if h.dtype.itemsize < 4 else h.dtype
    return _owens_t(convert_to(h, dtype, False), convert_to(a, dtype, False))
