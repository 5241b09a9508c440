"""NumPy evaluation of the cumulative operations."""

from __future__ import annotations

from typing import Any

import numpy as np

Values = np.ndarray[Any, Any]


def _accumulate(ufunc: Any, x: Values, axis: int, reverse: bool) -> Values:
    if x.size == 0:
        return x.copy()
    source = np.flip(x, axis) if reverse else x
    out: Values = ufunc.accumulate(source, axis=axis, dtype=x.dtype)
    return np.flip(out, axis) if reverse else out


def cumsum(x: Values, *, axis: int, reverse: bool) -> Values:
    return _accumulate(np.add, x, axis, reverse)


def cumprod(x: Values, *, axis: int, reverse: bool) -> Values:
    return _accumulate(np.multiply, x, axis, reverse)


def cummax(x: Values, *, axis: int, reverse: bool) -> Values:
    return _accumulate(np.maximum, x, axis, reverse)


def cummin(x: Values, *, axis: int, reverse: bool) -> Values:
    return _accumulate(np.minimum, x, axis, reverse)


def cumlogsumexp(x: Values, *, axis: int, reverse: bool) -> Values:
    return _accumulate(np.logaddexp, x, axis, reverse)
