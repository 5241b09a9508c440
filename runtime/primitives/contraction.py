"""`dot_general`: products of matrices, vectors and tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ..core import (
    JaxprEqn,
    Params,
    Primitive,
    ShapedArray,
    Value,
    get_aval,
    shaped_array,
)
from ..dtypes import DType, as_dtype, real_dtype
from .conversion import convert
from .family import ANY, Kernel
from .linear import Zero, add_tangents, defined, is_undefined_primal, zero_of
from .shape import move_axis, transpose_p

Axes: TypeAlias = tuple[int, ...]
Numbers = tuple[tuple[Axes, Axes], tuple[Axes, Axes]]

dot_general_p = Primitive("dot_general")


def dot_general(x: Value, y: Value, numbers: Numbers, **params: Any) -> Value:
    """`dot_general` with the accuracy and result type that `params` may name."""
    preferred = params.get("preferred_element_type")
    return dot_general_p.bind(
        x,
        y,
        dimension_numbers=numbers,
        precision=params.get("precision"),
        preferred_element_type=preferred,
        out_sharding=None,
    )


def _check_side(side: str, aval: ShapedArray, contracting: Axes, batch: Axes) -> None:
    if any(not 0 <= d < aval.ndim for d in (*contracting, *batch)):
        raise TypeError(
            f"dot_general requires {side} dimension numbers to be nonnegative and less than the number of axes of the "
            f"{side} value, got {side}_batch of {batch} and {side}_contracting of {contracting} for {side} of rank "
            f"{aval.ndim}"
        )
    for name, axes in (("batch", batch), ("contracting", contracting)):
        if len(set(axes)) != len(axes):
            raise TypeError(
                f"dot_general requires {side} {name} dimensions to be distinct, got {side}_{name} {axes}."
            )
    if set(contracting) & set(batch):
        raise TypeError(
            f"dot_general requires {side} batch dimensions to be disjoint from contracting dimensions, got "
            f"{side}_batch {batch} and {side}_contracting {contracting}."
        )


def _rest(rank: int, *used: Axes) -> Axes:
    return tuple(d for d in range(rank) if all(d not in axes for axes in used))


# The largest exponent and the digits of each float.
_EXTENT = {"float16": (16, 10), "bfloat16": (128, 7), "float32": (128, 23), "float64": (1024, 52)}


def product_dtype(x: DType, y: DType) -> DType:
    """The type of products, one of the two as in XLA: complex before real, then the one of larger range, of more bits."""

    def extent(dtype: DType) -> tuple[Any, ...]:
        part = real_dtype(dtype)
        bits = 1 if part.kind == "b" else 8 * part.itemsize
        return dtype.kind == "c", *_EXTENT.get(part.name, (-1, -1)), bits, part.kind != "u"

    return x if extent(x) >= extent(y) else y


def _abstract_eval(
    x: ShapedArray,
    y: ShapedArray,
    *,
    dimension_numbers: Numbers,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> ShapedArray:
    (xc, yc), (xb, yb) = dimension_numbers
    _check_side("lhs", x, xc, xb)
    _check_side("rhs", y, yc, yb)
    for what, mine, other in (
        ("contracting dimensions", xc, yc),
        ("lhs batch dimensions and rhs batch dimensions", xb, yb),
    ):
        mine_shape, other_shape = tuple(x.shape[d] for d in mine), tuple(y.shape[d] for d in other)
        if mine_shape != other_shape:
            raise TypeError(
                f"dot_general requires {what} to have the same shape, got {mine_shape} and {other_shape}."
            )
    for position, aval in enumerate((x, y)):
        if aval.dtype.kind not in ANY:
            raise TypeError(f"dot_general does not accept dtype {aval.dtype} at position {position}.")
    dtype = product_dtype(x.dtype, y.dtype)
    if preferred_element_type is not None:
        dtype = as_dtype(preferred_element_type)
    shape = (
        *[x.shape[d] for d in xb],
        *[x.shape[d] for d in _rest(x.ndim, xc, xb)],
        *[y.shape[d] for d in _rest(y.ndim, yc, yb)],
    )
    return shaped_array(shape, dtype, x.weak_type and y.weak_type)


def _jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
    (x, y), (tx, ty) = primals, tangents
    out = dot_general_p.bind(x, y, **params)
    total: Any = zero_of(out)
    if type(tx) is not Zero:
        total = add_tangents(total, dot_general_p.bind(tx, y, **params))
    if type(ty) is not Zero:
        total = add_tangents(total, dot_general_p.bind(x, ty, **params))
    return out, total


def _transpose_left(
    ct: Value, x: ShapedArray, y: Value, numbers: Numbers, swapped: bool, params: Params
) -> Value:
    """The cotangent of `x`. With `swapped`, the result has the dimensions of `y` before those of `x`."""
    (xc, yc), (xb, yb) = numbers
    y_aval, rank = get_aval(y), get_aval(ct).ndim
    x_kept, y_kept = _rest(x.ndim, xc, xb), _rest(y_aval.ndim, yc, yb)
    batch = tuple(range(len(xb)))
    first = len(xb) if swapped else rank - len(y_kept)
    ct_y = tuple(range(first, first + len(y_kept)))
    product = dot_general(
        ct,
        y,
        ((ct_y, y_kept), (batch, yb)),
        precision=params.get("precision"),
        preferred_element_type=params.get("preferred_element_type"),
    )
    # The product has the batch dimensions, those that x kept, and the contracted ones in y's order.
    contracted = [xc[yc.index(d)] for d in sorted(yc)]
    source = [*xb, *x_kept, *contracted]
    order = tuple(source.index(d) for d in range(x.ndim))
    if order != tuple(range(x.ndim)):
        product = transpose_p.bind(product, permutation=order)
    return convert(product, x.dtype, get_aval(product).weak_type)


def _transpose(ct: Value, x: Any, y: Any, *, dimension_numbers: Numbers, **params: Any) -> list[Any]:
    (xc, yc), (xb, yb) = dimension_numbers
    if is_undefined_primal(x):
        return [_transpose_left(ct, x.aval, defined(y), dimension_numbers, False, params), None]
    return [None, _transpose_left(ct, y.aval, x, ((yc, xc), (yb, xb)), True, params)]


def _batch(
    size: int, args: Sequence[Value], dims: Sequence[int | None], *, dimension_numbers: Numbers, **params: Any
) -> tuple[Value, int]:
    (x, y), ((xc, yc), (xb, yb)) = args, dimension_numbers

    def moved(axes: Axes, by: bool) -> Axes:
        return tuple(d + by for d in axes)

    dx, dy = dims
    fx = move_axis(x, dx, 0) if dx is not None else x
    fy = move_axis(y, dy, 0) if dy is not None else y
    numbers = (
        (moved(xc, dx is not None), moved(yc, dy is not None)),
        (moved(xb, dx is not None), moved(yb, dy is not None)),
    )
    if dx is not None and dy is not None:
        (cx, cy), (bx, by) = numbers
        return dot_general_p.bind(fx, fy, dimension_numbers=((cx, cy), ((0, *bx), (0, *by))), **params), 0
    out = dot_general_p.bind(fx, fy, dimension_numbers=numbers, **params)
    # The batch dimension is the first of its operand's kept dimensions.
    position = len(xb) if dx is not None else len(xb) + len(_rest(get_aval(x).ndim, xc, xb))
    return out, position


def _pretty(eqn: JaxprEqn) -> Params:
    shown = {k: v for k, v in eqn.params.items() if v is not None and k != "out_sharding"}
    (xc, yc), (xb, yb) = eqn.params["dimension_numbers"]
    shown["dimension_numbers"] = ((list(xc), list(yc)), (list(xb), list(yb)))
    return shown


dot_general_p.abstract_eval = _abstract_eval
dot_general_p.impl = Kernel("contraction_kernels:dot_general")
dot_general_p.jvp = _jvp
dot_general_p.transpose = _transpose
dot_general_p.batch = _batch
dot_general_p.pretty = _pretty


def _example(x: Any, y: Any, numbers: Numbers) -> Any:
    params = {
        "dimension_numbers": numbers,
        "precision": None,
        "preferred_element_type": as_dtype("float32"),
        "out_sharding": None,
    }
    return ((x, y), params)


_A = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
_B = [[0.5, -1.0], [1.5, 2.0], [-0.5, 1.0]]
dot_general_p.examples = [
    _example(_A, _B, (((1,), (0,)), ((), ()))),
    _example(_A, _A, (((0, 1), (0, 1)), ((), ()))),
    _example([_A, _A], [_B, _B], (((2,), (1,)), ((0,), (0,)))),
    _example([1.0, 2.0], [3.0, 4.0, 5.0], (((), ()), ((), ()))),
]
