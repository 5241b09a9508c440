"""Taking parts of arrays and putting parts together, at places known while tracing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ..core import Primitive, ShapedArray, Value, get_aval, literal, shaped_array
from ..dtypes import BOOL
from .apply import number, sub
from .family import Kernel, check_same_dtypes
from .linear import Zero, instantiate, is_undefined_primal, zero_of
from .reductions import reduce_sum
from .shape import batch_to_front, broadcast, broadcast_in_dim_p, front_batch, linear_rules, move_axis

_MATRIX = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
_ROW = [[7.0, 8.0, 9.0]]
Sizes: TypeAlias = tuple[int, ...]


# ------------------------------------------------------------------------------------------------ slice

slice_p = Primitive("slice")


def _slice_abstract_eval(
    x: ShapedArray, *, start_indices: Sizes, limit_indices: Sizes, strides: Sizes | None
) -> ShapedArray:
    if x.ndim != len(start_indices):
        raise TypeError(
            "slice start_indices must have length equal to the number of dimensions of the operand, got indices "
            f"{start_indices} for operand shape {x.shape}."
        )
    if len(start_indices) != len(limit_indices):
        raise TypeError(
            "slice limit_indices must have the same length as start_indices, got start_indices "
            f"{start_indices} and limit_indices {limit_indices}."
        )
    if any(limit > n for limit, n in zip(limit_indices, x.shape)):
        raise TypeError(
            "slice limit_indices must be less than or equal to operand shape, got limit_indices "
            f"{limit_indices} for operand shape {x.shape}."
        )
    if any(start < 0 for start in start_indices):
        raise TypeError(
            f"slice start_indices must be greater than or equal to zero, got start_indices of {start_indices}."
        )
    if any(limit < start for start, limit in zip(start_indices, limit_indices)):
        raise TypeError(
            "slice limit_indices must be greater than or equal to start_indices, got start_indices "
            f"{start_indices} and limit_indices {limit_indices}."
        )
    steps = strides or (1,) * x.ndim
    if len(steps) != x.ndim or any(step < 1 for step in steps):
        raise TypeError(f"slice strides must be positive, one for each dimension, got {strides}")
    shape = tuple(
        -(-(limit - start) // step) for start, limit, step in zip(start_indices, limit_indices, steps)
    )
    return shaped_array(shape, x.dtype, x.weak_type)


def _slice_transpose(
    ct: Value, x: Any, *, start_indices: Sizes, limit_indices: Sizes, strides: Sizes | None
) -> list[Value]:
    config = []
    steps = strides or (1,) * len(start_indices)
    for n, start, step, length in zip(x.aval.shape, start_indices, steps, get_aval(ct).shape):
        covered = max(0, (length - 1) * step + 1)
        config.append((start, n - start - covered, step - 1))
    return [pad_p.bind(ct, number(0, ct), padding_config=tuple(config))]


slice_p.abstract_eval = _slice_abstract_eval
slice_p.impl = Kernel("slicing_kernels:static_slice")
linear_rules(slice_p)
slice_p.transpose = _slice_transpose
front_batch(
    slice_p,
    lambda size, x, *, start_indices, limit_indices, strides: {
        "start_indices": (0, *start_indices),
        "limit_indices": (size, *limit_indices),
        "strides": None if strides is None else (1, *strides),
    },
)
slice_p.examples = [
    ((_MATRIX,), {"start_indices": (0, 1), "limit_indices": (2, 3), "strides": None}),
    ((_MATRIX,), {"start_indices": (1, 0), "limit_indices": (2, 3), "strides": (1, 2)}),
]

# ------------------------------------------------------------------------------------------------ pad

pad_p = Primitive("pad")
Config: TypeAlias = tuple[tuple[int, int, int], ...]


def _pad_abstract_eval(x: ShapedArray, value: ShapedArray, *, padding_config: Config) -> ShapedArray:
    if value.shape:
        raise ValueError(f"padding_value must be a scalar; got np.shape(padding_value)={value.shape}")
    if len(padding_config) != x.ndim:
        raise ValueError(
            f"length of padding_config must equal the number of axes of operand, got padding_config {padding_config} "
            f"for operand shape {x.shape}"
        )
    if any(interior < 0 for _, _, interior in padding_config):
        raise ValueError(
            f"interior padding in padding_config must be nonnegative, got padding_config {padding_config}"
        )
    if x.dtype is not value.dtype:
        raise TypeError(
            f"pad operand and padding_value must be same dtype: got {x.dtype.name} and {value.dtype.name}."
        )
    shape = tuple(
        low + high + (n + (n - 1) * interior if n else 0)
        for (low, high, interior), n in zip(padding_config, x.shape)
    )
    if any(n < 0 for n in shape):
        raise ValueError(
            f"Dimension size after padding is not at least 0, got result shape {shape}, for padding_config "
            f"{padding_config} and operand shape {x.shape}"
        )
    return shaped_array(shape, x.dtype, x.weak_type and value.weak_type)


def _pad_jvp(
    primals: Sequence[Value], tangents: Sequence[Any], *, padding_config: Config
) -> tuple[Value, Any]:
    out = pad_p.bind(*primals, padding_config=padding_config)
    if all(type(t) is Zero for t in tangents):
        return out, zero_of(out)
    return out, pad_p.bind(*map(instantiate, tangents), padding_config=padding_config)


def _pad_transpose(ct: Value, x: Any, value: Any, *, padding_config: Config) -> list[Any]:
    # Padding with negated amounts cuts the borders off, whether they were added or removed.
    inverse = tuple((-low, -high, 0) for low, high, _ in padding_config)
    inside = pad_p.bind(ct, number(0, ct), padding_config=inverse)
    shape = get_aval(inside).shape
    inside = slice_p.bind(
        inside,
        start_indices=(0,) * len(shape),
        limit_indices=shape,
        strides=tuple(interior + 1 for _, _, interior in padding_config),
    )
    everywhere = tuple(range(len(shape)))
    outside = None
    if is_undefined_primal(value):
        outside = sub(reduce_sum(ct, everywhere), reduce_sum(inside, everywhere))
    return [inside if is_undefined_primal(x) else None, outside]


def _pad_batch(
    size: int, args: Sequence[Value], dims: Sequence[int | None], *, padding_config: Config
) -> Any:
    x, value = args
    front = batch_to_front(x, dims[0], size)
    if dims[1] is None:
        return pad_p.bind(front, value, padding_config=((0, 0, 0), *padding_config)), 0
    # One padding value for each example: choose it wherever a mask of ones was padded with zeros.

    shape = get_aval(front).shape
    mask = pad_p.bind(
        broadcast(literal(True, BOOL), shape),
        literal(False, BOOL),
        padding_config=((0, 0, 0), *padding_config),
    )
    padded = pad_p.bind(front, number(0, front), padding_config=((0, 0, 0), *padding_config))
    values = broadcast_in_dim_p.bind(
        move_axis(value, dims[1], 0), shape=get_aval(padded).shape, broadcast_dimensions=(0,), sharding=None
    )
    from .selection import select_n_p

    return select_n_p.bind(mask, values, padded), 0


pad_p.abstract_eval = _pad_abstract_eval
pad_p.impl = Kernel("slicing_kernels:pad")
pad_p.jvp = _pad_jvp
pad_p.transpose = _pad_transpose
pad_p.batch = _pad_batch
pad_p.examples = [
    ((_MATRIX, 0.5), {"padding_config": ((1, 0, 0), (0, 2, 1))}),
    ((_MATRIX, 0.5), {"padding_config": ((0, 0, 0), (-1, 1, 0))}),
]

# ------------------------------------------------------------------------------------------------ concatenate, split

concatenate_p = Primitive("concatenate")


def _concatenate_abstract_eval(*avals: ShapedArray, dimension: int) -> ShapedArray:
    if not avals:
        raise TypeError("concatenate expects at least one operand, got 0.")
    shown = ", ".join(str(aval.shape) for aval in avals)
    if len({aval.ndim for aval in avals}) != 1:
        raise TypeError(f"Cannot concatenate arrays with different numbers of dimensions: got {shown}.")
    if not 0 <= dimension < avals[0].ndim:
        raise TypeError(f"concatenate dimension out of bounds: dimension {dimension} for shapes {shown}.")
    if len({(*aval.shape[:dimension], *aval.shape[dimension + 1 :]) for aval in avals}) != 1:
        raise TypeError(
            "Cannot concatenate arrays with shapes that differ in dimensions other than the one being concatenated: "
            f"concatenating along dimension {dimension} for shapes {shown}."
        )
    check_same_dtypes("concatenate", avals)
    shape = list(avals[0].shape)
    shape[dimension] = sum(aval.shape[dimension] for aval in avals)
    return shaped_array(tuple(shape), avals[0].dtype, all(aval.weak_type for aval in avals))


def _concatenate_jvp(
    primals: Sequence[Value], tangents: Sequence[Any], *, dimension: int
) -> tuple[Value, Any]:
    out = concatenate_p.bind(*primals, dimension=dimension)
    if all(type(t) is Zero for t in tangents):
        return out, zero_of(out)
    return out, concatenate_p.bind(*map(instantiate, tangents), dimension=dimension)


def _concatenate_transpose(ct: Value, *operands: Any, dimension: int) -> list[Any]:
    shape = get_aval(ct).shape
    cts: list[Any] = []
    start = 0
    for operand in operands:
        length = get_aval(operand).shape[dimension]
        lows, highs = [0] * len(shape), list(shape)
        lows[dimension], highs[dimension] = start, start + length
        start += length
        cts.append(
            slice_p.bind(ct, start_indices=tuple(lows), limit_indices=tuple(highs), strides=None)
            if is_undefined_primal(operand)
            else None
        )
    return cts


concatenate_p.abstract_eval = _concatenate_abstract_eval
concatenate_p.impl = Kernel("slicing_kernels:concatenate")
concatenate_p.jvp = _concatenate_jvp
concatenate_p.transpose = _concatenate_transpose
concatenate_p.batch = lambda size, args, dims, *, dimension: (
    concatenate_p.bind(*[batch_to_front(x, d, size) for x, d in zip(args, dims)], dimension=dimension + 1),
    0,
)
concatenate_p.examples = [((_MATRIX, _ROW), {"dimension": 0}), ((_ROW, _ROW), {"dimension": 1})]

split_p = Primitive("split", multiple_results=True)


def _split_abstract_eval(x: ShapedArray, *, sizes: Sizes, axis: int) -> list[ShapedArray]:
    if not 0 <= axis < x.ndim:
        raise ValueError(f"axis {axis} is out of bounds for operand shape {x.shape}")
    if any(size < 0 for size in sizes):
        raise ValueError(f"Sizes passed to split must be nonnegative, got {list(sizes)}")
    if sum(sizes) != x.shape[axis]:
        raise ValueError(
            f"Sum of sizes {sum(sizes)} must be equal to dimension {axis} of the operand shape {list(x.shape)}"
        )
    return [shaped_array((*x.shape[:axis], n, *x.shape[axis + 1 :]), x.dtype, x.weak_type) for n in sizes]


def _split_jvp(
    primals: Sequence[Value], tangents: Sequence[Any], **params: Any
) -> tuple[list[Value], list[Any]]:
    outs = split_p.bind(*primals, **params)
    return outs, [zero_of(out) for out in outs] if type(tangents[0]) is Zero else split_p.bind(
        *tangents, **params
    )


split_p.abstract_eval = _split_abstract_eval
split_p.impl = Kernel("slicing_kernels:split")
split_p.jvp = _split_jvp
split_p.transpose = lambda cts, x, *, sizes, axis: [
    concatenate_p.bind(*map(instantiate, cts), dimension=axis)
]
split_p.batch = lambda size, args, dims, *, sizes, axis: (
    split_p.bind(move_axis(args[0], dims[0], 0), sizes=sizes, axis=axis + 1),
    [0] * len(sizes),
)
split_p.examples = [((_MATRIX,), {"sizes": (1, 2), "axis": 1})]
