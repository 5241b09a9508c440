"""NumPy evaluation of XLA's general gather and scatter.

Both turn start indices into one index array per operand axis, of shape `batch + window`, and let NumPy's advanced
indexing do the rest. Out-of-bounds windows follow the mode: "clip" moves them inside, "fill" replaces or drops them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

Values = np.ndarray[Any, Any]


def window_indices(
    shape: Sequence[int],
    indices: Values,
    start_index_map: Sequence[int],
    collapsed: Sequence[int],
    operand_batching: Sequence[int],
    indices_batching: Sequence[int],
    slice_sizes: Sequence[int],
    clip: bool,
) -> tuple[list[Values], Values]:
    """Index arrays for every operand axis (broadcasting to batch + window), and which batch entries are in bounds."""
    batch = indices.shape[:-1]
    window_axes = [d for d in range(len(shape)) if d not in collapsed and d not in operand_batching]
    n_window = len(window_axes)
    valid = np.ones(batch, bool)
    out: list[Values] = []
    for d, size in enumerate(shape):
        if d in operand_batching:
            axis = indices_batching[list(operand_batching).index(d)]
            start = np.arange(size).reshape([-1 if i == axis else 1 for i in range(len(batch))])
        elif d in start_index_map:
            start = indices[..., list(start_index_map).index(d)].astype(np.int64)
            limit = size - slice_sizes[d]
            if clip:
                start = np.clip(start, 0, limit)
            else:
                valid &= (start >= 0) & (start <= limit)
        else:
            start = np.zeros((1,) * len(batch), np.int64)
        index = start.reshape(start.shape + (1,) * n_window)
        if d in window_axes:
            place = window_axes.index(d)
            offsets = [1] * n_window
            offsets[place] = slice_sizes[d]
            index = index + np.arange(slice_sizes[d]).reshape(offsets)
        out.append(index)
    return out, valid


def gather(
    operand: Values,
    indices: Values,
    *,
    offset_dims: Sequence[int],
    collapsed: Sequence[int],
    start_index_map: Sequence[int],
    operand_batching: Sequence[int],
    indices_batching: Sequence[int],
    slice_sizes: Sequence[int],
    clip: bool,
    fill_value: Any,
) -> Values:
    """Windows of `operand` at `indices`; the window axes of the result stand at `offset_dims`."""
    index, valid = window_indices(
        operand.shape,
        indices,
        start_index_map,
        collapsed,
        operand_batching,
        indices_batching,
        slice_sizes,
        clip,
    )
    n_batch = indices.ndim - 1
    window = [slice_sizes[d] for d in range(operand.ndim) if d not in collapsed and d not in operand_batching]
    shape = (*indices.shape[:-1], *window)
    if 0 in shape:
        result = np.zeros(shape, operand.dtype)
    elif operand.size == 0:
        result = np.full(shape, fill_value, operand.dtype)
    else:
        inside = [np.clip(i, 0, max(n - 1, 0)) for i, n in zip(index, operand.shape)]
        result = np.broadcast_to(operand[tuple(inside)], shape)
        if not clip and not valid.all():
            mask = valid.reshape(valid.shape + (1,) * len(window))
            result = np.where(mask, result, np.asarray(fill_value, operand.dtype))
    order = iter(range(n_batch))
    places = iter(range(n_batch, result.ndim))
    return result.transpose([next(places) if d in offset_dims else next(order) for d in range(result.ndim)])


_ACCUMULATE: dict[str, Any] = {
    "scatter-add": np.add,
    "scatter-sub": np.subtract,
    "scatter-mul": np.multiply,
    "scatter-min": np.minimum,
    "scatter-max": np.maximum,
}


def scatter(
    operand: Values,
    indices: Values,
    updates: Values,
    *,
    kind: str,
    update_window_dims: Sequence[int],
    inserted: Sequence[int],
    scatter_dims: Sequence[int],
    operand_batching: Sequence[int],
    indices_batching: Sequence[int],
    clip: bool,
    combine: Callable[[Values, Values], Values] | None = None,
    fit: Callable[[Values], Values] | None = None,
) -> Values:
    """`operand` with `updates` written (or accumulated, by `kind` or `combine`) at `indices`; later updates win.

    `fit` rounds each accumulation to a type that NumPy lacks.
    """
    batch_axes = [d for d in range(updates.ndim) if d not in update_window_dims]
    updates = updates.transpose([*batch_axes, *update_window_dims])
    sizes = iter(updates.shape[len(batch_axes) :])
    slice_sizes = [1 if d in inserted or d in operand_batching else next(sizes) for d in range(operand.ndim)]
    index, valid = window_indices(
        operand.shape, indices, scatter_dims, inserted, operand_batching, indices_batching, slice_sizes, clip
    )
    result = operand.copy()
    if updates.size == 0 or operand.size == 0:
        return result
    keep = np.broadcast_to(valid.reshape(valid.shape + (1,) * len(update_window_dims)), updates.shape)
    linear = np.zeros(updates.shape, np.int64)
    for i, n in zip(index, operand.shape):
        linear = linear * n + i
    if not keep.all():
        linear, updates = linear[keep], updates[keep]
    flat, linear, updates = result.reshape(-1), linear.reshape(-1), updates.reshape(-1)
    if combine is not None:
        for place, update in zip(linear.tolist(), updates):
            flat[place] = combine(flat[place], update)
    elif kind == "scatter":
        flat[linear] = updates
    elif operand.dtype == bool:
        either = kind in ("scatter-add", "scatter-max")
        (np.logical_or if either else np.logical_and).at(flat, linear, updates)
    elif fit is not None and kind in ("scatter-add", "scatter-sub", "scatter-mul"):
        for places, now in _without_repeats(linear):
            flat[places] = fit(_ACCUMULATE[kind](flat[places], updates[now]))
    else:
        _ACCUMULATE[kind].at(flat, linear, updates)
    return result


def _without_repeats(places: Values) -> Iterator[tuple[Values, Values]]:
    """Places and their positions in `places`, in rounds that name no place twice, in order."""
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    starts = np.flatnonzero(np.r_[places.size > 0, ordered[1:] != ordered[:-1]])
    lengths = np.diff(np.r_[starts, places.size])
    while starts.size:
        now = order[starts]
        yield places[now], now
        starts, lengths = starts[lengths > 1] + 1, lengths[lengths > 1] - 1
