"""Quantiles, percentiles and medians, by rank or by weight."""

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
_ORDER_STATIC = ("axis", "out", "overwrite_input", "method", "keepdims")


def _check_order(name: str, out: Any, overwrite_input: bool) -> None:
    if out is not None or overwrite_input:
        raise ValueError(f"jax.numpy.{name} does not support overwrite_input=True or out != None")


def _operands(a: Any, weights: Any, axis: Axis, method: str) -> tuple[Array, Array | None]:
    """The data and their weights, in one type and shape. Raises what JAX does for weights that do not fit."""
    if weights is None:
        (x,) = promote_dtypes_inexact(a)
        return x, None
    if dtypes.dtype(weights).kind == "c":
        raise ValueError("Weights cannot be complex types.")
    if method != "inverted_cdf":
        raise NotImplementedError(
            f"{method} doesn't support weights. Only method 'inverted_cdf' supports weights."
        )
    x, mass = promote_dtypes_inexact(a, weights)
    if mass.shape != x.shape:
        if axis is None:
            raise ValueError("Weights shape must match 'a' shape when axis is None.")
        axes = reduced_axes(x.ndim, axis)
        expected = tuple(x.shape[d] for d in axes)
        if mass.shape != expected:
            raise ValueError(f"Weights shape {mass.shape} must match reduction axes {expected}")
        mass = lax.broadcast_in_dim(mass, x.shape, axes)
    return x, mass


def _quantile(
    name: str, a: Any, q: Any, axis: Axis, method: str, keepdims: bool, ignore_nan: bool, weights: Any
) -> Array:
    """Quantiles along axes, merged into one."""
    check_arraylike(name, a, q, *(() if weights is None else (weights,)))
    if method not in _METHODS:
        listed = ", ".join(map(repr, _METHODS[:-1]))
        raise ValueError(f"method can only be {listed} or {_METHODS[-1]!r}")
    x, mass = _operands(a, weights, axis, method)
    if x.dtype.kind == "c":
        raise ValueError("quantile does not support complex input, as the operation is poorly defined.")
    (level,) = promote_dtypes_inexact(q)
    if level.ndim > 1:
        raise ValueError(f"q must be have rank <= 1, got shape {level.shape}")
    level = lax.convert_element_type(level, x.dtype)
    axes = reduced_axes(x.ndim, axis)
    flat = _merged(x, axes)
    if flat.shape[-1] == 0:
        raise TypeError(f"{name} of an empty array has no value")
    if method == "inverted_cdf":
        result = _by_weight(
            flat, lax.full_like(flat, 1) if mass is None else _merged(mass, axes), level, ignore_nan
        )
    else:
        result = _by_rank(flat, level, method, ignore_nan)
    if keepdims:
        shape = [1 if d in axes else n for d, n in enumerate(x.shape)]
        result = lax.reshape(result, (*level.shape, *shape))
    return result


def _merged(x: Array, axes: tuple[int, ...]) -> Array:
    """`x` with `axes` merged into one, the last."""
    kept = [d for d in range(x.ndim) if d not in axes]
    shape = (*(x.shape[d] for d in kept), math.prod(x.shape[d] for d in axes))
    return lax.reshape(lax.transpose(x, [*kept, *axes]), shape)


def _for_each(level: Array, x: Array) -> Array:
    """`x`, repeated along new first axes for each level."""
    lead = level.ndim
    return lax.broadcast_in_dim(x, (*level.shape, *x.shape), tuple(range(lead, lead + x.ndim)))


def _at(rows: Array, place: Array) -> Array:
    """One element of each row."""
    index = lax.convert_element_type(lax.max(place, like(place, 0)), dtypes.int32)
    return lax.squeeze(take_along_axis(rows, lax.expand_dims(index, (place.ndim,)), axis=-1), (place.ndim,))


def _by_rank(flat: Array, level: Array, method: str, ignore_nan: bool) -> Array:
    """Elements at a fraction of the ranks; between two ranks `method` decides."""
    ordered = sort(flat, axis=-1)
    missing = lax.ne(ordered, ordered)
    if ignore_nan:
        count = reductions.sum(lax.bitwise_not(missing), -1, dtype=flat.dtype)
        last = lax.max(lax.sub(count, like(count, 1)), like(count, 0))
    else:
        ordered = where(reductions.any(missing, -1, keepdims=True), like(ordered, math.nan), ordered)
        last = lax.full(ordered.shape[:-1], ordered.shape[-1] - 1, flat.dtype)
    lasts = _for_each(level, last)
    position = lax.mul(lax.broadcast_in_dim(level, lasts.shape, tuple(range(level.ndim))), lasts)
    low = lax.floor(position)
    fraction = lax.sub(position, low)
    high = lax.min(lax.add(low, like(low, 1)), lasts)
    rows = _for_each(level, ordered)
    below, above = _at(rows, low), _at(rows, high)
    if method == "linear":
        result = lax.add(lax.mul(below, lax.sub(like(fraction, 1), fraction)), lax.mul(above, fraction))
    elif method == "lower":
        result = below
    elif method == "higher":
        result = where(lax.gt(fraction, like(fraction, 0)), above, below)
    elif method == "nearest":
        result = _at(rows, lax.round(position, lax.RoundingMethod.TO_NEAREST_EVEN))
    else:
        middle = lax.mul(lax.add(below, above), like(below, 0.5))
        result = where(lax.eq(fraction, like(fraction, 0)), below, middle)
    if not ignore_nan:
        return result
    return where(_for_each(level, lax.eq(count, like(count, 0))), like(result, math.nan), result)


def _by_weight(flat: Array, mass: Array, level: Array, ignore_nan: bool) -> Array:
    """The first elements at which a fraction of the weight is reached. Negative weights give NaN, as NaN does."""
    nan = lax.ne(flat, flat)
    ordered, mass = lax.sort((flat, mass), num_keys=1)
    missing = lax.ne(ordered, ordered)
    bad = lax.bitwise_or(lax.lt(mass, like(mass, 0)), lax.ne(mass, mass))
    reached = lax.cumsum(where(lax.bitwise_or(bad, missing), like(mass, 0), mass), flat.ndim - 1)
    total = _for_each(level, reached[..., -1])
    target = lax.mul(lax.broadcast_in_dim(level, total.shape, tuple(range(level.ndim))), total)
    short = lax.lt(_for_each(level, reached), lax.expand_dims(target, (target.ndim,)))
    place = reductions.sum(short, -1, dtype=dtypes.int32)
    count = reductions.sum(lax.bitwise_not(missing), -1, dtype=dtypes.int32)
    last = lax.sub(count, like(count, 1)) if ignore_nan else lax.full_like(count, flat.shape[-1] - 1)
    result = _at(_for_each(level, ordered), lax.min(place, _for_each(level, last)))
    unknown = lax.eq(count, like(count, 0)) if ignore_nan else reductions.any(nan, -1)
    unknown = lax.bitwise_or(unknown, reductions.any(bad, -1))
    return where(_for_each(level, unknown), like(result, math.nan), result)


@jitted(*_ORDER_STATIC)
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
    _check_order("quantile", out, overwrite_input)
    return _quantile("quantile", a, q, axis, method, keepdims, False, weights)


@jitted(*_ORDER_STATIC)
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
    _check_order("nanquantile", out, overwrite_input)
    return _quantile("nanquantile", a, q, axis, method, keepdims, True, weights)


@jitted(*_ORDER_STATIC, "out_sharding")
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
    _check_order("percentile", out, overwrite_input)
    x, level = promote_dtypes_inexact(a, q)
    return _quantile(
        "percentile",
        x,
        level / 100 if isinstance(level, Array) else asarray(level) / 100,
        axis,
        method,
        keepdims,
        False,
        weights,
    )


@jitted(*_ORDER_STATIC)
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
    _check_order("nanpercentile", out, overwrite_input)
    x, level = promote_dtypes_inexact(a, q)
    return _quantile("nanpercentile", x, asarray(level) / 100, axis, method, keepdims, True, weights)


@jitted("axis", "out", "overwrite_input", "keepdims")
def median(
    a: ArrayLike, axis: Axis = None, out: None = None, overwrite_input: bool = False, keepdims: bool = False
) -> Array:
    """Median."""
    _check_order("median", out, overwrite_input)
    return quantile(a, 0.5, axis=axis, keepdims=keepdims, method="midpoint")


@jitted("axis", "out", "overwrite_input", "keepdims")
def nanmedian(
    a: ArrayLike, axis: Axis = None, out: None = None, overwrite_input: bool = False, keepdims: bool = False
) -> Array:
    """Median of the elements that are not NaN."""
    _check_order("nanmedian", out, overwrite_input)
    return nanquantile(a, 0.5, axis=axis, keepdims=keepdims, method="midpoint")
