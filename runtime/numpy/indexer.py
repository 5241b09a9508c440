"""Indices of arrays as the numbers of a gather or scatter: which windows of which axes, and at which places."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import lax
from ..core import get_aval, literal
from ..lax import types as dtypes
from ..primitives.index_dimensions import GatherDimensionNumbers
from .dynamic_slices import Slice
from .index_keys import is_integer_scalar
from .promotion import asarray, like


class Indexer(NamedTuple):
    """An index worked out: the windows to read or write, and what to do with the result."""

    slice_shape: tuple[int, ...]
    indices: Any
    numbers: GatherDimensionNumbers
    slice_sizes: tuple[int, ...]
    reversed_axes: tuple[int, ...]
    new_axes: tuple[int, ...]
    ascending: bool  # The places come in order, and none twice.


class _Ramp(NamedTuple):
    """The places of a slice with a step, which run along one axis of the result."""

    axis: int
    start: Any
    length: int
    step: int


def static_slice(entry: slice, n: int) -> tuple[int, int, int, bool]:
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


def work_out(shape: tuple[int, ...], entries: Sequence[Any], wrap_negative: bool = True) -> Indexer:
    """An index as the parameters of a gather (or, read as a scatter, of an update)."""
    dtype = dtypes.int_default() if max(shape, default=0) >= 2**31 else dtypes.int32
    advanced = [i for i, e in enumerate(entries) if e is not None and not isinstance(e, (slice, Slice))]
    broadcast = lax.broadcast_shapes(*(dtypes.shape(entries[i]) for i in advanced)) if advanced else ()
    # Advanced indices that stand apart put their axes first; adjacent ones stay in place.
    apart = bool(advanced) and advanced != list(range(advanced[0], advanced[-1] + 1))
    columns: list[Any] = []
    index_axes: list[int] = []
    collapsed: list[int] = []
    slice_sizes: list[int] = []
    offset_dims: list[int] = []
    slice_shape: list[int] = [*broadcast] if apart else []
    reversed_axes: list[int] = []
    new_axes: list[int] = []
    axis = 0
    for position, e in enumerate(entries):
        if e is None:
            new_axes.append(len(slice_shape) + len(new_axes))
            continue
        n = shape[axis]
        if isinstance(e, (slice, Slice)):
            start, length, step, backwards = (
                static_slice(e, n) if isinstance(e, slice) else (_start(e, dtype), e.size, e.stride, False)
            )
            place = len(slice_shape)
            if backwards:
                reversed_axes.append(place)
            if step != 1:
                columns.append(_Ramp(place, start, length, step))
                index_axes.append(axis)
                collapsed.append(axis)
            elif length != n or isinstance(e, Slice):
                columns.append(literal(start, dtype) if isinstance(start, int) else start)
                index_axes.append(axis)
            if step == 1:
                offset_dims.append(place)
            slice_sizes.append(length if step == 1 else 1)
            slice_shape.append(length)
        else:
            columns.append(_places(e, n, axis, dtype, wrap_negative))
            index_axes.append(axis)
            collapsed.append(axis)
            slice_sizes.append(min(1, n))
            if position == advanced[0] and not apart:
                slice_shape += broadcast
        axis += 1
    return Indexer(
        tuple(slice_shape),
        _joined(columns, slice_shape, [d for d in range(len(slice_shape)) if d not in offset_dims], dtype),
        GatherDimensionNumbers(tuple(offset_dims), tuple(sorted(collapsed)), tuple(index_axes)),
        tuple(slice_sizes),
        tuple(reversed_axes),
        tuple(new_axes),
        all(is_integer_scalar(entries[i]) for i in advanced),
    )


def _start(entry: Slice, dtype: Any) -> Any:
    """Where a slice begins. Raises TypeError for a size that is not known, and where it begins at no integer."""
    operator.index(entry.size)
    start = entry.start
    if isinstance(start, int):
        return start
    if dtypes.dtype(start).kind not in "iu":
        raise TypeError(f"start of a slice must be an integer, got {dtypes.dtype(start)}")
    return lax.convert_element_type(asarray(start), dtype)


def _places(index: Any, n: int, axis: int, dtype: Any, wrap_negative: bool) -> Any:
    """The places that an integer or an array chooses along an axis of length `n`."""
    if not isinstance(index, int):
        return _wrapped(index, n, dtype) if wrap_negative else asarray(index)
    if n == 0:
        raise IndexError(f"index is out of bounds for axis {axis} with size 0")
    return literal(index + n if index < 0 and wrap_negative else index, dtype)


def _joined(columns: Sequence[Any], shape: Sequence[int], batch: Sequence[int], dtype: Any) -> Any:
    """One array of all columns: its last axis runs over the indexed axes, the others over the `batch` axes of `shape`."""
    batch_shape = tuple(shape[d] for d in batch)
    ramps = {column.axis for column in columns if isinstance(column, _Ramp)}
    array_places = [i for i, d in enumerate(batch) if d not in ramps]
    full: list[Any] = []
    for column in columns:
        dims: tuple[int, ...]
        if isinstance(column, _Ramp):
            ramp = lax.mul(lax.iota(dtype, column.length), literal(column.step, dtype))
            start = column.start if not isinstance(column.start, int) else literal(column.start, dtype)
            values, dims = lax.add(ramp, start), (batch.index(column.axis),)
        else:
            values, own = column, dtypes.shape(column)
            dims = tuple(array_places[len(array_places) - len(own) :]) if own else ()
            target = tuple(batch_shape[d] for d in dims)
            if own != target:
                values = lax.broadcast_in_dim(values, target, tuple(range(len(own))))
            if get_aval(values).dtype is not dtype:
                values = lax.convert_element_type(values, dtype)
        full.append(lax.broadcast_in_dim(values, (*batch_shape, 1), dims))
    return lax.concatenate(full, len(batch_shape)) if full else lax.full((*batch_shape, 0), 0, dtype)
