"""NumPy evaluation of sorting. NaN is the largest value; equal elements keep their order."""

from __future__ import annotations

from typing import Any

import numpy as np

Values = np.ndarray[Any, Any]


def sort(*operands: Values, dimension: int, is_stable: bool, num_keys: int) -> list[Values]:
    """All operands in the order of the first `num_keys`, compared lexicographically."""
    if len(operands) == 1:
        return [_sorted(operands[0], dimension)]
    keys = operands[:num_keys]
    order = (
        np.argsort(keys[0], axis=dimension, kind="stable")
        if num_keys == 1
        else np.lexsort(keys[::-1], axis=dimension)
    )
    return [np.take_along_axis(x, order, axis=dimension) for x in operands]


def _sorted(x: Values, axis: int) -> Values:
    """One array in order. NumPy's fastest sort is not stable, which shows in nothing but the signs of zeros."""
    if x.dtype.kind == "c":
        return np.sort(x, axis=axis, kind="stable")
    result = np.sort(x, axis=axis)
    if x.dtype.kind == "f":
        rows = np.moveaxis(x, axis, -1)
        zeros = rows[rows == 0]
        if np.signbit(zeros).any():
            ordered = np.moveaxis(result, axis, -1)
            ordered[ordered == 0] = zeros
    return result


def _in_total_order(x: Values) -> Values:
    """Integers in the order of IEEE 754 for floats: -NaN, -inf, -0, 0, inf, NaN."""
    bits = np.ascontiguousarray(x).view(f"i{x.dtype.itemsize}").reshape(x.shape)
    return np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)


def top_k(x: Values, *, k: int, axis: int) -> list[Values]:
    """The k largest elements, largest first, and their places; of equal elements the first ones.

    Floats go by their signs first, those of zeros and NaN too.
    """
    flipped = np.flip(_in_total_order(x) if x.dtype.kind == "f" else x, axis)
    order = np.flip(np.argsort(flipped, axis=axis, kind="stable"), axis)
    order = x.shape[axis] - 1 - order
    places = np.take(order, np.arange(k), axis=axis)
    return [np.take_along_axis(x, places, axis=axis), places.astype(np.int32)]
