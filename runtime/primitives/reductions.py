"""Reductions over some of the dimensions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

from ..core import Primitive, ShapedArray, Value, get_aval, shaped_array
from ..dtypes import BOOL, DType, as_dtype
from .apply import add, div, eq, mul, number
from .family import ANY, BITS, NUMERIC, ORDERED, Kernel, accepted_kinds
from .linear import Zero, zero_of
from .shape import broadcast_in_dim_p, move_axis, reshape, transpose_p

Axes: TypeAlias = tuple[int, ...]
_MATRIX = [[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]]


def reduce_sum(x: Value, axes: Axes) -> Value:
    """The sum over `axes`."""
    return reduce_sum_p.bind(x, axes=axes, out_sharding=None) if axes else x


def unbroadcast(x: Value, aval: ShapedArray) -> Value:
    """Sum a cotangent over the dimensions along which its operand, of type `aval`, was repeated."""
    shape = get_aval(x).shape
    if shape == aval.shape:
        return x
    if not aval.shape:
        return reduce_sum(x, tuple(range(len(shape))))
    repeated = tuple(d for d, (n, m) in enumerate(zip(shape, aval.shape)) if n != m)
    return reshape(reduce_sum(x, repeated), aval.shape)


def spread(x: Value, shape: tuple[int, ...], axes: Axes) -> Value:
    """The result of a reduction repeated along the dimensions that it lost."""
    kept = tuple(d for d in range(len(shape)) if d not in axes)
    return broadcast_in_dim_p.bind(x, shape=shape, broadcast_dimensions=kept, sharding=None)


def _check(name: str, x: ShapedArray, axes: Axes, accepts: str) -> tuple[int, ...]:
    if x.dtype.kind not in accepts:
        raise TypeError(
            f"{name} does not accept dtype {x.dtype}. Accepted dtypes are subtypes of {accepted_kinds(accepts)}."
        )
    if len(set(axes)) != len(axes):
        raise ValueError(f"duplicate value in 'axes' of reduction: {axes}")
    if any(not 0 <= axis < x.ndim for axis in axes):
        raise ValueError(f"reduction axes {axes} contains out-of-bounds indices for {x.str_short()}.")
    return tuple(n for d, n in enumerate(x.shape) if d not in axes)


def reduction(name: str, accepts: str, impl: str) -> Primitive:
    """A reduction to the same type."""
    primitive = Primitive(name)

    def abstract_eval(x: ShapedArray, *, axes: Axes, **params: Any) -> ShapedArray:
        return shaped_array(_check(name, x, axes, accepts), x.dtype, x.weak_type and x.dtype is not BOOL)

    def batch(size: int, args: Sequence[Value], dims: Sequence[int], *, axes: Axes, **params: Any) -> Any:
        x = move_axis(args[0], dims[0], 0)
        return primitive.bind(x, axes=tuple(axis + 1 for axis in axes), **params), 0

    def no_derivative(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
        out = primitive.bind(*primals, **params)
        return out, zero_of(out)

    primitive.abstract_eval = abstract_eval
    primitive.impl = Kernel(f"reduction_kernels:{impl}")
    primitive.batch = batch
    primitive.jvp = no_derivative
    examples = [_MATRIX] if "f" in accepts else [[[True, False, True], [True, True, True]]]
    extra = {"out_sharding": None} if name == "reduce_sum" else {}
    primitive.examples = [((x,), {"axes": axes, **extra}) for x in examples for axes in ((0,), (1,), (0, 1))]
    return primitive


reduce_sum_p = reduction("reduce_sum", NUMERIC, "reduce_sum")
reduce_prod_p = reduction("reduce_prod", NUMERIC, "reduce_prod")
reduce_max_p = reduction("reduce_max", ANY, "reduce_max")
reduce_min_p = reduction("reduce_min", ANY, "reduce_min")
reduce_and_p = reduction("reduce_and", BITS, "reduce_and")
reduce_or_p = reduction("reduce_or", BITS, "reduce_or")
reduce_xor_p = reduction("reduce_xor", BITS, "reduce_xor")


# ------------------------------------------------------------------------------------------------ derivatives


def _sum_jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
    out = reduce_sum_p.bind(*primals, **params)
    return out, zero_of(out) if type(tangents[0]) is Zero else reduce_sum_p.bind(*tangents, **params)


def _extremum_rule(primitive: Primitive) -> Any:
    """All elements that equal the extremum share its tangent evenly."""

    def jvp(
        primals: Sequence[Value], tangents: Sequence[Any], *, axes: Axes, **params: Any
    ) -> tuple[Value, Any]:
        (x,), (t,) = primals, tangents
        out = primitive.bind(x, axes=axes, **params)
        if type(t) is Zero:
            return out, zero_of(out)
        from .conversion import convert

        chosen = convert(eq(x, spread(out, get_aval(x).shape, axes)), get_aval(t).dtype)
        return out, div(reduce_sum(mul(t, chosen), axes), reduce_sum(chosen, axes))

    return jvp


def _prod_jvp(
    primals: Sequence[Value], tangents: Sequence[Any], *, axes: Axes, **params: Any
) -> tuple[Value, Any]:
    """Each tangent times the product of all other elements, without dividing by any."""
    from .slicing import pad_p

    (x,), (t,) = primals, tangents
    out = reduce_prod_p.bind(x, axes=axes, **params)
    if type(t) is Zero:
        return out, zero_of(out)
    # Fold the reduced dimensions into one, then combine (value, tangent) pairs in halves.
    shape = get_aval(x).shape
    kept = tuple(d for d in range(len(shape)) if d not in axes)
    rest = tuple(shape[d] for d in kept)
    length = math.prod(shape[axis] for axis in axes)
    if length == 0:
        return out, zero_of(out)
    order = (*axes, *kept)
    value, slope = (reshape(transpose_p.bind(v, permutation=order), (length, *rest)) for v in (x, t))
    while length > 1:
        half = (length + 1) // 2
        if length % 2:
            config = ((0, 1, 0), *[(0, 0, 0)] * len(rest))
            value = pad_p.bind(value, number(1, value), padding_config=config)
            slope = pad_p.bind(slope, number(0, slope), padding_config=config)
        left, right = _rows(value, 0, half), _rows(value, half, 2 * half)
        slope = add(mul(_rows(slope, 0, half), right), mul(left, _rows(slope, half, 2 * half)))
        value = mul(left, right)
        length = half
    return out, reshape(slope, rest)


def _rows(x: Value, start: int, stop: int) -> Value:
    """``x[start:stop]``."""
    from .slicing import slice_p

    rest = get_aval(x).shape[1:]
    return slice_p.bind(
        x, start_indices=(start, *(0 for _ in rest)), limit_indices=(stop, *rest), strides=None
    )


reduce_sum_p.jvp = _sum_jvp
reduce_sum_p.transpose = lambda ct, x, *, axes, **params: [spread(ct, x.aval.shape, axes)]
reduce_max_p.jvp = _extremum_rule(reduce_max_p)
reduce_min_p.jvp = _extremum_rule(reduce_min_p)
reduce_prod_p.jvp = _prod_jvp


# ------------------------------------------------------------------------------------------------ positions


def _position(name: str) -> Primitive:
    """The index of an extremum along one dimension."""
    primitive = Primitive(name)

    def abstract_eval(x: ShapedArray, *, axes: Axes, index_dtype: DType) -> ShapedArray:
        shape = _check(name, x, axes, ORDERED)
        if len(axes) != 1:
            raise TypeError(f"{name} takes one axis, got {axes}")
        if x.shape[axes[0]] < 1:
            raise ValueError(f"attempt to get {name} of an empty sequence")
        return shaped_array(shape, as_dtype(index_dtype))

    def batch(
        size: int, args: Sequence[Value], dims: Sequence[int], *, axes: Axes, index_dtype: DType
    ) -> Any:
        x = move_axis(args[0], dims[0], 0)
        return primitive.bind(x, axes=(axes[0] + 1,), index_dtype=index_dtype), 0

    def jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
        out = primitive.bind(*primals, **params)
        return out, zero_of(out)

    primitive.abstract_eval = abstract_eval
    primitive.impl = Kernel(f"reduction_kernels:{name}")
    primitive.batch = batch
    primitive.jvp = jvp
    primitive.examples = [
        ((_MATRIX,), {"axes": (axis,), "index_dtype": as_dtype("int32")}) for axis in (0, 1)
    ]
    return primitive


argmax_p = _position("argmax")
argmin_p = _position("argmin")
