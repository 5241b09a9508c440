"""Order statistics: quantiles, percentiles and medians, interpolated or weighted."""

from __future__ import annotations

import math
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from . import reductions
from .promotion import (
    ArrayLike,
    Axis,
    asarray,
    check_arraylike,
    jitted,
    like,
    promote_dtypes_inexact,
    reduced_axes,
)
from .selection import take_along_axis, where
from .sorting import sort

_METHODS = ("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf")


def _quantile(
    name: str, a: ArrayLike, q: Any, axis: Axis, method: str, keepdims: bool, ignore_nan: bool, weights: Any
) -> Array:
    """Quantiles along axes, merged into one; `q` keeps its type, the result has that of `a` as a float."""
    check_arraylike(name, a, q)
    if method not in _METHODS:
        listed = ", ".join(map(repr, _METHODS[:-1]))
        raise ValueError(f"method can only be {listed} or {_METHODS[-1]!r}")
    if weights is None:
        (x,) = promote_dtypes_inexact(a)
    else:
        x, weights = _weighted(name, a, weights, axis, method)
    if x.dtype.kind == "c":
        raise ValueError("quantile does not support complex input, as the operation is poorly defined.")
    if not x.ndim and axis is None:
        x = lax.reshape(x, (1,))
    level = asarray(q)
    if level.ndim > 1:
        raise ValueError(f"q must be have rank <= 1, got shape {level.shape}")
    axes = reduced_axes(x.ndim, axis)
    ordered = _merged(x, axes)
    if weights is None:
        ordered = sort(ordered, axis=-1)
    else:
        ordered, weights = lax.sort((ordered, _merged(weights, axes)), num_keys=1)
    result = lax.convert_element_type(_chosen(ordered, weights, level, method, ignore_nan), x.dtype)
    if keepdims:
        result = lax.reshape(result, (*level.shape, *(1 if d in axes else n for d, n in enumerate(x.shape))))
    return result


def _weighted(name: str, a: ArrayLike, weights: ArrayLike, axis: Axis, method: str) -> tuple[Array, Array]:
    """Elements and their weights, in one type and shape."""
    check_arraylike(name, weights)
    if dtypes.dtype(weights).kind == "c":
        raise ValueError("Weights cannot be complex types.")
    if method != "inverted_cdf":
        raise NotImplementedError(
            f"{method} doesn't support weights. Only method 'inverted_cdf' supports weights."
        )
    x, mass = (asarray(v) for v in promote_dtypes_inexact(a, weights))
    if mass.shape != x.shape:
        axes = () if axis is None else reduced_axes(x.ndim, axis)
        if mass.shape != tuple(x.shape[d] for d in axes) or not axes:
            raise ValueError(
                f"Weights of shape {mass.shape} fit neither the elements, {x.shape}, nor the axes {axis}"
            )
        mass = lax.broadcast_in_dim(mass, x.shape, axes)
    return x, mass


def _merged(x: Array, axes: tuple[int, ...]) -> Array:
    """`x` with these axes made one, the last."""
    kept = [d for d in range(x.ndim) if d not in axes]
    return lax.reshape(
        lax.transpose(x, [*kept, *axes]), (*(x.shape[d] for d in kept), math.prod(x.shape[d] for d in axes))
    )


def _chosen(ordered: Array, weights: Array | None, level: Array, method: str, ignore_nan: bool) -> Array:
    """The quantiles of sorted rows, of shape (*levels, *rows)."""
    levels, n = level.shape, ordered.shape[-1]
    missing = lax.ne(ordered, ordered)
    if ignore_nan:
        count = reductions.sum(lax.bitwise_not(missing), -1, dtype=level.dtype)
    else:
        poisoned = reductions.any(missing, -1, keepdims=True)
        ordered = where(poisoned, like(ordered, math.nan), ordered)
        count = lax.full(ordered.shape[:-1], n, level.dtype)
    if not n:
        if level.size or method == "inverted_cdf":
            raise (IndexError if ignore_nan else TypeError)("an empty array has no quantiles")
        return lax.full((*levels, *count.shape), 0, ordered.dtype)
    shape = (*levels, *count.shape)
    rows = lax.broadcast_in_dim(ordered, (*shape, n), tuple(range(len(levels), len(shape) + 1)))

    def per_row(x: Array) -> Array:
        return lax.broadcast_in_dim(x, shape, tuple(range(len(levels), len(shape))))

    def at(place: Array) -> Array:
        last = lax.convert_element_type(lax.max(lax.sub(count, like(count, 1)), like(count, 0)), place.dtype)
        index = lax.max(lax.min(place, per_row(last)), like(place, 0))
        index = lax.expand_dims(lax.convert_element_type(index, dtypes.int_default()), (place.ndim,))
        return lax.squeeze(take_along_axis(rows, index, axis=-1), (place.ndim,))

    wide = lax.broadcast_in_dim(level, shape, tuple(range(len(levels))))
    if method == "inverted_cdf":
        mass = lax.full_like(ordered, 1) if weights is None else weights
        bad = lax.bitwise_or(lax.lt(mass, like(mass, 0)), lax.ne(mass, mass))
        mass = lax.cumsum(where(lax.bitwise_or(bad, missing), like(mass, 0), mass), mass.ndim - 1)
        target = lax.mul(wide, per_row(mass[..., -1]))
        before = lax.lt(
            lax.broadcast_in_dim(mass, rows.shape, tuple(range(len(levels), rows.ndim))), target[..., None]
        )
        none = lax.eq(count, like(count, 0)) if ignore_nan else poisoned[..., 0]
        undefined = per_row(lax.bitwise_or(reductions.any(bad, -1), none))
        result = at(reductions.sum(before, -1))
        return where(undefined, like(result, math.nan), result)
    position = lax.mul(wide, per_row(lax.sub(count, like(count, 1))))
    low, high = lax.floor(position), lax.ceil(position)
    fraction = lax.sub(position, low)
    below, above = at(low), at(high)
    if method == "linear":
        below, above = (lax.convert_element_type(v, level.dtype) for v in (below, above))
        return lax.add(lax.mul(below, lax.sub(like(fraction, 1), fraction)), lax.mul(above, fraction))
    if method == "nearest":
        return lax.select(lax.le(fraction, like(fraction, 0.5)), below, above)
    if method == "midpoint":
        return lax.mul(lax.add(below, above), like(below, 0.5))
    return below if method == "lower" else above


_STATIC = ("axis", "out", "overwrite_input", "method", "keepdims")


def _refuse_output(name: str, out: Any, overwrite_input: bool) -> None:
    if out is not None or overwrite_input:
        raise ValueError(f"jax.numpy.{name} does not support overwrite_input=True or out != None")


def _hundredths(name: str, a: ArrayLike, q: ArrayLike) -> Array:
    """Percentages as the levels of quantiles."""
    check_arraylike(name, a, q)
    (level,) = promote_dtypes_inexact(q)
    return level / 100


@jitted(*_STATIC)
def quantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: Any = None,
    out: None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> Array:
    """Quantiles, interpolated by `method`."""
    _refuse_output("quantile", out, overwrite_input)
    return _quantile("quantile", a, q, axis, method, keepdims, False, weights)


@jitted(*_STATIC)
def nanquantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: Any = None,
    out: None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> Array:
    """Quantiles of the elements that are not NaN."""
    _refuse_output("nanquantile", out, overwrite_input)
    return _quantile("nanquantile", a, q, axis, method, keepdims, True, weights)


@jitted(*_STATIC, "out_sharding")
def percentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: Any = None,
    out: None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
    out_sharding: Any = None,
) -> Array:
    """Percentiles."""
    _refuse_output("percentile", out, overwrite_input)
    return _quantile("percentile", a, _hundredths("percentile", a, q), axis, method, keepdims, False, weights)


@jitted(*_STATIC)
def nanpercentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: Any = None,
    out: None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> Array:
    """Percentiles of the elements that are not NaN."""
    _refuse_output("nanpercentile", out, overwrite_input)
    return _quantile(
        "nanpercentile", a, _hundredths("nanpercentile", a, q), axis, method, keepdims, True, weights
    )


@jitted("axis", "out", "overwrite_input", "keepdims")
def median(
    a: ArrayLike, axis: Axis = None, out: None = None, overwrite_input: bool = False, keepdims: bool = False
) -> Array:
    """Median."""
    _refuse_output("median", out, overwrite_input)
    return quantile(a, 0.5, axis=axis, keepdims=keepdims, method="midpoint")


@jitted("axis", "out", "overwrite_input", "keepdims")
def nanmedian(
    a: ArrayLike, axis: Axis = None, out: None = None, overwrite_input: bool = False, keepdims: bool = False
) -> Array:
    """Median of the elements that are not NaN."""
    _refuse_output("nanmedian", out, overwrite_input)
    return nanquantile(a, 0.5, axis=axis, keepdims=keepdims, method="midpoint")
