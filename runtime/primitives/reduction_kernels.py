"""NumPy evaluation of reductions. Sums of 16-bit floats are taken in float32, as XLA takes them."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from . import complex_kernels

Values = np.ndarray[Any, Any]
Axes: TypeAlias = tuple[int, ...]


def reduce_sum(x: Values, *, axes: Axes, out_sharding: Any = None) -> Any:
    if all(x.shape[axis] == 1 for axis in axes):
        return np.squeeze(x, axes)  # -0 stays what it is
    wide = np.float32 if x.dtype == np.float16 else x.dtype
    return np.add.reduce(x, axes, dtype=wide).astype(x.dtype)


def reduce_prod(x: Values, *, axes: Axes, out_sharding: Any = None) -> Any:
    wide = np.float32 if x.dtype == np.float16 else x.dtype
    return np.multiply.reduce(x, axes, dtype=wide).astype(x.dtype)


def _lowest(dtype: Any) -> Any:
    return (
        {"f": -np.inf, "c": complex(-np.inf, -np.inf), "b": False}.get(dtype.kind)
        if dtype.kind in "fcb"
        else (np.iinfo(dtype).min)
    )


def _highest(dtype: Any) -> Any:
    return (
        {"f": np.inf, "c": complex(np.inf, np.inf), "b": True}.get(dtype.kind)
        if dtype.kind in "fcb"
        else (np.iinfo(dtype).max)
    )


def reduce_max(x: Values, *, axes: Axes, out_sharding: Any = None) -> Any:
    if x.dtype.kind == "b":
        return np.logical_or.reduce(x, axes)
    if x.dtype.kind == "c" and np.isnan(x).any():
        return complex_kernels.reduce(complex_kernels.maximum, x, axes, _lowest(x.dtype))
    return np.maximum.reduce(x, axes, initial=_lowest(x.dtype))


def reduce_min(x: Values, *, axes: Axes, out_sharding: Any = None) -> Any:
    if x.dtype.kind == "b":
        return np.logical_and.reduce(x, axes)
    if x.dtype.kind == "c" and np.isnan(x).any():
        return complex_kernels.reduce(complex_kernels.minimum, x, axes, _highest(x.dtype))
    return np.minimum.reduce(x, axes, initial=_highest(x.dtype))


def reduce_and(x: Values, *, axes: Axes) -> Any:
    return np.bitwise_and.reduce(x, axes)


def reduce_or(x: Values, *, axes: Axes) -> Any:
    return np.bitwise_or.reduce(x, axes)


def reduce_xor(x: Values, *, axes: Axes) -> Any:
    return np.bitwise_xor.reduce(x, axes)


def argmax(x: Values, *, axes: Axes, index_dtype: Any) -> Any:
    """The first of equal extremes; a NaN counts as one."""
    return np.argmax(x, axes[0])


def argmin(x: Values, *, axes: Axes, index_dtype: Any) -> Any:
    return np.argmin(x, axes[0])
