"""`jax.experimental.mesh_utils`: arrangements of the one device."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

__all__ = ["create_device_mesh", "create_hybrid_device_mesh"]


def create_device_mesh(
    mesh_shape: Sequence[int],
    devices: Sequence[Any] | None = None,
    *,
    contiguous_submeshes: bool = False,
    allow_split_physical_axes: bool = False,
) -> Any:
    """The devices as a NumPy array. Raises ValueError if their number does not fit the shape."""
    import numpy as np

    from ..arrays.cpu import devices as all_devices

    found = list(all_devices() if devices is None else devices)
    if math.prod(mesh_shape) != len(found):
        raise ValueError(
            f"Number of devices {len(found)} must equal the product of mesh_shape {tuple(mesh_shape)}"
        )
    return np.array(found, dtype=object).reshape(tuple(mesh_shape))


def create_hybrid_device_mesh(
    mesh_shape: Sequence[int],
    dcn_mesh_shape: Sequence[int],
    devices: Sequence[Any] | None = None,
    *,
    process_is_granule: bool = False,
    should_sort_granules_by_key: bool = True,
    allow_split_physical_axes: bool = False,
) -> Any:
    """The devices of several slices, or of several processes, as a NumPy array. A CPU belongs to no slice.

    Raises ValueError for slices, and where the numbers of devices and processes do not fit the shapes.
    """
    if not process_is_granule:
        raise ValueError("Device cpu:0 does not have attribute slice_index. See `process_is_granule` option.")
    if math.prod(dcn_mesh_shape) != 1:
        raise ValueError(
            f"Number of slices/granules 1 must equal the product of dcn_mesh_shape {tuple(dcn_mesh_shape)}"
        )
    return create_device_mesh(mesh_shape, devices)
