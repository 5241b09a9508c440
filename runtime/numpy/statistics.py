"""Covariance, differences and interpolation."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from . import reductions
from .promotion import (
    ArrayLike,
    asarray,
    canonical_axis,
    check_arraylike,
    exactly_like,
    jitted,
    like,
    promote_args_inexact,
    promote_dtypes,
    promote_dtypes_inexact,
    reduced_axes,
)
from .selection import clip, where
from .shaping import atleast_2d, broadcast_to, concatenate, moveaxis, ravel, reshape_static
from .sorting import argsort, searchsorted
from .ufuncs import absolute


@jitted("rowvar", "bias", "ddof", "dtype")
def cov(
    m: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: ArrayLike | None = None,
    aweights: ArrayLike | None = None,
    dtype: Any = None,
) -> Array:
    """Covariance matrix of variables in rows."""
    from .tensor_products import dot
    from .ufuncs import conj

    x, *others = promote_args_inexact("cov", m, *(() if y is None else (y,)))
    if x.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    if dtype is not None and dtypes.canonical(dtype).kind not in "fc":
        raise ValueError(f"cov takes a floating or complex dtype, got {dtype}")
    x = atleast_2d(x).T if not rowvar and x.ndim != 1 else atleast_2d(x)
    if x.shape[0] == 0:
        return lax.full((0, 0), 0, x.dtype)
    for other in others:
        if other.ndim > 2:
            raise ValueError("y has more than 2 dimensions")
        other = atleast_2d(other)
        x = concatenate([x, other.T if not rowvar and other.shape[0] != 1 else other], 0)
    if x.shape[1] == 0:
        return lax.full((x.shape[0],) * 2 if x.shape[0] > 1 else (), math.nan, x.dtype)
    if ddof is None:
        ddof = 1 if not bias else 0
    weights: Any = None
    for given, name in ((fweights, "fweights"), (aweights, "aweights")):
        if given is not None:
            value = asarray(given)
            if value.ndim != 1 or value.shape[0] != x.shape[1]:
                raise ValueError(f"cannot handle {name} of shape {value.shape}")
            value = absolute(value) if name == "aweights" else value
            weights = value if weights is None else weights * value
    if dtype is not None:
        x = lax.convert_element_type(x, dtype)
    average, total = reductions.average(x, axis=1, weights=weights, returned=True)
    total = total[0]
    if weights is None:
        factor: Any = x.shape[1] - ddof
    elif ddof == 0:
        factor = total
    elif aweights is None:
        factor = total - ddof
    else:
        factor = total - ddof * reductions.sum(weights * asarray(aweights)) / total
    centred = x - lax.expand_dims(average, (1,))
    weighted = centred if weights is None else centred * weights
    return (dot(centred, conj(weighted).T) / factor).squeeze()


@jitted("rowvar", "dtype")
def corrcoef(x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, dtype: Any = None) -> Array:
    """Matrix of correlation coefficients."""
    from .rearranging import diag

    check_arraylike("corrcoef", x)
    c = cov(x, y, rowvar, dtype=dtype)
    if not c.ndim:
        return c / c
    deviation = lax.sqrt(lax.real(diag(c)) if c.dtype.kind == "c" else diag(c))
    c = (
        c
        / lax.convert_element_type(deviation, c.dtype)[:, None]
        / lax.convert_element_type(deviation, c.dtype)[None, :]
    )
    if c.dtype.kind == "c":
        return lax.complex(clip(lax.real(c), -1, 1), clip(lax.imag(c), -1, 1))
    return clip(c, -1, 1)


@jitted("n", "axis")
def diff(
    a: ArrayLike,
    n: int = 1,
    axis: int = -1,
    prepend: ArrayLike | None = None,
    append: ArrayLike | None = None,
) -> Array:
    """n-th differences along an axis."""
    check_arraylike("diff", a)
    x = asarray(a)
    n = operator.index(n)
    if n == 0:
        return x
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if not x.ndim:
        raise ValueError(f"diff requires input that is at least one dimensional; got {a}")
    axis = canonical_axis(axis, x.ndim)
    edges: list[Array | None] = []
    for edge in (prepend, append):
        if edge is not None:
            value = asarray(edge)
            if not value.ndim:
                value = broadcast_to(value, [1 if d == axis else m for d, m in enumerate(x.shape)])
            edges.append(value)
        else:
            edges.append(None)
    parts = [v for v in (edges[0], x, edges[1]) if v is not None]
    x = concatenate(parts, axis) if len(parts) > 1 else x
    subtract = lax.ne if x.dtype.kind == "b" else lax.sub
    for _ in range(n):
        m = x.shape[axis]
        x = subtract(
            lax.slice_in_dim(x, min(1, m), m, axis=axis), lax.slice_in_dim(x, 0, max(m - 1, 0), axis=axis)
        )
    return x


@jitted()
def ediff1d(ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None) -> Array:
    """Differences of the flattened array."""
    flat = ravel(ary)
    parts = [lax.sub(flat[1:], flat[:-1])]
    for edge, front in ((to_begin, True), (to_end, False)):
        if edge is not None:
            value = ravel(asarray(edge))
            parts = [value, *parts] if front else [*parts, value]
    return (
        concatenate([lax.convert_element_type(p, flat.dtype) for p in parts], 0)
        if len(parts) > 1
        else parts[0]
    )


@jitted("axis", "edge_order")
def gradient(f: ArrayLike, *varargs: Any, axis: Any = None, edge_order: int | None = None) -> Any:
    """Central differences in the interior, one-sided ones at the edges."""
    if edge_order is not None:
        raise NotImplementedError("The 'edge_order' argument to jnp.gradient is not supported.")
    check_arraylike("gradient", f, *varargs)
    (x,) = promote_dtypes_inexact(f)
    axes = reduced_axes(x.ndim, axis)
    if not axes:
        return []
    if len(varargs) == 0:
        spacings: Sequence[Any] = [1.0] * len(axes)
    elif len(varargs) == 1:
        spacings = list(varargs) * len(axes)
    elif len(varargs) == len(axes):
        spacings = varargs
    else:
        raise TypeError(f"Invalid number of spacing arguments {len(varargs)} for axis={axis}")
    out = [_gradient_along(x, h, d) for d, h in zip(axes, spacings)]
    return out[0] if len(out) == 1 else out


def _gradient_along(x: Array, h: Any, axis: int) -> Array:
    n = x.shape[axis]
    if n < 2:
        raise ValueError(
            f"Shape of array too small to calculate a numerical gradient, at least 2 elements are required. Got shape {x.shape} for axis {axis}"
        )

    def part(start: int, stop: int) -> Array:
        return lax.slice_in_dim(x, start, stop, axis=axis)

    step = asarray(h)
    if step.ndim == 0:
        middle = (part(2, n) - part(0, n - 2)) * 0.5
        return concatenate(
            [(part(1, 2) - part(0, 1)) / step, middle / step, (part(n - 1, n) - part(n - 2, n - 1)) / step],
            axis,
        )
    widths = diff(step)
    shape = [-1 if d == axis else 1 for d in range(x.ndim)]
    left, right = reshape_static(widths[:-1], shape), reshape_static(widths[1:], shape)
    middle = (
        part(0, n - 2) * (-right / (left * (left + right)))
        + part(1, n - 1) * ((right - left) / (left * right))
        + part(2, n) * (left / (right * (left + right)))
    )
    return concatenate(
        [(part(1, 2) - part(0, 1)) / widths[0], middle, (part(n - 1, n) - part(n - 2, n - 1)) / widths[-1]],
        axis,
    )


@jitted("axis")
def trapezoid(y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1) -> Array:
    """Integral by the trapezoidal rule."""
    if x is None:
        (values,) = promote_args_inexact("trapezoid", y)
        values = moveaxis(values, axis, -1)
        return dx * (reductions.sum(values, -1) - 0.5 * (values[..., 0] + values[..., -1]))
    values, points = promote_args_inexact("trapezoid", y, x)
    flat = len(dtypes.shape(x)) == 1
    widths = diff(ravel(points)) if flat else moveaxis(diff(points, axis=axis), axis, -1)
    values = moveaxis(values, axis, -1)
    return 0.5 * reductions.sum(widths * (values[..., 1:] + values[..., :-1]), -1)


@jitted()
def interp(
    x: ArrayLike,
    xp: ArrayLike,
    fp: ArrayLike,
    left: Any = None,
    right: Any = None,
    period: ArrayLike | None = None,
) -> Array:
    """Piecewise linear interpolation of (xp, fp) at x."""
    check_arraylike("interp", x, xp, fp)
    if dtypes.shape(xp) != dtypes.shape(fp) or len(dtypes.shape(xp)) != 1:
        raise ValueError("xp and fp must be one-dimensional arrays of equal size")
    at, points = (asarray(v) for v in promote_dtypes_inexact(x, xp))
    (values,) = promote_dtypes_inexact(fp)
    if points.dtype.name == "bfloat16":
        raise ValueError("data type bfloat16 has no spacing that jnp.interp knows")
    if isinstance(left, str) or isinstance(right, str):
        if (left != "extrapolate" and isinstance(left, str)) or (
            right != "extrapolate" and isinstance(right, str)
        ):
            raise ValueError("the only valid string value of `left` and `right` is 'extrapolate'")
    if period is not None:
        if dtypes.shape(period) != ():
            raise ValueError(f"period must be a scalar; got {period}")
        span = lax.abs(asarray(period, at.dtype))
        at, points = at % span, points % span
        order = argsort(points)
        points, values = points[order], values[order]
        points = concatenate([points[-1:] - span, points, points[:1] + span], 0)
        values = concatenate([values[-1:], values, values[:1]], 0)
    n = points.shape[0]
    place = lax.clamp(
        dtypes.scalar(1, dtypes.int32),
        lax.convert_element_type(searchsorted(points, at, side="right"), dtypes.int32),
        dtypes.scalar(n - 1, dtypes.int32),
    )
    rise = values[place] - values[place - 1]
    run = points[place] - points[place - 1]
    offset = at - points[place - 1]
    flat = lax.le(lax.abs(run), like(run, float(dtypes.FloatInfo(run.dtype).eps) ** 2))
    result = where(
        flat, values[place - 1], values[place - 1] + (offset / where(flat, exactly_like(run, 1), run)) * rise
    )
    if period is None:
        if left != "extrapolate":
            result = where(lax.lt(at, points[0]), values[0] if left is None else asarray(left), result)
        if right != "extrapolate":
            result = where(lax.gt(at, points[-1]), values[-1] if right is None else asarray(right), result)
    return result


@jitted("axis")
def unwrap(
    p: ArrayLike, discont: ArrayLike | None = None, axis: int = -1, period: ArrayLike = 2 * math.pi
) -> Array:
    """Add multiples of the period so that neighbours differ by at most half of it."""
    from .cumulative import cumsum

    check_arraylike("unwrap", p)
    x, span = (asarray(v) for v in promote_dtypes(p, period))
    if x.dtype.kind == "c":
        raise ValueError("jnp.unwrap does not support complex inputs.")
    if x.shape[axis] == 0:
        return x
    axis = canonical_axis(axis, x.ndim)
    limit = span / 2 if discont is None else asarray(discont)
    half = span // 2 if span.dtype.kind in "iu" else span / 2
    steps = diff(x, axis=axis)
    folded = (steps + half) % span - half
    folded = where((folded == -half) & (steps > 0), half, folded)
    correction = where(absolute(steps) < limit, 0, folded - steps)
    first = lax.slice_in_dim(x, 0, 1, axis=axis)
    rest = lax.slice_in_dim(x, 1, x.shape[axis], axis=axis) + cumsum(correction, axis=axis)
    return concatenate([first, rest], axis)
