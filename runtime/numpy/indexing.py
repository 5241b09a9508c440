"""Indexing of arrays by JAX's rules: what `x[key]` and `x.at[key]` mean, as slices, gathers and scatters."""

from __future__ import annotations

from typing import Any

from .. import lax
from ..arrays.promotion import check_integer
from ..core import Array, Literal, literal
from ..dtypes import INT32, INT64
from ..lax import types as dtypes
from ..lax.elementwise import convert_to
from ..primitives.index_dimensions import (
    GatherScatterMode,
    ScatterDimensionNumbers,
    default_fill,
)
from .dynamic_slices import Slice
from .index_keys import canonical_key, is_integer_scalar, resolve_scalar_masks
from .indexer import static_slice, work_out
from .promotion import asarray, concrete


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
        result = lax.full_like(x, 0, shape=work.slice_shape)
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
                unique_indices=unique_indices or work.ascending,
                indices_are_sorted=indices_are_sorted or work.ascending,
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
            start, length, step, backwards = static_slice(e, n)
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


def _of_one_type(starts: list[Any], shape: tuple[int, ...]) -> list[Any]:
    """Start indices of any integer types in one that holds them all, of at least 32 bits."""
    kinds = {lax.dtype(start) for start in starts if not isinstance(start, int)}
    if not kinds:
        return starts
    common = INT64 if any(kind.itemsize > 4 for kind in kinds) else INT32
    if len(kinds) == 1 and all(kind.itemsize >= 4 for kind in kinds):
        (common,) = kinds
    return [
        literal(start + n if start < 0 else start, common)
        if isinstance(start, int)
        else lax.convert_element_type(start, common)
        for start, n in zip(starts, shape)
    ]


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
            start, length, step, backwards = static_slice(e, n)
            if step != 1 or backwards:
                return None
            starts.append(start)
            sizes.append(length)
            place += 1
        elif isinstance(e, Slice):
            if e.stride != 1:
                return None
            starts.append(e.start)
            sizes.append(e.size)
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
    result = lax.dynamic_slice(x, _of_one_type(starts, x.shape), sizes)
    if dropped:
        result = lax.squeeze(result, dropped)
    return lax.expand_dims(result, new_axes) if new_axes else result


def _update_values(values: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """What is written, in the type of the array and in the shape of the indexed part."""
    from .shaping import broadcast_to

    if isinstance(values, (bool, int, float, complex)):
        if type(values) is int:
            check_integer(values)
        y: Any = literal(values, dtype)
    else:
        y = lax.convert_element_type(values, dtype)
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
    """`x` with `values` written or accumulated at `key`, in their common type."""
    shape = x.shape
    x, key = resolve_scalar_masks(x, key)
    entries = canonical_key(key, x.shape)
    work = work_out(x.shape, entries, wrap_negative)
    out_shape = list(work.slice_shape)
    for d in work.new_axes:
        out_shape.insert(d, 1)
    dtype, weak = x.dtype, x.weak_type
    if not isinstance(values, (bool, int, float, complex)):
        values = asarray(values)
    common = dtypes.lattice_result(x, values)[0]
    y = _update_values(values, tuple(out_shape), common)
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
        lax.convert_element_type(x, common) if common is not dtype else x,
        work.indices,
        y,
        numbers,
        mode=mode,
        unique_indices=unique_indices or work.ascending,
        indices_are_sorted=indices_are_sorted or work.ascending,
    )
    if common is not dtype:
        result = convert_to(result, dtype, weak)
    return lax.reshape(result, shape) if result.shape != shape else result


__all__ = ["default_fill", "gather_at", "get_item", "scatter_at"]
