"""Sorting and searching."""

from __future__ import annotations

import math
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from .promotion import ArrayLike, asarray, canonical_axis, check_arraylike, jitted, like, promote_dtypes
from .selection import put_along_axis, where


def _prepared(name: str, a: ArrayLike, axis: int | None) -> tuple[Array, int]:
    check_arraylike(name, a)
    x = asarray(a)
    if axis is None:
        return lax.reshape(x, (math.prod(x.shape),)), 0
    return x, canonical_axis(axis, x.ndim)


def _refuse(name: str, kind: None, order: None) -> None:
    if kind is not None:
        raise TypeError(
            f"'kind' argument to {name} is not supported. Use stable=True or stable=False to specify sort stability."
        )
    if order is not None:
        raise TypeError(f"'order' argument to {name} is not supported.")


@jitted("axis", "kind", "order", "stable", "descending")
def sort(
    a: ArrayLike,
    axis: int | None = -1,
    *,
    kind: None = None,
    order: None = None,
    stable: bool = True,
    descending: bool = False,
) -> Array:
    """Sorted copy; NaN last."""
    _refuse("sort", kind, order)
    x, dimension = _prepared("sort", a, axis)
    result = lax.sort(x, dimension, is_stable=stable)
    return lax.rev(result, (dimension,)) if descending else result


@jitted("axis", "kind", "order", "stable", "descending", "dtype")
def argsort(
    a: ArrayLike,
    axis: int | None = -1,
    *,
    kind: None = None,
    order: None = None,
    stable: bool = True,
    descending: bool = False,
    dtype: Any = None,
) -> Array:
    """Places of the elements in sorted order."""
    _refuse("argsort", kind, order)
    x, dimension = _prepared("argsort", a, axis)
    places = lax.broadcasted_iota(dtypes.int_default() if dtype is None else dtype, x.shape, dimension)
    if descending:
        # Reversed twice, so that equal elements keep their order.
        _, found = lax.sort_key_val(
            lax.rev(x, (dimension,)), lax.rev(places, (dimension,)), dimension, stable
        )
        return lax.rev(found, (dimension,))
    return lax.sort_key_val(x, places, dimension, stable)[1]


@jitted()
def sort_complex(a: ArrayLike) -> Array:
    """Sorted by real part, then imaginary part; always complex."""
    x, dimension = _prepared("sort_complex", a, -1)
    wide = "complex128" if x.dtype.itemsize == 8 else "complex64"
    return lax.convert_element_type(lax.sort(x, dimension), x.dtype if x.dtype.kind == "c" else wide)


@jitted("axis")
def lexsort(keys: Any, axis: int = -1) -> Array:
    """Places in the order of several keys, the last one first."""
    arrays = [asarray(k) for k in (keys if isinstance(keys, (list, tuple)) else list(keys))]
    if not arrays:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if len({k.shape for k in arrays}) > 1:
        raise ValueError("all keys need to be the same shape")
    if arrays[0].ndim == 0:
        return lax.full((), 0, dtypes.int_default())
    axis = canonical_axis(axis, arrays[0].ndim)
    places = lax.broadcasted_iota(dtypes.int_default(), arrays[0].shape, axis)
    found: Array = lax.sort((*arrays[::-1], places), axis, num_keys=len(arrays))[-1]
    return found


def _partitioned(name: str, a: ArrayLike, kth: int, axis: int, places: bool) -> Array:
    check_arraylike("partition", a)
    x = asarray(a)
    if x.dtype.kind == "c":
        raise NotImplementedError(f"jnp.{name} for complex dtype is not implemented.")
    dimension = canonical_axis(axis, x.ndim)
    n = x.shape[dimension]
    kth = canonical_axis(kth, n)
    unsigned = x.dtype.kind == "u"
    # An unsigned 0 is its own negative: counted from 1 it is the least.
    ascending = lax.neg(lax.add(x, like(x, 1)) if unsigned else x)
    low, low_places = lax.top_k(ascending, kth + 1, axis=dimension)
    if not places:
        least = lax.sub(lax.neg(low), like(x, 1)) if unsigned else lax.neg(low)
        return lax.concatenate([least, lax.top_k(x, n - kth - 1, axis=dimension)[0]], dimension)
    ones = lax.full(x.shape, 1.0)
    others = put_along_axis(ones, low_places, 0.0, dimension, inplace=False)
    return lax.concatenate([low_places, lax.top_k(others, n - kth - 1, axis=dimension)[1]], dimension)


@jitted("kth", "axis")
def partition(a: ArrayLike, kth: int, axis: int = -1) -> Array:
    """A copy with the k-th smallest element in place, smaller ones before, larger ones after."""
    return _partitioned("partition", a, kth, axis, False)


@jitted("kth", "axis")
def argpartition(a: ArrayLike, kth: int, axis: int = -1) -> Array:
    """Places of the elements in the order of `partition`."""
    return _partitioned("argpartition", a, kth, axis, True)


@jitted("side", "method")
def searchsorted(
    a: ArrayLike, v: ArrayLike, side: str = "left", sorter: ArrayLike | None = None, *, method: str = "scan"
) -> Array:
    """Where elements of v would stand in the sorted vector a."""
    check_arraylike("searchsorted", a, v)
    if side not in ("left", "right"):
        raise ValueError(
            f"{side!r} is an invalid value for keyword 'side'. Expected one of ['left', 'right']."
        )
    if method not in ("scan", "scan_unrolled", "sort", "compare_all", "compare_all_uint8", "default"):
        raise ValueError(f"{method!r} is an invalid value for keyword 'method'.")
    x, y = (asarray(u) for u in promote_dtypes(a, v))
    if x.ndim != 1:
        raise ValueError("a should be 1-dimensional")
    if sorter is not None:
        x = x[asarray(sorter)]
    n = x.shape[0]
    if n == 0:
        return lax.full_like(y, 0, dtypes.int32)
    # A binary search of whole arrays: one bit of the answer a round.
    low = lax.full(y.shape, 0, dtypes.int32)
    high = lax.full(y.shape, n, dtypes.int32)
    for _ in range(n.bit_length()):
        middle = lax.add(low, lax.div(lax.sub(high, low), like(low, 2)))
        element = x[middle]
        goes_left = _before(y, element) if side == "right" else lax.bitwise_not(_before(element, y))
        low = lax.select(goes_left, low, middle)
        high = lax.select(goes_left, middle, high)
    return high


def _before(x: Array, y: Array) -> Array:
    """x < y with NaN largest; complex numbers go by their real parts first."""
    if x.dtype.kind == "c":
        first, same = _before(x.real, y.real), lax.bitwise_not(_before(y.real, x.real))
        return lax.bitwise_or(first, lax.bitwise_and(same, _before(x.imag, y.imag)))
    smaller = lax.lt(x, y)
    if dtypes.is_inexact(x.dtype):
        return lax.bitwise_or(smaller, lax.bitwise_and(lax.ne(y, y), lax.eq(x, x)))
    return smaller


@jitted("right", "method")
def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False, *, method: str | None = None) -> Array:
    """The bin of each element, for increasing or decreasing edges."""
    check_arraylike("digitize", x, bins)
    edges = asarray(bins)
    if edges.ndim != 1:
        raise ValueError(f"digitize: bins must be a 1-dimensional array; got {edges.shape}")
    if edges.shape[0] == 0:
        return lax.full_like(asarray(x), 0, dtypes.int32)
    side = "right" if not right else "left"
    rising = edges[-1] >= edges[0]
    falling = lax.sub(
        dtypes.scalar(edges.shape[0], dtypes.int32),
        searchsorted(lax.rev(edges, (0,)), x, side=side),
    )
    return where(rising, searchsorted(edges, x, side=side), falling)
