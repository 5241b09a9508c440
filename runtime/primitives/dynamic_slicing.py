"""Slices whose start is a value. A start is moved so that the slice lies inside the array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ..core import Primitive, ShapedArray, Value, get_aval, shaped_array
from ..dtypes import INT32
from .apply import dynamic_slice, dynamic_update_slice, number
from .conversion import convert
from .family import Kernel
from .linear import Zero, instantiate, is_undefined_primal, zero_of, zeros_like_aval
from .shape import batch_to_front, move_axis, reshape

_MATRIX = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
Sizes: TypeAlias = tuple[int, ...]


def _check_starts(name: str, starts: Sequence[ShapedArray], rank: int) -> None:
    if len(starts) != rank:
        raise TypeError(
            f"{name} start_indices must have length {rank}, one for each dimension, got {len(starts)}."
        )
    if any(start.shape for start in starts):
        raise TypeError(f"start_indices arguments to {name} must be scalars,  got indices {tuple(starts)}")
    if any(start.dtype.kind not in "iu" for start in starts):
        raise TypeError(f"index arguments to {name} must be integers, got {[s.dtype.name for s in starts]}")
    if any(start.dtype is not starts[0].dtype for start in starts):
        raise TypeError(
            f"index arguments to {name} must be integers of the same type, got: "
            f"{', '.join(start.dtype.name for start in starts)}"
        )


def _start_matrix(size: int, starts: Sequence[Value], dims: Sequence[int | None]) -> Value:
    """The starts of every example: an array of shape (size, rank)."""
    from .slicing import concatenate_p

    columns = [reshape(batch_to_front(start, dim, size), (size, 1)) for start, dim in zip(starts, dims)]
    return concatenate_p.bind(*[convert(column, INT32) for column in columns], dimension=1)


# ------------------------------------------------------------------------------------------------ dynamic_slice

dynamic_slice_p = Primitive("dynamic_slice")


def _slice_abstract_eval(x: ShapedArray, *starts: ShapedArray, slice_sizes: Sizes) -> ShapedArray:
    if len(slice_sizes) != x.ndim or any(size > n for size, n in zip(slice_sizes, x.shape)):
        raise TypeError(
            "slice slice_sizes must be less than or equal to operand shape, got slice_sizes "
            f"{slice_sizes} for operand shape {x.shape}."
        )
    if any(size < 0 for size in slice_sizes):
        raise TypeError(
            f"slice slice_sizes must be greater than or equal to zero, got slice_sizes of {slice_sizes}."
        )
    _check_starts("dynamic_slice", starts, x.ndim)
    return shaped_array(tuple(slice_sizes), x.dtype, x.weak_type)


def _slice_jvp(primals: Sequence[Value], tangents: Sequence[Any], *, slice_sizes: Sizes) -> tuple[Value, Any]:
    out = dynamic_slice(*primals, slice_sizes=slice_sizes)
    if type(tangents[0]) is Zero:
        return out, zero_of(out)
    return out, dynamic_slice(tangents[0], *primals[1:], slice_sizes=slice_sizes)


def _slice_transpose(ct: Value, x: Any, *starts: Value, slice_sizes: Sizes) -> list[Any]:
    spread = dynamic_update_slice(zeros_like_aval(x.aval.update(weak_type=False)), ct, *starts)
    return [spread, *[None] * len(starts)]


def _slice_batch(size: int, args: Sequence[Value], dims: Sequence[int | None], *, slice_sizes: Sizes) -> Any:
    x, *starts = args
    if all(dim is None for dim in dims[1:]):
        front = move_axis(x, dims[0], 0)  # type: ignore[arg-type]
        zero = number(0, starts[0]) if starts else number(0, x)
        return dynamic_slice(front, zero, *starts, slice_sizes=(size, *slice_sizes)), 0
    from .index_dimensions import GatherDimensionNumbers, GatherScatterMode
    from .indexing import gather_p

    own = dims[0] is not None
    front = move_axis(x, dims[0], 0) if dims[0] is not None else x
    rank = len(slice_sizes)
    numbers = GatherDimensionNumbers(
        offset_dims=tuple(range(1, rank + 1)),
        collapsed_slice_dims=(),
        start_index_map=tuple(range(own, rank + own)),
        operand_batching_dims=(0,) if own else (),
        start_indices_batching_dims=(0,) if own else (),
    )
    return gather_p.bind(
        front,
        _start_matrix(size, starts, dims[1:]),
        dimension_numbers=numbers,
        slice_sizes=(min(1, size), *slice_sizes) if own else slice_sizes,
        unique_indices=False,
        indices_are_sorted=False,
        mode=GatherScatterMode.CLIP,
        fill_value=None,
    ), 0


dynamic_slice_p.abstract_eval = _slice_abstract_eval
dynamic_slice_p.impl = Kernel("slicing_kernels:dynamic_slice")
dynamic_slice_p.jvp = _slice_jvp
dynamic_slice_p.transpose = _slice_transpose
dynamic_slice_p.batch = _slice_batch
dynamic_slice_p.examples = [
    ((_MATRIX, 1, 1), {"slice_sizes": (1, 2)}),
    ((_MATRIX, 5, -1), {"slice_sizes": (1, 2)}),
]

# ------------------------------------------------------------------------------------------------ dynamic_update_slice

dynamic_update_slice_p = Primitive("dynamic_update_slice")


def _update_abstract_eval(x: ShapedArray, update: ShapedArray, *starts: ShapedArray) -> ShapedArray:
    if x.ndim != update.ndim:
        raise TypeError(
            "dynamic_update_slice update must have the same rank as operand, got update shape "
            f"{update.shape} for operand shape {x.shape}."
        )
    if any(m > n for m, n in zip(update.shape, x.shape)):
        raise TypeError(
            "dynamic_update_slice update shape must be smaller than operand shape, got update shape "
            f"{update.shape} for operand shape {x.shape}."
        )
    if x.dtype is not update.dtype:
        raise TypeError(
            "lax.dynamic_update_slice requires arguments to have the same dtypes, got "
            f"{x.dtype.name}, {update.dtype.name}."
        )
    _check_starts("dynamic_update_slice", starts, x.ndim)
    return shaped_array(x.shape, x.dtype, x.weak_type and update.weak_type)


def _update_jvp(primals: Sequence[Value], tangents: Sequence[Any]) -> tuple[Value, Any]:
    out = dynamic_update_slice(*primals)
    if type(tangents[0]) is Zero and type(tangents[1]) is Zero:
        return out, zero_of(out)
    return out, dynamic_update_slice(instantiate(tangents[0]), instantiate(tangents[1]), *primals[2:])


def _update_transpose(ct: Value, x: Any, update: Any, *starts: Value) -> list[Any]:
    shape = get_aval(update).shape
    outside = inside = None
    if is_undefined_primal(x):
        outside = dynamic_update_slice(
            ct, zeros_like_aval(get_aval(update).update(dtype=get_aval(ct).dtype)), *starts
        )
    if is_undefined_primal(update):
        inside = dynamic_slice(ct, *starts, slice_sizes=shape)
    return [outside, inside, *[None] * len(starts)]


def _update_batch(size: int, args: Sequence[Value], dims: Sequence[int | None]) -> tuple[Value, int]:
    x, update, *starts = args
    front, new = batch_to_front(x, dims[0], size), batch_to_front(update, dims[1], size)
    if all(dim is None for dim in dims[2:]):
        zero = number(0, starts[0]) if starts else number(0, x)
        return dynamic_update_slice(front, new, zero, *starts), 0
    from .index_dimensions import GatherScatterMode, ScatterDimensionNumbers
    from .indexing import scatter_p

    rank = get_aval(front).ndim - 1
    numbers = ScatterDimensionNumbers(
        update_window_dims=tuple(range(1, rank + 1)),
        inserted_window_dims=(),
        scatter_dims_to_operand_dims=tuple(range(1, rank + 1)),
        operand_batching_dims=(0,),
        scatter_indices_batching_dims=(0,),
    )
    return scatter_p.bind(
        front,
        _start_matrix(size, starts, dims[2:]),
        new,
        dimension_numbers=numbers,
        indices_are_sorted=False,
        unique_indices=True,
        mode=GatherScatterMode.CLIP,
        update_jaxpr=None,
        update_consts=(),
    ), 0


dynamic_update_slice_p.abstract_eval = _update_abstract_eval
dynamic_update_slice_p.impl = Kernel("slicing_kernels:dynamic_update_slice")
dynamic_update_slice_p.jvp = _update_jvp
dynamic_update_slice_p.transpose = _update_transpose
dynamic_update_slice_p.batch = _update_batch
dynamic_update_slice_p.examples = [((_MATRIX, [[9.0, 8.0]], 1, 1), {}), ((_MATRIX, [[9.0, 8.0]], -3, 7), {})]
