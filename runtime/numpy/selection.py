"""Selection by condition or by index: `where`, `clip`, `take`, `nonzero`, ..."""

from __future__ import annotations

import math
import operator
from typing import Any

from .. import lax
from ..core import Array, Tracer
from ..lax import types as dtypes
from ..lax.elementwise import convert_to
from .promotion import (
    ArrayLike,
    asarray,
    broadcast_together,
    canonical_axis,
    check_arraylike,
    concrete,
    jitted,
    like,
    promote_args,
    promote_dtypes,
    truth,
)


def where(
    condition: Any,
    x: ArrayLike | None = None,
    y: ArrayLike | None = None,
    /,
    *,
    size: int | None = None,
    fill_value: Any = None,
) -> Any:
    """Elements of x where the condition holds, of y elsewhere; with one argument, the indices of true elements."""
    if x is None and y is None:
        check_arraylike("where", condition)
        return nonzero(condition, size=size, fill_value=fill_value)
    check_arraylike("where", condition, x, y)
    if x is None or y is None:
        raise ValueError(
            "Either both or neither of the x and y arguments should be provided to jax.numpy.where"
        )
    if size is not None or fill_value is not None:
        raise ValueError("size and fill_value arguments cannot be used in three-term where function.")
    return _where(condition, x, y)


@jitted()
def _where(condition: Any, x: Any, y: Any) -> Array:
    check = asarray(condition)
    if check.dtype.kind != "b":
        check = lax.ne(check, like(check, 0))
    x, y = promote_dtypes(x, y)
    if check.ndim == 0:
        return lax.select(check, *broadcast_together(x, y))
    return lax.select(*broadcast_together(check, x, y))


@jitted()
def clip(
    arr: ArrayLike | None = None,
    /,
    min: ArrayLike | None = None,
    max: ArrayLike | None = None,
) -> Array:
    """Limit values to [min, max]."""
    if arr is None:
        raise ValueError("At least one of x, arr must be provided to jnp.clip")
    check_arraylike("clip", arr)
    if any(v is not None and dtypes.dtype(v).kind == "c" for v in (arr, min, max)):
        raise ValueError("Clip received a complex value either through the input or the min/max keywords.")
    x = asarray(arr)
    for bound, limit in ((min, lax.max), (max, lax.min)):
        if bound is not None:
            check_arraylike("clip", bound)
            value, x = promote_args("clip", bound, x)
            x = limit(value, x)
    return x


def nonzero(a: ArrayLike, *, size: int | None = None, fill_value: Any = None) -> tuple[Array, ...]:
    """Indices of nonzero elements; under tracing their number must be given as `size`."""
    import numpy as np

    check_arraylike("nonzero", a)
    x = asarray(a)
    if not x.ndim:
        raise ValueError(
            "Calling nonzero on 0d arrays is not allowed. Use jnp.atleast_1d(scalar).nonzero() instead."
        )
    mask = truth(x)
    from .reductions import sum as sum_

    if size is None:
        count = concrete(
            sum_(mask, dtype=dtypes.int32) if mask.size else 0,
            "The size argument of jnp.nonzero must be statically specified to use jnp.nonzero within JAX transformations.",
        )
        total = int(np.asarray(count))
        host = np.nonzero(np.asarray(concrete(mask, "jnp.nonzero")))
        del total
        return tuple(asarray(i, dtypes.int_default()) for i in host)
    total = operator.index(
        concrete(
            size,
            "The size argument of jnp.nonzero must be statically specified to use jnp.nonzero within JAX transformations.",
        )
    )
    fills = (
        fill_value if isinstance(fill_value, tuple) else (0 if fill_value is None else fill_value,) * x.ndim
    )
    if not mask.size or not total:
        return tuple(lax.full((total,), f, dtypes.int_default()) for f in fills)
    from .cumulative import cumsum
    from .shaping import ravel

    flat = lax.convert_element_type(ravel(mask), dtypes.int_default())
    ends = cumsum(flat)
    # The k-th nonzero element stands where k elements before it are counted: a histogram of the running count.
    steps = (
        lax.full((total,), 0, dtypes.int_default())
        .at[ends]
        .add(lax.full((), 1, dtypes.int_default()), mode="drop")
    )
    places = cumsum(steps)
    strides = [math.prod(x.shape[d + 1 :]) for d in range(x.ndim)]
    found = lax.lt(lax.iota(dtypes.int_default(), total), ends[-1])
    out = []
    for stride, extent, fill in zip(strides, x.shape, fills):
        index = (places // stride) % extent
        out.append(where(found, index, lax.convert_element_type(asarray(fill), index.dtype)))
    return tuple(out)


def flatnonzero(a: ArrayLike, *, size: int | None = None, fill_value: Any = None) -> Array:
    """Indices of nonzero elements of the flattened array."""
    from .shaping import ravel

    return nonzero(ravel(a), size=size, fill_value=fill_value)[0]


def argwhere(a: ArrayLike, *, size: int | None = None, fill_value: Any = None) -> Array:
    """Indices of nonzero elements, one row each."""
    from .shaping import atleast_1d, stack

    result = stack(nonzero(atleast_1d(a), size=size, fill_value=fill_value), 1)
    return result[:, :0] if not dtypes.shape(a) else result


def compress(
    condition: ArrayLike,
    a: ArrayLike,
    axis: int | None = None,
    *,
    size: int | None = None,
    fill_value: ArrayLike = 0,
    out: None = None,
) -> Array:
    """Slices along an axis where a vector of conditions holds."""
    from .shaping import moveaxis, ravel

    check_arraylike("compress", condition, a, fill_value)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.compress is not supported.")
    check = truth(condition)
    if check.ndim != 1:
        raise ValueError("condition must be a 1D array")
    x = asarray(a)
    if axis is None:
        x, axis = ravel(x), 0
    axis = operator.index(concrete(axis, "axis argument of jnp.compress"))
    x = moveaxis(x, axis, 0)
    n = min(check.shape[0], x.shape[0])
    extra = check[n:]
    if extra.size:
        from .reductions import any as any_

        if any_(extra):
            raise ValueError("condition contains entries that are out of bounds")
    check, x = check[:n], x[:n]
    if size is None:
        import numpy as np

        if isinstance(check, Tracer):
            bool(check[0])
        return moveaxis(x[np.flatnonzero(np.asarray(check))], 0, axis)
    if not 0 <= size <= x.shape[0]:
        raise ValueError("size must be positive and not greater than the size of the array axis.")
    from .sorting import argsort

    order = argsort(lax.bitwise_not(check))[:size]
    from .reductions import sum as sum_

    kept = lax.lt(lax.iota(dtypes.int32, size), sum_(check, dtype=dtypes.int32))
    rows = x[order]
    kept = lax.broadcast_in_dim(kept, rows.shape, (0,))
    return moveaxis(where(kept, rows, lax.convert_element_type(asarray(fill_value), x.dtype)), 0, axis)


def extract(
    condition: ArrayLike, arr: ArrayLike, *, size: int | None = None, fill_value: ArrayLike = 0
) -> Array:
    """Elements where the condition holds."""
    from .shaping import ravel

    return compress(ravel(condition), ravel(arr), size=size, fill_value=fill_value)


def take(
    a: ArrayLike,
    indices: ArrayLike,
    axis: int | None = None,
    out: None = None,
    mode: str | None = None,
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
    fill_value: Any = None,
) -> Array:
    """Elements or slices at integer places along an axis."""
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.take is not supported.")
    check_arraylike("take", a, indices)
    axis = operator.index(axis) if axis is not None else None
    return _take(
        a,
        indices,
        axis=axis,
        mode=mode,
        unique_indices=unique_indices,
        indices_are_sorted=indices_are_sorted,
        fill_value=fill_value,
    )


@jitted("axis", "mode", "unique_indices", "indices_are_sorted", "fill_value")
def _take(
    a: ArrayLike,
    indices: ArrayLike,
    *,
    axis: int | None,
    mode: str | None,
    unique_indices: bool,
    indices_are_sorted: bool,
    fill_value: Any,
) -> Array:
    from .indexing import gather_at
    from .shaping import ravel

    x, index = asarray(a), asarray(indices)
    if axis is None:
        x, axis = ravel(x), 0
    axis = canonical_axis(axis, x.ndim)
    if not x.shape[axis]:
        if index.size:
            raise IndexError("Cannot do a non-empty jnp.take() from an empty axis.")
        return x
    if index.dtype.kind == "b":
        index = lax.convert_element_type(index, dtypes.int_default())
    if index.dtype.kind not in "iu" and index.size:
        raise ValueError(f"take requires integer indices, got {index.dtype}")
    if not index.size:
        return lax.full_like(x, 0, shape=(*x.shape[:axis], *index.shape, *x.shape[axis + 1 :]))
    key = (slice(None),) * axis + (index,)
    if mode == "wrap":
        key = (slice(None),) * axis + (index % x.shape[axis],)
        mode = None
    elif mode == "raise":
        raise NotImplementedError("The 'raise' mode to jnp.take is not supported.")
    elif mode not in (None, "fill", "clip"):
        raise ValueError(f"Invalid mode {mode!r} for jnp.take: it is 'fill', 'clip' or 'wrap'")
    return gather_at(
        x,
        key,
        mode=mode,
        fill_value=fill_value,
        unique_indices=unique_indices,
        indices_are_sorted=indices_are_sorted,
        wrap_negative=mode not in ("clip",),
    )


def _along_axis_key(x: Array, index: Array, axis: int) -> tuple[Any, ...]:
    """The advanced index that picks `index` along `axis` and its own place along every other axis."""
    shape = lax.broadcast_shapes(
        tuple(1 if d == axis else n for d, n in enumerate(x.shape)),
        tuple(1 if d == axis else n for d, n in enumerate(index.shape)),
    )
    key: list[Any] = []
    for d in range(x.ndim):
        if d == axis:
            key.append(index)
        else:
            n = x.shape[d]
            place = lax.iota(dtypes.int32, shape[d]) if n != 1 else lax.full((1,), 0, dtypes.int32)
            key.append(
                lax.reshape(
                    place,
                    [-1 if i == d else 1 for i in range(x.ndim)]
                    and [place.shape[0] if i == d else 1 for i in range(x.ndim)],
                )
            )
    return tuple(key)


@jitted("axis", "mode", "fill_value", "wrap_negative_indices")
def take_along_axis(
    arr: ArrayLike,
    indices: ArrayLike,
    axis: int | None = -1,
    mode: Any = None,
    fill_value: Any = None,
    *,
    wrap_negative_indices: bool | None = None,
) -> Array:
    """Elements at an array of places along one axis, place by place along the others."""
    from .indexing import gather_at
    from .shaping import ravel

    check_arraylike("take_along_axis", arr, indices)
    x, index = asarray(arr), asarray(indices)
    if index.dtype.kind not in "iu":
        raise TypeError(f"take_along_axis indices must be of integer type, got {index.dtype}")
    if axis is None:
        x, axis = ravel(x), 0
        if index.ndim != 1:
            raise ValueError(f"take_along_axis indices must be 1D if axis=None, got shape {index.shape}")
    if x.ndim != index.ndim:
        raise ValueError(
            f"indices and arr must have the same number of dimensions; {index.ndim} vs. {x.ndim}"
        )
    axis = canonical_axis(axis, x.ndim)
    if index.dtype.itemsize == 4:
        index = lax.convert_element_type(
            index, dtypes.int32
        )  # So large unsigned ones count from the end, as in JAX.
    return gather_at(
        x,
        _along_axis_key(x, index, axis),
        mode=mode,
        fill_value=fill_value,
        wrap_negative=wrap_negative_indices is not False,
    )


@jitted("axis", "inplace", "mode")
def put_along_axis(
    arr: ArrayLike,
    indices: ArrayLike,
    values: ArrayLike,
    axis: int | None,
    inplace: bool = True,
    *,
    mode: str | None = None,
) -> Array:
    """A copy of `arr` with `values` at an array of places along one axis."""
    from .shaping import ravel

    if inplace:
        raise ValueError(
            "jax.numpy.put_along_axis cannot modify arrays in-place, because JAX arrays are immutable. Pass inplace=False to instead return an updated array."
        )
    check_arraylike("put_along_axis", arr, indices, values)
    x, index = asarray(arr), asarray(indices)
    shape = x.shape
    if axis is None:
        x, axis = ravel(x), 0
    axis = canonical_axis(axis, x.ndim)
    key = _along_axis_key(x, index, axis)
    return (
        lax.reshape(x.at[key].set(values, mode=mode), shape)
        if x.shape != shape
        else x.at[key].set(values, mode=mode)
    )


def put(
    a: ArrayLike, ind: ArrayLike, v: ArrayLike, mode: str | None = None, *, inplace: bool = True
) -> Array:
    """A copy of `a` with `v` at flat places."""
    from .shaping import ravel, tile

    if inplace:
        raise ValueError(
            "jax.numpy.put cannot modify arrays in-place, because JAX arrays are immutable. Pass inplace=False to instead return an updated array."
        )
    check_arraylike("put", a, ind, v)
    x, index, values = asarray(a), ravel(asarray(ind)), ravel(asarray(v))
    if not index.size or not values.size:
        return x
    values = tile(values, -(-index.size // values.size))[: index.size]
    if mode == "wrap":
        index, mode = index % x.size, None
    elif mode == "clip":
        index, mode = clip(index, 0, x.size - 1), None
    return lax.reshape(ravel(x).at[index].set(values, mode=mode), x.shape)


def place(arr: ArrayLike, mask: ArrayLike, vals: ArrayLike, *, inplace: bool = True) -> Array:
    """A copy of `arr` with `vals`, cyclically, where the mask holds."""
    from .cumulative import cumsum
    from .shaping import ravel

    if inplace:
        raise ValueError(
            "jax.numpy.place cannot modify arrays in-place, because JAX arrays are immutable. Pass inplace=False to instead return an updated array."
        )
    check_arraylike("place", arr, mask, vals)
    x, check, values = asarray(arr), asarray(mask), ravel(asarray(vals))
    if x.size != check.size:
        raise ValueError("place: arr and mask must be the same size")
    if not values.size:
        raise ValueError("Cannot place values from an empty array")
    flat = ravel(truth(check))
    order = (cumsum(lax.convert_element_type(flat, dtypes.int32)) - 1) % values.size
    chosen = take(convert_to(values, x.dtype, x.weak_type), where(flat, order, 0))
    return lax.reshape(where(flat, chosen, ravel(x)), x.shape)
