"""Polynomials by their coefficients, highest power first."""

from __future__ import annotations

import operator
from typing import Any

from .. import lax
from ..core import Array
from ..dtypes import complex_dtype
from ..lax import types as dtypes
from . import reductions
from .creation import arange, eye
from .promotion import (
    ArrayLike,
    asarray,
    check_arraylike,
    concrete,
    jitted,
    promote_dtypes,
    promote_dtypes_inexact,
)
from .rearranging import roll
from .selection import where
from .shaping import atleast_1d, concatenate, vstack


@jitted("unroll")
def polyval(p: ArrayLike, x: ArrayLike, *, unroll: int = 16) -> Array:
    """Value at x, by Horner's scheme; coefficients with more axes than one are those of several polynomials."""
    check_arraylike("polyval", p, x)
    coefficients, at = (
        (asarray(v) for v in promote_dtypes_inexact(p, x))
        if dtypes.result_type(p, x).kind in "fc"
        else (asarray(v) for v in promote_dtypes(p, x))
    )
    start = lax.full(lax.broadcast_shapes(coefficients.shape[1:], at.shape), 0, at.dtype)
    result: Array = lax.scan(lambda total, c: (total * at + c, None), start, coefficients, unroll=unroll)[0]
    return result


def _sum(a1: ArrayLike, a2: ArrayLike) -> Array:
    """The shorter polynomial added to the last coefficients of the longer."""
    first, second = (asarray(v) for v in promote_dtypes(a1, a2))
    short, long = (first, second) if first.shape[0] <= second.shape[0] else (second, first)
    return long.at[-short.shape[0] :].add(short)


@jitted()
def polyadd(a1: ArrayLike, a2: ArrayLike) -> Array:
    """Sum of two polynomials."""
    check_arraylike("polyadd", a1, a2)
    return _sum(a1, a2)


@jitted()
def polysub(a1: ArrayLike, a2: ArrayLike) -> Array:
    """Difference of two polynomials."""
    check_arraylike("polysub", a1, a2)
    first, second = promote_dtypes(a1, a2)
    return _sum(first, lax.neg(second))


def polymul(a1: ArrayLike, a2: ArrayLike, *, trim_leading_zeros: bool = False) -> Array:
    """Product of two polynomials."""
    from .rearranging import trim_zeros
    from .tensor_products import convolve

    check_arraylike("polymul", a1, a2)
    first, second = (asarray(v) for v in promote_dtypes_inexact(a1, a2))
    if bool(trim_leading_zeros) and (first.size > 1 or second.size > 1):
        first, second = trim_zeros(first, "f"), trim_zeros(second, "f")
    first = first if len(first) else asarray([0], second.dtype)
    second = second if len(second) else asarray([0], first.dtype)
    return convolve(first, second, mode="full")


def polydiv(u: ArrayLike, v: ArrayLike, *, trim_leading_zeros: bool = False) -> tuple[Array, Array]:
    """Quotient and remainder of two polynomials."""
    from .rearranging import trim_zeros

    check_arraylike("polydiv", u, v)
    top, bottom = (asarray(w) for w in promote_dtypes_inexact(u, v))
    m, n = len(top) - 1, len(bottom) - 1
    scale = 1.0 / bottom[0]
    q: Any = lax.full((max(m - n + 1, 1),), 0, top.dtype)
    rest = top
    for k in range(m - n + 1):
        d = scale * rest[k]
        q = q.at[k].set(d)
        rest = rest.at[k : k + n + 1].add(-d * bottom)
    if bool(trim_leading_zeros):
        rest = trim_zeros(rest, "f")
    return q, rest


@jitted("m")
def polyder(p: ArrayLike, m: int = 1) -> Array:
    """m-th derivative."""
    (x,) = promote_dtypes_inexact(p)
    m = operator.index(m)
    if m < 0:
        raise ValueError("Order of derivative must be positive")
    if m == 0:
        return x
    powers = lax.iota(x.dtype, max(len(x) - m, 0)) + m
    factor = reductions.prod(powers[None] - lax.iota(x.dtype, m)[:, None], 0)
    return x[:-m] * lax.rev(factor, (0,))


@jitted("m")
def polyint(p: ArrayLike, m: int = 1, k: ArrayLike | None = None) -> Array:
    """m-th antiderivative with integration constants k."""
    m = operator.index(m)
    constants: Any = 0 if k is None else k
    x, c = (asarray(v) for v in promote_dtypes_inexact(p, constants))
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    c = atleast_1d(c)
    if c.shape[0] == 1:
        c = lax.broadcast_in_dim(c[0], (m,), ())
    if c.shape != (m,):
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or m.")
    if m == 0:
        return x
    grid = lax.iota(x.dtype, len(x) + m)[None] - lax.iota(x.dtype, m)[:, None]
    factor = lax.rev(reductions.prod(lax.max(grid, lax.full_like(grid, 1)), 0), (0,))
    return concatenate([x, c]) / factor


@jitted()
def poly(seq_of_zeros: ArrayLike) -> Array:
    """Coefficients of the polynomial with given roots, or of a characteristic polynomial."""
    from . import linalg
    from .tensor_products import convolve

    check_arraylike("poly", seq_of_zeros)
    (roots_,) = promote_dtypes_inexact(seq_of_zeros)
    roots_ = atleast_1d(roots_)
    if roots_.ndim == 2 and roots_.shape[0] == roots_.shape[1] and roots_.shape[0]:
        roots_ = linalg.eigvals(roots_)
    if roots_.ndim != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    if not roots_.shape[0]:
        return lax.full((), 1, roots_.dtype)
    result = lax.full((1,), 1, roots_.dtype)
    for i in range(roots_.shape[0]):
        result = convolve(
            result, lax.concatenate([lax.full((1,), 1, roots_.dtype), lax.expand_dims(-roots_[i], (0,))], 0)
        )
    return result


def roots(p: ArrayLike, *, strip_zeros: bool = True) -> Array:
    """Roots of a polynomial: eigenvalues of its companion matrix.

    Leading zeros are taken away; without `strip_zeros` there are as many roots as ever, and the last are NaN instead.
    """
    check_arraylike("roots", p)
    (x,) = promote_dtypes_inexact(p)
    x = atleast_1d(x)
    if x.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    if x.size < 2:
        return _companion_eigenvalues(x)
    leading = where(reductions.all(x == 0), x.size, reductions.argmin(x == 0))
    if bool(strip_zeros):
        known = concrete(
            leading,
            "The error occurred in the jnp.roots() function. To use this within a JIT-compiled context, pass strip_zeros=False, but be aware that leading zeros will result in some returned roots being set to NaN.",
        )
        return _companion_eigenvalues(x[int(known) :])
    turned = roll(where(leading == x.size, 1, x), -leading)
    found = _companion_eigenvalues(turned)
    ordered = lax.sort_key_val(found == 0, found)[1]
    return where(arange(found.size) < found.size - leading, ordered, complex("nan+nanj"))


def _companion_eigenvalues(x: Array) -> Array:
    """The roots of a polynomial whose first coefficient is not 0."""
    from . import linalg

    if x.size < 2:
        return lax.full((0,), 0, complex_dtype(x.dtype))
    n = x.size - 1
    first = -(x[1:] / x[0])[None]
    return linalg.eigvals(vstack([first, eye(n - 1, n, dtype=x.dtype)]) if n > 1 else first)


@jitted("deg", "rcond", "full", "cov")
def polyfit(
    x: ArrayLike,
    y: ArrayLike,
    deg: int,
    rcond: float | None = None,
    full: bool = False,
    w: ArrayLike | None = None,
    cov: bool | str = False,
) -> Any:
    """Least squares fit of a polynomial of degree `deg`."""
    from . import linalg
    from .tensor_products import dot, outer

    check_arraylike("polyfit", x, y)
    if rcond is None and dtypes.dtype(x).name not in ("float16", "float32", "float64"):
        raise ValueError(
            f"data type {dtypes.dtype(x)} has no precision to take rcond from: pass floats, or rcond"
        )
    at, values = (asarray(v) for v in promote_dtypes_inexact(x, y))
    deg = operator.index(deg)
    order = deg + 1
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if at.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if not at.size:
        raise TypeError("expected non-empty vector for x")
    if values.ndim not in (1, 2):
        raise TypeError("expected 1D or 2D array for y")
    if at.shape[0] != values.shape[0]:
        raise TypeError("expected x and y to have same length")
    tolerance = at.shape[0] * float(dtypes.FloatInfo(at.dtype).eps) if rcond is None else rcond
    left, right = vander(at, order), values
    if w is not None:
        (weight,) = promote_dtypes_inexact(w)
        if weight.ndim != 1 or weight.shape[0] != values.shape[0]:
            raise TypeError("expected w and y to have the same length")
        left = left * weight[:, None]
        right = right * (weight[:, None] if right.ndim == 2 else weight)
    scale = lax.sqrt(reductions.sum(left * left, 0))
    left = left / scale
    c, residuals, rank, s = linalg.lstsq(left, right, tolerance)
    c = (c.T / scale).T
    if full:
        return c, residuals, rank, s, lax.full((), tolerance, at.dtype)
    if cov:
        base = linalg.inv(dot(left.T, left))
        base = base / outer(scale, scale)
        if cov == "unscaled":
            factor: Any = asarray(1)
        else:
            if at.shape[0] <= order:
                raise ValueError("the number of data points must exceed order to scale the covariance matrix")
            factor = residuals / (at.shape[0] - order)
            factor = factor[0] if values.ndim == 1 else factor
        return (c, base * factor) if values.ndim == 1 else (c, base[:, :, None] * factor)
    return c


@jitted("N", "increasing")
def vander(x: ArrayLike, N: int | None = None, increasing: bool = False) -> Array:
    """Matrix of powers of a vector."""
    check_arraylike("vander", x)
    values = asarray(x)
    if values.ndim != 1:
        raise ValueError("x must be a one-dimensional array")
    n = values.shape[0] if N is None else operator.index(N)
    if n < 0:
        raise ValueError("N must be nonnegative")
    powers = lax.iota(values.dtype, n)
    if not increasing:
        powers = lax.sub(dtypes.scalar(n - 1, values.dtype), powers)
    from .arithmetic import power

    return power(values[:, None], powers[None, :])
