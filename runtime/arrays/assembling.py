"""Arrays put together of what each device or process holds: here of the whole, on the one device that there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import Array
from .cpu import device_put

__all__ = [
    "make_array_from_callback",
    "make_array_from_process_local_data",
    "make_array_from_single_device_arrays",
]


def _placed(value: Any, dtype: Any, sharding: Any) -> Array:
    from ..numpy.constructors import array

    placed: Array = device_put(array(value, dtype=dtype, copy=False), sharding)
    return placed


def make_array_from_callback(
    shape: Sequence[int], sharding: Any, data_callback: Callable[[Any], Any], dtype: Any = None
) -> Array:
    """What `data_callback` gives for the index of the whole.

    Raises ValueError when that has another shape.
    """
    value = _placed(data_callback((slice(None),) * len(shape)), dtype, sharding)
    return _checked(value, shape)


def make_array_from_single_device_arrays(
    shape: Sequence[int], sharding: Any, arrays: Sequence[Any], *, dtype: Any = None
) -> Array:
    """The one array, which is the whole.

    Raises ValueError when there is none or are several, or it has another shape.
    """
    if len(arrays) != 1:
        raise ValueError(f"Expected 1 single-device array, for the only device, but got {len(arrays)}")
    return _checked(_placed(arrays[0], dtype, sharding), shape)


def make_array_from_process_local_data(sharding: Any, local_data: Any, global_shape: Any = None) -> Array:
    """The data of the only process.

    Raises ValueError when they have another shape than `global_shape`.
    """
    value = _placed(local_data, None, sharding)
    return value if global_shape is None else _checked(value, global_shape)


def _checked(value: Array, shape: Sequence[int]) -> Array:
    if value.shape != tuple(shape):
        raise ValueError(f"Expected an array of shape {tuple(shape)}, but got one of shape {value.shape}")
    return value
