"""`jax.scipy.integrate`."""

from __future__ import annotations

from .. import numpy as jnp
from ..core import Array
from ..numpy.promotion import ArrayLike


def trapezoid(y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1) -> Array:
    """Integral along an axis by the trapezoidal rule."""
    return jnp.trapezoid(y, x, dx, axis)
