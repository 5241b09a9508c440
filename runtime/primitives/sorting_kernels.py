"""NumPy evaluation of sorting. NaN is the largest value; equal elements keep their order."""

from __future__ import annotations

from typing import Any

import numpy as np

Values = np.ndarray[Any, Any]


def sort(*operands: Values, dimension: int, is_stable: bool, num_keys: int) -> list[Values]:
    """All operands in the order of the first `num_keys`, compared lexicographically."""
    if len(operands) == 1:
        return [np.sort(operands[0], axis=dimension, kind="stable" if is_stable else None)]
    keys = operands[:num_keys]
    order = (np.argsort(keys[0], axis=dimension, kind="stable") if num_keys == 1
             else np.lexsort(keys[::-1], axis=dimension))
    return [np.take_along_axis(x, order, axis=dimension) for x in operands]


def top_k(x: Values, *, k: int, axis: int) -> list[Values]:
    """The k largest elements, largest first, and their places; of equal elements the first ones."""
    flipped = np.flip(x, axis)
    order = np.flip(np.argsort(flipped, axis=axis, kind="stable"), axis)
    order = x.shape[axis] - 1 - order
    places = np.take(order, np.arange(k), axis=axis)
    return [np.take_along_axis(x, places, axis=axis), places.astype(np.int32)]
