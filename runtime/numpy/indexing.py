"""Indexing of arrays by JAX's rules: what `x[key]` and `x.at[key]` mean, as slices, gathers and scatters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import lax
from ..core import Array, Literal, get_aval, literal
from ..lax import types as dtypes
from ..primitives.index_dimensions import (
    GatherDimensionNumbers,
    GatherScatterMode,
    ScatterDimensionNumbers,
    default_fill,
)
from .index_keys import canonical_key, is_integer_scalar, resolve_scalar_masks
from .promotion import asarray, concrete, like


class Indexer(NamedTuple):
    """An index worked out: the windows to read or write, and what to do with the result."""

    slice_shape: tuple[int, ...]
    indices: Any
    numbers: GatherDimensionNumbers
    slice_sizes: tuple[int, ...]
    reversed_axes: tuple[int, ...]
    new_axes: tuple[int, ...]
    is_sorted: bool
    is_unique: bool
    scalar_starts: list[Any] | None


def _static_slice(entry: slice, n: int) -> tuple[int, int, int, bool]:
    """Start, length and step of a static slice, with step positive; and whether to reverse the result."""
    places = range(n)[entry]
    if places.step > 0:
        return places.start, len(places), places.step, False
    last = places[-1] if places else 0
    return last, len(places), -places.step, True


def _wrapped(index: Any, n: int, dtype: Any) -> Any:
    """An index array with negative places counted from the end."""
    x = asarray(index)
    if x.dtype.kind == "u":
        return lax.convert_element_type(x, dtype) if x.dtype is not dtype else x
    if x.dtype.itemsize < 4:
        if x.ndim and n > dtypes.iinfo(x.dtype).max:
            raise OverflowError(f"Python integer {n} out of bounds for {x.dtype}")
        x = lax.convert_element_type(x, dtype)
    wrapped = lax.add(x, like(x, n))
    return lax.select(lax.lt(x, like(x, 0)), wrapped, x)


def get_item(x: Any, key: Any) -> Array:
    """`x[key]`."""
    return gather_at(asarray(x), key)


def gather_at(
    x: Array,
    key: Any,
    *,
    mode: Any = "promise_in_bounds",
    fill_value: Any = None,
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
    wrap_negative: bool = True,
    explicit: bool = False,
) -> Array:
    """Elements of `x` at `key`; `mode` says what places out of bounds give."""
    x, key = resolve_scalar_masks(x, key)
    entries = canonical_key(key, x.shape)
    how = GatherScatterMode.from_any(mode)
    if all(
        e is None or isinstance(e, slice) or (isinstance(e, int) and not isinstance(e, bool)) for e in entries
    ):
        static = _static_read(x, entries, how if explicit else None)
        if static is not None:
            return static
    scalar = how is GatherScatterMode.PROMISE_IN_BOUNDS and _dynamic_read(x, entries)
    if scalar is not None and scalar is not False:
        return scalar
    work = work_out(x.shape, entries, wrap_negative)
    if 0 in work.slice_shape:
        result = lax.full(work.slice_shape, 0, x.dtype)
    else:
        if fill_value is not None and how is GatherScatterMode.FILL_OR_DROP:
            fill_value = concrete(fill_value, "fill_value of an index")
            fill_value = fill_value.item() if hasattr(fill_value, "item") else fill_value
        result = (
            lax.gather(
                x,
                work.indices,
                work.numbers,
                work.slice_sizes,
                mode=how,
                fill_value=fill_value,
                unique_indices=unique_indices or work.is_unique,
                indices_are_sorted=indices_are_sorted or work.is_sorted,
            )
            if work.indices is not None
            else x
        )
    if work.reversed_axes:
        result = lax.rev(result, work.reversed_axes)
    if work.new_axes:
        result = lax.expand_dims(result, work.new_axes)
    return result


def _static_read(x: Array, entries: list[Any], how: Any) -> Array | None:
    """Slices and integers only: a strided slice, then squeeze, reversal and new axes."""
    starts, stops, steps, dropped, reversed_axes, new_axes = [], [], [], [], [], []
    axis = place = 0
    for e in entries:
        if e is None:
            new_axes.append(place)
            place += 1
            continue
        n = x.shape[axis]
        if isinstance(e, slice):
            start, length, step, backwards = _static_slice(e, n)
            if backwards and length:
                reversed_axes.append(axis)
            starts.append(start if length else 0)
            stops.append(start + (length - 1) * step + 1 if length else 0)
            steps.append(step if length else 1)
            place += 1
        else:
            if not -n <= e < n:
                if how is not None and how is not GatherScatterMode.PROMISE_IN_BOUNDS:
                    return None
                if n == 0:
                    raise IndexError(f"index is out of bounds for axis {axis} with size 0")
                return None
            i = e % n
            starts.append(i)
            stops.append(i + 1)
            steps.append(1)
            dropped.append(axis)
        axis += 1
    result = x
    whole = all(a == 0 and b == n and s == 1 for a, b, s, n in zip(starts, stops, steps, x.shape))
    covers = tuple(len(range(a, b, s)) for a, b, s in zip(starts, stops, steps)) == x.shape
    if not whole and not (covers and reversed_axes):
        plain = all(s == 1 for s in steps)
        # A strided slice ends at the end of the axis, as Python writes it.
        ends = [
            b if s == 1 else min(a + len(range(a, b, s)) * s, n)
            for a, b, s, n in zip(starts, stops, steps, x.shape)
        ]
        result = lax.slice(x, starts, ends, None if plain else steps)
    if reversed_axes:
        result = lax.rev(result, reversed_axes)
    if dropped:
        result = lax.squeeze(result, dropped)
    return lax.expand_dims(result, new_axes) if new_axes else result


def _dynamic_read(x: Array, entries: list[Any]) -> Array | None:
    """Contiguous slices and scalar integers, some of them traced: one dynamic slice."""
    starts: list[Any] = []
    sizes, dropped, new_axes = [], [], []
    axis = place = 0
    for e in entries:
        if e is None:
            new_axes.append(place)
            place += 1
            continue
        n = x.shape[axis]
        if isinstance(e, slice):
            start, length, step, backwards = _static_slice(e, n)
            if step != 1 or backwards:
                return None
            starts.append(start)
            sizes.append(length)
            place += 1
        elif is_integer_scalar(e):
            if n == 0:
                raise IndexError(f"index is out of bounds for axis {axis} with size 0")
            starts.append(e)
            sizes.append(1)
            dropped.append(axis)
        else:
            return None
        axis += 1
    result = lax.dynamic_slice(x, starts, sizes)
    if dropped:
        result = lax.squeeze(result, dropped)
    return lax.expand_dims(result, new_axes) if new_axes else result


def work_out(shape: tuple[int, ...], entries: Sequence[Any], wrap_negative: bool = True) -> Indexer:
    """An index as the parameters of a gather (or, read as a scatter, of an update)."""
    dtype = dtypes.int_default() if max(shape, default=0) >= 2**31 else dtypes.int32
    advanced = [i for i, e in enumerate(entries) if e is not None and not isinstance(e, slice)]
    arrays = {i: entries[i] for i in advanced}
    only_scalars = all(is_integer_scalar(e) for e in arrays.values())
    broadcast = lax.broadcast_shapes(*(dtypes.shape(e) for e in arrays.values())) if arrays else ()
    # Advanced indices that stand apart put their axes first; adjacent ones stay in place.
    adjacent = bool(advanced) and advanced == list(range(advanced[0], advanced[-1] + 1))
    columns: list[Any] = []
    index_axes: list[int] = []
    collapsed: list[int] = []
    slice_sizes: list[int] = []
    offset_dims: list[int] = []
    slice_shape: list[int] = []
    reversed_axes: list[int] = []
    new_axes: list[int] = []
    ramps: list[tuple[int, int, int, int, int]] = []
    axis = place = out = 0
    front = len(broadcast) if advanced and not adjacent and not only_scalars else 0
    if front:
        slice_shape += broadcast
        place = out = front
    seen = False
    for position, e in enumerate(entries):
        if e is None:
            new_axes.append(out)
            out += 1
            continue
        n = shape[axis]
        if isinstance(e, slice):
            start, length, step, backwards = _static_slice(e, n)
            if backwards:
                reversed_axes.append(place)
            if step == 1:
                if length != n:
                    columns.append(literal(start, dtype))
                    index_axes.append(axis)
                slice_sizes.append(length)
                offset_dims.append(place)
            else:
                ramps.append((len(columns), axis, start, length, step))
                columns.append(None)
                index_axes.append(axis)
                slice_sizes.append(1)
                collapsed.append(axis)
                ramps[-1] = (*ramps[-1][:1], place, start, length, step)
            slice_shape.append(length)
            place += 1
            out += 1
        else:
            index = e
            if isinstance(e, int):
                if n == 0:
                    raise IndexError(f"index is out of bounds for axis {axis} with size 0")
                index = literal(e + n if e < 0 and wrap_negative else e, dtype)
            else:
                index = _wrapped(e, n, dtype) if wrap_negative else asarray(e)
            columns.append(index)
            index_axes.append(axis)
            collapsed.append(axis)
            slice_sizes.append(min(1, n))
            if position == (advanced[0] if advanced else -1) and not front:
                slice_shape += broadcast
                place += len(broadcast)
                out += len(broadcast)
                seen = True
        axis += 1
    del seen
    return _assemble(
        columns,
        ramps,
        index_axes,
        collapsed,
        slice_sizes,
        offset_dims,
        slice_shape,
        reversed_axes,
        new_axes,
        broadcast,
        adjacent,
        entries,
        only_scalars,
        dtype,
    )


def _assemble(
    columns: list[Any],
    ramps: list[tuple[int, int, int, int, int]],
    index_axes: list[int],
    collapsed: list[int],
    slice_sizes: list[int],
    offset_dims: list[int],
    slice_shape: list[int],
    reversed_axes: list[int],
    new_axes: list[int],
    broadcast: tuple[int, ...],
    adjacent: bool,
    entries: Sequence[Any],
    only_scalars: bool,
    dtype: Any,
) -> Indexer:
    """Join the index columns into one array whose last axis runs over the indexed axes."""
    batch_places = [d for d in range(len(slice_shape)) if d not in offset_dims]
    batch_shape = tuple(slice_shape[d] for d in batch_places)
    ramp_places = {place: number for number, place, *_ in ramps}
    array_places = [i for i, d in enumerate(batch_places) if d not in ramp_places]
    full: list[Any] = []
    for number, column in enumerate(columns):
        ramp = next((r for r in ramps if r[0] == number), None)
        if ramp is not None:
            _, place, start, length, step = ramp
            values = lax.add(lax.mul(lax.iota(dtype, length), literal(step, dtype)), literal(start, dtype))
            full.append(lax.broadcast_in_dim(values, (*batch_shape, 1), (batch_places.index(place),)))
            continue
        own = dtypes.shape(column)
        dims = tuple(array_places[len(array_places) - len(own) :]) if own else ()
        target = tuple(batch_shape[d] for d in dims)
        if own != target and own:
            column = lax.broadcast_in_dim(column, target, tuple(range(len(own))))
        if get_aval(column).dtype is not dtype:
            column = lax.convert_element_type(column, dtype)
        full.append(lax.broadcast_in_dim(column, (*batch_shape, 1), dims))
    indices = lax.concatenate(full, len(batch_shape)) if full else lax.full((*batch_shape, 0), 0, dtype)
    numbers = GatherDimensionNumbers(tuple(offset_dims), tuple(sorted(collapsed)), tuple(index_axes))
    static = all(not isinstance(e, Array) or dtypes.shape(e) == () for e in entries)
    return Indexer(
        tuple(slice_shape),
        indices,
        numbers,
        tuple(slice_sizes),
        tuple(reversed_axes),
        tuple(new_axes),
        static and only_scalars,
        static and only_scalars,
        None,
    )


def _update_values(values: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """What is written, in the type of the array and in the shape of the indexed part."""
    from .shaping import broadcast_to

    if isinstance(values, (bool, int, float, complex)):
        y: Any = literal(values, dtype)
    else:
        y = lax.convert_element_type(asarray(values), dtype)
    if isinstance(y, Literal):
        return lax.broadcast_in_dim(y, shape, ()) if shape else y
    while y.ndim > len(shape) and y.shape[0] == 1:
        y = lax.squeeze(y, (0,))
    return broadcast_to(y, shape)


def scatter_at(
    kind: str,
    x: Array,
    key: Any,
    values: Any,
    *,
    mode: Any = None,
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
    wrap_negative: bool = True,
) -> Array:
    """`x` with `values` written or accumulated at `key`."""
    shape = x.shape
    x, key = resolve_scalar_masks(x, key)
    entries = canonical_key(key, x.shape)
    work = work_out(x.shape, entries, wrap_negative)
    out_shape = list(work.slice_shape)
    for d in work.new_axes:
        out_shape.insert(d, 1)
    y = _update_values(values, tuple(out_shape), x.dtype)
    if work.new_axes:
        y = lax.squeeze(y, work.new_axes)
    if work.reversed_axes:
        y = lax.rev(y, work.reversed_axes)
    if 0 in work.slice_shape:
        return lax.reshape(x, shape)
    numbers = ScatterDimensionNumbers(
        work.numbers.offset_dims, work.numbers.collapsed_slice_dims, work.numbers.start_index_map
    )
    function = getattr(lax, kind)
    result: Array = function(
        x,
        work.indices,
        y,
        numbers,
        mode=mode,
        unique_indices=unique_indices or work.is_unique,
        indices_are_sorted=indices_are_sorted or work.is_sorted,
    )
    return lax.reshape(result, shape) if result.shape != shape else result


__all__ = ["default_fill", "gather_at", "get_item", "scatter_at", "work_out"]
