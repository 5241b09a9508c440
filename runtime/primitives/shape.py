"""Primitives that change the shape of an array, or make one from nothing, and the moves that batching rules need."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from ..core import Primitive, ShapedArray, Value, get_aval, shaped_array
from ..dtypes import as_dtype
from .family import ANY, Kernel
from .linear import UndefinedPrimal, Zero, zero_of

_MATRIX = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


# ------------------------------------------------------------------------------------------------ moves


def broadcast(x: Value, shape: tuple[int, ...]) -> Value:
    """`x` repeated to `shape`; its dimensions are the last ones of `shape`, or have length 1."""
    aval = get_aval(x)
    if aval.shape == shape:
        return x
    offset = len(shape) - aval.ndim
    return broadcast_in_dim_p.bind(
        x, shape=shape, broadcast_dimensions=tuple(range(offset, len(shape))), sharding=None
    )


def broadcast_scalar_like(x: Value, shape: tuple[int, ...]) -> Value:
    """A value repeated to `shape`, when a rule has left it a scalar or with dimensions of length 1."""
    return x if type(x) is Zero else broadcast(x, shape)


def expand_dims(x: Value, dimensions: tuple[int, ...]) -> Value:
    """`x` with dimensions of length 1 at these positions of the result."""
    if not dimensions:
        return x
    aval = get_aval(x)
    rank = aval.ndim + len(dimensions)
    kept = tuple(d for d in range(rank) if d not in dimensions)
    shape = [1] * rank
    for position, length in zip(kept, aval.shape):
        shape[position] = length
    return broadcast_in_dim_p.bind(x, shape=tuple(shape), broadcast_dimensions=kept, sharding=None)


def move_axis(x: Value, source: int, destination: int) -> Value:
    """`x` with one dimension moved."""
    if source == destination:
        return x
    order = [d for d in range(get_aval(x).ndim) if d != source]
    order.insert(destination, source)
    return transpose_p.bind(x, permutation=tuple(order))


def batch_to_front(x: Value, dim: int | None, size: int) -> Value:
    """An operand of a batching rule with its batch dimension first, made by repetition when it has none."""
    if dim is not None:
        return move_axis(x, dim, 0)
    return broadcast(x, (size, *get_aval(x).shape))


def reshape(x: Value, shape: tuple[int, ...]) -> Value:
    """`x` with another shape of the same size."""
    if get_aval(x).shape == shape:
        return x
    return reshape_p.bind(x, new_sizes=shape, dimensions=None, sharding=None)


def linear_rules(primitive: Primitive) -> None:
    """Give the JVP rule of a primitive that is linear in its first operand and does not depend on others smoothly."""

    def jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
        out = primitive.bind(*primals, **params)
        if type(tangents[0]) is Zero:
            return out, zero_of(out)
        return out, primitive.bind(tangents[0], *primals[1:], **params)

    primitive.jvp = jvp


def front_batch(primitive: Primitive, shift: Callable[..., dict[str, Any]]) -> None:
    """Batch by moving the batch dimension to the front; `shift(size, aval, **params)` makes room for it in params."""

    def batch(size: int, args: Sequence[Value], dims: Sequence[int], **params: Any) -> tuple[Value, int]:
        x = move_axis(args[0], dims[0], 0)
        return primitive.bind(x, **shift(size, get_aval(x), **params)), 0

    primitive.batch = batch


# ------------------------------------------------------------------------------------------------ broadcast_in_dim

broadcast_in_dim_p = Primitive("broadcast_in_dim")


def _broadcast_abstract_eval(
    x: ShapedArray, *, shape: tuple[int, ...], broadcast_dimensions: tuple[int, ...], sharding: Any = None
) -> ShapedArray:
    if len(broadcast_dimensions) != x.ndim:
        raise TypeError(
            "broadcast_in_dim broadcast_dimensions must have length equal to operand ndim; got broadcast_dimensions "
            f"{broadcast_dimensions} for operand ndim {x.ndim}."
        )
    if any(b <= a for a, b in pairwise(broadcast_dimensions)):
        raise TypeError(
            f"broadcast_in_dim broadcast_dimensions must be strictly increasing; got {broadcast_dimensions}."
        )
    for length, position in zip(x.shape, broadcast_dimensions):
        if not 0 <= position < len(shape):
            raise TypeError(
                "broadcast_in_dim broadcast_dimensions must be a subset of output dimensions, got "
                f"{broadcast_dimensions} for operand ndim {x.ndim} and shape {shape}."
            )
        if length not in (1, shape[position]):
            raise TypeError(
                "broadcast_in_dim operand dimension sizes must either be 1, or be equal to their corresponding "
                f"dimensions in the target broadcast shape; got operand of shape {x.shape}, target broadcast shape "
                f"{shape}, broadcast_dimensions {broadcast_dimensions} "
            )
    return shaped_array(shape, x.dtype, x.weak_type)


def _broadcast_transpose(
    ct: Value,
    x: UndefinedPrimal,
    *,
    shape: tuple[int, ...],
    broadcast_dimensions: tuple[int, ...],
    sharding: Any = None,
) -> list[Value]:
    from .reductions import reduce_sum

    stretched = [
        d
        for d in range(len(shape))
        if d not in broadcast_dimensions or x.aval.shape[broadcast_dimensions.index(d)] != shape[d]
    ]
    return [reshape(reduce_sum(ct, tuple(stretched)), x.aval.shape)]


broadcast_in_dim_p.abstract_eval = _broadcast_abstract_eval
broadcast_in_dim_p.impl = Kernel("shape_kernels:broadcast_in_dim")
linear_rules(broadcast_in_dim_p)
broadcast_in_dim_p.transpose = _broadcast_transpose
front_batch(
    broadcast_in_dim_p,
    lambda size, x, *, shape, broadcast_dimensions, sharding=None: {
        "shape": (size, *shape),
        "broadcast_dimensions": (0, *(d + 1 for d in broadcast_dimensions)),
        "sharding": None,
    },
)
broadcast_in_dim_p.forward = lambda x, params: x.shape == params["shape"]
broadcast_in_dim_p.pretty = lambda eqn: (
    {"broadcast_dimensions": eqn.params["broadcast_dimensions"]} if eqn.params["broadcast_dimensions"] else {}
)
broadcast_in_dim_p.examples = [
    (([1.0, 2.0, 3.0],), {"shape": (2, 3), "broadcast_dimensions": (1,), "sharding": None}),
    (([[1.0], [2.0]],), {"shape": (2, 2, 3), "broadcast_dimensions": (1, 2), "sharding": None}),
    ((1.0,), {"shape": (2, 3), "broadcast_dimensions": (), "sharding": None}),
]

# ------------------------------------------------------------------------------------------------ reshape

reshape_p = Primitive("reshape")


def _reshape_abstract_eval(
    x: ShapedArray, *, new_sizes: tuple[int, ...], dimensions: Any = None, sharding: Any = None
) -> ShapedArray:
    if any(length < 0 for length in new_sizes):
        raise TypeError(f"reshape new_sizes must all be positive, got {new_sizes}.")
    if math.prod(new_sizes) != x.size:
        shown = new_sizes[0] if len(new_sizes) == 1 else new_sizes
        raise TypeError(
            f"cannot reshape array of shape {x.shape} (size {x.size}) into shape {shown} (size {math.prod(new_sizes)})"
        )
    return shaped_array(tuple(new_sizes), x.dtype, x.weak_type)


reshape_p.abstract_eval = _reshape_abstract_eval
reshape_p.impl = Kernel("shape_kernels:reshape")
linear_rules(reshape_p)
reshape_p.transpose = lambda ct, x, **params: [reshape(ct, x.aval.shape)]
front_batch(
    reshape_p,
    lambda size, x, *, new_sizes, **rest: {
        "new_sizes": (size, *new_sizes),
        "dimensions": None,
        "sharding": None,
    },
)
reshape_p.examples = [((_MATRIX,), {"new_sizes": (3, 2), "dimensions": None, "sharding": None})]

# ------------------------------------------------------------------------------------------------ transpose, squeeze, rev

transpose_p = Primitive("transpose")


def _transpose_abstract_eval(x: ShapedArray, *, permutation: tuple[int, ...]) -> ShapedArray:
    if sorted(permutation) != list(range(x.ndim)):
        raise TypeError(
            f"transpose permutation isn't a permutation of operand dimensions, got permutation {permutation} for "
            f"operand shape {x.shape}."
        )
    return shaped_array(tuple(x.shape[d] for d in permutation), x.dtype, x.weak_type)


def _inverse(permutation: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(range(len(permutation)), key=permutation.__getitem__))


transpose_p.abstract_eval = _transpose_abstract_eval
transpose_p.impl = Kernel("shape_kernels:transpose")
linear_rules(transpose_p)
transpose_p.transpose = lambda ct, x, *, permutation: [
    transpose_p.bind(ct, permutation=_inverse(permutation))
]
front_batch(transpose_p, lambda size, x, *, permutation: {"permutation": (0, *(d + 1 for d in permutation))})
transpose_p.examples = [((_MATRIX,), {"permutation": (1, 0)})]

squeeze_p = Primitive("squeeze")


def _squeeze_abstract_eval(x: ShapedArray, *, dimensions: tuple[int, ...]) -> ShapedArray:
    if any(not 0 <= d < x.ndim for d in dimensions):
        raise ValueError(f"squeeze dimensions {dimensions} are out of range for an array of rank {x.ndim}")
    if any(x.shape[d] != 1 for d in dimensions):
        raise ValueError(
            "cannot select an axis to squeeze out which has size not equal to one, "
            f"got shape={x.shape} and dimensions={dimensions}"
        )
    return shaped_array(tuple(n for d, n in enumerate(x.shape) if d not in dimensions), x.dtype, x.weak_type)


squeeze_p.abstract_eval = _squeeze_abstract_eval
squeeze_p.impl = Kernel("shape_kernels:squeeze")
linear_rules(squeeze_p)
squeeze_p.transpose = lambda ct, x, **params: [reshape(ct, x.aval.shape)]
front_batch(squeeze_p, lambda size, x, *, dimensions: {"dimensions": tuple(d + 1 for d in dimensions)})
squeeze_p.examples = [(([_MATRIX],), {"dimensions": (0,)})]

rev_p = Primitive("rev")


def _rev_abstract_eval(x: ShapedArray, *, dimensions: tuple[int, ...]) -> ShapedArray:
    if len(set(dimensions)) != len(dimensions) or any(not 0 <= d < x.ndim for d in dimensions):
        raise TypeError(
            f"rev dimensions must be unique and within bounds, got {dimensions} for shape {x.shape}"
        )
    return x


rev_p.abstract_eval = _rev_abstract_eval
rev_p.impl = Kernel("shape_kernels:rev")
linear_rules(rev_p)
rev_p.transpose = lambda ct, x, *, dimensions: [rev_p.bind(ct, dimensions=dimensions)]
front_batch(rev_p, lambda size, x, *, dimensions: {"dimensions": tuple(d + 1 for d in dimensions)})
rev_p.examples = [((_MATRIX,), {"dimensions": (1,)})]

# ------------------------------------------------------------------------------------------------ iota, tile

iota_p = Primitive("iota")


def _iota_abstract_eval(
    *, dtype: Any, shape: tuple[int, ...], dimension: int, sharding: Any = None
) -> ShapedArray:
    if not 0 <= dimension < len(shape):
        raise ValueError(f"iota dimension must be between 0 and {len(shape)}, got {dimension}")
    if as_dtype(dtype).kind not in ANY or as_dtype(dtype).kind == "b":
        raise TypeError(
            f"iota does not accept dtype {dtype}. Accepted dtypes are subtypes of integer, floating, complexfloating."
        )
    return shaped_array(tuple(shape), as_dtype(dtype))


iota_p.abstract_eval = _iota_abstract_eval
iota_p.impl = Kernel("shape_kernels:iota")
iota_p.examples = [((), {"dtype": as_dtype("int32"), "shape": (2, 3), "dimension": 1, "sharding": None})]

tile_p = Primitive("tile")


def _tile_transpose(ct: Value, x: UndefinedPrimal, *, reps: tuple[int, ...]) -> list[Value]:
    from .reductions import reduce_sum

    split = tuple(n for pair in zip(reps, x.aval.shape) for n in pair)
    return [reduce_sum(reshape(ct, split), tuple(range(0, len(split), 2)))]


tile_p.abstract_eval = lambda x, *, reps: shaped_array(
    tuple(n * r for n, r in zip(x.shape, reps)), x.dtype, x.weak_type
)
tile_p.impl = Kernel("shape_kernels:tile")
linear_rules(tile_p)
tile_p.transpose = _tile_transpose
front_batch(tile_p, lambda size, x, *, reps: {"reps": (1, *reps)})
tile_p.examples = [((_MATRIX,), {"reps": (2, 1)})]
