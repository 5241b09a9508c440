"""Concrete arrays: `ArrayImpl` wraps NumPy memory in JAX's interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .core import Array, ShapedArray, Value, get_aval, shaped_array
from .dtypes import as_dtype, canonical

if TYPE_CHECKING:
    import numpy

    Values = numpy.ndarray[Any, Any]

__all__ = ["Array", "ArrayImpl", "asarray", "from_numpy"]


class ArrayImpl(Array):
    """An array with a value. `_value` is None after the array was donated or deleted."""

    __slots__ = ("__weakref__", "_value", "aval")
    _value: Values | None

    def __init__(self, value: Values, aval: ShapedArray) -> None:
        self._value, self.aval = value, aval

    def _buffer(self) -> Values:
        """The memory. Raises RuntimeError when the array was deleted."""
        if self._value is None:
            raise RuntimeError(f"Array has been deleted with shape={self.aval.str_short()}.")
        return self._value


def from_numpy(value: Values, weak_type: bool = False) -> ArrayImpl:
    """An Array over NumPy memory, which is shared; 64-bit types are narrowed unless ``jax_enable_x64`` is set."""
    dtype = canonical(as_dtype(value.dtype))
    return ArrayImpl(value.astype(dtype.storage, copy=False), shaped_array(value.shape, dtype, weak_type))


def asarray(value: Value) -> Array:
    """Any value that a primitive takes as an Array; tracers are returned as they are."""
    if isinstance(value, Array):
        return value
    import numpy

    aval = get_aval(value)
    return ArrayImpl(numpy.asarray(getattr(value, "val", value), aval.dtype.storage), aval)
