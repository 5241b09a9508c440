"""Sorting and selection of the largest elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import Primitive, ShapedArray, Value, get_aval, shaped_array
from ..dtypes import INT32
from .apply import broadcast_in_dim, gather, iota, number
from .family import Kernel
from .index_dimensions import GatherDimensionNumbers, GatherScatterMode
from .linear import Zero, zero_of
from .shape import batch_to_front

sort_p = Primitive("sort", multiple_results=True)
top_k_p = Primitive("top_k", multiple_results=True)


def pick_along(x: Value, places: Value, dimension: int) -> Value:
    """Elements of `x` at `places` along one axis, place by place along all the others."""
    rank = get_aval(x).ndim
    others = tuple(d for d in range(rank) if d != dimension)
    shape = get_aval(places).shape
    if 0 in shape:
        return broadcast_in_dim(number(0, x), shape=shape, broadcast_dimensions=(), sharding=None)
    column = broadcast_in_dim(
        places, shape=(*shape, 1), broadcast_dimensions=tuple(range(rank)), sharding=None
    )
    return gather(
        x,
        column,
        dimension_numbers=GatherDimensionNumbers((), (dimension,), (dimension,), others, others),
        slice_sizes=(1,) * rank,
        indices_are_sorted=False,
        unique_indices=True,
        mode=GatherScatterMode.PROMISE_IN_BOUNDS,
        fill_value=None,
    )


def _sort_abstract(*avals: ShapedArray, dimension: int, is_stable: bool, num_keys: int) -> list[ShapedArray]:
    if any(aval.shape != avals[0].shape for aval in avals):
        shapes = " ".join(str(aval.shape) for aval in avals)
        raise TypeError(f"Arguments to sort must have equal shapes, got: {shapes}")
    return list(avals)


def _sort_jvp(
    primals: Sequence[Value], tangents: Sequence[Any], *, dimension: int, is_stable: bool, num_keys: int
) -> tuple[list[Value], list[Any]]:
    places = iota(dtype=INT32, shape=get_aval(primals[0]).shape, dimension=dimension, sharding=None)
    *out, order = sort_p.bind(*primals, places, dimension=dimension, is_stable=is_stable, num_keys=num_keys)
    moved = [
        zero_of(o) if type(t) is Zero else pick_along(t, order, dimension) for o, t in zip(out, tangents)
    ]
    return out, moved


def _sort_batch(
    size: int,
    args: Sequence[Value],
    dims: Sequence[int | None],
    *,
    dimension: int,
    is_stable: bool,
    num_keys: int,
) -> tuple[list[Value], list[int]]:
    front = [batch_to_front(x, d, size) for x, d in zip(args, dims)]
    out = sort_p.bind(*front, dimension=dimension + 1, is_stable=is_stable, num_keys=num_keys)
    return out, [0] * len(out)


sort_p.abstract_eval = _sort_abstract
sort_p.impl = Kernel("sorting_kernels:sort")
sort_p.jvp = _sort_jvp
sort_p.batch = _sort_batch
_MATRIX = [[3.0, 1.0, 2.0], [0.5, -1.0, 4.0]]
sort_p.examples = [
    ((_MATRIX,), {"dimension": 1, "is_stable": True, "num_keys": 1}),
    ((_MATRIX, _MATRIX), {"dimension": 0, "is_stable": True, "num_keys": 1}),
]


def _top_k_abstract(x: ShapedArray, *, k: int, axis: int) -> list[ShapedArray]:
    if x.dtype.kind == "c":
        raise ValueError("top_k is not compatible with complex inputs.")
    if x.ndim == 0:
        raise ValueError("top_k operand must have >= 1 dimension, got 0-dimensional array.")
    if x.shape[axis] < k:
        raise ValueError(
            f"k argument to top_k must be no larger than size along axis; got k={k} with shape={list(x.shape)} and axis={axis}"
        )
    shape = (*x.shape[:axis], k, *x.shape[axis + 1 :])
    return [shaped_array(shape, x.dtype, x.weak_type), shaped_array(shape, INT32, x.weak_type)]


def _top_k_jvp(
    primals: Sequence[Value], tangents: Sequence[Any], *, k: int, axis: int
) -> tuple[list[Value], list[Any]]:
    values, places = top_k_p.bind(*primals, k=k, axis=axis)
    return [values, places], [pick_along(tangents[0], places, axis), zero_of(places)]


def _top_k_batch(
    size: int, args: Sequence[Value], dims: Sequence[Any], *, k: int, axis: int
) -> tuple[list[Value], list[int]]:
    axis = axis + 1 if dims[0] <= axis else axis
    return top_k_p.bind(*args, k=k, axis=axis), [dims[0], dims[0]]


top_k_p.abstract_eval = _top_k_abstract
top_k_p.impl = Kernel("sorting_kernels:top_k")
top_k_p.jvp = _top_k_jvp
top_k_p.batch = _top_k_batch
top_k_p.examples = [((_MATRIX,), {"k": 2, "axis": 1})]
