"""`jnp.float32`, `jnp.int8`, ...: scalar types that make arrays when called; and questions about types."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from .. import dtypes as core_dtypes
from ..core import Array
from ..lax import types
from ..lax.types import issubdtype

__all__ = [
    "SCALAR_TYPES",
    "can_cast",
    "finfo",
    "iinfo",
    "isdtype",
    "issubdtype",
    "promote_types",
    "result_type",
]


class _ScalarMeta(type):
    """The type of scalar types: calling one makes an array of that type; it equals its dtype."""

    element: core_dtypes.DType

    @property
    def dtype(cls) -> Any:
        """The NumPy dtype; NumPy itself looks for this attribute."""
        return cls.element.dtype

    def __call__(cls, x: Any) -> Array:
        from .constructors import array

        if isinstance(x, str):
            x = float(x)
        return array(x, cls.element)

    def __eq__(cls, other: object) -> bool:
        return cls is other or cls.element == other

    def __ne__(cls, other: object) -> bool:
        return not cls == other

    def __hash__(cls) -> int:
        return hash(cls.element.type)  # As NumPy's own class of the type, which it equals.

    def __repr__(cls) -> str:
        return f"<class 'jax.numpy.{cls.__name__}'>"

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.element.type)


_NAMES = {
    "bool_": "bool",
    "int8": "",
    "int16": "",
    "int32": "",
    "int64": "",
    "uint8": "",
    "uint16": "",
    "uint32": "",
    "uint64": "",
    "bfloat16": "",
    "float16": "",
    "float32": "",
    "float64": "",
    "complex64": "",
    "complex128": "",
}
_NAMES |= {dtype.name: "" for dtype in (*core_dtypes.SMALL_FLOATS, *core_dtypes.SMALL_INTEGERS)}
SCALAR_TYPES: dict[str, Any] = {
    name: _ScalarMeta(name, (), {"element": core_dtypes.as_dtype(spec or name)})
    for name, spec in _NAMES.items()
}
SCALAR_TYPES |= {
    "double": SCALAR_TYPES["float64"],
    "single": SCALAR_TYPES["float32"],
    "csingle": SCALAR_TYPES["complex64"],
    "cdouble": SCALAR_TYPES["complex128"],
    "int_": SCALAR_TYPES["int64"],
    "uint": SCALAR_TYPES["uint64"],
    "float_": SCALAR_TYPES["float64"],
    "complex_": SCALAR_TYPES["complex128"],
    "bool": SCALAR_TYPES["bool_"],
}


def __getattr__(name: str) -> Any:
    if name != "dtype":
        raise AttributeError(name)
    import numpy as np

    with suppress(ImportError):  # Which makes "bfloat16" known to NumPy.
        import ml_dtypes  # type: ignore[import-untyped, unused-ignore] # noqa: F401
    return np.dtype


def finfo(dtype: Any) -> Any:
    """Limits of a floating type, as NumPy tells them."""
    import numpy as np

    found = types.dtype(dtype) if isinstance(dtype, Array) else core_dtypes.as_dtype(dtype)
    if found.kind not in "fc":
        raise ValueError(f"data type {found.type!r} not inexact")
    if found.narrow:
        return types.FloatInfo(found)
    return np.finfo(found.dtype)


def iinfo(int_type: Any) -> Any:
    """Limits of an integer type."""
    return types.IntegerInfo(int_type)


def promote_types(a: Any, b: Any) -> Any:
    """The common type of two types under JAX's promotion."""
    return types.result_type(*(_python_or(t) for t in (a, b)))


def _python_or(spec: Any) -> Any:
    return (
        spec if isinstance(spec, type) and spec in (bool, int, float, complex) else core_dtypes.as_dtype(spec)
    )


def to_complex_dtype(dtype: Any) -> Any:
    """`jax._src.dtypes.to_complex_dtype`: the complex type for values of a type."""
    return core_dtypes.complex_dtype(types.to_inexact(dtype)).dtype


def result_type(*args: Any) -> Any:
    """The type of an operation on these arrays, scalars or types."""
    return types.result_type(*(core_dtypes.as_dtype(a) if isinstance(a, str) else a for a in args))


def result_type_and_weakness(*args: Any, return_weak_type_flag: bool = False) -> Any:
    """``jax.dtypes.result_type``: the type, and on demand whether it is weak, as that of Python scalars alone."""
    found = types.lattice_result(*(core_dtypes.as_dtype(a) if isinstance(a, str) else a for a in args))
    return found if return_weak_type_flag else found[0]


def can_cast(from_: Any, to: Any, casting: str = "safe") -> bool:
    """Whether a cast is allowed by NumPy's rules."""
    import numpy as np

    source = types.dtype(from_) if isinstance(from_, Array) else core_dtypes.as_dtype(from_)
    return bool(np.can_cast(source.dtype, core_dtypes.as_dtype(to).dtype, casting=casting))  # type: ignore[arg-type]


_KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}


def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether a type is of a kind: a name of the array API, a type, or a tuple of them."""
    found = core_dtypes.as_dtype(dtype)
    options = kind if isinstance(kind, tuple) else (kind,)
    answer = False
    for option in options:
        if isinstance(option, str) and option in _KINDS:
            answer = answer or found.kind in _KINDS[option]
        else:
            try:
                answer = answer or core_dtypes.as_dtype(option) is found
            except TypeError:
                raise TypeError(f"Expected kind to be a dtype, string, or tuple; got {kind=}") from None
    return answer
