"""Packing of bits, and conversion between flat and multi-dimensional indices."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from . import reductions
from .promotion import (
    ArrayLike,
    asarray,
    canonical_axis,
    check_arraylike,
    concrete,
    jitted,
    like,
    require_static,
)
from .selection import clip, nonzero, where
from .shaping import moveaxis, ravel


@jitted("axis", "bitorder")
def packbits(a: ArrayLike, axis: int | None = None, bitorder: str = "big") -> Array:
    """Pack truth values into bytes."""
    check_arraylike("packbits", a)
    x = asarray(a)
    if x.dtype.kind not in "iub":
        raise TypeError("Expected an input array of integer or boolean data type")
    if bitorder not in ("little", "big"):
        raise ValueError("'order' must be either 'little' or 'big'")
    bits = lax.convert_element_type(lax.ne(x, like(x, 0)), dtypes.uint8)
    shifts = lax.iota(dtypes.uint8, 8)
    if bitorder == "big":
        shifts = lax.rev(shifts, (0,))
    if axis is None:
        bits, axis = ravel(bits), 0
    axis = canonical_axis(axis, bits.ndim)
    bits = moveaxis(bits, axis, -1)
    missing = -bits.shape[-1] % 8
    if missing:
        bits = lax.pad(
            bits, dtypes.scalar(0, dtypes.uint8), [(0, 0, 0)] * (bits.ndim - 1) + [(0, missing, 0)]
        )
    grouped = lax.reshape(bits, (*bits.shape[:-1], bits.shape[-1] // 8, 8))
    shifted = lax.shift_left(grouped, lax.broadcast_to_rank(shifts, grouped.ndim))
    packed = lax.convert_element_type(reductions.sum(shifted, -1), dtypes.uint8)
    return moveaxis(packed, -1, axis)


@jitted("axis", "count", "bitorder")
def unpackbits(
    a: ArrayLike, axis: int | None = None, count: int | None = None, bitorder: str = "big"
) -> Array:
    """Unpack bytes into bits."""
    check_arraylike("unpackbits", a)
    x = asarray(a)
    if x.dtype.name != "uint8":
        raise TypeError("Expected an input array of unsigned byte data type")
    if bitorder not in ("little", "big"):
        raise ValueError("'order' must be either 'little' or 'big'")
    masks = lax.shift_left(dtypes.scalar(1, dtypes.uint8), lax.iota(dtypes.uint8, 8))
    if bitorder == "big":
        masks = lax.rev(masks, (0,))
    if axis is None:
        x, axis = ravel(x), 0
    axis = canonical_axis(axis, x.ndim)
    x = moveaxis(x, axis, -1)
    hit = lax.bitwise_and(lax.expand_dims(x, (x.ndim,)), lax.broadcast_to_rank(masks, x.ndim + 1))
    bits = lax.convert_element_type(lax.gt(hit, like(hit, 0)), dtypes.uint8)
    bits = lax.reshape(bits, (*x.shape[:-1], x.shape[-1] * 8))
    if count is not None:
        if count > bits.shape[-1]:
            bits = lax.pad(
                bits,
                dtypes.scalar(0, dtypes.uint8),
                [(0, 0, 0)] * (bits.ndim - 1) + [(0, count - bits.shape[-1], 0)],
            )
        else:
            bits = bits[..., :count]
    return moveaxis(bits, -1, axis)


def ravel_multi_index(
    multi_index: Sequence[ArrayLike],
    dims: Sequence[int],
    mode: str = "raise",
    order: str = "C",
    *,
    dtype: Any = None,
) -> Array:
    """Flat indices from one index array for each axis."""
    if len(multi_index) != len(dims):
        raise AssertionError(f"ravel_multi_index: {len(multi_index)} index arrays for {len(dims)} dimensions")
    sizes = tuple(operator.index(concrete(d, "in `dims` argument of ravel_multi_index().")) for d in dims)
    check_arraylike("ravel_multi_index", *multi_index)
    columns = [asarray(i) for i in multi_index]
    result = dtypes.result_type(int, *columns) if dtype is None else dtypes.canonical(dtype)
    if result.kind not in "iu":
        raise ValueError(f"dtype={result} is not an integer type.")
    if math.prod(sizes) - 1 > int(dtypes.iinfo(result).max):
        raise ValueError(f"jnp.ravel_multi_index: {result} is too small for the flat indices of dims={sizes}")
    for c in columns:
        if mode == "raise":
            concrete(
                c,
                "The error occurred because ravel_multi_index was jit-compiled with mode='raise'. Use mode='wrap' or mode='clip' instead.",
            )
        if c.dtype.kind not in "iu":
            raise TypeError("only int indices permitted")
    if mode == "raise":
        if any(reductions.any((c < 0) | (c >= n)) for c, n in zip(columns, sizes)):
            raise ValueError("invalid entry in coordinates array")
    elif mode == "clip":
        columns = [clip(c, 0, n - 1) for c, n in zip(columns, sizes)]
    elif mode == "wrap":
        columns = [c % n for c, n in zip(columns, sizes)]
    elif mode != "ignore":
        raise ValueError(f"invalid mode={mode!r}. Expected 'raise', 'wrap', 'clip', or 'ignore'.")
    if order not in ("C", "F"):
        raise ValueError(f"invalid order={order!r}. Expected 'C' or 'F'")
    strides = [math.prod(sizes[d + 1 :]) if order == "C" else math.prod(sizes[:d]) for d in range(len(sizes))]
    total: Any = lax.full((), 0, result)
    for column, stride in zip(columns, strides):
        total = total + lax.convert_element_type(column, result) * stride
    return total


def unravel_index(indices: ArrayLike, shape: Any) -> tuple[Array, ...]:
    """One index array for each axis from flat indices; those out of bounds give the nearest corner."""
    from .arithmetic import divmod

    check_arraylike("unravel_index", indices)
    x = asarray(indices)
    try:
        sizes = list(shape)
    except TypeError:
        sizes = [shape]
    if any(dtypes.shape(n) for n in sizes):
        raise ValueError("unravel_index: shape should be a scalar or 1D sequence.")
    places: list[Any] = []
    for n in reversed(sizes):
        x, place = divmod(x, n)
        places.append(place)
    below = x < -1 if x.dtype.kind != "u" else asarray(False)
    return tuple(where(x > 0, n - 1, where(below, 0, i)) for n, i in zip(sizes, reversed(places)))


def mask_indices(
    n: int, mask_func: Callable[..., Any], k: int = 0, *, size: int | None = None
) -> tuple[Array, ...]:
    """Indices where a mask function of an n by n matrix is nonzero."""
    from .creation import ones

    require_static("mask_indices", k=k)
    matrix = mask_func(ones((n, n)), k)
    return nonzero(matrix, size=size)
