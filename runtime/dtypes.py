"""Element types and JAX's rules of promotion, known without importing NumPy.

A `DType` is one object for each type, so types are compared by identity. It equals, and hashes like, the NumPy dtype
of the same name, and NumPy accepts it wherever it takes a dtype. The promotion lattice, with its weak types for
Python scalars, is the one of JAX's "Type promotion semantics".
"""

from __future__ import annotations

import sys
from typing import Any

from . import narrow
from .config import state

__all__ = [
    "BFLOAT16",
    "BOOL",
    "COMPLEX64",
    "COMPLEX128",
    "FLOAT0",
    "FLOAT16",
    "FLOAT32",
    "FLOAT64",
    "INT8",
    "INT16",
    "INT32",
    "INT64",
    "KEY",
    "KEY_RBG",
    "KEY_URBG",
    "UINT8",
    "UINT16",
    "UINT32",
    "UINT64",
    "DType",
    "TypePromotionError",
    "as_dtype",
    "canonical",
    "default_dtype",
    "is_float",
    "is_inexact",
    "promote",
    "promote_types",
    "python_scalar_dtype",
    "real_dtype",
]

_NUMPY_ALIGNED_AS_PART = {"complex64": 4, "complex128": 8}


class DType:
    """An element type: `name` as in NumPy, `short` as jaxprs print it, `kind` one of ``biufckV``, `itemsize` in bytes.

    ``bfloat16`` and the 8-bit floats have kind ``f``. ``k`` is the kind of random keys, ``V`` that of ``float0``, the
    tangent type of integers. A `narrow` type is held in memory as a wider one.
    """

    __slots__ = ("_hash", "_storage", "bits", "itemsize", "kind", "name", "narrow", "short")

    def __init__(self, name: str, short: str, kind: str, itemsize: int) -> None:
        self.name, self.short, self.kind, self.itemsize = name, short, kind, itemsize
        self.bits = narrow.bits_of(name) or 8 * itemsize
        self.narrow = narrow.bits_of(name) is not None
        self._storage: Any
        order = "|" if itemsize == 1 else "<" if sys.byteorder == "little" else ">"
        self._hash = hash((kind, order, 0, itemsize, _NUMPY_ALIGNED_AS_PART.get(name, itemsize)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, DType) or other is None:
            return False
        try:
            return as_dtype(other) is self
        except TypeError:
            return False

    def __repr__(self) -> str:
        return f"dtype({self.name!r})" if self.kind != "k" else self.name

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> str | tuple[Any, ...]:
        return as_dtype, (self.name,)

    @property
    def dtype(self) -> Any:
        """The NumPy dtype; NumPy itself looks for this attribute. Narrow ones need ml_dtypes, else it is what holds them."""
        if self.narrow:
            try:
                import ml_dtypes  # type: ignore[import-untyped, unused-ignore]
                import numpy
            except ImportError:
                return self.storage
            return numpy.dtype(getattr(ml_dtypes, self.name))
        return self.storage

    @property
    def storage(self) -> Any:
        """The NumPy dtype that holds values of this type in memory: ``bfloat16`` is held as rounded float32."""
        try:
            return self._storage
        except AttributeError:
            import numpy

            self._storage = numpy.dtype(_STORAGE.get(self.name, self.name))
            return self._storage

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the largest integer of this type."""
        signed = self.kind == "i"
        return -(signed << (self.bits - 1)), (1 << (self.bits - signed)) - 1

    @property
    def type(self) -> Any:
        """The NumPy scalar type."""
        return self.dtype.type

    @property
    def char(self) -> str:
        return str(self.dtype.char)

    @property
    def str(self) -> Any:
        return self.dtype.str

    @property
    def num(self) -> int:
        return int(self.dtype.num)

    @property
    def names(self) -> None:
        return None

    @property
    def fields(self) -> None:
        return None

    @property
    def shape(self) -> tuple[()]:
        return ()

    @property
    def byteorder(self) -> Any:
        return self.dtype.byteorder

    @property
    def isnative(self) -> bool:
        return True

    def newbyteorder(self, order: Any = "S") -> Any:
        return self.dtype.newbyteorder(order)


BOOL = DType("bool", "bool", "b", 1)
INT8, INT16, INT32, INT64 = (DType(f"int{8 * n}", f"i{8 * n}", "i", n) for n in (1, 2, 4, 8))
UINT8, UINT16, UINT32, UINT64 = (DType(f"uint{8 * n}", f"u{8 * n}", "u", n) for n in (1, 2, 4, 8))
BFLOAT16 = DType("bfloat16", "bf16", "f", 2)
SMALL_FLOATS = tuple(DType(name, name.replace("float", "f"), "f", 1) for name in narrow.LAYOUTS)
SMALL_INTEGERS = tuple(DType(n, "".join((n[0], n[-1])), n[0], 1) for n in narrow.INTEGERS)
FLOAT16, FLOAT32, FLOAT64 = (DType(f"float{8 * n}", f"f{8 * n}", "f", n) for n in (2, 4, 8))
COMPLEX64, COMPLEX128 = (DType(f"complex{8 * n}", f"c{8 * n}", "c", n) for n in (8, 16))
KEY, KEY_RBG, KEY_URBG = (
    DType(f"key<{t}>", f"key<{t}>", "k", n) for t, n in (("fry", 8), ("rbg", 16), ("urbg", 16))
)
FLOAT0 = DType("float0", "float0", "V", 1)

_INTEGERS = (INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, *SMALL_INTEGERS)
_FLOATS = (BFLOAT16, FLOAT16, FLOAT32, FLOAT64, *SMALL_FLOATS)
NUMERIC = (BOOL, *_INTEGERS, *_FLOATS, COMPLEX64, COMPLEX128)
_STORAGE = {
    "key<fry>": "uint64",
    "key<rbg>": "V16",
    "key<urbg>": "V16",
    "bfloat16": "float32",
    "float0": "bool",
}
_STORAGE |= {d.name: "float32" for d in SMALL_FLOATS} | {d.name: f"{d.name[:-1]}8" for d in SMALL_INTEGERS}
_NARROW = {INT64: INT32, UINT64: UINT32, FLOAT64: FLOAT32, COMPLEX128: COMPLEX64}
_PYTHON = {bool: BOOL, int: INT64, float: FLOAT64, complex: COMPLEX128}

_BY_NAME: dict[str, DType] = {d.name: d for d in (*NUMERIC, KEY, KEY_RBG, KEY_URBG, FLOAT0)}
_BY_NAME |= {
    "?": BOOL,
    "b": INT8,
    "h": INT16,
    "i": INT32,
    "l": INT64,
    "q": INT64,
    "B": UINT8,
    "H": UINT16,
    "I": UINT32,
    "L": UINT64,
    "Q": UINT64,
    "e": FLOAT16,
    "f": FLOAT32,
    "d": FLOAT64,
    "F": COMPLEX64,
    "D": COMPLEX128,
    "int": INT64,
    "uint": UINT64,
    "float": FLOAT64,
    "complex": COMPLEX128,
    "half": FLOAT16,
    "single": FLOAT32,
    "double": FLOAT64,
    "csingle": COMPLEX64,
    "cdouble": COMPLEX128,
    "byte": INT8,
    "ubyte": UINT8,
    "short": INT16,
    "ushort": UINT16,
    "intc": INT32,
    "uintc": UINT32,
    "longlong": INT64,
    "ulonglong": UINT64,
    "long": INT64,
    "ulong": UINT64,
    "intp": INT64,
    "uintp": UINT64,
    "bool_": BOOL,
    "b1": BOOL,
    "i1": INT8,
    "i2": INT16,
    "i4": INT32,
    "i8": INT64,
    "u1": UINT8,
    "u2": UINT16,
    "u4": UINT32,
    "u8": UINT64,
    "f2": FLOAT16,
    "f4": FLOAT32,
    "f8": FLOAT64,
    "c8": COMPLEX64,
    "c16": COMPLEX128,
}


#: What dtypes of NumPy stand for, each of which has a class of its own: to spell their names takes long.
_BY_CLASS: dict[type, DType] = {}


def as_dtype(spec: Any) -> DType:
    """The type that `spec` names: a name, a scalar type (Python's, NumPy's, ours), a dtype, or anything with a ``dtype``.

    Raises TypeError for anything else. 64-bit types stay 64 bits wide; see `canonical`.
    """
    if isinstance(spec, DType):
        return spec
    found = _BY_CLASS.get(type(spec))
    if found is not None:
        return found
    if isinstance(spec, str):
        found = _BY_NAME.get(spec.lstrip("=<>|"))
    elif isinstance(spec, type):
        found = _PYTHON.get(spec)
        if found is None:
            own = getattr(spec, "element", None)
            found = own if isinstance(own, DType) else _BY_NAME.get(spec.__name__)
    elif (own := getattr(spec, "dtype", None)) is not None and not isinstance(own, type) and own is not spec:
        if type(spec).__name__ == "ndarray":
            raise TypeError(f"Cannot construct a dtype from an array; write {own} or its .dtype")
        found = as_dtype(own)
    elif isinstance(name := getattr(spec, "name", None), str):
        # ml_dtypes and NumPy dtypes have the names that are used here; that of integer tangents is structured.
        fields = getattr(spec, "names", None)
        found = _BY_NAME.get("float0" if fields == ("float0",) else "" if fields else name)
        if found is not None and not fields and hasattr(spec, "newbyteorder"):
            _BY_CLASS[type(spec)] = found
    if found is None:
        unknown = f"data type {spec!r} not understood" if isinstance(spec, str) else None
        raise TypeError(unknown or f"Cannot interpret {spec!r} as a data type")
    return found


def canonical(dtype: DType) -> DType:
    """The type that is really used: 64-bit types are 32 bits wide unless ``jax_enable_x64`` is set."""
    return dtype if state.enable_x64 else _NARROW.get(dtype, dtype)


def default_dtype(kind: str) -> DType:
    """The type of a Python scalar of this kind: ``i``, ``u``, ``f``, ``c`` or ``b``."""
    wide = {"i": INT64, "u": UINT64, "f": FLOAT64, "c": COMPLEX128, "b": BOOL}[kind]
    return canonical(wide)


def inexact(dtype: DType) -> DType:
    """The type itself if it is floating or complex, else float64 for 64-bit integers and float32 for others."""
    if dtype.kind in "fc":
        return dtype
    return FLOAT64 if dtype.itemsize == 8 and dtype.kind in "iu" else FLOAT32


def python_scalar_dtype(value: bool | complex) -> DType:
    """The type that a Python scalar has as an array."""
    for kind, dtype in _PYTHON.items():
        if isinstance(value, kind):
            return canonical(dtype)
    raise TypeError(f"{type(value).__name__} is not a scalar type")


def is_float(dtype: DType) -> bool:
    return dtype.kind == "f"


def is_inexact(dtype: DType) -> bool:
    return dtype.kind in "fc"


def real_dtype(dtype: DType) -> DType:
    """The type of the real part."""
    return {COMPLEX64: FLOAT32, COMPLEX128: FLOAT64}.get(dtype, dtype)


def complex_dtype(dtype: DType) -> DType:
    """The complex type whose parts hold values of `dtype`."""
    return COMPLEX128 if dtype in (FLOAT64, COMPLEX128) else COMPLEX64


# ---------------------------------------------------------------------------------------------------- promotion


class TypePromotionError(ValueError):
    """Two types that only an implicit conversion would join, where these are forbidden."""


_WEAK_INT, _WEAK_FLOAT, _WEAK_COMPLEX = "i*", "f*", "c*"
_Node = DType | str

_HIGHER: dict[_Node, tuple[_Node, ...]] = {
    BOOL: (_WEAK_INT,),
    _WEAK_INT: (UINT8, INT8, *SMALL_INTEGERS),
    UINT8: (INT16, UINT16),
    UINT16: (INT32, UINT32),
    UINT32: (INT64, UINT64),
    UINT64: (_WEAK_FLOAT,),
    INT8: (INT16,),
    INT16: (INT32,),
    INT32: (INT64,),
    INT64: (_WEAK_FLOAT,),
    _WEAK_FLOAT: (BFLOAT16, FLOAT16, _WEAK_COMPLEX, *SMALL_FLOATS),
    BFLOAT16: (FLOAT32,),
    FLOAT16: (FLOAT32,),
    FLOAT32: (FLOAT64, COMPLEX64),
    FLOAT64: (COMPLEX128,),
    _WEAK_COMPLEX: (COMPLEX64,),
    COMPLEX64: (COMPLEX128,),
    COMPLEX128: (),
    **dict.fromkeys((*SMALL_FLOATS, *SMALL_INTEGERS), ()),
}


def _upper_bounds(node: _Node) -> frozenset[_Node]:
    bounds: set[_Node] = set()
    pending = [node]
    while pending:
        bound = pending.pop()
        if bound not in bounds:
            bounds.add(bound)
            pending.extend(_HIGHER[bound])
    return frozenset(bounds)


def _node(dtype: DType, weak: bool) -> _Node:
    if weak and dtype.kind in "iufc":
        return {"i": _WEAK_INT, "u": _WEAK_INT, "f": _WEAK_FLOAT, "c": _WEAK_COMPLEX}[dtype.kind]
    return dtype


_JOINS: dict[tuple[DType, bool, DType, bool, bool, bool], tuple[DType, bool]] = {}


def promote(a: DType, a_weak: bool, b: DType, b_weak: bool) -> tuple[DType, bool]:
    """The type, and whether it is weak, of an operation on a value of type `a` and one of type `b`.

    Raises TypeError when the two have no common type, as a random key and a number; TypePromotionError when a strong
    type would change although ``jax_numpy_dtype_promotion`` is strict.
    """
    key = (a, a_weak, b, b_weak, state.enable_x64, state.strict)
    found = _JOINS.get(key)
    if found is None:
        found = _JOINS[key] = _join(a, a_weak, b, b_weak)
    return found


def _join(a: DType, a_weak: bool, b: DType, b_weak: bool) -> tuple[DType, bool]:
    if a is b:
        return canonical(a), a_weak and b_weak and a is not BOOL
    first, second = _node(a, a_weak), _node(b, b_weak)
    if first not in _HIGHER or second not in _HIGHER:
        raise TypeError(f"No type promotion path between {a} and {b}: convert one of them explicitly")
    if (
        first == second
    ):  # Two weak types of one kind: the default type of that kind, or the wider when both are wide.
        return canonical(a if a.itemsize >= b.itemsize else b), True
    common = _upper_bounds(first) & _upper_bounds(second)
    if not common:
        float_bits = {d.bits for d in (a, b) if d in SMALL_FLOATS}
        small = f"{max(float_bits)}-bit floats" if float_bits else "1-bit, 2-bit and 4-bit integers"
        wide = "float32" if float_bits else "int32"
        raise TypePromotionError(
            f"Input dtypes ({a.name!r}, {b.name!r}) have no available implicit dtype promotion path. To avoid unintended "
            f"promotion, {small} do not support implicit promotion. If you'd like your inputs to be promoted to another "
            f"type, you can do so explicitly using e.g. x.astype('{wide}')"
        )
    # The lattice has one least upper bound: the common bound from which every other one can be reached.
    least = next(bound for bound in common if common <= _upper_bounds(bound))
    if state.strict and any(node is not least for node in (first, second) if not isinstance(node, str)):
        raise TypePromotionError(
            f"Input dtypes ({a.name!r}, {b.name!r}) have no available implicit dtype promotion path when "
            "jax_numpy_dtype_promotion=strict. Try explicitly casting inputs to the desired output type, or set "
            "jax_numpy_dtype_promotion=standard."
        )
    if isinstance(least, str):
        return default_dtype(least[0]), True
    return canonical(least), False


def promote_types(a: DType, b: DType) -> DType:
    """``jnp.promote_types`` of two strong types."""
    return promote(a, False, b, False)[0]


_PUBLIC = frozenset(
    (
        "canonicalize_dtype",
        "extended",
        "finfo",
        "iinfo",
        "issubdtype",
        "prng_key",
        "result_type",
        "scalar_type_of",
    )
)


def _float0() -> Any:
    """The NumPy type of the tangents of integers, whose elements take no memory."""
    import numpy

    return numpy.dtype([("float0", numpy.void, 0)])


def __getattr__(name: str) -> Any:
    """The names of ``jax.dtypes``, which stand elsewhere."""
    if name == "bfloat16":
        return BFLOAT16
    if name == "float0":
        return _float0()
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .lax import types

    return getattr(types, name)


def itemsize_bits(dtype: Any) -> int:
    """How many bits an element of a type has; a boolean has a byte."""
    return as_dtype(dtype).bits
