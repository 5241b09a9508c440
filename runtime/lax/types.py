"""What may be asked of the type of any operand: arrays, tracers, NumPy arrays, Python scalars, dtypes by name."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ..core import Array, Literal, get_aval, literal
from ..dtypes import (
    BFLOAT16,
    BOOL,
    COMPLEX64,
    COMPLEX128,
    FLOAT0,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT32,
    UINT8,
    UINT32,
    DType,
    as_dtype,
    default_dtype,
    promote,
    real_dtype,
)
from ..dtypes import canonical as _canonical
from ..dtypes import inexact as _inexact
from ..narrow import LAYOUTS
from .elementwise import convert_element_type

bool_, int8, int32, uint8, uint32 = BOOL, INT8, INT32, UINT8, UINT32
float16, float32, float64, bfloat16 = FLOAT16, FLOAT32, FLOAT64, BFLOAT16
complex64, complex128, float0 = COMPLEX64, COMPLEX128, FLOAT0

_SCALARS = (bool, int, float, complex)


def canonical(spec: Any) -> DType:
    """The type that `spec` names, 32 bits wide unless 64-bit types are enabled. Raises ValueError for an array."""
    if isinstance(spec, Array):
        raise ValueError(
            "Passing an array as a dtype argument is no longer supported; instead of dtype=arr use dtype=arr.dtype."
        )
    return _canonical(as_dtype(spec))


def shape(x: Any) -> tuple[int, ...]:
    """The shape of any operand, also of nested lists."""
    if isinstance(x, _SCALARS):
        return ()
    found = getattr(x, "shape", None)
    if isinstance(found, tuple):
        return found
    if isinstance(x, Literal):
        return x.aval.shape
    if isinstance(x, (list, tuple)):
        return (len(x), *shape(x[0])) if x else (0,)
    return get_aval(x).shape


def dtype(x: Any) -> DType:
    """The element type that an operand has as an array."""
    own = getattr(x, "dtype", None)
    if own is not None and not isinstance(x, Literal):
        return canonical(own)
    return get_aval(x).dtype


def weak_type(x: Any) -> bool:
    """Whether the type of an operand is weak, as that of a Python scalar."""
    if isinstance(x, (Array, Literal)):
        return x.aval.weak_type
    return isinstance(x, _SCALARS) and get_aval(x).weak_type


def is_tracer_or_array(x: Any) -> bool:
    """Whether an operand is one of this runtime's arrays, concrete or traced."""
    return isinstance(x, Array)


def int_default() -> DType:
    return default_dtype("i")


def uint_default() -> DType:
    return default_dtype("u")


def float_default() -> DType:
    return default_dtype("f")


def to_inexact(dtype: Any) -> DType:
    """The type itself if it is floating or complex, else the float that an integer becomes where one is needed."""
    return _inexact(canonical(dtype))


def real_of(dtype: Any) -> DType:
    """The type of the real part."""
    return real_dtype(canonical(dtype))


def is_inexact(x: DType) -> bool:
    return x.kind in "fc"


_ABSTRACT = {
    "generic": "biufcVk",
    "number": "iufc",
    "integer": "iu",
    "signedinteger": "i",
    "unsignedinteger": "u",
    "inexact": "fc",
    "floating": "f",
    "complexfloating": "c",
    "extended": "k",
    "prng_key": "k",
    "flexible": "",
    "character": "",
    "object_": "",
    "str_": "",
    "bytes_": "",
    "void": "V",
}


class _Category:
    """An abstract type: a set of kinds."""

    def __init__(self, name: str) -> None:
        self.__name__ = name
        self.kinds = _ABSTRACT[name]

    def __repr__(self) -> str:
        return self.__name__


generic, number, integer, signedinteger, unsignedinteger, inexact, floating, complexfloating = (
    _Category(name)
    for name in (
        "generic",
        "number",
        "integer",
        "signedinteger",
        "unsignedinteger",
        "inexact",
        "floating",
        "complexfloating",
    )
)


def kinds_of(category: Any) -> str | None:
    """The kinds that an abstract type such as `numpy.floating` covers, or None for a concrete type."""
    name = getattr(category, "__name__", None) if not isinstance(category, (DType, str)) else None
    if name == "generic" and not isinstance(category, (type, _Category)):
        return None
    return _ABSTRACT.get(name) if name is not None else None


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Whether a type belongs to an abstract type, or is the same concrete one."""
    wanted = kinds_of(arg2)
    own = kinds_of(arg1)
    if own is not None:
        return wanted is not None and own != "" and set(own) <= set(wanted)
    kind = as_dtype(arg1).kind
    if wanted is not None:
        return kind in wanted
    return as_dtype(arg1) is as_dtype(arg2)


def lattice_result(*xs: Any) -> tuple[DType, bool]:
    """The promoted type of operands or types, and whether it is weak."""
    if not xs:
        raise ValueError("at least one array or dtype is required")
    found: tuple[DType, bool] | None = None
    for x in xs:
        if isinstance(x, (Array, Literal)):
            entry = (x.aval.dtype, x.aval.weak_type)
        elif isinstance(x, _SCALARS) or (
            hasattr(x, "dtype") and hasattr(x, "shape") and not isinstance(x, (type, DType))
        ):
            aval = get_aval(x)
            entry = (aval.dtype, aval.weak_type)
        elif isinstance(x, type) and x in _SCALARS:
            entry = (canonical(x), x is not bool)
        else:
            entry = (canonical(x), False)
        found = entry if found is None else promote(*found, *entry)
    assert found is not None
    return found


def result_type(*xs: Any) -> DType:
    """The promoted type of operands or types."""
    return lattice_result(*xs)[0]


def scalar(value: Any, dtype: Any, weak_type: bool = False) -> Any:
    """A Python scalar as a constant of a type; arrays are converted."""
    if isinstance(value, _SCALARS):
        return literal(value, dtype, weak_type)
    if hasattr(value, "item") and not isinstance(value, Array) and shape(value) == ():
        return literal(value.item(), dtype, weak_type)

    return convert_element_type(value, dtype)


class FloatInfo:
    """Limits of a floating type, computed from its layout: `jax.numpy.finfo`."""

    _LAYOUT: ClassVar[dict[str, tuple[int, int]]] = {
        "float16": (5, 10),
        "bfloat16": (8, 7),
        "float32": (8, 23),
        "float64": (11, 52),
    }

    def __init__(self, dtype: Any) -> None:
        found = real_of(dtype) if not isinstance(dtype, Array) else real_of(dtype.dtype)
        small = LAYOUTS.get(found.name)
        if small is not None:
            exponent_bits, self.nmant = small.exponent, small.mantissa
        elif found.name in self._LAYOUT:
            exponent_bits, self.nmant = self._LAYOUT[found.name]
        else:
            raise ValueError(f"data type {found} not inexact")
        bias = 2 ** (exponent_bits - 1) - 1 if small is None else small.bias
        self.dtype, self.bits, self.nexp = found, found.bits, exponent_bits
        self.minexp, self.maxexp, self.machep = 1 - bias, bias + 1, -self.nmant
        self.max: Any = self._typed((2 - 2.0**-self.nmant) * 2.0**bias if small is None else small.top)
        self.min: Any = -self.max
        self.eps: Any = self._typed(2.0**-self.nmant)
        self.epsneg: Any = self._typed(2.0 ** -(self.nmant + 1))
        self.tiny: Any = self._typed(2.0**self.minexp)
        self.smallest_normal = self.tiny
        self.smallest_subnormal: Any = self._typed(2.0 ** (self.minexp - self.nmant))
        self.precision = int(self.nmant * math.log10(2))
        self.resolution: Any = self._typed(10.0**-self.precision)

    @staticmethod
    def _typed(value: float) -> float:
        return value

    def __repr__(self) -> str:
        return f"finfo(resolution={self.resolution}, min={self.min}, max={self.max}, dtype={self.dtype})"


class IntegerInfo:
    """Limits of an integer type: `jax.numpy.iinfo`."""

    def __init__(self, dtype: Any) -> None:
        found = as_dtype(dtype if not isinstance(dtype, int) else "int32")
        if found.kind not in "iu":
            raise ValueError(f"Invalid integer data type {found.kind!r}.")
        self.dtype, self.bits, self.kind = found, found.bits, found.kind
        self.min, self.max = found.bounds

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


finfo, iinfo = FloatInfo, IntegerInfo


prng_key, extended = _Category("prng_key"), _Category("extended")


def scalar_type_of(x: Any) -> type:
    """The Python type of the elements of an operand."""
    return {"b": bool, "i": int, "u": int, "f": float, "c": complex}[dtype(x).kind]


def canonicalize_dtype(dtype: Any, allow_extended_dtype: bool = False) -> Any:
    """`jax.dtypes.canonicalize_dtype`: NumPy's dtype of the type that is really used."""
    found = canonical("float64" if dtype is None else dtype)  # As NumPy reads None.
    return found if found.kind == "k" else found.dtype
