"""Python numbers as elements of a type hold them."""

from __future__ import annotations

import math
import struct

from . import narrow
from .dtypes import FLOAT16, FLOAT64, DType, real_dtype


def rounded(value: bool | complex, dtype: DType) -> bool | int | float | complex:
    """`value` as a Python scalar of `dtype`: integers wrap, floats are rounded to the nearest representable one."""
    if dtype.kind == "f":
        return _round_float(float(value.real if isinstance(value, complex) else value), dtype)
    if dtype.kind == "c":
        part = real_dtype(dtype)
        value = complex(value)
        return complex(_round_float(value.real, part), _round_float(value.imag, part))
    if dtype.kind == "b":
        return bool(value)
    bits = dtype.bits
    number = _truncated(value, dtype) & ((1 << bits) - 1)
    return number - (1 << bits) if dtype.kind == "i" and number >> (bits - 1) else number


def _truncated(value: bool | complex, dtype: DType) -> int:
    """Towards zero; a float outside the range becomes its nearest end, as XLA converts."""
    if isinstance(value, int):
        return int(value)
    real = value.real
    if math.isnan(real):
        return 0
    low, high = dtype.bounds
    return low if real < low else high if real > high else int(real)


def _round_float(value: float, dtype: DType) -> float:
    if dtype.narrow:
        return narrow.fitted_scalar(value, dtype)
    if dtype is FLOAT64 or math.isnan(value) or math.isinf(value):
        return value
    code = "e" if dtype is FLOAT16 else "f"
    try:
        return float(struct.unpack(code, struct.pack(code, value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)
