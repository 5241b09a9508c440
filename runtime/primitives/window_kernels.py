"""NumPy evaluation of convolution and of window reductions, on strided views."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Values = np.ndarray[Any, Any]


def dilate_and_pad(
    x: Values, fill: Any, padding: Sequence[tuple[int, int]], dilation: Sequence[int]
) -> Values:
    """`x` with `dilation - 1` fill elements between neighbours and `padding` (negative: cropping) at the edges."""
    shape = [max((n - 1) * d + 1, 0) if n else 0 for n, d in zip(x.shape, dilation)]
    spread = np.full(shape, fill, x.dtype)
    spread[tuple(slice(None, None, d) for d in dilation)] = x
    crop = tuple(
        slice(max(-low, 0), max(n - max(-high, 0), max(-low, 0))) for n, (low, high) in zip(shape, padding)
    )
    edges = [(max(low, 0), max(high, 0)) for low, high in padding]
    return np.pad(spread[crop], edges, constant_values=fill)


def windows(x: Values, sizes: Sequence[int], strides: Sequence[int], dilation: Sequence[int]) -> Values:
    """Every window of `x` as a view: shape `positions + sizes`."""
    span = [(k - 1) * d + 1 if k else 0 for k, d in zip(sizes, dilation)]
    positions = [max((n - s) // t + 1, 0) if n >= s else 0 for n, s, t in zip(x.shape, span, strides)]
    step = [s * t for s, t in zip(x.strides, strides)] + [s * d for s, d in zip(x.strides, dilation)]
    return np.lib.stride_tricks.as_strided(x, (*positions, *sizes), step, writeable=False)


def reduce_window(
    x: Values,
    init: Any,
    reduce: Callable[[Values, tuple[int, ...]], Values],
    sizes: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[tuple[int, int]],
    base_dilation: Sequence[int],
    window_dilation: Sequence[int],
) -> Values:
    """`reduce` over the window axes of every window of `x` padded with `init`."""
    padded = dilate_and_pad(x, init, padding, base_dilation)
    view = windows(padded, sizes, strides, window_dilation)
    return reduce(view, tuple(range(x.ndim, 2 * x.ndim)))


def conv(
    lhs: Values,
    rhs: Values,
    strides: Sequence[int],
    padding: Sequence[tuple[int, int]],
    lhs_dilation: Sequence[int],
    rhs_dilation: Sequence[int],
    feature_groups: int,
    batch_groups: int,
) -> Values:
    """Convolution (without flipping) of lhs[N, C, space...] by rhs[O, I, space...], giving [N, O, space...]."""
    if batch_groups > 1:
        parts = zip(np.split(lhs, batch_groups, axis=0), np.split(rhs, batch_groups, axis=0))
        grouped = [conv(a, b, strides, padding, lhs_dilation, rhs_dilation, 1, 1) for a, b in parts]
        return np.concatenate(grouped, axis=1)
    if feature_groups > 1:
        parts = zip(np.split(lhs, feature_groups, axis=1), np.split(rhs, feature_groups, axis=0))
        grouped = [conv(a, b, strides, padding, lhs_dilation, rhs_dilation, 1, 1) for a, b in parts]
        return np.concatenate(grouped, axis=1)
    n_space = lhs.ndim - 2
    padded = dilate_and_pad(lhs, 0, [(0, 0), (0, 0), *padding], [1, 1, *lhs_dilation])
    view = windows(padded, [1, 1, *rhs.shape[2:]], [1, 1, *strides], [1, 1, *rhs_dilation])
    view = view.reshape(view.shape[: 2 + n_space] + rhs.shape[2:])
    space = range(2 + n_space, 2 + 2 * n_space)
    out = np.tensordot(view, rhs, axes=([1, *space], [1, *range(2, 2 + n_space)]))
    return np.moveaxis(out, -1, 1)
