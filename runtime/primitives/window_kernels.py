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
    # Cropping may go beyond all elements, into the other edge.
    result = np.full([max(n + low + high, 0) for n, (low, high) in zip(shape, padding)], fill, x.dtype)
    kept = [
        (max(low, 0), max(-low, 0), max(min(n - max(-low, 0), total - max(low, 0)), 0))
        for n, total, (low, _) in zip(shape, result.shape, padding)
    ]
    source = spread[tuple(slice(start, start + count) for _, start, count in kept)]
    result[tuple(slice(start, start + count) for start, _, count in kept)] = source
    return result


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
    form = strides, padding, lhs_dilation, rhs_dilation
    skipping = not np.isfinite(rhs).all() and _skips_gaps(
        lhs, rhs, strides, lhs_dilation, rhs_dilation, feature_groups, batch_groups
    )
    one = _conv_without_gaps if skipping else _conv
    if batch_groups > 1:
        parts = zip(np.split(lhs, batch_groups, axis=0), np.split(rhs, batch_groups, axis=0))
    elif feature_groups > 1:
        parts = zip(np.split(lhs, feature_groups, axis=1), np.split(rhs, feature_groups, axis=0))
    else:
        return one(lhs, rhs, *form)
    return np.concatenate([one(a, b, *form) for a, b in parts], axis=1)


def _skips_gaps(
    lhs: Values,
    rhs: Values,
    strides: Sequence[int],
    lhs_dilation: Sequence[int],
    rhs_dilation: Sequence[int],
    feature_groups: int,
    batch_groups: int,
) -> bool:
    """Whether gaps and edges add nothing, rather than zero times the kernel, which matters where this is infinite.

    XLA hands floats of up to 32 bits and three axes to Eigen, which multiplies, unless they are dilated alone: a transposed
    convolution adds what there is.
    """
    axes = rhs.ndim - 2
    if axes > 3 or lhs.dtype not in (np.float16, np.float32):
        return True
    if rhs.size == rhs.shape[-1] <= 2:
        return True
    alone = all(d == 1 for d in (*strides, *rhs_dilation)) and any(d > 1 for d in lhs_dilation)
    return axes <= 2 and alone and feature_groups == 1


def _conv(lhs: Values, rhs: Values, *form: Any) -> Values:
    space = range(lhs.ndim, lhs.ndim + len(rhs.shape[2:]))
    out = np.tensordot(_met(lhs, rhs, *form), rhs, axes=([1, *space], [1, *range(2, rhs.ndim)]))
    return np.moveaxis(out, -1, 1)


def _conv_without_gaps(lhs: Values, rhs: Values, *form: Any) -> Values:
    """The sum over the places of the kernel, each where it meets an element of `lhs`."""
    met, there = _met(lhs, rhs, *form), _met(np.ones((1, 1, *lhs.shape[2:]), bool), rhs, *form)
    total: Any = 0
    for place in np.ndindex(rhs.shape[2:]):
        at = (..., *place)
        product = np.tensordot(met[at], rhs[at], axes=(1, 1))
        total = total + np.where(there[at], np.moveaxis(product, -1, 1), 0)
    return np.asarray(total, lhs.dtype)


def _met(
    x: Values,
    kernel: Values,
    strides: Sequence[int],
    padding: Sequence[tuple[int, int]],
    lhs_dilation: Sequence[int],
    rhs_dilation: Sequence[int],
) -> Values:
    """What each place of the kernel meets: a view [N, C, positions..., places...]."""
    padded = dilate_and_pad(x, 0, [(0, 0), (0, 0), *padding], [1, 1, *lhs_dilation])
    view = windows(padded, [1, 1, *kernel.shape[2:]], [1, 1, *strides], [1, 1, *rhs_dilation])
    return view.reshape(view.shape[: x.ndim] + kernel.shape[2:])
