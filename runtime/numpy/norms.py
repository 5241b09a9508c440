"""Norms of vectors and matrices: `jax.numpy.linalg.norm` and its array API relatives."""

from __future__ import annotations

import math
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from . import reductions
from .arithmetic import power
from .promotion import (
    ArrayLike,
    Axis,
    asarray,
    check_arraylike,
    concrete_axis,
    jitted,
    promote_dtypes_inexact,
    reduced_axes,
    require_static,
)
from .shaping import moveaxis
from .ufuncs import absolute


def _matrix(name: str, a: ArrayLike) -> Array:
    check_arraylike(f"jnp.linalg.{name}", a)
    (x,) = promote_dtypes_inexact(a)
    return x


@jitted("ord", "axis", "keepdims")
def norm(x: ArrayLike, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Array:
    """Norm of vectors or matrices."""
    value = _matrix("norm", x)
    if axis is None:
        if ord is None:
            total = reductions.sum(_square(value), None, keepdims=keepdims)
            return lax.sqrt(total)
        axes = tuple(range(value.ndim))
    else:
        axes = reduced_axes(value.ndim, axis)
    if len(axes) == 1:
        return _vector_norm(value, ord, axes, keepdims)
    if len(axes) == 2:
        return _matrix_norm(value, ord, axes, keepdims)
    raise ValueError(
        f"Improper number of axes for norm: axis={axes}. Pass one axis to compute a vector-norm, or two axes to compute a matrix-norm."
    )


def _square(x: Array) -> Array:
    return lax.real(x * lax.conj(x)) if x.dtype.kind == "c" else x * x


def _vector_norm(x: Array, ord: Any, axes: Axis, keepdims: bool) -> Array:
    """Of integers too, which stay integers but for the root: their powers wrap, and fractions in `ord` are lost."""
    if ord is None or ord == 2:
        total = reductions.sum(_square(x), axes, keepdims=keepdims)
        return lax.sqrt(promote_dtypes_inexact(total)[0])
    if isinstance(ord, str):
        raise ValueError(f"Invalid order '{ord}' for vector norm.")
    if ord == math.inf:
        return reductions.max(absolute(x), axes, keepdims=keepdims, initial=0)
    if ord == -math.inf:
        return reductions.min(absolute(x), axes, keepdims=keepdims)
    if ord == 0:
        real = dtypes.FloatInfo(x.dtype).dtype
        return reductions.sum(x != 0, axes, dtype=real, keepdims=keepdims)
    if ord == 1:
        return reductions.sum(absolute(x), axes, keepdims=keepdims)
    if x.dtype.kind in "fc":
        powered = absolute(x) ** ord
        return reductions.sum(powered, axes, keepdims=keepdims) ** (1.0 / ord)
    if not (exponent := int(ord)):
        raise TypeError(f"the vector norm of integers takes no order between -1 and 1, got ord={ord}")
    return reductions.sum(power(absolute(x), exponent), axes, keepdims=keepdims) ** int(1 / exponent)


def _matrix_norm(x: Array, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Array:
    row, column = axes
    if ord in (None, "f", "fro"):
        return lax.sqrt(reductions.sum(_square(x), axes, keepdims=keepdims))
    if ord in (1, -1, math.inf, -math.inf):
        inner, outer_axis = (row, column) if abs(ord) == 1 else (column, row)
        sums = reductions.sum(lax.abs(x), inner, keepdims=True)
        if ord > 0:
            result = reductions.max(sums, outer_axis, keepdims=True, initial=0)
        else:
            result = reductions.min(sums, outer_axis, keepdims=True)
        return result if keepdims else lax.squeeze(result, axes)
    if ord in (2, -2, "nuc"):
        from .decompositions import svd

        s = svd(moveaxis(x, axes, (-2, -1)), full_matrices=False, compute_uv=False)
        if ord == 2:
            value = reductions.max(s, -1, initial=0)
        else:
            value = reductions.min(s, -1) if ord == -2 else reductions.sum(s, -1)
        return lax.expand_dims(value, axes) if keepdims else value
    raise ValueError(f"Invalid order '{ord}' for matrix norm.")


def vector_norm(x: ArrayLike, /, *, axis: Axis = None, keepdims: bool = False, ord: Any = 2) -> Array:
    """Norm of vectors, of the flattened array by default."""
    check_arraylike("jnp.linalg.vector_norm", x)
    value = asarray(x)
    axes = reduced_axes(value.ndim, concrete_axis("linalg.vector_norm", axis))
    require_static("vector_norm", keepdims=keepdims)
    return _vector_norm(value, ord, axes, keepdims)


def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """Norm of the matrices in the last two axes."""
    return norm(x, ord=ord, keepdims=keepdims, axis=(-2, -1))
