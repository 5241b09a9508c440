"""Cumulative sums and products."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from .promotion import ArrayLike, asarray, canonical_axis, check_arraylike, jitted, like, refuse_out
from .selection import where


def _accumulate(
    name: str,
    primitive: Callable[..., Array],
    a: ArrayLike,
    axis: int | None,
    dtype: Any,
    neutral: int | None,
) -> Array:
    """Cumulate over one axis, or over the flattened array; `neutral` replaces NaN where it is given."""
    check_arraylike(name, a)
    x = asarray(a)
    if axis is None or isinstance(a, (bool, int, float, complex)):
        x, axis = lax.reshape(x, (math.prod(x.shape),)) if x.ndim != 1 else x, 0
    axis = canonical_axis(axis, x.ndim)
    if neutral is not None and dtypes.issubdtype(x.dtype, dtypes.inexact):
        x = where(lax.ne(x, x), like(x, neutral), x)
    if dtype is None and x.dtype.kind == "b":
        dtype = dtypes.int_default()
    x = lax.convert_element_type(x, x.dtype if dtype is None else dtypes.canonical(dtype))
    return primitive(x, axis=axis)


@jitted("axis", "dtype")
def cumsum(a: ArrayLike, axis: int | None = None, dtype: Any = None, out: None = None) -> Array:
    """Cumulative sum."""
    refuse_out("cumsum", out)
    return _accumulate("cumsum", lax.cumsum, a, axis, dtype, None)


@jitted("axis", "dtype")
def cumprod(a: ArrayLike, axis: int | None = None, dtype: Any = None, out: None = None) -> Array:
    """Cumulative product."""
    refuse_out("cumprod", out)
    return _accumulate("cumprod", lax.cumprod, a, axis, dtype, None)


@jitted("axis", "dtype")
def nancumsum(a: ArrayLike, axis: int | None = None, dtype: Any = None, out: None = None) -> Array:
    """Cumulative sum that takes NaN as 0."""
    refuse_out("nancumsum", out)
    return _accumulate("nancumsum", lax.cumsum, a, axis, dtype, 0)


@jitted("axis", "dtype")
def nancumprod(a: ArrayLike, axis: int | None = None, dtype: Any = None, out: None = None) -> Array:
    """Cumulative product that takes NaN as 1."""
    refuse_out("nancumprod", out)
    return _accumulate("nancumprod", lax.cumprod, a, axis, dtype, 1)


@jitted("axis", "dtype", name="_cumsum_with_promotion")
def _cumsum_with_promotion(a: ArrayLike, axis: int | None = None, dtype: Any = None) -> Array:
    x = asarray(a)
    if dtype is None and x.dtype.kind in "iu":
        default = dtypes.int_default() if x.dtype.kind == "i" else dtypes.uint_default()
        dtype = default if x.dtype.itemsize < default.itemsize else x.dtype
    return _accumulate("cumsum", lax.cumsum, x, axis, dtype, None)


def _array_api(
    name: str,
    x: ArrayLike,
    axis: int | None,
    include_initial: bool,
    neutral: int,
    accumulate: Callable[..., Array],
) -> Array:
    check_arraylike(name, x)
    x = asarray(x)
    if x.ndim == 0:
        raise ValueError(
            "The input must be non-scalar to take a cumulative sum, however a scalar value or scalar array was given."
        )
    if axis is None:
        if x.ndim > 1:
            raise ValueError(
                f"The input array has rank {x.ndim}, however axis was not set to an explicit value. The axis argument is only optional for one-dimensional arrays."
            )
        axis = 0
    axis = canonical_axis(operator.index(axis), x.ndim)
    result = accumulate(x, axis)
    if include_initial:
        shape = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
        result = lax.concatenate([lax.full(shape, neutral, result.dtype), result], axis)
    return result


def cumulative_sum(
    x: ArrayLike, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Array:
    """Cumulative sum of the array API: one axis, optionally starting with 0."""
    return _array_api(
        "cumulative_sum",
        x,
        axis,
        include_initial,
        0,
        lambda v, d: _cumsum_with_promotion(v, axis=d, dtype=dtype),
    )


def cumulative_prod(
    x: ArrayLike, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Array:
    """Cumulative product of the array API: one axis, optionally starting with 1."""

    def product(v: Array, d: int) -> Array:
        return _accumulate("cumulative_prod", lax.cumprod, v, d, dtype, None)

    return _array_api("cumulative_prod", x, axis, include_initial, 1, product)
