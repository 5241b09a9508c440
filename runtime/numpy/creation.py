"""Array creation: from values, from shapes, ranges and grids."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from .promotion import (
    ArrayLike,
    asarray,
    canonical_shape,
    check_arraylike,
    concrete,
    jitted,
    like,
    require_static,
)


def zeros(shape: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Array:
    """Array of zeros."""
    return lax.full(
        canonical_shape(shape), 0, dtypes.canonical(dtypes.float_default() if dtype is None else dtype)
    )


def ones(shape: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Array:
    """Array of ones."""
    return lax.full(
        canonical_shape(shape), 1, dtypes.canonical(dtypes.float_default() if dtype is None else dtype)
    )


empty = zeros


def full(
    shape: Any, fill_value: ArrayLike, dtype: Any = None, *, device: Any = None, out_sharding: Any = None
) -> Array:
    """Array filled with a value, which may be an array that broadcasts to the shape."""
    check_arraylike("full", fill_value)
    if dtypes.shape(fill_value) == ():
        if device is not None and dtype is None:
            dtype = dtypes.dtype(fill_value)
        return lax.full(canonical_shape(shape), fill_value, dtype)
    from .shaping import broadcast_to

    return broadcast_to(asarray(fill_value, dtype), shape)


def zeros_like(
    a: Any, dtype: Any = None, shape: Any = None, *, device: Any = None, out_sharding: Any = None
) -> Array:
    """Zeros of the shape and type of `a`."""
    _check_shaped("zeros_like", a)
    return lax.full_like(a, 0, dtype, canonical_shape(shape) if shape is not None else None)


def ones_like(
    a: Any, dtype: Any = None, shape: Any = None, *, device: Any = None, out_sharding: Any = None
) -> Array:
    """Ones of the shape and type of `a`."""
    _check_shaped("ones_like", a)
    return lax.full_like(a, 1, dtype, canonical_shape(shape) if shape is not None else None)


def empty_like(prototype: Any, dtype: Any = None, shape: Any = None, *, device: Any = None) -> Array:
    """Like `zeros_like`: nothing is left uninitialised."""
    _check_shaped("empty_like", prototype)
    return lax.full_like(prototype, 0, dtype, canonical_shape(shape) if shape is not None else None)


def full_like(
    a: Any,
    fill_value: ArrayLike,
    dtype: Any = None,
    shape: Any = None,
    *,
    device: Any = None,
    out_sharding: Any = None,
) -> Array:
    """Array filled with a value, of the shape and type of `a`."""
    _check_shaped("full_like", a)
    check_arraylike("full_like", 0, fill_value)
    new_shape = canonical_shape(shape) if shape is not None else None
    if dtypes.shape(fill_value) == ():
        return lax.full_like(a, fill_value, dtype, new_shape)
    from .shaping import broadcast_to

    return broadcast_to(
        asarray(fill_value, dtype or dtypes.dtype(a)), dtypes.shape(a) if new_shape is None else new_shape
    )


def _check_shaped(name: str, a: Any) -> None:
    if not (hasattr(a, "dtype") and hasattr(a, "shape")):
        check_arraylike(name, a)


def arange(
    start: Any,
    stop: Any = None,
    step: Any = None,
    dtype: Any = None,
    *,
    device: Any = None,
    out_sharding: Any = None,
) -> Array:
    """Evenly spaced values in [start, stop); all bounds must be concrete."""
    what = "It arose in the jnp.arange argument"
    if stop is None and step is None:
        start = concrete(start, f"{what} 'stop'")
    else:
        start = concrete(start, f"{what} 'start'")
        stop = concrete(stop, f"{what} 'stop'") if stop is not None else None
        step = concrete(step, f"{what} 'step'") if step is not None else None
    for name, value in (("start", start), ("stop", stop), ("step", step)):
        if value is not None and dtypes.shape(value) != ():
            raise ValueError(f"jax.numpy.arange: arguments must be scalars; got {name}={value}")
    if dtype is None:
        dtype = dtypes.result_type(start, *(v for v in (stop, step) if v is not None))
    dtype = dtypes.canonical(dtype)
    if stop is None:
        start, stop = 0, start
    if step is None:
        step = 1
    if step == 0:
        raise ZeroDivisionError("division by zero")
    values = [v.item() if hasattr(v, "item") else v for v in (start, stop, step)]
    first, last, stride = values
    size = 0 if isinstance(first, complex) else math.ceil((last - first) / stride)
    size = max(0, size)
    if first == 0 and stride == 1:
        return lax.iota(dtype, size)
    if all(isinstance(v, int) for v in values) or size < 2**20:
        import numpy as np

        return asarray(np.arange(first, last, stride, dtype=dtype)[:size])
    steps = lax.mul(lax.iota(dtype, size), dtypes.scalar(stride, dtype))
    return lax.add(steps, dtypes.scalar(first, dtype))


@jitted("num", "endpoint", "dtype", "axis", name="_linspace")
def _linspace(start: Any, stop: Any, num: int, endpoint: bool, dtype: Any, axis: int) -> tuple[Array, Array]:
    compute = dtypes.to_inexact(dtypes.result_type(start, stop) if dtype is None else dtype)
    first, last = (lax.convert_element_type(v, compute) for v in (start, stop))
    shape = lax.broadcast_shapes(dtypes.shape(first), dtypes.shape(last))
    from .shaping import broadcast_to, moveaxis

    first, last = broadcast_to(first, shape), broadcast_to(last, shape)
    divisor = num - 1 if endpoint else num
    delta = lax.sub(last, first)
    step = lax.div(delta, like(delta, divisor)) if divisor > 0 else lax.full_like(delta, math.nan)
    if num > 1:
        count = num - 1 if endpoint else num
        ramp = lax.reshape(lax.iota(dtypes.real_of(compute), count), (count, *(1,) * len(shape)))
        low, high = lax.reshape(first, (1, *shape)), lax.reshape(last, (1, *shape))
        if shape or compute.kind == "c" or compute.narrow:
            share = lax.convert_element_type(lax.div(ramp, like(ramp, divisor)), compute)
            upper = lax.mul(high, share)
        else:  # Of three factors XLA multiplies the scalars first, so that whole numbers come out whole.
            unit = lax.div(like(ramp, 1), like(ramp, divisor))
            share, upper = lax.mul(ramp, unit), lax.mul(ramp, lax.mul(high, unit))
        out = lax.add(lax.mul(low, lax.sub(like(share, 1), share)), upper)
        if endpoint:
            out = lax.concatenate([out, lax.expand_dims(last, (0,))], 0)
    elif num == 1:
        out = lax.reshape(first, (1, *shape))
    else:
        out = lax.full((0, *shape), 0, compute)
    if axis != 0:
        out = moveaxis(out, 0, axis)
    if dtype is not None and dtypes.issubdtype(dtype, dtypes.integer):
        out = lax.floor(out)
    return lax.convert_element_type(out, dtype if dtype is not None else compute), step


def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    *,
    device: Any = None,
) -> Any:
    """`num` evenly spaced values from start to stop."""
    num = operator.index(concrete(num, "'num' argument of jnp.linspace"))
    axis = operator.index(concrete(axis, "'axis' argument of jnp.linspace"))

    require_static("linspace", endpoint=endpoint, retstep=retstep)
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    check_arraylike("linspace", start, stop)
    dtype = None if dtype is None else dtypes.canonical(dtype)
    values, step = _linspace(start, stop, num=num, endpoint=endpoint, dtype=dtype, axis=axis)
    return (values, step) if retstep else values


def logspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    base: ArrayLike = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Array:
    """`base` to the power of a linspace."""
    from .arithmetic import power

    num = operator.index(concrete(num, "'num' argument of jnp.logspace"))
    axis = operator.index(concrete(axis, "'axis' argument of jnp.logspace"))
    low, high, result = _bounds("logspace", start, stop, dtype)
    values = power(base, linspace(low, high, num, endpoint, axis=axis))
    return lax.convert_element_type(values, result)


def _bounds(name: str, start: ArrayLike, stop: ArrayLike, dtype: Any) -> tuple[Array, Array, Any]:
    """Both bounds in the type to compute in, and the type of the result."""
    check_arraylike(name, start, stop)
    result = (
        dtypes.canonical(dtype) if dtype is not None else dtypes.to_inexact(dtypes.result_type(start, stop))
    )
    kind = dtypes.to_inexact(result)
    low, high = (lax.convert_element_type(x, kind) for x in (start, stop))
    return low, high, result


def geomspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Array:
    """Geometric progression from start to stop."""
    from .shaping import moveaxis
    from .ufuncs import log10, sign

    num = operator.index(concrete(num, "'num' argument of jnp.geomspace"))
    axis = operator.index(concrete(axis, "'axis' argument of jnp.geomspace"))
    low, high, result = _bounds("geomspace", start, stop, dtype)
    orientation = sign(low)
    values = logspace(log10(low / orientation), log10(high / orientation), num, endpoint, 10.0)
    return lax.convert_element_type(moveaxis(orientation * values, 0, axis), result)


def eye(N: Any, M: Any = None, k: ArrayLike = 0, dtype: Any = None, *, device: Any = None) -> Array:
    """Ones on the k-th diagonal of an N by M matrix."""
    shape = canonical_shape((N, N if M is None else M), allow_negative=True)
    if min(shape) < 0:
        raise ValueError(f"negative dimensions are not allowed, got {N} and {M}")
    row = lax.broadcasted_iota(dtypes.int32, shape, 0)
    column = lax.broadcasted_iota(dtypes.int32, shape, 1)
    on = lax.eq(lax.add(row, lax.convert_element_type(k, dtypes.int32)), column)
    return lax.convert_element_type(on, dtypes.canonical(dtypes.float_default() if dtype is None else dtype))


def identity(n: Any, dtype: Any = None) -> Array:
    """The n by n identity matrix."""
    return eye(n, dtype=dtype)


def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> Array:
    """Ones at and below the k-th diagonal."""
    mask = lower_mask(canonical_shape((N, N if M is None else M)), k)
    return lax.convert_element_type(mask, dtypes.canonical(dtypes.float32 if dtype is None else dtype))


def lower_mask(shape: tuple[int, ...], k: Any) -> Array:
    """Where row + k >= column."""
    row = lax.broadcasted_iota(dtypes.int32, shape, 0)
    column = lax.broadcasted_iota(dtypes.int32, shape, 1)
    return lax.ge(lax.add(row, lax.convert_element_type(k, dtypes.int32)), column)


def _triangle(name: str, m: ArrayLike, k: int, lower: bool) -> Array:
    check_arraylike(name, m)
    x = asarray(m)
    if x.ndim < 2:
        raise ValueError("Argument to jax.numpy.tril must be at least 2D")
    mask = lower_mask(x.shape[-2:], k if lower else k - 1)
    if x.ndim > 2:
        mask = lax.broadcast_in_dim(mask, x.shape, (x.ndim - 2, x.ndim - 1))
    zero = lax.full_like(x, 0)
    return lax.select_n(mask, zero, x) if lower else lax.select_n(mask, x, zero)


@jitted("k")
def tril(m: ArrayLike, k: int = 0) -> Array:
    """Lower triangle of each matrix."""
    return _triangle("tril", m, k, True)


@jitted("k")
def triu(m: ArrayLike, k: int = 0) -> Array:
    """Upper triangle of each matrix."""
    return _triangle("triu", m, k, False)


def meshgrid(*xi: ArrayLike, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> list[Array]:
    """Coordinate arrays of a grid."""

    arrays = [asarray(x) for x in xi]
    if not copy:
        raise ValueError("jax.numpy.meshgrid only supports copy=True")
    if indexing not in ("xy", "ij"):
        raise ValueError(f"Valid values for indexing are 'xy' and 'ij', got {indexing}")
    if any(a.ndim != 1 for a in arrays):
        raise ValueError(
            f"Arguments to jax.numpy.meshgrid must be 1D, got shapes {[a.shape for a in arrays]}"
        )
    order = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) >= 2:
        order[0], order[1] = 1, 0
    shape = [1] * len(arrays)
    for i, a in enumerate(arrays):
        shape[order[i]] = a.shape[0]
    grid = []
    for i, a in enumerate(arrays):
        own = tuple(n if d == order[i] else 1 for d, n in enumerate(shape)) if sparse else tuple(shape)
        grid.append(lax.broadcast_in_dim(a, own, (order[i],)))
    return grid


def indices(dimensions: Sequence[int], dtype: Any = None, sparse: bool = False) -> Any:
    """Index arrays of a grid."""
    from .shaping import stack

    sizes = tuple(operator.index(concrete(d, "dimensions argument of jnp.indices")) for d in dimensions)
    grid = (
        meshgrid(
            *(lax.iota(dtypes.canonical(dtypes.int_default() if dtype is None else dtype), n) for n in sizes),
            sparse=sparse,
            indexing="ij",
        )
        if sizes
        else []
    )
    if sparse:
        return tuple(grid)
    return stack(grid) if grid else zeros((0,), dtypes.int_default() if dtype is None else dtype)


def fromfunction(function: Callable[..., Any], shape: Any, *, dtype: Any = float, **kwargs: Any) -> Any:
    """`function` of the indices of each element of `shape`, which it is given as scalars."""
    from ..transforms.vmap import vmap

    sizes = canonical_shape(shape)
    for d in reversed(range(len(sizes))):
        function = vmap(function, tuple(0 if d == axis else None for axis in range(len(sizes))))
    return function(*(lax.iota(dtypes.canonical(dtype), n) for n in sizes), **kwargs)


def ix_(*args: ArrayLike) -> tuple[Array, ...]:
    """Open mesh of 1-D index arrays."""
    check_arraylike("ix_", *args)
    arrays = [asarray(a) for a in args]
    out = []
    for i, a in enumerate(arrays):
        if a.ndim != 1:
            raise ValueError(f"Arguments to jax.numpy.ix_ must be 1-dimensional, got shape {a.shape}")
        if a.dtype.kind == "b":
            raise NotImplementedError("Boolean arguments to jax.numpy.ix_ are not implemented")
        shape = tuple(a.shape[0] if d == i else 1 for d in range(len(arrays)))
        out.append(lax.broadcast_in_dim(a, shape, (i,)))
    return tuple(out)


def diag_indices(n: int, ndim: int = 2) -> tuple[Array, ...]:
    """Index arrays of the main diagonal."""
    n = operator.index(concrete(n, "'n' argument of jnp.diag_indices()"))
    ndim = operator.index(concrete(ndim, "'ndim' argument of jnp.diag_indices()"))
    return (lax.iota(dtypes.int_default(), n),) * ndim


def diag_indices_from(arr: ArrayLike) -> tuple[Array, ...]:
    """Index arrays of the main diagonal of `arr`."""
    check_arraylike("diag_indices_from", arr)
    shape = dtypes.shape(arr)
    if len(set(shape)) != 1 or len(shape) < 2:
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(shape[0], ndim=len(shape))


def _triangle_indices(lower: bool, n: Any, k: Any, m: Any) -> tuple[Array, Array]:
    import numpy as np

    name = "tril_indices" if lower else "triu_indices"
    n = operator.index(concrete(n, f"n argument of jnp.{name}"))
    k = operator.index(concrete(k, f"k argument of jnp.{name}"))
    m = n if m is None else operator.index(concrete(m, f"m argument of jnp.{name}"))
    rows, columns = (np.tril_indices if lower else np.triu_indices)(n, k, m)
    return asarray(rows, dtypes.int_default()), asarray(columns, dtypes.int_default())


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Index arrays of the lower triangle of an n by m matrix."""
    return _triangle_indices(True, n, k, m)


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Index arrays of the upper triangle of an n by m matrix."""
    return _triangle_indices(False, n, k, m)


def tril_indices_from(arr: Any, k: int = 0) -> tuple[Array, Array]:
    """Index arrays of the lower triangle of `arr`."""
    rows, columns = dtypes.shape(arr)
    return tril_indices(rows, k, columns)


def triu_indices_from(arr: Any, k: int = 0) -> tuple[Array, Array]:
    """Index arrays of the upper triangle of `arr`."""
    rows, columns = dtypes.shape(arr)
    return triu_indices(rows, k, columns)
