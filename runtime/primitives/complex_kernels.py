"""NumPy evaluation on complex numbers where XLA treats infinities, NaN and signed zeros in another way than NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Values = np.ndarray[Any, Any]


def divide(x: Values, y: Values) -> Any:
    """Smith's division, with infinities and zeros as in C99's Annex G: a finite number by an infinite one is 0."""
    a, b, c, d = x.real, x.imag, y.real, y.imag
    steep = np.abs(c) < np.abs(d)
    ratio = np.where(steep, c / d, d / c)
    total = np.where(steep, d + c * ratio, c + d * ratio)
    real = np.where(steep, a * ratio + b, a + b * ratio) / total
    imag = np.where(steep, b * ratio - a, b - a * ratio) / total
    lost = np.isnan(real) & np.isnan(imag)
    if not lost.any():
        return _joined(real, imag, x.dtype)
    infinite = np.copysign(np.inf, c)
    by_zero = (c == 0) & (d == 0) & ~(np.isnan(a) & np.isnan(b))
    of_infinity = (np.isinf(a) | np.isinf(b)) & np.isfinite(c) & np.isfinite(d)
    by_infinity = np.isfinite(a) & np.isfinite(b) & (np.isinf(c) | np.isinf(d))
    p, q, r, s = map(_unit, (a, b, c, d))
    cases = [lost & by_zero, lost & of_infinity, lost & by_infinity]
    real = np.select(cases, [infinite * a, np.inf * (p * c + q * d), 0 * (a * r + b * s)], real)
    imag = np.select(cases, [infinite * b, np.inf * (q * c - p * d), 0 * (b * r - a * s)], imag)
    return _joined(real, imag, x.dtype)


def _unit(x: Values) -> Values:
    """1 for an infinity and 0 for all else, with the sign that it had."""
    return np.copysign(np.isinf(x).astype(x.dtype), x)


def _joined(real: Values, imag: Values, dtype: Any) -> Values:
    result = np.empty(np.shape(real), dtype)
    result.real, result.imag = real, imag
    return result


def sign(x: Values) -> Any:
    """x / |x|, part by part; 0 of 0."""
    size = absolute(x)
    return np.where(x == 0, x, _joined(x.real / size, x.imag / size, x.dtype))


def absolute(x: Values) -> Any:
    """NaN wherever one part is NaN, beside an infinity too."""
    return np.where(np.isnan(x.real) | np.isnan(x.imag), np.nan, np.abs(x)).astype(x.real.dtype)


def maximum(x: Values, y: Values) -> Any:
    """By the real parts, then by the imaginary ones; `y` where no order is."""
    return np.where(np.where(x.real == y.real, x.imag > y.imag, x.real > y.real), x, y)


def minimum(x: Values, y: Values) -> Any:
    return np.where(np.where(x.real == y.real, x.imag < y.imag, x.real < y.real), x, y)


def reduce(join: Callable[[Values, Values], Any], x: Values, axes: tuple[int, ...], initial: complex) -> Any:
    """One element after another: with NaN among them the order counts."""
    rows = np.moveaxis(x, axes, range(len(axes)))
    rows = rows.reshape(-1, *rows.shape[len(axes) :])
    total = np.full(rows.shape[1:], initial, x.dtype)
    for row in rows:
        total = join(total, row)
    return total


def _above_the_cut(function: Callable[[Values], Any]) -> Callable[[Values], Any]:
    """NumPy's function, for which a negative zero lies on the same side of the branch cut as a positive one."""

    def apply(x: Values) -> Any:
        return function(x + 0 if x.dtype.kind == "c" else x)

    return apply


sqrt, asin, acos, asinh, acosh = map(_above_the_cut, (np.sqrt, np.arcsin, np.arccos, np.arcsinh, np.arccosh))


def square(x: Values) -> Any:
    """x² - y² as the product of the sum and the difference."""
    if x.dtype.kind != "c":
        return np.square(x)
    return _joined((x.real - x.imag) * (x.real + x.imag), 2 * (x.real * x.imag), x.dtype)


def _unknown(
    function: Callable[[Values], Any], where: Callable[[Values, Values], Any]
) -> Callable[[Values], Any]:
    """A function both parts of whose results are NaN where NumPy's has one that is not."""

    def apply(x: Values) -> Any:
        result = function(x)
        if x.dtype.kind != "c":
            return result
        return np.where(where(x.real, x.imag), x.dtype.type(complex(np.nan, np.nan)), result)

    return apply


sqrt, log = (_unknown(f, lambda x, y: np.isnan(x) | np.isnan(y)) for f in (sqrt, np.log))
exp, sinh, cosh = (_unknown(f, lambda x, y: ~np.isfinite(y)) for f in (np.exp, np.sinh, np.cosh))
sin, cos = (_unknown(f, lambda x, y: ~np.isfinite(x)) for f in (np.sin, np.cos))
tanh = _unknown(np.tanh, lambda x, y: np.isfinite(x) & ~np.isfinite(y))
tan = _unknown(np.tan, lambda x, y: np.isfinite(y) & ~np.isfinite(x))
