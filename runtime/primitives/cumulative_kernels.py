"""NumPy evaluation of the cumulative operations.

Sums, products and log-sum-exps of floats are taken as XLA takes them, so that they round alike: in blocks of 16, whose totals
are accumulated in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Values = np.ndarray[Any, Any]
Fit = Callable[[Values], Values]

BLOCK = 16


def _accumulate(ufunc: Any, x: Values, axis: int, reverse: bool) -> Values:
    if x.size == 0:
        return x.copy()
    out: Values = ufunc.accumulate(np.flip(x, axis) if reverse else x, axis=axis, dtype=x.dtype)
    return np.flip(out, axis) if reverse else out


def _blocked(
    combine: Callable[..., Values], start: float, fit: Fit | None, x: Values, axis: int, reverse: bool
) -> Values:
    """What `combine`, applied from `start` on, gives along an axis; `fit` rounds to a type that NumPy lacks."""
    return np.moveaxis(_prefixes(combine, start, fit, np.moveaxis(x, axis, -1), reverse), -1, axis)


def _prefixes(
    combine: Callable[..., Values], start: float, fit: Fit | None, x: Values, reverse: bool
) -> Values:
    count = x.shape[-1]
    blocks = -(-count // BLOCK)
    if blocks <= 1:
        return _within(combine, start, fit, x, reverse)
    padded = np.full((*x.shape[:-1], blocks * BLOCK), start, x.dtype)
    padded[..., :count] = x
    inner = _within(combine, start, fit, padded.reshape(*x.shape[:-1], blocks, BLOCK), reverse)
    totals = inner[..., 0 if reverse else -1]
    before = np.full(totals.shape, start, x.dtype)
    outer = _prefixes(combine, start, fit, totals, reverse)
    if reverse:
        before[..., :-1] = outer[..., 1:]
    else:
        before[..., 1:] = outer[..., :-1]
    out = combine(inner, before[..., None])
    out = out if fit is None else fit(out)
    return out.reshape(padded.shape)[..., :count]


def _within(
    combine: Callable[..., Values], start: float, fit: Fit | None, x: Values, reverse: bool
) -> Values:
    """One step after the other along the last axis; backwards each element begins anew."""
    out = np.asarray(combine(x, x.dtype.type(start)))
    for k in range(1, x.shape[-1]):
        where = (..., slice(None, -k)) if reverse else (..., k)
        other = x[..., k:] if reverse else x[..., k]
        new = combine(out[where], other) if reverse else combine(out[..., k - 1], other)
        out[where] = new if fit is None else fit(new)
    return out


def _plain(x: Values) -> bool:
    return x.dtype.kind not in "fc" or x.size == 0


def cumsum(x: Values, *, axis: int, reverse: bool, fit: Fit | None = None) -> Values:
    if _plain(x):
        return _accumulate(np.add, x, axis, reverse)
    return _blocked(np.add, 0, fit, x, axis, reverse)


def cumprod(x: Values, *, axis: int, reverse: bool, fit: Fit | None = None) -> Values:
    if _plain(x):
        return _accumulate(np.multiply, x, axis, reverse)
    return _blocked(np.multiply, 1, fit, x, axis, reverse)


def cumlogsumexp(x: Values, *, axis: int, reverse: bool, fit: Fit | None = None) -> Values:
    if x.size == 0:
        return x.copy()
    return _blocked(_log_add_exp if x.dtype.kind == "c" else np.logaddexp, -np.inf, fit, x, axis, reverse)


def _log_add_exp(x: Values, y: Values) -> Values:
    """The logarithm of the sum of complex exponentials, over the size of the larger term."""
    size = np.maximum(x.real, y.real)
    size = np.where(np.isfinite(size), size, 0)
    return np.asarray(size + np.log(np.exp(x - size) + np.exp(y - size)))


def cummax(x: Values, *, axis: int, reverse: bool) -> Values:
    return _accumulate(np.maximum, x, axis, reverse)


def cummin(x: Values, *, axis: int, reverse: bool) -> Values:
    return _accumulate(np.minimum, x, axis, reverse)


def narrow_cumsum(fit: Fit, x: Values, **options: Any) -> Values:
    return cumsum(x, fit=fit, **options)


def narrow_cumprod(fit: Fit, x: Values, **options: Any) -> Values:
    return cumprod(x, fit=fit, **options)


def narrow_cumlogsumexp(fit: Fit, x: Values, **options: Any) -> Values:
    return cumlogsumexp(x, fit=fit, **options)
