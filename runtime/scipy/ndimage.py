"""`jax.scipy.ndimage`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

from .. import lax
from .. import numpy as jnp
from ..core import Array
from ..numpy.promotion import ArrayLike, asarray


def _mirrored(index: Array, size: int) -> Array:
    """Reflected about the outermost elements."""
    last = size - 1
    return jnp.abs((index + last) % (2 * last) - last) if last else jnp.zeros_like(index)


def _reflected(index: Array, size: int) -> Array:
    """Reflected about the outer edges of the outermost elements."""
    return jnp.floor_divide(_mirrored(2 * index + 1, 2 * size + 1), 2)


#: Where an index outside is taken from.
_MODES: dict[str, Callable[[Array, int], Array]] = {
    "constant": lambda index, size: index,
    "nearest": lambda index, size: jnp.clip(index, 0, size - 1),
    "wrap": lambda index, size: index % size,
    "mirror": _mirrored,
    "reflect": _reflected,
}


def _away_from_zero(x: Array) -> Array:
    return x if x.dtype.kind in "iu" else lax.round(x)


def _nodes(coordinate: Array, order: int) -> list[tuple[Array, Any]]:
    """The places between which is interpolated along one axis, with their weights."""
    if order == 0:
        return [(_away_from_zero(coordinate).astype("int32"), 1)]
    low = jnp.floor(coordinate)
    upper = coordinate - low
    index = low.astype("int32")
    return [(index, 1 - upper), (index + 1, upper)]


def map_coordinates(
    input: ArrayLike,
    coordinates: Sequence[ArrayLike],
    order: int,
    mode: str = "constant",
    cval: ArrayLike = 0.0,
) -> Array:
    """The values of `input` between its elements, at one array of coordinates for each of its axes.

    `order` is 0 (the nearest element) or 1 (linear); `mode` says what lies outside: ``constant`` (`cval`), ``nearest``,
    ``wrap``, ``mirror`` or ``reflect``. Raises ValueError for too few or too many coordinates, NotImplementedError for
    other orders and modes.
    """
    x = asarray(input)
    if len(coordinates) != x.ndim:
        raise ValueError(
            f"coordinates must be a sequence of length input.ndim, but {len(coordinates)} != {x.ndim}"
        )
    if mode not in _MODES:
        raise NotImplementedError(
            f"jax.scipy.ndimage.map_coordinates does not support mode {mode}. Supported modes are {set(_MODES)}."
        )
    if order not in (0, 1):
        raise NotImplementedError("jax.scipy.ndimage.map_coordinates currently requires order<=1")
    fill = asarray(cval, x.dtype)
    axes = []
    for coordinate, size in zip(coordinates, x.shape):
        nodes = _nodes(asarray(coordinate), order)
        axes.append([(_MODES[mode](i, size), (i >= 0) & (i < size), weight) for i, weight in nodes])
    total: Any = None
    for corner in itertools.product(*axes):
        value = x[tuple(index for index, _, _ in corner)]
        if mode == "constant" and corner:
            inside = corner[0][1]
            for _, valid, _ in corner[1:]:
                inside = inside & valid
            value = jnp.where(inside, value, fill)
        part = math.prod((weight for _, _, weight in corner), start=1) * value
        total = part if total is None else total + part
    if x.dtype.kind in "iu":
        total = _away_from_zero(total)
    return total.astype(x.dtype)
