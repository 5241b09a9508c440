"""NumPy evaluation of complex arithmetic where infinities and zeros meet, as C defines it and XLA computes it."""

from __future__ import annotations

from typing import Any

import numpy as np

Values = np.ndarray[Any, Any]


def _joined(real: Values, imag: Values, dtype: Any) -> Any:
    out = np.empty(np.broadcast_shapes(real.shape, imag.shape), dtype)
    out.real, out.imag = real, imag
    return out


def divide(x: Values, y: Values) -> Any:
    """By zero, and where the quotient would be NaN alone, the infinities and zeros of the operands say what it is (C99, annex G)."""
    quotient = np.divide(x, y)
    unknown = np.isnan(quotient.real) & np.isnan(quotient.imag)
    if not unknown.any() and y.all():
        return quotient
    a, b, c, d = (part.astype(part.dtype) for part in (x.real, x.imag, y.real, y.imag))
    inf = a.dtype.type(np.inf)
    by_zero = (y == 0) & ~(np.isnan(a) & np.isnan(b))
    above = unknown & (np.isinf(a) | np.isinf(b)) & np.isfinite(c) & np.isfinite(d)
    below = unknown & (np.isinf(c) | np.isinf(d)) & np.isfinite(a) & np.isfinite(b)
    re, im = quotient.real, quotient.imag
    for where, factor, (p, q, r, s) in (
        (below, a.dtype.type(0), (a, b, _unit(c), _unit(d))),
        (above, inf, (_unit(a), _unit(b), c, d)),
    ):
        re, im = np.where(where, factor * (p * r + q * s), re), np.where(where, factor * (q * r - p * s), im)
    endless = np.copysign(inf, c)
    re, im = np.where(by_zero, endless * a, re), np.where(by_zero, endless * b, im)
    return _joined(re, im, quotient.dtype)


def _unit(x: Values) -> Any:
    return np.copysign(np.isinf(x).astype(x.dtype), x)


def power(x: Values, y: Values) -> Any:
    """By way of the polar form, which knows no exact powers but those of and to 0 and 1, and of infinity to real numbers."""
    a, b, c, d = x.real, x.imag, y.real, y.imag
    square, angle = a * a + b * b, np.arctan2(b, a)
    size = np.power(square, c / 2) * np.exp(-d * angle)
    turn = c * angle + d / 2 * np.log(square)
    result = _joined(size * np.cos(turn), size * np.sin(turn), np.result_type(x, y))
    real = (b == 0) & (d == 0) & ((a == np.inf) | ((a == 0) & (c > 0)))
    result = np.where(real, size, result)
    return np.where((y == 0) | (x == 1), result.dtype.type(1), result)


def on_one_side(x: Values) -> Any:
    """A negative zero as imaginary part becomes a positive one: a cut along the real axis has one side alone."""
    return _joined(x.real, x.imag + x.real.dtype.type(0), x.dtype)
