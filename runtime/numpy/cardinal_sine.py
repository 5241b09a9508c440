"""`sinc`, whose derivatives at 0 are those of its Taylor series."""

from __future__ import annotations

import math
from functools import partial

from .. import lax
from ..core import Array
from ..transforms.custom_jvp import custom_jvp
from .promotion import ArrayLike, exactly_like, jitted, like, promote_args_inexact
from .selection import where


@jitted()
def sinc(x: ArrayLike, /) -> Array:
    """sin(pi x) / (pi x), 1 at 0."""
    (x,) = promote_args_inexact("sinc", x)
    zero = lax.eq(x, exactly_like(x, 0))
    scaled = lax.mul(like(x, math.pi), where(zero, like(x, 1), x))
    return where(zero, _sinc_at_zero(0, x), lax.div(lax.sin(scaled), scaled))


@partial(custom_jvp, nondiff_argnums=(0,))
def _sinc_at_zero(order: int, x: Array) -> Array:
    """A derivative of `sinc` at 0, from its Taylor series, for each element of `x`."""
    value = 0.0 if order % 2 else (-1) ** (order // 2) * math.pi**order / (order + 1)
    return lax.full_like(x, value)


@_sinc_at_zero.defjvp
def _sinc_at_zero_jvp(order: int, primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    return _sinc_at_zero(order, *primals), lax.mul(_sinc_at_zero(order + 1, *primals), *tangents)
