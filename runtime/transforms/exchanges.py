"""Collective operations that exchange parts of arrays along a named axis, composed of those that gather and sum them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ..core import get_aval
from ..pytree.mapping import tree_map
from .collectives import all_gather, axis_index, axis_size, psum, refuse_groups


def _part(x: Any, axis_name: Any, axis: int, length: int) -> Any:
    """The part of `x` along `axis` that belongs to this example."""
    from ..lax import dynamic_slice_in_dim

    return dynamic_slice_in_dim(x, axis_index(axis_name) * length, length, axis)


def all_to_all(
    x: Any,
    axis_name: Hashable,
    split_axis: int,
    concat_axis: int,
    *,
    axis_index_groups: Any = None,
    tiled: bool = False,
) -> Any:
    """Each example gives its i-th part along `split_axis` to example i, and puts what it gets together along `concat_axis`.

    Without `tiled` the split axis, of the size of the named axis, vanishes, and a new one arises. Raises NameError outside
    of a transform that binds the name, and ValueError where the axis cannot be split.
    """
    refuse_groups(axis_index_groups)
    size = axis_size(axis_name)

    def exchange(leaf: Any) -> Any:
        from ..numpy import concatenate, squeeze, stack

        length = get_aval(leaf).shape[split_axis]
        if tiled and length % size:
            raise ValueError(
                f"The size of all_to_all split_axis ({length}) has to be divisible by the size of the named axis "
                f"{axis_name} ({size})"
            )
        if not tiled and length != size:
            raise ValueError(
                "all_to_all requires the size of the mapped axis axis_name to equal x.shape[split_axis], but they are "
                f"{size} and {length} respectively."
            )
        everything = all_gather(leaf, axis_name)
        split = split_axis % get_aval(leaf).ndim
        mine = _part(everything, axis_name, split + 1, length // size)
        parts = [mine[i] for i in range(size)]
        if tiled:
            return concatenate(parts, concat_axis)
        return stack([squeeze(part, split) for part in parts], concat_axis)

    return tree_map(exchange, x)


def psum_scatter(
    x: Any,
    axis_name: Hashable,
    *,
    scatter_dimension: int = 0,
    axis_index_groups: Any = None,
    tiled: bool = False,
) -> Any:
    """The sum over a named axis, of which example i keeps the i-th part along a dimension; without `tiled` it vanishes.

    Raises NameError outside of a transform that binds the name, and ValueError where the dimension cannot be split.
    """
    refuse_groups(axis_index_groups)
    size = axis_size(axis_name)

    def scatter(leaf: Any) -> Any:
        from ..numpy import squeeze

        length = get_aval(leaf).shape[scatter_dimension]
        if length % size or (not tiled and length != size):
            raise ValueError(
                f"psum_scatter operand scatter dimension size {length} must {'be divisible by' if tiled else 'match'} "
                f"shard count {size}"
            )
        mine = _part(psum(leaf, axis_name), axis_name, scatter_dimension, length // size)
        return mine if tiled else squeeze(mine, scatter_dimension)

    return tree_map(scatter, x)


def pswapaxes(x: Any, axis_name: Hashable, axis: int, *, axis_index_groups: Any = None) -> Any:
    """A named axis exchanged with an axis of the arrays, which is as long."""
    return all_to_all(x, axis_name, axis, axis, axis_index_groups=axis_index_groups)


def pbroadcast(x: Any, axis_name: Hashable, source: int) -> Any:
    """The arrays of one example along a named axis, for all of them."""
    return tree_map(lambda leaf: all_gather(leaf, axis_name)[source], x)
