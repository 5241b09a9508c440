"""Spherical harmonics."""

from __future__ import annotations

import math
from typing import Any

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import concrete


def _normalized_legendre(n_max: int, theta: Array) -> Array:
    """Associated Legendre functions of cos(theta), normalised as parts of harmonics, indexed by degree, order and point.

    Each order starts on the diagonal and goes up in degree, where the recurrence of three terms is stable (Holmes and
    Featherstone, "A unified approach to the Clenshaw summation", J. Geodesy 76, 2002).
    """
    x, sine = lax.cos(theta), lax.sin(theta)
    factor, power, diagonal = math.sqrt(1 / (4 * math.pi)), jnp.ones_like(x), []
    for m in range(n_max + 1):
        diagonal.append(factor * power)
        factor, power = -factor * math.sqrt((2 * m + 3) / (2 * m + 2)), power * sine
    first = jnp.stack(diagonal)
    orders = range(n_max + 1)
    before = last = jnp.zeros_like(first)
    degrees = []
    for n in range(n_max + 1):
        # Of orders below the degree. The others are replaced, or zero.
        ahead = [math.sqrt((4 * n * n - 1) / (n * n - m * m)) if m < n else 0.0 for m in orders]
        behind = [
            math.sqrt(((n - 1) ** 2 - m * m) / (4 * (n - 1) ** 2 - 1)) if m < n - 1 else 0.0 for m in orders
        ]
        column = jnp.array(ahead, x.dtype)[:, None]
        value = column * (x * last - jnp.array(behind, x.dtype)[:, None] * before)
        before, last = last, value.at[n].set(first[n])
        degrees.append(last)
    return jnp.stack(degrees)


def sph_harm_y(
    n: Array, m: Array, theta: Array, phi: Array, diff_n: int | None = None, n_max: int | None = None
) -> Array:
    """Spherical harmonics of degree `n`, at least one-dimensional, and order `m` (DLMF 14.30).

    `theta` is the polar and `phi` the azimuthal angle. `n_max`, the largest degree, must be given when `n` is traced.

    Raises:
        NotImplementedError: if derivatives are asked for by `diff_n`.
        ConcretizationTypeError: if `n_max` is not known while tracing.
    """
    if diff_n is not None:
        raise NotImplementedError("The 'diff_n' argument to jax.scipy.special.sph_harm_y is not supported.")
    largest: Any = jnp.max(n) if n_max is None else n_max
    known = int(
        concrete(
            largest, "The `n_max` argument of sph_harm_y must be static: give it when the degree is traced."
        )
    )
    degree, order = jnp.asarray(n), jnp.asarray(m)
    count = len(degree)
    angle = jnp.atleast_1d(jnp.asarray(theta) * 1.0)
    table = _normalized_legendre(known, angle)
    size = lax.abs(order)
    legendre = table[degree, size, jnp.arange(count)]
    turn = size * phi
    value = lax.complex(legendre * jnp.cos(turn), legendre * jnp.sin(turn))
    return jnp.where(order < 0, (-1.0) ** size * jnp.conj(value), value)
