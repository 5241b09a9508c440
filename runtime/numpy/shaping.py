"""Shape manipulation: reshape, transpose, join, split, tile, repeat, roll, flip."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Sequence
from typing import Any

from .. import lax
from ..arrays.avals import ShapedArray
from ..core import Array, Tracer
from ..lax import types as dtypes
from .promotion import (
    ArrayLike,
    Axis,
    asarray,
    canonical_axis,
    canonical_shape,
    check_arraylike,
    concrete,
    concrete_axis,
    jitted,
    promote_dtypes,
    reduced_axes,
    require_static,
)


def reshape(
    a: ArrayLike, shape: Any, order: str = "C", *, copy: bool | None = None, out_sharding: Any = None
) -> Array:
    """The same elements in another shape; one size may be -1."""
    check_arraylike("reshape", a)
    return reshape_static(asarray(a), shape, order)


def reshape_static(x: Array, new_shape: Any, order: str = "C") -> Array:
    """Reshape to a shape of concrete integers of which one may be -1."""
    sizes = canonical_shape(new_shape, allow_negative=True)
    if sizes.count(-1) > 1:
        raise TypeError(f"can only specify one unknown axis size with a `-1` value, got {tuple(sizes)}")
    if -1 in sizes:
        rest = math.prod(n for n in sizes if n != -1)
        if rest == 0:
            raise ZeroDivisionError(
                f"cannot reshape array of shape {x.shape} (size {x.size}) into shape {tuple(sizes)}: any size fits"
            )
        if x.size % rest:
            raise TypeError(
                f"cannot reshape array of shape {x.shape} (size {x.size}) into shape {tuple(sizes)} "
                f"because the product of specified axis sizes ({rest}) does not evenly divide {x.size}"
            )
        sizes = tuple(x.size // rest if n == -1 else n for n in sizes)
    if math.prod(sizes) != x.size:
        raise TypeError(
            f"cannot reshape array of shape {x.shape} (size {x.size}) into shape {tuple(sizes)} (size {math.prod(sizes)})"
        )
    if order == "F":
        return lax.transpose(
            lax.reshape(lax.transpose(x, range(x.ndim)[::-1]), sizes[::-1]), range(len(sizes))[::-1]
        )
    if order == "A":
        raise NotImplementedError("np.reshape order=A is not implemented.")
    if order != "C":
        raise ValueError(f"Unexpected value for 'order' argument: {order}.")
    return x if x.shape == tuple(sizes) else lax.reshape(x, sizes)


def ravel(a: ArrayLike, order: str = "C", *, out_sharding: Any = None) -> Array:
    """Flatten to one axis."""
    check_arraylike("ravel", a)
    if order == "K":
        raise NotImplementedError("Ravel not implemented for order='K'.")
    return reshape(a, (math.prod(dtypes.shape(a)),), order)


def transpose(a: ArrayLike, axes: Sequence[int] | None = None) -> Array:
    """Permute axes (reverse them by default)."""
    check_arraylike("transpose", a)
    x = asarray(a)
    order = range(x.ndim)[::-1] if axes is None else [canonical_axis(operator.index(d), x.ndim) for d in axes]
    return lax.transpose(x, tuple(order))


def permute_dims(a: ArrayLike, /, axes: tuple[int, ...]) -> Array:
    """Permute axes."""
    return transpose(a, axes)


def matrix_transpose(x: ArrayLike, /) -> Array:
    """Exchange the last two axes."""
    check_arraylike("matrix_transpose", x)
    x = asarray(x)
    if x.ndim < 2:
        raise ValueError(f"x must be at least two-dimensional for matrix_transpose; got ndim={x.ndim}")
    return lax.transpose(x, (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2))


def moveaxis(a: ArrayLike, source: Any, destination: Any) -> Array:
    """Move axes to new places, keeping the order of the others."""
    check_arraylike("moveaxis", a)
    x = asarray(a)
    sources, places = (
        tuple(
            canonical_axis(operator.index(concrete(d, f"{name} argument of jnp.moveaxis")), x.ndim)
            for d in (v if isinstance(v, (tuple, list, range)) else (v,))
        )
        for name, v in (("source", source), ("destination", destination))
    )
    if len(sources) != len(places):
        raise ValueError(f"Inconsistent number of elements: {len(sources)} vs {len(places)}")
    order = [d for d in range(x.ndim) if d not in sources]
    for place, d in sorted(zip(places, sources)):
        order.insert(place, d)
    return lax.transpose(x, tuple(order))


@jitted("axis1", "axis2", inline=True)
def swapaxes(a: ArrayLike, axis1: int, axis2: int) -> Array:
    """Exchange two axes. Raises IndexError for one that does not exist."""
    check_arraylike("swapaxes", a)
    x = asarray(a)
    order = list(range(x.ndim))
    i, j = operator.index(axis1), operator.index(axis2)
    order[i], order[j] = order[j], order[i]
    return lax.transpose(x, tuple(order))


@jitted("axis", "start")
def rollaxis(a: ArrayLike, axis: int, start: int = 0) -> Array:
    """Move an axis backwards to a place."""
    check_arraylike("rollaxis", a)
    x = asarray(a)
    axis = canonical_axis(axis, x.ndim)
    if not -x.ndim <= start <= x.ndim:
        raise ValueError(f"start={start} must satisfy {-x.ndim}<=start<={x.ndim}")
    start = start + x.ndim if start < 0 else start
    return moveaxis(x, axis, start - 1 if start > axis else start)


def expand_dims(a: ArrayLike, axis: int | Sequence[int]) -> Array:
    """Insert axes of size one."""
    check_arraylike("expand_dims", a)
    known: Any = axis
    if not isinstance(axis, (tuple, list, range)):
        known = concrete(axis, "axis argument to jnp.expand_dims()")
    axes = known if isinstance(known, (tuple, list, range)) or dtypes.shape(known) else (known,)
    return lax.expand_dims(asarray(a), tuple(operator.index(d) for d in axes))


def squeeze(a: ArrayLike, axis: int | Sequence[int] | None = None) -> Array:
    """Remove axes of size one."""
    check_arraylike("squeeze", a)
    x = asarray(a)
    if axis is None:
        axes = tuple(d for d, n in enumerate(x.shape) if n == 1)
    else:
        given = axis if isinstance(axis, (tuple, list, range)) else (axis,)
        axes = tuple(operator.index(concrete(d, "axis argument of jnp.squeeze()")) for d in given)
    return lax.squeeze(x, axes)


def broadcast_shapes(*shapes: Any) -> tuple[int, ...]:
    """The common shape under broadcasting. Raises TracerArrayConversionError for a traced length, as NumPy is asked."""
    for length in (n for shape in shapes if isinstance(shape, (tuple, list)) for n in shape):
        if isinstance(length, Tracer) and length.to_concrete_value() is None:
            length.__array__()
    return lax.broadcast_shapes(*((s,) if isinstance(s, int) else s for s in shapes))


def broadcast_to(array: ArrayLike, shape: Any, *, out_sharding: Any = None) -> Array:
    """Repeat along new and unit axes to a larger shape."""
    check_arraylike("broadcast_to", array)
    x = asarray(array)
    target = canonical_shape(shape)
    if x.shape == target:
        return x
    lead = len(target) - x.ndim
    if lead < 0:
        raise ValueError(
            f"Cannot broadcast to shape with fewer dimensions: arr_shape={x.shape} shape={target}"
        )
    if any(n not in (1, m) for n, m in zip(x.shape, target[lead:])):
        requested = ShapedArray(target, x.dtype)
        raise ValueError(
            f"Incompatible types for broadcasting: input type={x.aval} and requested type={requested}"
        )
    kept = [d for d in range(x.ndim) if x.shape[d] == target[lead + d]]
    if len(kept) != x.ndim:
        x = lax.reshape(x, [x.shape[d] for d in kept]) if x.ndim else x
    return lax.broadcast_in_dim(x, target, tuple(lead + d for d in kept))


def broadcast_arrays(*args: ArrayLike) -> list[Array]:
    """All arguments in their common shape."""
    check_arraylike("broadcast_arrays", *args)
    target = lax.broadcast_shapes(*(dtypes.shape(a) for a in args))
    return [broadcast_to(a, target) for a in args]


def _atleast(rank: int, x: ArrayLike) -> Array:
    x = asarray(x)
    if x.ndim >= rank:
        return x
    if rank == 3:
        axes = {0: (), 1: (1,), 2: (0, 1)}[x.ndim]
        sizes = {0: (1, 1, 1), 1: (1, *x.shape, 1), 2: (*x.shape, 1)}[x.ndim]
        return lax.broadcast_in_dim(x, sizes, axes)
    lead = rank - x.ndim
    return lax.broadcast_in_dim(x, (*(1,) * lead, *x.shape), tuple(range(lead, rank)))


def _atleast_function(rank: int) -> Any:
    name = f"atleast_{rank}d"

    @jitted(name=name)
    def apply(*arys: ArrayLike) -> Any:
        check_arraylike(name, *arys)
        return _atleast(rank, arys[0]) if len(arys) == 1 else [_atleast(rank, x) for x in arys]

    return apply


atleast_1d, atleast_2d, atleast_3d = (_atleast_function(rank) for rank in (1, 2, 3))


def _sequence(name: str, arrays: Any) -> list[Any]:
    if not isinstance(arrays, (tuple, list)):
        check_arraylike(name, arrays)
        if not hasattr(arrays, "__len__"):
            raise TypeError(f"{name} requires a sequence of arrays, got {type(arrays)}")
        x = asarray(arrays)
        if not x.size and not (x.ndim and x.shape[0]):
            raise ValueError(f"Need at least one array to {name}.")
        if not x.ndim:
            raise ValueError(f"{name} requires a sequence of arrays, got a scalar")
        return [x[i] for i in range(x.shape[0])]
    if not arrays:
        # JAX looks at the first array's rank before it counts them.
        raise (IndexError if name == "hstack" else ValueError)(f"Need at least one array to {name}.")
    check_arraylike(name, *arrays)
    return list(arrays)


def concatenate(arrays: Any, axis: int | None = 0, dtype: Any = None) -> Array:
    """Join along an existing axis (None: flatten first)."""
    parts = _sequence("concatenate", arrays)
    if axis is None:
        parts, axis = [ravel(x) for x in parts], 0
    if not dtypes.shape(parts[0]):
        raise ValueError("Zero-dimensional arrays cannot be concatenated.")
    axis = canonical_axis(operator.index(axis), len(dtypes.shape(parts[0])))
    parts = promote_dtypes(*parts) if dtype is None else [asarray(x, dtype) for x in parts]
    return lax.concatenate(parts, axis)


def concat(arrays: Sequence[ArrayLike], /, *, axis: int | None = 0) -> Array:
    """Join along an existing axis."""
    return concatenate(list(arrays), axis)


def stack(arrays: Any, axis: int = 0, out: None = None, dtype: Any = None) -> Array:
    """Join along a new axis."""
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.stack is not supported.")
    if not isinstance(arrays, (tuple, list)):
        if not len(arrays):
            raise ValueError("Need at least one array to stack.")
        axis = canonical_axis(operator.index(axis), len(dtypes.shape(arrays)))
        return moveaxis(asarray(arrays, dtype), 0, axis)
    parts = _sequence("stack", arrays)
    rank = len(dtypes.shape(parts[0])) + 1
    axis = canonical_axis(operator.index(axis), rank)
    shapes = [dtypes.shape(x) for x in parts]
    if len({len(s) for s in shapes}) != 1:
        listed = ", ".join(map(str, shapes))
        raise ValueError(f"Cannot stack arrays with different numbers of dimensions: got {listed}.")
    if len(set(shapes)) != 1:
        raise ValueError(f"All input arrays must have the same shape. Got {', '.join(map(str, shapes))}.")
    parts = promote_dtypes(*parts) if dtype is None else [asarray(x, dtype) for x in parts]
    return lax.stack(parts, axis)


def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Split into the slices along an axis."""
    require_static("unstack", axis=axis)
    check_arraylike("unstack", x)
    x = asarray(x)
    if not x.ndim:
        raise ValueError("Unstack requires arrays with rank > 0, however a scalar array was passed.")
    return tuple(lax.unstack(x, canonical_axis(axis, x.ndim)))


def vstack(tup: Any, dtype: Any = None) -> Array:
    """Stack rows."""
    return concatenate([atleast_2d(x) for x in _sequence("vstack", tup)], 0, dtype)


def hstack(tup: Any, dtype: Any = None) -> Array:
    """Stack columns (or join vectors)."""
    parts = [atleast_1d(x) for x in _sequence("hstack", tup)]
    return concatenate(parts, 0 if parts[0].ndim == 1 else 1, dtype)


def dstack(tup: Any, dtype: Any = None) -> Array:
    """Stack along the third axis."""
    return concatenate([atleast_3d(x) for x in _sequence("dstack", tup)], 2, dtype)


def column_stack(tup: Any) -> Array:
    """Stack vectors as columns."""
    parts = [asarray(x) for x in _sequence("column_stack", tup)]
    return concatenate([atleast_2d(x).T if x.ndim < 2 else x for x in parts], 1)


@jitted()
def block(arrays: Any) -> Array:
    """Assemble an array from nested lists of blocks. Raises ValueError for lists that nest unevenly, and for tuples."""

    def depth(x: Any) -> int:
        if isinstance(x, tuple) or (isinstance(x, list) and not x):
            raise ValueError(f"jnp.block takes nested lists that are not empty, got {x}")
        if not isinstance(x, list):
            return 0
        below = {depth(part) for part in x}
        if len(below) > 1:
            raise ValueError("jnp.block takes lists that are all nested equally deep")
        return 1 + below.pop()

    levels = depth(arrays)

    def join(x: Any, level: int) -> Array:
        if not isinstance(x, list):
            return asarray(x)
        parts = [join(v, level + 1) for v in x]
        rank = _largest([levels, *(p.ndim for p in parts)])
        parts = [lax.reshape(p, (*(1,) * (rank - p.ndim), *p.shape)) if p.ndim < rank else p for p in parts]
        return concatenate(parts, axis=level - levels)

    return join(arrays, 0)


def _largest(values: list[int]) -> int:
    return max(values)


def _split(name: str, ary: ArrayLike, indices_or_sections: Any, axis: Any, uneven: bool) -> list[Array]:
    check_arraylike(name, ary)
    x = asarray(ary)
    axis = operator.index(concrete(axis, f"in jax.numpy.{name} argument `axis`"))
    if not -x.ndim <= axis < x.ndim:
        raise IndexError(f"tuple index out of range: {name} along axis {axis} of an array of {x.ndim} axes")
    axis %= x.ndim
    extent = x.shape[axis]
    given = indices_or_sections
    if isinstance(given, (tuple, list)) or len(dtypes.shape(given)) == 1:
        points = (
            [operator.index(concrete(i, f"in jax.numpy.{name} argument 1")) for i in given]
            if isinstance(given, (tuple, list))
            else [operator.index(i) for i in concrete(given, f"in jax.numpy.{name} argument 1")]
        )
        points = [min(max(i + extent if i < 0 else i, 0), extent) for i in points]
        bounds = [0, *points, extent]
        parts = list(itertools.pairwise(bounds))
        sizes = [max(b - a, 0) for a, b in parts]
        if sum(sizes) != extent or any(b < a for a, b in parts):
            return [lax.slice_in_dim(x, a, max(a, b), axis=axis) for a, b in parts]
    else:
        sections = int(concrete(given, f"in jax.numpy.{name} argument 1"))
        if sections < 0:
            raise ValueError("number sections must be larger than 0.")
        if not sections:
            raise ZeroDivisionError(f"jax.numpy.{name} cannot split an array into 0 sections")
        part, left = divmod(extent, sections)
        if left and not uneven:
            raise ValueError(f"array split does not result in an equal division: rest is {left}")
        sizes = [part + 1] * left + [part] * (sections - left)
    return list(lax.split(x, tuple(sizes), axis))


def split(ary: ArrayLike, indices_or_sections: Any, axis: int = 0) -> list[Array]:
    """Split into equal parts, or at indices."""
    return _split("split", ary, indices_or_sections, axis, False)


def array_split(ary: ArrayLike, indices_or_sections: Any, axis: int = 0) -> list[Array]:
    """Split into parts that may differ by one."""
    return _split("array_split", ary, indices_or_sections, axis, True)


def vsplit(ary: ArrayLike, indices_or_sections: Any) -> list[Array]:
    """Split along the first axis."""
    return _split("vsplit", ary, indices_or_sections, 0, False)


def hsplit(ary: ArrayLike, indices_or_sections: Any) -> list[Array]:
    """Split along the second axis (the first of a vector)."""
    return _split("hsplit", ary, indices_or_sections, 0 if len(dtypes.shape(ary)) == 1 else 1, False)


def dsplit(ary: ArrayLike, indices_or_sections: Any) -> list[Array]:
    """Split along the third axis."""
    return _split("dsplit", ary, indices_or_sections, 2, False)


def tile(A: ArrayLike, reps: Any) -> Array:
    """Repeat whole arrays along axes."""
    check_arraylike("tile", A)
    x = asarray(A)
    counts = tuple(reps) if isinstance(reps, (tuple, list)) else (reps,)
    for r in counts:
        if isinstance(r, Tracer):
            hash(r)
    counts = tuple(operator.index(r) for r in counts)
    counts = (1,) * (x.ndim - len(counts)) + counts
    if len(counts) > x.ndim:
        x = lax.reshape(x, (*(1,) * (len(counts) - x.ndim), *x.shape))
    return lax.tile(x, counts)


def resize(a: ArrayLike, new_shape: Any) -> Array:
    """Repeat the flattened elements to fill a shape."""
    return _resize(a, new_shape=(new_shape,) if isinstance(new_shape, int) else tuple(new_shape))


@jitted("new_shape", name="resize")
def _resize(a: ArrayLike, new_shape: tuple[int, ...]) -> Array:
    flat = ravel(a)
    total = math.prod(new_shape)
    if any(n < 0 for n in new_shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    if flat.size == 0 or total == 0:
        return lax.full(new_shape, 0, flat.dtype)
    repeated = lax.tile(flat, (-(-total // flat.size),))
    return lax.reshape(lax.slice(repeated, (0,), (total,)), new_shape)


@jitted("axis")
def append(arr: ArrayLike, values: ArrayLike, axis: int | None = None) -> Array:
    """Join `values` to the end of `arr`."""
    if axis is None:
        return concatenate([ravel(arr), ravel(values)], 0)
    return concatenate([arr, values], axis)


def flip(m: ArrayLike, axis: Axis = None) -> Array:
    """Reverse the order along axes."""
    check_arraylike("flip", m)

    return _flip(asarray(m), axis=concrete_axis("flip", axis))


@jitted("axis")
def _flip(m: Array, axis: Axis) -> Array:
    return lax.rev(m, reduced_axes(m.ndim, axis))


def flipud(m: ArrayLike) -> Array:
    """Reverse rows."""
    return _flip(asarray(m), axis=0)


def fliplr(m: ArrayLike) -> Array:
    """Reverse columns."""
    return _flip(asarray(m), axis=1)


@jitted("k", "axes")
def rot90(m: ArrayLike, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Array:
    """Rotate by 90 degrees k times in a plane."""
    x = asarray(m)
    first, second = (canonical_axis(d, x.ndim) for d in axes)
    if first == second:
        raise ValueError("Axes must be different")
    turns = k % 4
    if turns == 0:
        return x
    if turns == 2:
        return flip(flip(x, first), second)
    order = list(range(x.ndim))
    order[first], order[second] = second, first
    if turns == 1:
        return lax.transpose(flip(x, second), tuple(order))
    return flip(lax.transpose(x, tuple(order)), second)
