"""Products of arrays of which one axis falls into groups of different sizes."""

from __future__ import annotations

from typing import Any

from ..core import Array
from . import types
from .constructors import full_like, iota
from .contraction import dot_general
from .elementwise import as_array, convert_element_type, select
from .reductions import cumsum
from .shaping import broadcast_in_dim, expand_dims

__all__ = ["ragged_dot_general"]


def ragged_dot_general(
    lhs: Any,
    rhs: Any,
    group_sizes: Any,
    ragged_dot_dimension_numbers: Any,
    precision: Any = None,
    preferred_element_type: Any = None,
    group_offset: Any = None,
    out_sharding: Any = None,
) -> Array:
    """Contract two arrays where one axis of `lhs` falls into groups.

    Where that axis is not contracted, each group of it meets its own part of `rhs`. Where it is contracted, the result has
    an axis for the groups in front. Batches may have groups of their own.

    Raises TypeError for dimension numbers that name no such axis, or group sizes that do not fit them.
    """
    x, y, sizes = as_array(lhs), as_array(rhs), as_array(group_sizes)
    numbers = ragged_dot_dimension_numbers
    (contract_x, contract_y), (batch_x, batch_y) = numbers.dot_dimension_numbers
    if group_offset is not None:
        raise NotImplementedError("Unimplemented group_offset support.")
    ragged = _ragged_axis(numbers, sizes)
    product = {"precision": precision, "preferred_element_type": preferred_element_type}
    if ragged in batch_x:
        return dot_general(x, y, numbers.dot_dimension_numbers, **product)
    masked = _by_group(x, ragged, sizes, tuple(batch_x))
    if ragged in contract_x:
        # Groups are rows of a product of their own, which stand behind the batch.
        moved = [tuple(axis + 1 for axis in axes) for axes in (batch_x, contract_x)]
        groups_y = broadcast_in_dim(y, (sizes.shape[-1], *y.shape), tuple(range(1, y.ndim + 1)))
        axes_y = [tuple(axis + 1 for axis in axes) for axes in (batch_y, contract_y)]
        paired = ((moved[1], axes_y[1]), ((0, *moved[0]), (0, *axes_y[0])))
        return dot_general(masked, groups_y, paired, **product)
    (group_axis,) = numbers.rhs_group_dimensions
    if y.shape[group_axis] != sizes.shape[-1]:
        raise TypeError(
            f"expected rhs group dimension size to be {sizes.shape[-1]}, got {y.shape[group_axis]}."
        )
    shifted = [tuple(axis + 1 for axis in axes) for axes in (contract_x, batch_x)]
    paired = (((0, *shifted[0]), (group_axis, *contract_y)), (shifted[1], tuple(batch_y)))
    return dot_general(masked, y, paired, **product)


def _ragged_axis(numbers: Any, sizes: Array) -> int:
    """The axis that falls into groups."""
    if sizes.dtype.kind not in "iu":
        raise TypeError("ragged_dot_general requires that group_sizes.dtype is subtype of np.integer.")
    if len(numbers.lhs_ragged_dimensions) != 1:
        raise TypeError("ragged_dot_general expects exactly one lhs ragged dimension.")
    (axis,) = numbers.lhs_ragged_dimensions
    (contracted, _), (batch, _) = numbers.dot_dimension_numbers
    of_rhs = len(numbers.rhs_group_dimensions)
    if axis in contracted or axis in batch:
        if of_rhs:
            raise TypeError(
                "ragged_dot_general requires zero group dimensions in the rhs when lhs ragged dimension is contracting or "
                "batch."
            )
    elif of_rhs != 1:
        raise TypeError(
            "ragged_dot_general requires exactly one rhs group dimension when lhs ragged dimension is noncontracting."
        )
    return int(axis)


def _by_group(x: Array, axis: int, sizes: Array, batch: tuple[int, ...]) -> Array:
    """`x` once for each group, with zeros where the axis belongs to others."""
    ends = cumsum(sizes, sizes.ndim - 1)
    length = x.shape[axis]
    places = convert_element_type(iota(types.int32, length), sizes.dtype)
    # Axes: those of the batch that have groups of their own, the groups, the places.
    ends, starts = expand_dims(ends, (ends.ndim,)), expand_dims(ends - sizes, (ends.ndim,))
    inside = (places >= starts) & (places < ends)
    out_shape = (sizes.shape[-1], *x.shape)
    own = tuple(b + 1 for b in batch[: sizes.ndim - 1])
    axes = (*own, 0, axis + 1)
    order = sorted(range(len(axes)), key=lambda i: axes[i])
    mask = broadcast_in_dim(inside.transpose(order), out_shape, tuple(sorted(axes)))
    every = broadcast_in_dim(x, out_shape, tuple(range(1, x.ndim + 1)))
    return select(mask, every, full_like(every, 0))
