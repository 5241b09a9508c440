"""NumPy evaluation of conversions between element types."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import BFLOAT16, SMALL_FLOATS, UINT8, UINT16, DType, as_dtype, canonical
from ..narrow import values

Values = np.ndarray[Any, Any]


def convert(x: Values, *, new_dtype: Any, weak_type: bool, sharding: Any = None) -> Any:
    """Integers wrap; floats are cut towards zero, those outside the range become its nearest end, NaN becomes 0."""
    dtype = canonical(as_dtype(new_dtype))
    if x.dtype.kind == "c" and dtype.kind != "c":
        x = x.real if dtype.kind != "b" else (x != 0)
    if dtype.kind in "iu" and x.dtype.kind == "f":
        return _saturated(x, dtype)
    return x.astype(dtype.storage)


def _saturated(x: Values, dtype: DType) -> Any:
    low, high = dtype.bounds
    wide = x.astype(np.float64)
    # float(max) may round up to 2**63, which does not fit: ends are set by comparison, not by clipping.
    inside = (wide > low) & (wide < high)
    cut = np.where(inside, wide, 0).astype(dtype.storage)
    ends = np.where(wide >= high, high, np.where(wide <= low, low, 0)).astype(dtype.storage)
    return np.where(inside, cut, ends)


def bitcast(x: Values, *, new_dtype: Any) -> Any:
    """The same bytes. bfloat16, which is held as float32, is the upper half of these; small floats are looked up."""
    dtype = canonical(as_dtype(new_dtype))
    if dtype is BFLOAT16:
        halves = bitcast(x, new_dtype=UINT16)
        return (halves.astype(np.uint32) << np.uint32(16)).view(np.float32)
    if dtype in SMALL_FLOATS:
        return values(dtype.name)[bitcast(x, new_dtype=UINT8)]
    old, new = x.dtype.itemsize, dtype.itemsize
    memory = np.ascontiguousarray(x)
    if old == new:
        return memory.view(dtype.storage).reshape(x.shape)
    if old > new:
        return memory.reshape(*x.shape, 1).view(dtype.storage)
    return memory.view(dtype.storage).reshape(x.shape[:-1])
