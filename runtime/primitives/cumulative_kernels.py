"""NumPy evaluation of the cumulative operations."""

from __future__ import annotations

from typing import Any

import numpy as np

Values = np.ndarray[Any, Any]


def _accumulate(ufunc: Any, x: Values, axis: int, reverse: bool) -> Values:
    if x.size == 0:
        return x.copy()
    source = np.flip(x, axis) if reverse else x
    # Sums of halves would stand still once they are large.
    dtype = np.dtype(np.float32) if x.dtype == np.float16 else x.dtype
    out: Values = ufunc.accumulate(source, axis=axis, dtype=dtype).astype(x.dtype, copy=False)
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
    if x.dtype.kind == "c":
        return _accumulate(_Logarithmic, x, axis, reverse)
    return _accumulate(np.logaddexp, x, axis, reverse)


class _Logarithmic:
    """Logarithms of sums of complex exponentials, over the size of the larger term."""

    @staticmethod
    def accumulate(x: Values, axis: int, dtype: Any) -> Values:
        out = np.moveaxis(x.astype(dtype), axis, 0)
        before = np.full_like(out[0], -np.inf)
        for k, new in enumerate(out):
            size = np.maximum(before.real, new.real)
            size = np.where(np.isfinite(size), size, 0)
            out[k] = before = size + np.log(np.exp(before - size) + np.exp(new - size))
        return np.moveaxis(out, 0, axis)
