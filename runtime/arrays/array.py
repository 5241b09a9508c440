"""Concrete arrays: `ArrayImpl` wraps NumPy memory in JAX's interface."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..core import Array, ShapedArray, Value, current_trace, eval_trace, get_aval, shaped_array
from ..dtypes import as_dtype, canonical

if TYPE_CHECKING:
    import numpy

    Values = numpy.ndarray[Any, Any]

__all__ = ["Array", "ArrayImpl", "asarray", "from_numpy"]


class ArrayImpl(Array):
    """An array with a value: contiguous memory of the storage type of `aval`, never written to.

    `_value` is missing after the array was donated or deleted.
    """

    __slots__ = ("__weakref__", "_placed", "_value", "aval")
    _value: Values
    _placed: Any  # The sharding that it was put under; missing where nobody said one.

    def __init__(self, value: Values, aval: ShapedArray) -> None:
        self._value, self.aval = value, aval

    # -------------------------------------------------------------------------------------------- memory

    def _buffer(self) -> Values:
        """The memory. Raises RuntimeError when the array was deleted."""
        try:
            return self._value
        except AttributeError:
            raise RuntimeError(f"Array has been deleted with shape={self.aval.str_short()}.") from None

    def _check_alive_for_call(self, position: int) -> None:
        """Raises ValueError when the array, argument number `position` of a compiled function, was deleted."""
        if self.is_deleted():
            raise ValueError(
                f"INVALID_ARGUMENT: Invalid buffer passed to Execute() as argument {position} to replica 0: "
                "INVALID_ARGUMENT: Buffer has been deleted or donated."
            )

    def delete(self) -> None:
        """Let go of the memory. Any later use of the value is an error."""
        if not self.is_deleted():
            del self._value

    def is_deleted(self) -> bool:
        return not hasattr(self, "_value")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Values:
        import numpy

        if self.aval.dtype.kind == "k":
            raise TypeError(
                "JAX array with PRNGKey dtype cannot be converted to a NumPy array. Use jax.random.key_data(arr) if you wish to extract the underlying integer array."
            )
        wanted = self.aval.dtype.dtype if dtype is None else dtype
        result = (
            self._buffer().astype(wanted, copy=bool(copy))
            if copy is not None or dtype is not None or (self._buffer().dtype != wanted)
            else self._buffer().view()
        )
        if not copy and (result.base is not None or dtype is None):
            result.flags.writeable = False
        return numpy.asarray(result)

    def tobytes(self, order: Any = "C") -> bytes:
        return self.__array__().tobytes(order)

    def __bytes__(self) -> bytes:
        return self.tobytes()

    def unsafe_buffer_pointer(self) -> int:
        return int(self._buffer().ctypes.data)

    def is_ready(self) -> bool:
        """True: results are ready when they are returned. Raises RuntimeError when the array was deleted."""
        self._buffer()
        return True

    def __dlpack__(self, **kwargs: Any) -> Any:
        return self._buffer().__dlpack__(**kwargs)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def on_device_size_in_bytes(self) -> int:
        return self.nbytes

    # -------------------------------------------------------------------------------------------- values

    def _scalar(self) -> Any:
        """The only element. Raises TypeError for an array that is no scalar."""
        value = self._buffer()
        if self.aval.dtype.kind == "k":
            raise TypeError("a key array cannot be converted to a number")
        if self.aval.shape:
            raise TypeError(
                f"Only scalar arrays can be converted to Python scalars; got arr.ndim={len(self.aval.shape)}"
            )
        return value.item()

    def __bool__(self) -> bool:
        value = self._buffer()
        if self.aval.dtype.kind == "k":
            raise TypeError("key array cannot be converted to boolean.")
        if value.size > 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
            )
        if value.size == 0:
            raise ValueError(
                "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that it is not empty."
            )
        return bool(value.item())

    def __int__(self) -> int:
        return int(self._scalar())

    def __float__(self) -> float:
        return float(self._scalar())

    def __complex__(self) -> complex:
        return complex(self._scalar())

    def __index__(self) -> int:
        if self.aval.shape or self.aval.dtype.kind not in "iu":
            raise TypeError("Only integer scalar arrays can be converted to a scalar index.")
        return operator.index(self._buffer().item())

    def item(self, *args: Any) -> Any:
        if self.aval.dtype.kind == "k":
            raise NotImplementedError(
                "arrays of random keys have no item: jax.random.key_data gives their words"
            )
        return self._buffer().item(*args)

    def tolist(self) -> Any:
        if self.aval.dtype.kind == "k":
            raise AttributeError(
                "arrays of random keys have no tolist: jax.random.key_data gives their words"
            )
        return self._buffer().tolist()

    def __iter__(self) -> Iterator[Value]:
        value = self._buffer()
        if not self.aval.shape:
            raise TypeError("iteration over a 0-d array")
        if current_trace() is not eval_trace:  # Traced, the elements of a constant are tracers too.
            return iter([self[i] for i in range(self.aval.shape[0])])
        aval = self.aval.update(shape=self.aval.shape[1:])
        return iter([ArrayImpl(part, aval) for part in map(_as_array, value)])

    # -------------------------------------------------------------------------------------------- text

    def __repr__(self) -> str:
        import numpy

        value = self._buffer()
        if self.aval.dtype.kind == "k":
            from ..primitives.random_kernels import unwrap

            words = unwrap(value)
            return f"Array({self.aval.shape}, dtype={self.aval.dtype.name}) overlaying:\n{words}"
        weak = ", weak_type=True" if self.aval.weak_type else ""
        kind = f"dtype={self.aval.dtype.name}{weak})"
        width = numpy.get_printoptions()["linewidth"]
        if value.size == 0:
            text = f"[], shape={self.aval.shape}"
        else:
            text = numpy.array2string(
                value,
                prefix="Array(",
                suffix=",",
                separator=", ",
                max_line_width=width,
                formatter=self._formatter(),
            )
        last_line = len(text) - (text.rfind("\n") + 1)
        separator = "\n      " if last_line + len(kind) + 1 > width else " "
        return f"Array({text},{separator}{kind}"

    def __str__(self) -> str:
        if self.aval.dtype.kind == "k":
            return repr(self)
        formatter = self._formatter()
        if formatter is None:
            return str(self._buffer())
        import numpy

        return numpy.array2string(self._buffer(), formatter=formatter)

    def _formatter(self) -> Any:
        """How NumPy shall write the elements; None for its own way. Narrow ones have six digits, and no other's width."""
        return {"float_kind": "{:g}".format, "int_kind": str} if self.aval.dtype.narrow else None

    def __format__(self, spec: str) -> str:
        if self.aval.dtype.kind == "k":
            return format(str(self), spec)
        return format(self._buffer()[()] if not self.aval.shape else self._buffer(), spec)

    # -------------------------------------------------------------------------------------------- copies, devices

    def __copy__(self) -> ArrayImpl:
        return self

    def __deepcopy__(self, memo: Any) -> ArrayImpl:
        return ArrayImpl(self._buffer().copy(), self.aval)

    def __reduce__(self) -> tuple[Any, ...]:
        return ArrayImpl, (self._buffer(), self.aval)

    def block_until_ready(self) -> ArrayImpl:
        """The array itself: results are ready when they are returned."""
        self._buffer()
        return self

    def clone(self) -> ArrayImpl:
        return self.copy()

    def copy_to_host_async(self) -> None:
        self._buffer()

    @property
    def device(self) -> Any:
        from .cpu import CPU

        return CPU

    def devices(self) -> set[Any]:
        return {self.device}

    def platform(self) -> str:
        return "cpu"

    @property
    def sharding(self) -> Any:
        from .cpu import SingleDeviceSharding

        return getattr(self, "_placed", None) or SingleDeviceSharding(self.device)

    @property
    def format(self) -> Any:
        from ..experimental.layout import Format, Layout

        return Format(Layout.of(self.ndim), self.sharding)

    @property
    def committed(self) -> bool:
        return hasattr(self, "_placed")

    @property
    def addressable_shards(self) -> list[Any]:
        from .cpu import Shard

        return [Shard(self)]

    @property
    def global_shards(self) -> list[Any]:
        return self.addressable_shards

    def addressable_data(self, index: int) -> ArrayImpl:
        return self.addressable_shards[index].data

    @property
    def is_fully_addressable(self) -> bool:
        return True

    @property
    def is_fully_replicated(self) -> bool:
        return True


def _as_array(part: Any) -> Values:
    import numpy

    return numpy.asarray(part)


def from_numpy(value: Values, weak_type: bool = False) -> ArrayImpl:
    """An Array over NumPy memory, which is shared; 64-bit types are narrowed unless ``jax_enable_x64`` is set."""
    dtype = canonical(as_dtype(value.dtype))
    return ArrayImpl(
        value.astype(dtype.storage, "C", copy=False), shaped_array(value.shape, dtype, weak_type)
    )


def asarray(value: Value) -> Array:
    """Any value that a primitive takes as an Array; tracers and references are returned as they are."""
    if isinstance(value, Array):
        return value
    import numpy

    aval = get_aval(value)
    if type(aval) is not ShapedArray:
        return value
    return ArrayImpl(numpy.asarray(getattr(value, "val", value), aval.dtype.storage, order="C"), aval)
