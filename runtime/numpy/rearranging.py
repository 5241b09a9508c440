"""Rearrangement along an axis: repeat, roll, pad, insert, delete, diagonals."""

from __future__ import annotations

import operator
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from ..lax.elementwise import convert_to
from .promotion import (
    ArrayLike,
    asarray,
    canonical_axis,
    canonical_shape,
    check_arraylike,
    concrete,
    concrete_axis,
    exactly_like,
    jitted,
    like,
    reduced_axes,
)
from .selection import take, where
from .shaping import broadcast_to, moveaxis, ravel, tile


def repeat(
    a: ArrayLike,
    repeats: ArrayLike,
    axis: int | None = None,
    *,
    total_repeat_length: int | None = None,
    out_sharding: Any = None,
) -> Array:
    """Repeat elements; counts must be concrete unless the total length is given."""
    check_arraylike("repeat", a)
    x = asarray(a)
    if axis is None:
        x, axis = ravel(x), 0
    axis = operator.index(concrete(axis, "'axis' argument of jnp.repeat()"))
    if total_repeat_length is None:
        counts = concrete(
            repeats,
            "When jit-compiling jnp.repeat, the total number of repeats must be static. To fix this, either specify "
            "a static value for `repeats`, or pass a static value to `total_repeat_length`.",
        )
        if not x.ndim:
            x = lax.reshape(x, (1,))
        axis = canonical_axis(axis, x.ndim)
        if dtypes.shape(counts) == ():
            canonical_shape(
                (x.shape[axis] * counts,), allow_negative=True
            )  # An operation, traced under `jit`.
            if counts < 0:
                shape = tuple(counts if d == axis else n for d, n in enumerate(x.shape))
                raise TypeError(
                    f"broadcast_in_dim shape must have every element be nonnegative, got {shape}."
                )
            return _repeat_evenly(x, int(counts), axis)
        import numpy as np

        host = np.asarray(counts)
        if host.shape == (1,):
            return _repeat_evenly(x, int(host[0]), axis)
        if len(host) != x.shape[axis]:
            raise ValueError("repeats must be of the same length as the axis")
        return x[(slice(None),) * axis + (np.repeat(np.arange(len(host)), host),)]
    total = total_repeat_length
    if total < 0:
        raise ValueError(f"total_repeat_length must be non-negative, got {total}")
    if not x.ndim:
        x = lax.reshape(x, (1,))
    axis = canonical_axis(axis, x.ndim)
    counts = broadcast_to(ravel(asarray(repeats)), (x.shape[axis],))
    from .cumulative import cumsum

    starts = lax.sub(cumsum(counts), counts)
    marks = (
        lax.full((total,), 0, dtypes.int32)
        .at[starts]
        .add(like(lax.full((), 0, dtypes.int32), 1), mode="drop")
    )
    places = lax.sub(cumsum(marks), like(marks, 1))

    return take(x, places, axis=axis)


def _repeat_evenly(x: Array, count: int, axis: int) -> Array:
    shape = (*x.shape[: axis + 1], max(count, 0), *x.shape[axis + 1 :])
    spread = lax.broadcast_in_dim(x, shape, [d for d in range(len(shape)) if d != axis + 1])
    return lax.reshape(spread, (*x.shape[:axis], x.shape[axis] * max(count, 0), *x.shape[axis + 1 :]))


def roll(a: ArrayLike, shift: Any, axis: Any = None) -> Array:
    """Shift elements along axes, those that leave at one end entering at the other."""
    check_arraylike("roll", a)
    x = asarray(a)
    axis = concrete_axis("roll", axis)
    static = _static_shift(shift)
    if axis is None:
        return lax.reshape(roll(ravel(x), shift, 0), x.shape)
    if static is not None:
        return _roll_static(x, shift=static, axis=axis)
    return _roll_dynamic(x, asarray(shift), axis=axis)


def _static_shift(shift: Any) -> Any:
    """`shift` as hashable integers, or None if it is an array, or holds what is no integer."""
    if dtypes.is_tracer_or_array(shift):
        return None
    try:
        return tuple(map(operator.index, shift)) if dtypes.shape(shift) else operator.index(shift)
    except TypeError:
        return None


def _pairs(shift: Any, axis: Any) -> list[tuple[Any, int]]:
    axes = axis if isinstance(axis, tuple) else (axis,)
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axes)
    if len(shifts) == 1:
        shifts = shifts * len(axes)
    if len(axes) == 1:
        axes = axes * len(shifts)
    if len(shifts) != len(axes):
        raise ValueError("'shift' and 'axis' arguments have incompatible shapes")
    return list(zip(shifts, axes))


@jitted("shift", "axis")
def _roll_static(a: Array, shift: Any, axis: Any) -> Array:
    x = a
    for amount, d in _pairs(shift, axis):
        d = canonical_axis(d, x.ndim)
        n = x.shape[d]
        amount = (amount % n) if n else 0
        if amount:
            x = lax.concatenate(
                [lax.slice_in_dim(x, n - amount, n, axis=d), lax.slice_in_dim(x, 0, n - amount, axis=d)], d
            )
    return x


@jitted("axis")
def _roll_dynamic(a: Array, shift: Array, axis: Any) -> Array:
    x = a
    axes = axis if isinstance(axis, tuple) else (axis,)
    shape = lax.broadcast_shapes(shift.shape, (len(axes),))
    if len(shape) != 1:
        raise ValueError("'shift' and 'axis' arguments to roll must be scalars or 1D arrays")
    axes = axes if len(axes) == shape[0] else axes * shape[0]
    shifts = broadcast_to(lax.convert_element_type(shift, dtypes.int32), shape)
    from .ufuncs import remainder

    for i, d in enumerate(axes):
        d = canonical_axis(d, x.ndim)
        n = x.shape[d]
        if not n:
            continue
        amount = shifts[i]
        start = remainder(lax.sub(like(amount, n), remainder(amount, like(amount, n))), like(amount, n))
        x = lax.dynamic_slice_in_dim(lax.concatenate([x, x], d), start, n, axis=d)
    return x


@jitted("k")
def _diag(v: Array, k: int) -> Array:
    if v.ndim == 1:
        n = v.shape[0] + abs(k)
        zero = exactly_like(v, 0)
        padded = lax.pad(v, zero, ((max(0, k), max(0, -k), 0),))
        row = lax.broadcasted_iota(dtypes.int32, (n, n), 0)
        column = lax.broadcasted_iota(dtypes.int32, (n, n), 1)
        on = lax.eq(lax.add(row, like(row, k)), column)
        # Element (i, i + k) is v[i] of the unpadded vector, which stands at column i + k of the padded one.
        spread = lax.expand_dims(padded, (1,) if k == 0 else (0,))
        return where(on, spread, zero)
    return diagonal(v, k)


def diag(v: ArrayLike, k: int = 0) -> Array:
    """The k-th diagonal of a matrix, or the matrix with a vector on its k-th diagonal."""
    check_arraylike("diag", v)
    x = asarray(v)
    if x.ndim not in (1, 2):
        raise ValueError("diag input must be 1d or 2d")
    return _diag(x, k=operator.index(k))


def diagflat(v: ArrayLike, k: int = 0) -> Array:
    """The matrix with the flattened input on its k-th diagonal."""
    check_arraylike("diagflat", v)
    flat = ravel(asarray(v))
    n = flat.shape[0] + abs(k)
    rows = lax.add(lax.iota(dtypes.int32, flat.shape[0]), dtypes.scalar(max(0, -k), dtypes.int32))
    places = lax.add(rows, lax.mul(lax.iota(dtypes.int32, flat.shape[0]), dtypes.scalar(n, dtypes.int32)))
    if k or n != flat.shape[0]:
        columns = lax.add(lax.iota(dtypes.int32, flat.shape[0]), dtypes.scalar(max(0, k), dtypes.int32))
        places = lax.add(lax.mul(rows, dtypes.scalar(n, dtypes.int32)), columns)
    return lax.reshape(lax.full((n * n,), 0, flat.dtype).at[places].set(flat), (n, n))


@jitted("offset", "axis1", "axis2")
def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """The diagonals of the matrices in two axes, as the last axis."""
    check_arraylike("diagonal", a)
    x = asarray(a)
    if x.ndim < 2:
        raise ValueError("diagonal requires an array of at least two dimensions.")
    x = moveaxis(x, (axis1, axis2), (-2, -1))
    rows, columns = x.shape[-2:]
    length = max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
    i = lax.iota(dtypes.int_default(), length)
    found = x[..., i - min(offset, 0), i + max(offset, 0)]
    # JAX counts the main diagonal of a square matrix as computed.
    computed = x.ndim == 2 and rows == columns and offset == 0
    return convert_to(found, x.dtype, x.weak_type and not computed)


@jitted("axis1", "axis2", "dtype")
def trace(
    a: ArrayLike,
    offset: int | ArrayLike = 0,
    axis1: int = 0,
    axis2: int = 1,
    dtype: Any = None,
    out: None = None,
) -> Array:
    """Sum along the diagonals of the matrices in two axes."""
    from .reductions import sum as sum_

    check_arraylike("trace", a)
    x = asarray(a)
    if x.ndim < 2:
        raise ValueError("trace requires an array of at least two dimensions.")
    x = moveaxis(x, (axis1, axis2), (-2, -1)) if x.ndim > 2 or (axis1, axis2) != (0, 1) else x
    row = lax.broadcasted_iota(dtypes.int32, x.shape[-2:], 0)
    column = lax.broadcasted_iota(dtypes.int32, x.shape[-2:], 1)
    on = lax.eq(lax.add(row, lax.convert_element_type(offset, dtypes.int32)), column)
    return sum_(where(on, x, lax.full_like(x, 0)), axis=(-2, -1), dtype=dtype)


def fill_diagonal(a: ArrayLike, val: ArrayLike, wrap: bool = False, *, inplace: bool = True) -> Array:
    """A copy of `a` with its main diagonal set to `val`."""
    if inplace:
        raise NotImplementedError("JAX arrays are immutable, must use inplace=False")
    if wrap:
        raise NotImplementedError("wrap=True is not implemented, must use wrap=False")
    check_arraylike("fill_diagonal", a, val)
    x, value = asarray(a), asarray(val)
    if x.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if x.ndim > 2 and len(set(x.shape)) != 1:
        raise ValueError("All dimensions of input must be of equal length")
    n = min(x.shape)

    if value.ndim:
        flat = ravel(value)
        value = tile(flat, -(-n // flat.shape[0]))[:n]
    return x.at[(lax.iota(dtypes.int_default(), n),) * x.ndim].set(value)


def insert(arr: ArrayLike, obj: Any, values: ArrayLike, axis: int | None = None) -> Array:
    """A copy of `arr` with `values` inserted before the given places."""
    import numpy as np

    check_arraylike("insert", arr, 0 if isinstance(obj, slice) else obj, values)
    x, new = asarray(arr), asarray(values)
    if axis is None:
        x, new, axis = ravel(x), ravel(new), 0
    axis = canonical_axis(operator.index(concrete(axis, "axis argument of jnp.insert")), x.ndim)
    n = x.shape[axis]
    if isinstance(obj, slice):
        obj = np.arange(*obj.indices(n))
    places = asarray(obj)
    if places.ndim > 1:
        raise ValueError(
            f"jnp.insert(): obj must be a slice, a one-dimensional array, or a scalar; got {places}"
        )
    if places.dtype.kind not in "iu":
        if places.size or isinstance(obj, Array):
            raise ValueError(f"jnp.insert(): index array must be integer typed; got {obj}")
        places = lax.convert_element_type(places, dtypes.int32)
    if not places.ndim:
        new = moveaxis(new, 0, axis) if new.ndim and axis < new.ndim else new
    places = ravel(places)
    shape = list(x.shape)
    if places.size == 1:
        shape[axis] = 1 if new.ndim < x.ndim or new.shape[axis] == 1 else new.shape[axis]
        places = lax.broadcast_in_dim(places[0], (shape[axis],), ())
    else:
        shape[axis] = places.size
    new = broadcast_to(convert_to(new, x.dtype, x.weak_type), shape)
    places = where(lax.lt(places, like(places, 0)), lax.add(places, like(places, n)), places)
    from .sorting import argsort

    keys = lax.concatenate([lax.convert_element_type(places, dtypes.int32), lax.iota(dtypes.int32, n)], 0)

    return take(lax.concatenate([new, x], axis), argsort(keys), axis=axis)


def _static_index(value: Any) -> int | None:
    """The integer that a value is; None for others, and for tracers."""
    try:
        return operator.index(value)
    except TypeError:
        return None


def delete(
    arr: ArrayLike, obj: Any, axis: int | None = None, *, assume_unique_indices: bool = False
) -> Array:
    """A copy of `arr` without the given places, which must be concrete."""
    import numpy as np

    check_arraylike("delete", arr)
    x = asarray(arr)
    if axis is None:
        x, axis = ravel(x), 0
    axis = canonical_axis(operator.index(axis), x.ndim)
    n = x.shape[axis]
    place = _static_index(obj)
    if place is not None:
        place = canonical_axis(place, n)
        return lax.concatenate(
            [lax.slice_in_dim(x, 0, place, axis=axis), lax.slice_in_dim(x, place + 1, n, axis=axis)], axis
        )
    if isinstance(obj, slice):
        obj = np.arange(*obj.indices(n))
    check_arraylike("delete", x, obj)
    if assume_unique_indices and dtypes.issubdtype(dtypes.dtype(obj), dtypes.integer):
        gone = ravel(asarray(obj))
        gone = where(lax.lt(gone, like(gone, 0)), lax.add(gone, like(gone, n)), gone)
        from .sorting import sort

        ordered = sort(gone)
        i = lax.iota(ordered.dtype, n - ordered.size)
        from .reductions import sum as sum_

        offset = lax.sub(ordered, lax.iota(ordered.dtype, ordered.size))
        shift = sum_(lax.le(lax.expand_dims(offset, (1,)), lax.expand_dims(i, (0,))), axis=0)

        return take(x, lax.add(i, lax.convert_element_type(shift, i.dtype)), axis=axis)
    places = np.asarray(concrete(obj, "'obj' array argument of jnp.delete()"))
    if places.dtype.kind not in "biu":
        raise ValueError(f"np.delete(arr, obj): got obj.dtype={places.dtype}; must be integer or bool.")
    if places.dtype == bool and places.shape != (n,):
        raise ValueError(
            "np.delete(arr, obj): for boolean indices, obj must be one-dimensional with length matching specified axis."
        )
    mask = np.ones(n, bool)
    mask[places] = False
    return x[(slice(None),) * axis + (np.flatnonzero(mask),)]


def trim_zeros(filt: ArrayLike, trim: str = "fb", axis: Any = None) -> Array:
    """Remove leading and trailing zeros of a concrete array."""
    import numpy as np

    host = np.asarray(concrete(filt, "Error arose in the `filt` argument of trim_zeros()"))
    places = np.argwhere(host.real)  # As `any` has it.
    keep = []
    axes = reduced_axes(host.ndim, axis)
    for d in range(host.ndim):
        if d not in axes:
            keep.append(slice(None))
        elif not len(places):
            keep.append(slice(0, 0))
        else:
            low = int(places[:, d].min()) if "f" in trim.lower() else 0
            high = int(places[:, d].max()) + 1 if "b" in trim.lower() else host.shape[d]
            keep.append(slice(low, high))
    return asarray(filt)[tuple(keep)]
