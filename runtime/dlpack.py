"""``jax.dlpack``: arrays from other libraries, by the protocol that they share."""

from __future__ import annotations

from typing import Any

from .core import Array
from .dtypes import as_dtype
from .numpy.constructors import from_dlpack as _from_dlpack

__all__ = ["from_dlpack", "is_supported_dtype"]


def from_dlpack(external_array: Any, device: Any = None, copy: bool | None = None) -> Array:
    """An Array of what another library holds. Raises TypeError for what does not speak the protocol."""
    return _from_dlpack(external_array, device=device, copy=copy)


def is_supported_dtype(dtype: Any) -> bool:
    """Whether arrays of this type can be handed over."""
    return as_dtype(dtype).kind in "biufc"
