"""Counting: histograms and bincounts."""

from __future__ import annotations

import math
import operator
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from . import reductions
from .creation import linspace
from .promotion import ArrayLike, asarray, check_arraylike, concrete, promote_dtypes_inexact
from .selection import clip, where
from .shaping import concatenate
from .sorting import searchsorted
from .statistics import diff


def bincount(
    x: ArrayLike,
    weights: ArrayLike | None = None,
    minlength: int = 0,
    *,
    length: int | None = None,
    out_sharding: Any = None,
) -> Array:
    """Number (or summed weight) of each non-negative integer; the length must be concrete."""
    check_arraylike("bincount", x)
    values = asarray(x)
    if values.dtype.kind not in "iub":
        raise TypeError(f"x argument to bincount must have an integer type; got {values.dtype}")
    if values.ndim != 1:
        raise ValueError("only 1-dimensional input supported.")
    minlength = operator.index(
        concrete(minlength, "The error occurred because of argument 'minlength' of jnp.bincount.")
    )
    if length is None:
        import numpy as np

        host = np.asarray(
            concrete(
                values,
                "The error occurred because of argument 'x' of jnp.bincount. To avoid this error, pass a static `length` argument.",
            )
        )
        size = max(minlength, max(0, int(host.max())) + 1 if host.size else 0)
    else:
        size = operator.index(
            concrete(length, "The error occurred because of argument 'length' of jnp.bincount.")
        )
    if weights is None:
        counts: Any = lax.full((size,), 0, dtypes.int_default())
        amounts: Any = lax.full((), 1, dtypes.int_default())
    else:
        amounts = asarray(weights)
        if amounts.shape != values.shape:
            raise ValueError(
                f"type of weights must match type of x. Got typeof(x)={values.aval.str_short()}({{}}) and "
                f"typeof(weights)={amounts.aval.str_short()}({{}})"
            )
        counts = lax.full((size,), 0, amounts.dtype)
    return counts.at[clip(values, 0)].add(amounts, mode="drop")


def histogram_bin_edges(a: ArrayLike, bins: Any = 10, range: Any = None, weights: Any = None) -> Array:
    """Edges of equal bins over the range of the data, or the given edges, as floats."""
    if isinstance(bins, str):
        raise NotImplementedError("string values for `bins` not implemented.")
    check_arraylike("histogram_bin_edges", a, bins)
    x = asarray(a)
    kind = dtypes.to_inexact(x.dtype)
    if len(dtypes.shape(bins)) == 1:
        return asarray(bins, kind)
    count = operator.index(concrete(bins, "bins argument of histogram_bin_edges"))
    limits = asarray([reductions.min(x), reductions.max(x)] if range is None else range, kind)
    if limits.shape != (2,):
        raise ValueError(f"`range` must be either None or a sequence of scalars, got {range}")
    low, high = limits[0], limits[1]
    flat = lax.eq(low, high)
    return linspace(where(flat, low - 0.5, low), where(flat, high + 0.5, high), count + 1, dtype=kind)


def _bins_of(x: Array, edges: Array) -> Array:
    """The bin of each element, from 1 on: 0 below the first edge; the last edge belongs to the last bin."""
    place = searchsorted(edges, x, side="right")
    return where(x == edges[-1], place - 1, place)


def histogram(
    a: ArrayLike,
    bins: Any = 10,
    range: Any = None,
    weights: Any = None,
    density: Any = None,
) -> tuple[Array, Array]:
    """Counts in bins, and the edges of the bins."""
    if weights is None:
        check_arraylike("histogram", a, bins)
        (x,) = promote_dtypes_inexact(a)
        mass: Any = lax.full_like(x, 1)
    else:
        check_arraylike("histogram", a, bins, weights)
        if dtypes.shape(a) != dtypes.shape(weights):
            raise ValueError("weights should have the same shape as a.")
        x, mass = (asarray(v) for v in promote_dtypes_inexact(a, weights))
    edges = histogram_bin_edges(x, bins, range, mass)
    # What lies beyond the last edge is dropped.
    counts = lax.full((edges.shape[0],), 0, mass.dtype).at[_bins_of(x, edges)].add(mass)[1:]
    if density:
        counts = counts / diff(edges) / reductions.sum(counts)
    return counts, edges


def _bins_per_axis(bins: Any, dims: int) -> list[Any]:
    try:
        found = list(bins)
    except TypeError:
        return [bins] * dims
    if len(found) != dims:
        raise ValueError(f"should be a bin for each dimension: {len(found)} for {dims} dimensions.")
    return found


def histogramdd(
    sample: Any,
    bins: Any = 10,
    range: Any = None,
    weights: Any = None,
    density: Any = None,
) -> tuple[Array, list[Array]]:
    """Counts in the cells of a grid, and the edges along each axis."""
    if weights is None:
        check_arraylike("histogramdd", sample)
        (points,) = promote_dtypes_inexact(sample)
        mass = lax.full(dtypes.shape(points)[:1], 1, dtypes.int_default())
    else:
        check_arraylike("histogramdd", sample, weights)
        if dtypes.shape(weights) != dtypes.shape(sample)[:1]:
            raise ValueError("should have one weight for each sample.")
        points, mass = (asarray(v) for v in promote_dtypes_inexact(sample, weights))
    _, dims = points.shape
    if range is not None and (
        len(range) != dims or any(r is not None and dtypes.shape(r)[0] != 2 for r in range)
    ):
        raise ValueError(f"range must be a sequence of {dims} pairs or Nones; got {range=}")
    edges = [
        histogram_bin_edges(points[:, d], b, None if range is None else range[d])
        for d, b in enumerate(_bins_per_axis(bins, dims))
    ]
    sizes = tuple(e.shape[0] + 1 for e in edges)
    cell: Any = 0
    for d, e in enumerate(edges):
        cell = cell * sizes[d] + _bins_of(points[:, d], e)
    counts: Any = lax.full((math.prod(sizes),), 0, mass.dtype).at[cell].add(mass).reshape(sizes)
    counts = counts[(slice(1, -1),) * dims]
    if density:
        counts = counts.astype(points.dtype) / reductions.sum(counts)
        for d, e in enumerate(edges):
            counts = counts / diff(e).reshape([-1 if i == d else 1 for i, _ in enumerate(edges)])
    return counts, edges


def histogram2d(
    x: ArrayLike,
    y: ArrayLike,
    bins: Any = 10,
    range: Any = None,
    weights: Any = None,
    density: Any = None,
) -> tuple[Array, Array, Array]:
    """Counts in the cells of a plane grid, and the edges along both axes."""
    check_arraylike("histogram2d", x, y)
    try:
        several = len(bins) > 2
    except TypeError:
        several = False
    if several:
        bins = [asarray(bins)] * 2
    counts, edges = histogramdd(
        concatenate([asarray(x)[None], asarray(y)[None]]).T, bins, range, weights, density
    )
    return counts, edges[0], edges[1]
