"""What the distributions do first: promote their arguments, and take location and scale away."""

from __future__ import annotations

from ...core import Array
from ...lax import types
from ...lax.elementwise import convert_to
from ...numpy.promotion import ArrayLike, asarray, promote_args_inexact


def floats(name: str, *xs: ArrayLike) -> list[Array]:
    """The arguments as arrays of their common floating type, which is weak only when all are scalars.

    Raises TypeError for what is no array.
    """
    arrays = [asarray(x) for x in promote_args_inexact(name, *xs)]
    weak = all(types.weak_type(x) for x in xs)
    return arrays if weak else [convert_to(x, x.dtype, False) for x in arrays]


def standardized(
    name: str, x: ArrayLike, *shapes: ArrayLike, loc: ArrayLike, scale: ArrayLike
) -> tuple[Array, ...]:
    """``(x - loc) / scale``, the parameters `shapes`, and the scale, promoted together."""
    x, *parameters, loc, scale = floats(name, x, *shapes, loc, scale)
    return ((x - loc) / scale, *parameters, scale)
