"""Removal of trends."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from ... import numpy as jnp
from ...core import Array
from ...lax import Precision
from ...numpy.promotion import ArrayLike, canonical_axis, promote_dtypes_inexact


def detrend(
    data: ArrayLike,
    axis: int = -1,
    type: str = "linear",
    bp: int | Sequence[int] | Any = 0,
    overwrite_data: None = None,
) -> Array:
    """`data` less its mean (``constant``), or less a line through each piece between breakpoints (``linear``).

    Raises ValueError for other types and for breakpoints out of range, NotImplementedError for `overwrite_data`.
    """
    if overwrite_data is not None:
        raise NotImplementedError("overwrite_data argument not implemented.")
    if type not in ("constant", "linear"):
        raise ValueError("Trend type must be 'linear' or 'constant'.")
    (x,) = promote_dtypes_inexact(jnp.asarray(data))
    if type == "constant":
        return x - x.mean(axis, keepdims=True)
    axis = canonical_axis(axis, x.ndim)
    length = x.shape[axis]
    given = list(bp) if hasattr(bp, "__iter__") else [bp]
    breaks = sorted({0, length, *map(int, given)})
    if breaks[0] < 0 or breaks[-1] > length:
        raise ValueError("Breakpoints must be non-negative and less than length of data along given axis.")
    rows = jnp.moveaxis(x, axis, 0)
    flat = rows.reshape(length, -1)
    pieces = [_less_a_line(flat[a:b]) for a, b in itertools.pairwise(breaks)]
    return jnp.moveaxis(jnp.concatenate(pieces).reshape(rows.shape), 0, axis)


def _less_a_line(piece: Array) -> Array:
    count = piece.shape[0]
    ramp = jnp.arange(1, count + 1, dtype=piece.dtype) / count
    lines = jnp.stack([jnp.ones_like(ramp), ramp], axis=1)
    return piece - jnp.matmul(lines, jnp.linalg.lstsq(lines, piece)[0], precision=Precision.HIGHEST)
