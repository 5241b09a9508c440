"""Tables into which libraries enter classes of their own, so that values of these pass for arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import aval_mappings, get_aval

__all__ = ["aval_mappings", "canonicalize_dtype_handlers", "register_vmappable", "unregister_vmappable"]

for _type in (np.ndarray, bool, int, float, complex):
    aval_mappings.setdefault(_type, get_aval)

canonicalize_dtype_handlers: dict[type, Callable[..., Any]] = {
    type_: lambda value, **options: value for type_ in (np.ndarray, np.generic, bool, int, float, complex)
}
"""How values are converted to the types that are on: all are, when they are first used."""

_vmappable: dict[type, tuple[Any, ...]] = {}


def register_vmappable(
    data_type: type,
    spec_type: type,
    axis_size_type: type,
    to_elt: Callable[..., Any],
    from_elt: Callable[..., Any],
    make_iota: Callable[..., Any] | None,
) -> None:
    """Keep how ``vmap`` would take values apart that are no arrays. It refuses them here, as any other leaf."""
    _vmappable[data_type] = spec_type, axis_size_type, to_elt, from_elt, make_iota


def unregister_vmappable(data_type: type) -> None:
    _vmappable.pop(data_type)
