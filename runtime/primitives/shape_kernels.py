"""NumPy evaluation of the primitives that change shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype

Values = np.ndarray[Any, Any]


def broadcast_in_dim(
    x: Values, *, shape: tuple[int, ...], broadcast_dimensions: tuple[int, ...], sharding: Any = None
) -> Any:
    lengths = [1] * len(shape)
    for position, length in zip(broadcast_dimensions, x.shape):
        lengths[position] = length
    return np.broadcast_to(x.reshape(lengths), shape).copy()


def reshape(x: Values, *, new_sizes: tuple[int, ...], dimensions: Any = None, sharding: Any = None) -> Any:
    return (x if dimensions is None else np.transpose(x, dimensions)).reshape(new_sizes)


def transpose(x: Values, *, permutation: tuple[int, ...]) -> Any:
    return np.transpose(x, permutation)


def squeeze(x: Values, *, dimensions: tuple[int, ...]) -> Any:
    return np.squeeze(x, dimensions)


def rev(x: Values, *, dimensions: tuple[int, ...]) -> Any:
    return np.flip(x, dimensions)


def iota(*, dtype: Any, shape: tuple[int, ...], dimension: int, sharding: Any = None) -> Any:
    line = np.arange(shape[dimension], dtype=as_dtype(dtype).storage)
    return np.broadcast_to(
        line.reshape([-1 if d == dimension else 1 for d in range(len(shape))]), shape
    ).copy()


def tile(x: Values, *, reps: tuple[int, ...]) -> Any:
    return np.tile(x, reps)
