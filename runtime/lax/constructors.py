"""`jax.lax` functions that make arrays: constants and ranges."""

from __future__ import annotations

import operator
from typing import Any

from ..core import Array, Literal, literal
from ..primitives import shape as shape_primitives
from . import types
from .elementwise import as_array, convert_to, wrapped
from .elementwise import operand as as_operand

_SCALARS = (bool, int, float, complex)


def _shape(shape: Any) -> tuple[int, ...]:
    from ..numpy.promotion import canonical_shape

    return canonical_shape(shape)


def full(shape: Any, fill_value: Any, dtype: Any = None, *, sharding: Any = None) -> Array:
    """An array filled with a scalar."""
    sizes = _shape(shape)
    if fill_value is None:
        raise ValueError("lax.full must be called with a scalar fill_value, got None")
    if types.shape(fill_value) != ():
        raise TypeError(
            f"lax.full must be called with scalar fill_value; got fill_value.shape {types.shape(fill_value)}."
        )
    weak = dtype is None and types.weak_type(fill_value)
    target = types.canonical(dtype) if dtype is not None else types.dtype(fill_value)
    return _filled(sizes, fill_value, target, weak)


def _filled(sizes: tuple[int, ...], value: Any, dtype: Any, weak: bool) -> Array:
    if isinstance(value, _SCALARS):
        scalar: Any = wrapped(value, dtype, weak)
    elif isinstance(value, Literal):
        scalar = literal(value.val, dtype, weak)
    else:
        scalar = convert_to(as_operand(value), dtype, weak)
        if isinstance(scalar, Literal):
            scalar = literal(scalar.val, dtype, weak)
    if not sizes:
        return as_array(scalar)
    return shape_primitives.broadcast_in_dim_p.bind(
        scalar, shape=sizes, broadcast_dimensions=(), sharding=None
    )


def full_like(x: Any, fill_value: Any, dtype: Any = None, shape: Any = None, sharding: Any = None) -> Array:
    """An array filled with a scalar, of the shape and type of `x`."""
    weak = dtype is None and types.weak_type(x)
    target = types.canonical(dtype) if dtype is not None else types.dtype(x)
    sizes = types.shape(x) if shape is None else _shape(shape)
    return _filled(sizes, fill_value, target, weak)


def empty(shape: Any, dtype: Any, *, out_sharding: Any = None) -> Array:
    """An array of zeros: nothing is left uninitialised."""
    return full(shape, 0, dtype)


def iota(dtype: Any, size: int) -> Array:
    """0, 1, 2, ..., size - 1."""
    return broadcasted_iota(dtype, (size,), 0)


def broadcasted_iota(dtype: Any, shape: Any, dimension: int, *, out_sharding: Any = None) -> Array:
    """The index along one dimension, everywhere."""
    from ..numpy.promotion import concrete

    sizes = _shape(shape)
    axis = operator.index(concrete(dimension, "dimension argument of lax.broadcasted_iota"))
    found = types.canonical(dtype)
    return shape_primitives.iota_p.bind(dtype=found, shape=sizes, dimension=axis, sharding=None)


def dtype(x: Any) -> Any:
    """The element type of `x` as an array."""
    return types.dtype(x)


def shape_as_value(shape: Any) -> Any:
    """A shape as a NumPy array of integers."""
    import numpy as np

    return np.asarray([operator.index(n) for n in shape], types.int_default().storage)
