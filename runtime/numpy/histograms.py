"""Counting: histograms and bincounts."""

from __future__ import annotations

import operator
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from . import reductions
from .creation import linspace
from .promotion import ArrayLike, asarray, check_arraylike, concrete, promote_dtypes_inexact
from .selection import clip, where
from .shaping import ravel, stack
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
        size = max(minlength, int(host.max()) + 1 if host.size else 0)
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
            raise ValueError("shape of weights must match shape of x.")
        counts = lax.full((size,), 0, amounts.dtype)
    return counts.at[clip(values, 0)].add(amounts, mode="drop")


def histogram_bin_edges(a: ArrayLike, bins: Any = 10, range: Any = None, weights: Any = None) -> Array:
    """Edges of equal bins over the range of the data, or the given edges."""
    if isinstance(bins, str):
        raise NotImplementedError("string values for `bins` not implemented.")
    check_arraylike("histogram_bin_edges", a)
    x = ravel(asarray(a))
    kind = dtypes.to_inexact(x.dtype)
    if len(dtypes.shape(bins)) == 1:
        return asarray(bins)
    count = operator.index(concrete(bins, "bins argument of histogram_bin_edges"))
    if range is None:
        low, high = (reductions.min(x), reductions.max(x)) if x.size else (0, 1)
    else:
        low, high = range
        if len(dtypes.shape(range)) != 1:
            raise ValueError(f"`range` must be either None or a sequence of scalars, got {range}")
    low, high = asarray(low, kind), asarray(high, kind)
    flat = lax.eq(high, low)
    low, high = where(flat, low - 0.5, low), where(flat, high + 0.5, high)
    return linspace(low, high, count + 1, dtype=kind)


def histogram(
    a: ArrayLike,
    bins: Any = 10,
    range: Any = None,
    weights: Any = None,
    density: Any = None,
) -> tuple[Array, Array]:
    """Counts in bins, and the edges of the bins."""
    if weights is None:
        check_arraylike("histogram", a)
        (x,) = promote_dtypes_inexact(a)
        mass: Any = lax.full_like(x, 1)
    else:
        check_arraylike("histogram", a, weights)
        if dtypes.shape(a) != dtypes.shape(weights):
            raise ValueError("weights should have the same shape as a.")
        x, mass = (asarray(v) for v in promote_dtypes_inexact(a, weights))
    edges = histogram_bin_edges(x, bins, range, mass)
    x = ravel(x)
    n = edges.shape[0] - 1
    place = searchsorted(edges, x, side="right")
    place = where(x == edges[-1], n, place)
    counts: Any = lax.full((n + 2,), 0, mass.dtype).at[where(x < edges[0], 0, place)].add(ravel(mass))
    counts = counts[1:-1] if n + 2 > 2 else counts[:0]
    if bool(density) if density is not None else False:
        counts = counts / diff(edges) / reductions.sum(counts)
    return counts, edges


def histogramdd(
    sample: Any,
    bins: Any = 10,
    range: Any = None,
    weights: Any = None,
    density: Any = None,
) -> tuple[Array, list[Array]]:
    """Counts in the cells of a grid, and the edges along each axis."""
    check_arraylike("histogramdd", sample)
    (points,) = promote_dtypes_inexact(sample)
    count, dims = points.shape
    if range is not None and len(range) != dims:
        raise ValueError(f"For sample.ndim={dims}, need {dims} bins and ranges.")
    per_axis = list(bins) if isinstance(bins, (list, tuple)) else [bins] * dims
    if len(per_axis) != dims:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    edges = [
        histogram_bin_edges(points[:, d], b, None if range is None else range[d], weights)
        for d, b in enumerate(per_axis)
    ]
    sizes = tuple(e.shape[0] + 1 for e in edges)
    linear: Any = lax.full((count,), 0, dtypes.int_default())
    for d, e in enumerate(edges):
        place = searchsorted(e, points[:, d], side="right")
        place = where(points[:, d] == e[-1], e.shape[0] - 1, place)
        linear = linear * sizes[d] + place
    total = 1
    for n in sizes:
        total *= n
    mass = lax.full((count,), 1, dtypes.int_default()) if weights is None else asarray(weights)
    counts: Any = lax.full((total,), 0, mass.dtype).at[linear].add(mass).reshape(sizes)
    counts = counts[tuple(slice(1, -1) for _ in sizes)]
    if bool(density) if density is not None else False:
        volume: Any = 1
        for d, e in enumerate(edges):
            volume = volume * diff(e).reshape([-1 if i == d else 1 for i, _ in enumerate(edges)])
        counts = counts / reductions.sum(counts) / volume
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
    if not isinstance(bins, (list, tuple)):
        per_axis = [bins, bins]
    else:
        per_axis = list(bins) if len(bins) == 2 else [asarray(bins)] * 2
    first, second = promote_dtypes_inexact(x, y)
    counts, edges = histogramdd(
        stack([ravel(asarray(first)), ravel(asarray(second))], 1), per_axis, range, weights, density
    )
    return counts, edges[0], edges[1]
