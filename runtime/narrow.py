"""Types with fewer bits than what holds them: bfloat16 and smaller floats stand in float32, 4-bit integers in bytes."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .dtypes import DType


class Layout:
    """The bits of a small float; `beyond` is what values too large become: ``inf``, ``nan``, or the largest (``top``).

    With `unsigned_zero` the code of -0 is that of NaN.
    """

    # Cheaper to define than a NamedTuple, whose annotations are compiled, before the first jaxpr.
    __slots__ = ("beyond", "bias", "exponent", "mantissa", "top", "unsigned_zero")

    def __init__(
        self, exponent: int, mantissa: int, bias: int, top: float, beyond: str, unsigned_zero: bool = False
    ) -> None:
        self.exponent, self.mantissa, self.bias = exponent, mantissa, bias
        self.top, self.beyond, self.unsigned_zero = top, beyond, unsigned_zero

    @property
    def bits(self) -> int:
        return 1 + self.exponent + self.mantissa

    @property
    def nan(self) -> int:
        """The code of NaN."""
        sign = 1 << (self.bits - 1)
        if self.unsigned_zero:
            return sign
        return sign - (1 << (self.mantissa - 1)) if self.beyond == "inf" else sign - 1


LAYOUTS = {
    "float4_e2m1fn": Layout(2, 1, 1, 6.0, "top"),
    "float8_e3m4": Layout(3, 4, 3, 15.5, "inf"),
    "float8_e4m3": Layout(4, 3, 7, 240.0, "inf"),
    "float8_e4m3b11fnuz": Layout(4, 3, 11, 30.0, "nan", True),
    "float8_e4m3fn": Layout(4, 3, 7, 448.0, "nan"),
    "float8_e4m3fnuz": Layout(4, 3, 8, 240.0, "nan", True),
    "float8_e5m2": Layout(5, 2, 15, 57344.0, "inf"),
    "float8_e5m2fnuz": Layout(5, 2, 16, 57344.0, "nan", True),
}
INTEGERS = {"int2": 2, "int4": 4, "uint2": 2, "uint4": 4}


def bits_of(name: str) -> int | None:
    """How many bits a type has; None if it is no narrow one."""
    if name in LAYOUTS:
        return LAYOUTS[name].bits
    return 16 if name == "bfloat16" else INTEGERS.get(name)


def fitted(array: Any, dtype: DType) -> Any:
    """Values as `dtype` has them, in what holds them: floats rounded to the nearest, ties to even; integers wrapped."""
    if dtype.name == "bfloat16":
        return _bfloat16(array)
    if dtype.name in INTEGERS:
        bits = INTEGERS[dtype.name]
        free = 8 - bits
        return (array << free) >> free if dtype.kind == "i" else array & array.dtype.type((1 << bits) - 1)
    return _rounded(array, LAYOUTS[dtype.name])


def _bfloat16(array: Any) -> Any:
    import numpy as np

    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    with np.errstate(over="ignore"):
        kept = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
    return np.where(np.isnan(array), np.float32(np.nan), kept.view(np.float32)).reshape(np.shape(array))


def _rounded(array: Any, layout: Layout) -> Any:
    import numpy as np

    wide = np.asarray(array, np.float64)
    finite = np.where(np.isfinite(wide), wide, 0.0)
    exponent = np.maximum(np.frexp(finite)[1] - 1, 1 - layout.bias)
    quantum = np.ldexp(1.0, exponent - layout.mantissa)
    result = np.rint(finite / quantum) * quantum
    beyond = np.copysign({"inf": np.inf, "nan": np.nan, "top": layout.top}[layout.beyond], wide)
    result = np.where((np.abs(result) > layout.top) | np.isinf(wide), beyond, result)
    # A type without NaN makes -0 of it.
    result = np.where(np.isnan(wide), -0.0 if layout.beyond == "top" else np.nan, result)
    return (result + 0.0 if layout.unsigned_zero else result).astype(np.float32)


def fitted_scalar(value: float, dtype: DType) -> float:
    """A Python float, rounded."""
    import numpy as np

    return float(fitted(np.float32(value), dtype))


@cache
def values(name: str) -> Any:
    """The value of each code of a small float, in the order of the codes."""
    import numpy as np

    layout = LAYOUTS[name]

    count = 1 << layout.bits
    sign_bit, mantissa_codes = count >> 1, 1 << layout.mantissa
    found = np.full(count, np.nan, np.float32)
    for code in range(sign_bit):
        exponent, fraction = divmod(code, mantissa_codes)
        scale = 2.0 ** (max(exponent, 1) - layout.bias - layout.mantissa)
        value = (fraction + (mantissa_codes if exponent else 0)) * scale
        if value > layout.top:
            value = math.inf if layout.beyond == "inf" and fraction == 0 else math.nan
        found[code], found[code | sign_bit] = value, -value
    if layout.unsigned_zero:
        found[sign_bit] = math.nan
    return found
