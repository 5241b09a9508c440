"""Reductions over axes: `sum`, `mean`, `var`, `max`, `any`, ..."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from .promotion import (
    ArrayLike,
    Axis,
    asarray,
    broadcast_together,
    check_arraylike,
    concrete_axis,
    jitted,
    like,
    promote_args_inexact,
    promote_dtypes_inexact,
    recorded,
    reduced_axes,
    refuse_out,
    require_static,
    truth,
)
from .selection import where as _where


def _reduce(
    name: str,
    primitive: Callable[..., Array],
    a: ArrayLike,
    axis: Axis,
    keepdims: bool,
    initial: ArrayLike | None,
    where: ArrayLike | None,
    identity: Callable[[Any], Any] | None,
    combine: Callable[[Any, Any], Array] | None = None,
) -> Array:
    """Reduce `a` (already of the type to compute in) and put back unit axes for `keepdims`."""
    x = asarray(a)
    axes = reduced_axes(x.ndim, axis)
    if where is not None:
        check_where(name, where)
        if identity is None:
            if initial is None:
                raise ValueError(
                    f"reduction operation {name} does not have an identity, so to use a where mask one has to "
                    f"specify 'initial'"
                )
            filler = lax.convert_element_type(initial, x.dtype)
        else:
            filler = dtypes.scalar(identity(x.dtype), x.dtype)
        x = _where(where, x, filler)
        if x.ndim != len(dtypes.shape(a)):
            axes = reduced_axes(x.ndim, axis)
    if identity is None or name in ("max", "min"):
        if (
            initial is None
            and builtins.any(x.shape[d] == 0 for d in axes)
            and 0 not in [n for d, n in enumerate(x.shape) if d not in axes]
        ):
            raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    result = primitive(x, axes)
    if initial is not None and combine is not None:
        start = lax.convert_element_type(asarray(initial), x.dtype)
        if start.ndim:
            raise ValueError("initial value must be a scalar.")
        result = combine(start, result)
    if keepdims:
        result = lax.expand_dims(result, axes)
    return result


def _accumulator(x: Array, dtype: Any, promote_integers: bool) -> Any:
    """The type in which to add: integers narrower than the default are widened."""
    if dtype is not None:
        return dtypes.canonical(dtype)
    kind = x.dtype.kind
    if kind == "b":
        return dtypes.int_default()
    if promote_integers and kind in "iu":
        default = dtypes.int_default() if kind == "i" else dtypes.uint_default()
        return default if x.dtype.itemsize < default.itemsize else x.dtype
    return x.dtype


def _additive(
    name: str,
    primitive: Callable[..., Array],
    combine: Callable[[Any, Any], Array],
    neutral: int,
    a: ArrayLike,
    axis: Axis,
    dtype: Any,
    out: Any,
    keepdims: bool,
    initial: Any,
    where: Any,
    promote_integers: bool,
) -> Array:
    check_arraylike(name, a)
    refuse_out(name, out)
    axis = concrete_axis(name, axis)
    require_static(name, keepdims=keepdims, promote_integers=promote_integers)
    x = asarray(a)
    compute = _accumulator(x, dtype, promote_integers)
    narrow = compute.kind == "f" and compute.itemsize < 4
    x = lax.convert_element_type(x, dtypes.float32 if narrow else compute)
    result = _reduce(name, primitive, x, axis, keepdims, initial, where, lambda _: neutral, combine)
    return lax.convert_element_type(result, compute) if narrow else result


@recorded
def sum(
    a: ArrayLike,
    axis: Axis = None,
    dtype: Any = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
    promote_integers: bool = True,
) -> Array:
    """Sum over axes."""
    return _additive(
        "sum", lax.reduce_sum, lax.add, 0, a, axis, dtype, out, keepdims, initial, where, promote_integers
    )


@recorded
def prod(
    a: ArrayLike,
    axis: Axis = None,
    dtype: Any = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
    promote_integers: bool = True,
) -> Array:
    """Product over axes."""
    return _additive(
        "prod", lax.reduce_prod, lax.mul, 1, a, axis, dtype, out, keepdims, initial, where, promote_integers
    )


def _extreme(
    name: str, a: ArrayLike, axis: Axis, out: Any, keepdims: bool, initial: Any, where: Any
) -> Array:
    check_arraylike(name, a)
    refuse_out(name, out)
    axis = concrete_axis(name, axis)
    require_static(name, keepdims=keepdims)
    primitive, combine = (lax.reduce_max, lax.max) if name == "max" else (lax.reduce_min, lax.min)
    x = asarray(a)
    return _reduce(
        name, primitive, lax.convert_element_type(x, x.dtype), axis, keepdims, initial, where, None, combine
    )


@recorded
def max(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Maximum over axes; NaN if any element is NaN."""
    return _extreme("max", a, axis, out, keepdims, initial, where)


@recorded
def min(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Minimum over axes; NaN if any element is NaN."""
    return _extreme("min", a, axis, out, keepdims, initial, where)


amax, amin = max, min


def _logical(name: str, a: ArrayLike, axis: Axis, out: Any, keepdims: bool, where: Any) -> Array:
    check_arraylike(name, a)
    refuse_out(name, out)
    axis = concrete_axis(name, axis)
    require_static(name, keepdims=keepdims)
    x = asarray(a)
    x = truth(lax.real(x) if x.dtype.kind == "c" else x)  # As JAX converts to bool.
    primitive = lax.reduce_and if name == "all" else lax.reduce_or
    return _reduce(name, primitive, x, axis, keepdims, None, where, lambda _: name == "all")


@recorded
def all(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
) -> Array:
    """Whether every element is true."""
    return _logical("all", a, axis, out, keepdims, where)


@recorded
def any(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
) -> Array:
    """Whether some element is true."""
    return _logical("any", a, axis, out, keepdims, where)


def check_where(name: str, where: Any) -> None:
    """Raises ValueError for a mask that is not one of truth values."""
    if where is None or isinstance(where, bool):
        return
    check_arraylike(name, where)
    dtype = dtypes.dtype(where)
    if dtype.kind != "b":
        raise ValueError(
            f"jnp.{name}: where must be None or a boolean array; got where.dtype=dtype('{dtype}')."
        )


def count_of(x: Array, axis: Axis, where: ArrayLike | None, keepdims: bool, dtype: Any) -> Any:
    """Number of elements that a mean is taken over. Raises IndexError for an axis out of bounds."""
    if where is None:
        axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        return dtypes.scalar(math.prod(x.shape[d] for d in axes), dtype)
    mask = lax.convert_element_type(asarray(where), dtype)
    shape = lax.broadcast_shapes(x.shape, mask.shape)
    return sum(
        lax.broadcast_in_dim(mask, shape, tuple(range(len(shape) - mask.ndim, len(shape)))),
        axis,
        keepdims=keepdims,
    )


def _mean_types(x: Array, dtype: Any) -> tuple[Any, Any]:
    """The type to compute a mean in, and that of the result."""
    if dtype is not None:
        result = dtypes.canonical(dtype)
    else:
        result = x.dtype if x.dtype.kind == "V" else dtypes.to_inexact(x.dtype)
    compute = dtypes.canonical("float32") if result.kind in "fV" and result.itemsize < 4 else result
    return compute, result


@recorded
def mean(
    a: ArrayLike,
    axis: Axis = None,
    dtype: Any = None,
    out: None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
) -> Array:
    """Arithmetic mean over axes; integers give floats."""
    check_arraylike("mean", a)
    refuse_out("mean", out)
    axis = concrete_axis("mean", axis)
    require_static("mean", keepdims=keepdims)
    x = asarray(a)
    check_where("mean", where)
    compute, result = _mean_types(x, dtype)
    count = count_of(x, axis, where, keepdims, compute)
    quotient = lax.div(sum(x, axis, dtype=compute, keepdims=keepdims, where=where), count)
    return lax.convert_element_type(quotient, result)


def average(
    a: ArrayLike,
    axis: Axis = None,
    weights: ArrayLike | None = None,
    returned: bool = False,
    keepdims: bool = False,
) -> Any:
    """Weighted mean over axes, with the sum of weights if `returned`."""
    check_arraylike("average", a)
    axis = concrete_axis("average", axis)
    require_static("average", keepdims=keepdims, returned=returned)
    from .shaping import broadcast_to

    if weights is None:
        (x,) = promote_args_inexact("average", a)
        count = math.prod(x.shape[d] for d in reduced_axes(x.ndim, axis))
        result = mean(x, axis, keepdims=keepdims)
        total = lax.full_like(result, count)
        return (result, total) if returned else result
    check_arraylike("average", weights)
    x, w = (asarray(v) for v in promote_dtypes_inexact(a, weights))
    if w.shape != x.shape:
        if axis is None:
            raise ValueError("Axis must be specified when shapes of a and weights differ.")
        axes = reduced_axes(x.ndim, axis)
        if tuple(x.shape[d] for d in axes) != w.shape:
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        order = sorted(range(len(axes)), key=lambda i: axes[i])
        w = lax.broadcast_in_dim(lax.transpose(w, order), x.shape, sorted(axes))
    total = sum(w, axis, keepdims=keepdims)
    result = lax.div(*_together(sum(lax.mul(x, w), axis, keepdims=keepdims), total))
    return (result, broadcast_to(total, result.shape)) if returned else result


def _together(x: Array, y: Array) -> tuple[Array, Array]:
    first, second = broadcast_together(x, y)
    return first, second


def _spread(
    name: str,
    a: ArrayLike,
    axis: Axis,
    dtype: Any,
    out: Any,
    ddof: Any,
    keepdims: bool,
    where: Any,
    mean_: Any,
    correction: Any,
) -> Array:
    check_arraylike(name, a)
    refuse_out(name, out)
    axis = concrete_axis(name, axis)
    require_static(name, keepdims=keepdims)
    if correction is not None:
        if not dtypes.is_tracer_or_array(ddof) and ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    check_where(name, where)
    return _var(asarray(a), ddof, mean_, where, axis=axis, dtype=dtype, keepdims=keepdims)


@jitted("axis", "dtype", "keepdims")
def _var(a: Array, ddof: Any, mean_: Any, where: Any, *, axis: Axis, dtype: Any, keepdims: bool) -> Array:
    compute, result = _mean_types(a, dtype)
    if dtypes.issubdtype(a.dtype, dtypes.complexfloating) and dtype is None:
        result = dtypes.canonical(f"float{a.dtype.itemsize * 4}")
    x = lax.convert_element_type(a, compute)
    centre = mean(x, axis, dtype=compute, keepdims=True, where=where) if mean_ is None else asarray(mean_)
    centred = lax.sub(x, centre)
    if dtypes.issubdtype(compute, dtypes.complexfloating):
        squares = lax.add(lax.square(lax.real(centred)), lax.square(lax.imag(centred)))
    else:
        squares = lax.square(centred)
    count = count_of(x, axis, where, keepdims, squares.dtype)
    freedom = lax.sub(count, lax.convert_element_type(ddof, squares.dtype))
    total = sum(squares, axis, keepdims=keepdims, where=where)
    value = _where(lax.gt(freedom, like(freedom, 0)), lax.div(total, freedom), math.nan)
    return lax.convert_element_type(value, result)


@recorded
def var(
    a: ArrayLike,
    axis: Axis = None,
    dtype: Any = None,
    out: None = None,
    ddof: int = 0,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
    mean: ArrayLike | None = None,
    correction: float | None = None,
) -> Array:
    """Variance over axes, with divisor N - ddof."""
    return _spread("var", a, axis, dtype, out, ddof, keepdims, where, mean, correction)


@recorded
def std(
    a: ArrayLike,
    axis: Axis = None,
    dtype: Any = None,
    out: None = None,
    ddof: int = 0,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
    mean: ArrayLike | None = None,
    correction: float | None = None,
) -> Array:
    """Standard deviation over axes."""
    return lax.sqrt(_spread("std", a, axis, dtype, out, ddof, keepdims, where, mean, correction))


def ptp(a: ArrayLike, axis: Axis = None, out: None = None, keepdims: bool = False) -> Array:
    """Maximum minus minimum."""
    check_arraylike("ptp", a)
    refuse_out("ptp", out)
    return _ptp(a, axis=concrete_axis("ptp", axis), keepdims=keepdims)


@jitted("axis", "keepdims")
def _ptp(a: ArrayLike, *, axis: Axis, keepdims: bool) -> Array:
    return lax.sub(max(a, axis, keepdims=keepdims), min(a, axis, keepdims=keepdims))


@jitted("axis", "keepdims")
def count_nonzero(a: ArrayLike, axis: Axis = None, keepdims: bool = False) -> Array:
    """Number of nonzero elements."""
    check_arraylike("count_nonzero", a)
    x = asarray(a)
    return sum(lax.ne(x, like(x, 0)), axis, dtype=dtypes.int_default(), keepdims=keepdims)


def _arg_extreme(name: str, a: ArrayLike, axis: int | None, out: Any, keepdims: bool | None) -> Array:
    import operator

    check_arraylike(name, a)
    refuse_out(name, out)
    x = asarray(a)
    if axis is None:
        flat, dimension = lax.reshape(x, (math.prod(x.shape),)), 0
        if x.ndim == 1:
            flat = x
    else:
        dimension = operator.index(axis)
        if not -x.ndim <= dimension < x.ndim:
            raise IndexError(f"axis {dimension} is out of bounds for array of dimension {x.ndim}")
        flat, dimension = x, dimension % x.ndim
    if flat.shape[dimension] == 0:
        raise ValueError(f"attempt to get {name} of an empty sequence")
    result = (lax.argmax if name == "argmax" else lax.argmin)(flat, dimension, dtypes.int_default())
    if keepdims:
        result = lax.expand_dims(result, tuple(range(x.ndim)) if axis is None else (dimension,))
    return result


@recorded
def argmax(a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
    """Index of the first maximum; NaN counts as largest."""
    return _arg_extreme("argmax", a, axis, out, keepdims)


@recorded
def argmin(a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
    """Index of the first minimum; NaN counts as smallest."""
    return _arg_extreme("argmin", a, axis, out, keepdims)
