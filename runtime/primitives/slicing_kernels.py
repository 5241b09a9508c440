"""NumPy evaluation of slices, padding and concatenation."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

Values = np.ndarray[Any, Any]
Sizes: TypeAlias = tuple[int, ...]


def static_slice(x: Values, *, start_indices: Sizes, limit_indices: Sizes, strides: Sizes | None) -> Any:
    steps = strides or (1,) * x.ndim
    return x[tuple(map(slice, start_indices, limit_indices, steps))]


def pad(x: Values, value: Values, *, padding_config: tuple[tuple[int, int, int], ...]) -> Any:
    """Between elements first, then at the borders, where negative amounts cut off."""
    dilated = np.full(
        [n + max(0, n - 1) * inner for n, (_, _, inner) in zip(x.shape, padding_config)], value, x.dtype
    )
    dilated[tuple(slice(None, None, inner + 1) for _, _, inner in padding_config)] = x
    shape = [max(0, n + low + high) for n, (low, high, _) in zip(dilated.shape, padding_config)]
    result = np.full(shape, value, x.dtype)
    source, target = [], []
    for n, m, (low, _, _) in zip(dilated.shape, shape, padding_config):
        first, last = max(0, -low), min(n, m - low)
        source.append(slice(first, max(first, last)))
        target.append(slice(first + low, max(first, last) + low))
    result[tuple(target)] = dilated[tuple(source)]
    return result


def concatenate(*arrays: Values, dimension: int) -> Any:
    return np.concatenate(arrays, dimension)


def split(x: Values, *, sizes: Sizes, axis: int) -> list[Values]:
    return np.split(x, np.cumsum(sizes)[:-1].tolist(), axis)


def _window(shape: Sizes, sizes: Sizes, starts: tuple[Values, ...]) -> tuple[slice, ...]:
    places = []
    for n, size, start in zip(shape, sizes, starts):
        first = min(max(int(start), 0), n - size)
        places.append(slice(first, first + size))
    return tuple(places)


def dynamic_slice(x: Values, *starts: Values, slice_sizes: Sizes) -> Any:
    return x[_window(x.shape, slice_sizes, starts)].copy()


def dynamic_update_slice(x: Values, update: Values, *starts: Values) -> Any:
    result = x.copy()
    result[_window(x.shape, update.shape, starts)] = update
    return result
