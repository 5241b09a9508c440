"""`jax.experimental.mesh_utils`: arrangements of the one device."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

__all__ = ["create_device_mesh"]


def create_device_mesh(
    mesh_shape: Sequence[int], devices: Sequence[Any] | None = None, **options: Any
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
