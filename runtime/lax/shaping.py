"""`jax.lax` functions that change shapes."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

from ..arrays.promotion import broadcast_shapes as broadcast_shapes  # noqa: PLC0414
from ..core import Array
from ..jitting.static import hashable_int, hashable_ints
from ..primitives import apply
from ..primitives import shape as shape_primitives
from . import types
from .elementwise import as_array, operand


def _sizes(shape: Any) -> tuple[int, ...]:
    from ..numpy.promotion import canonical_shape

    return canonical_shape(shape)


def broadcast_in_dim(
    operand: Any, shape: Any, broadcast_dimensions: Sequence[int], *, out_sharding: Any = None
) -> Array:
    """Repeat along new axes; operand axis i becomes axis `broadcast_dimensions[i]`."""
    x = _operand(operand)
    dims = hashable_ints("broadcast_dimensions of lax.broadcast_in_dim", broadcast_dimensions)
    if len(set(dims)) < len(dims):
        raise TypeError(f"broadcast_in_dim broadcast_dimensions must not contain duplicates, got {dims}")
    # As in JAX, an array of this shape is the result, whatever the order of the dimensions.
    if isinstance(x, Array) and x.shape == tuple(shape):  # A comparison, which traced sizes refuse.
        return x
    sizes = hashable_ints("shape of lax.broadcast_in_dim", shape)
    if len(dims) == len(types.shape(x)) and list(dims) != sorted(dims):
        x, dims = transpose(x, sorted(range(len(dims)), key=dims.__getitem__)), tuple(sorted(dims))
    return shape_primitives.broadcast_in_dim_p.bind(x, shape=sizes, broadcast_dimensions=dims, sharding=None)


_operand = operand


def broadcast(operand: Any, sizes: Any, *, out_sharding: Any = None) -> Array:
    """Repeat along new leading axes."""
    own = types.shape(operand)
    shape = (*sizes, *own)
    if any(n < 0 for n in shape):
        raise TypeError(f"broadcast shape must have every element be nonnegative, got {shape}.")
    return broadcast_in_dim(operand, shape, tuple(range(len(sizes), len(shape))))


def broadcast_to_rank(x: Any, rank: int) -> Array:
    """Unit axes in front, up to a rank."""
    own = types.shape(x)
    if len(own) == rank:
        return as_array(x)
    return broadcast_in_dim(x, (1,) * (rank - len(own)) + own, tuple(range(rank - len(own), rank)))


def broadcast_like(arr: Any, like_arr: Any) -> Array:
    """`arr` repeated to the shape of another array."""
    shape = types.shape(like_arr)
    own = types.shape(arr)
    if len(own) > len(shape) or any(n not in (1, m) for n, m in zip(own[::-1], shape[::-1])):
        raise ValueError(f"Incompatible shapes for broadcasting: {own} and requested shape {shape}")
    return broadcast_in_dim(arr, shape, tuple(range(len(shape) - len(own), len(shape))))


def reshape(
    operand: Any, new_sizes: Any, dimensions: Sequence[int] | None = None, *, out_sharding: Any = None
) -> Array:
    """The same elements in another shape."""
    x = as_array(operand)
    sizes = _sizes(new_sizes)
    if dimensions is not None and tuple(dimensions) != tuple(range(x.ndim)):
        x = transpose(x, dimensions)
    if x.shape == sizes:
        return x
    return shape_primitives.reshape_p.bind(x, new_sizes=sizes, dimensions=None, sharding=None)


def expand_dims(array: Any, dimensions: Sequence[int]) -> Array:
    """Insert unit axes at these places of the result."""
    own = types.shape(array)
    rank = len(own) + len(tuple(dimensions))
    dims = []
    for d in dimensions:
        d = hashable_int("dimensions of lax.expand_dims", d)
        if not -rank <= d < rank:
            raise ValueError(f"axis {d} is out of bounds for array of dimension {rank}")
        dims.append(d % rank)
    if len(set(dims)) != len(dims):
        raise ValueError(f"repeated axis in lax.expand_dims: {tuple(dims)}")
    if not dims:
        return as_array(array)
    return shape_primitives.expand_dims(_operand(array), tuple(sorted(dims)))


def squeeze(array: Any, dimensions: Sequence[int]) -> Array:
    """Remove unit axes."""
    x = as_array(array)
    dims = []
    for d in dimensions:
        d = operator.index(d)
        if not -x.ndim <= d < x.ndim:
            raise ValueError(f"axis {d} is out of bounds for array of dimension {x.ndim}")
        dims.append(d % x.ndim)
    if not dims:
        return x
    return shape_primitives.squeeze_p.bind(x, dimensions=tuple(sorted(dims)))


def transpose(operand: Any, permutation: Sequence[int]) -> Array:
    """Permute axes."""
    x = as_array(operand)
    order = tuple(operator.index(d) for d in permutation)
    if order == tuple(range(x.ndim)):
        return x
    return shape_primitives.transpose_p.bind(x, permutation=order)


def rev(operand: Any, dimensions: Sequence[int]) -> Array:
    """Reverse axes."""
    dims = tuple(dimensions)
    if not dims:
        return as_array(operand)
    return shape_primitives.rev_p.bind(
        _operand(operand), dimensions=hashable_ints("dimensions of lax.rev", dims)
    )


def concatenate(operands: Any, dimension: int) -> Array:
    """Join along an axis."""
    if isinstance(operands, Array):
        operands = [operands[i] for i in range(operands.shape[0])]
    parts = list(operands)
    if not parts:
        raise ValueError("concatenate requires a non-empty sequences of arrays")
    if len(parts) == 1:
        return as_array(parts[0])
    place = hashable_int("dimension of lax.concatenate", dimension)
    return apply.concatenate(*map(_operand, parts), dimension=place)


def pad(operand: Any, padding_value: Any, padding_config: Sequence[tuple[int, int, int]]) -> Array:
    """Pad by (low, high, interior) for each axis; negative edges crop."""
    if not all(hasattr(entry, "__len__") for entry in padding_config):
        raise ValueError(
            "padding_config must have an entry (low, high, interior) for each axis of operand, got padding_config "
            f"{padding_config} for operand shape {types.shape(operand)}"
        )
    config = tuple([hashable_ints("padding_config of lax.pad", entry) for entry in padding_config])
    return apply.pad(_operand(operand), _operand(padding_value), padding_config=config)


def stack(operands: Any, axis: int = 0) -> Array:
    """Join along a new axis."""
    parts = [_operand(x) for x in operands]
    rank = len(types.shape(parts[0])) + 1
    axis = operator.index(axis)
    return apply.stack(*parts, axis=axis % rank)


def unstack(x: Any, axis: int = 0) -> tuple[Array, ...]:
    """The slices along an axis."""
    value = as_array(x)
    if value.ndim == 0:
        raise ValueError("Unstack requires arrays with rank > 0, but a scalar array was passed.")
    return tuple(apply.unstack(value, axis=operator.index(axis) % value.ndim))


def split(operand: Any, sizes: Sequence[int], axis: int = 0) -> list[Array]:
    """Cut along an axis into parts of these sizes."""
    x = as_array(operand)
    place = operator.index(axis)
    if not -x.ndim <= place < x.ndim:
        raise ValueError(f"axis {place} is out of bounds for array of dimension {x.ndim}")
    lengths = hashable_ints("sizes of lax.split", sizes)
    if any(n < 0 for n in lengths):
        raise ValueError(f"Sizes passed to split must be nonnegative, got {list(lengths)}")
    if sum(lengths) != x.shape[place % x.ndim]:
        raise ValueError(
            f"Sum of sizes {sum(lengths)} must be equal to dimension {place % x.ndim} of the operand shape "
            f"{list(x.shape)}"
        )
    return list(apply.split(x, sizes=lengths, axis=place % x.ndim))


def tile(operand: Any, reps: Sequence[int]) -> Array:
    """Repeat whole arrays along each axis."""
    x = as_array(operand)
    counts = hashable_ints("reps of lax.tile", reps)
    if len(counts) != x.ndim:
        raise TypeError(f"reps must have one entry per dimension, got {counts} for shape {x.shape}")
    if all(r == 1 for r in counts):
        return x
    return shape_primitives.tile_p.bind(x, reps=counts)


def collapse(operand: Any, start_dimension: int, stop_dimension: int | None = None) -> Array:
    """Merge a range of axes into one."""
    x = as_array(operand)
    low, high, _ = slice_bounds(start_dimension, stop_dimension, x.ndim)
    if high <= low:
        raise ValueError(
            f"Invalid dimension range passed to collapse: {x.shape}[{start_dimension}:{stop_dimension}]"
        )
    return reshape(x, (*x.shape[:low], math.prod(x.shape[low:high]), *x.shape[high:]))


def slice_bounds(start: Any, stop: Any, n: int) -> tuple[int, int, int]:
    """Python's slice resolution for static bounds."""
    return slice(operator.index(start), None if stop is None else operator.index(stop)).indices(n)
