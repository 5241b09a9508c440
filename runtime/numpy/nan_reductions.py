"""Reductions that leave NaN out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from . import reductions
from .promotion import ArrayLike, Axis, asarray, check_arraylike, jitted, like, refuse_out
from .selection import where as _where

_STATIC = ("axis", "dtype", "keepdims")


def _replaced(name: str, a: ArrayLike, value: float) -> tuple[Array, Array | None]:
    """`a` with NaN replaced, and where NaN was (None for types without NaN)."""
    check_arraylike(name, a)
    x = asarray(a)
    if not dtypes.is_inexact(x.dtype):
        return x, None
    missing = lax.ne(x, x)
    return _where(missing, like(x, value), x), missing


@jitted(*_STATIC, "out")
def nansum(
    a: ArrayLike,
    axis: Axis = None,
    dtype: Any = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Sum of the elements that are not NaN."""
    refuse_out("nansum", out)
    return reductions.sum(_replaced("nansum", a, 0)[0], axis, dtype, None, keepdims, initial, where)


@jitted(*_STATIC, "out")
def nanprod(
    a: ArrayLike,
    axis: Axis = None,
    dtype: Any = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Product of the elements that are not NaN."""
    refuse_out("nanprod", out)
    return reductions.prod(_replaced("nanprod", a, 1)[0], axis, dtype, None, keepdims, initial, where)


def _nan_extreme(
    name: str,
    reduce: Callable[..., Array],
    worst: float,
    a: ArrayLike,
    axis: Axis,
    out: Any,
    keepdims: bool,
    initial: Any,
    where: Any,
) -> Array:
    refuse_out(name, out)
    x, missing = _replaced(name, a, worst)
    result = reduce(x, axis, None, keepdims, initial, where)
    if missing is None or initial is not None:
        return result
    return _where(reductions.all(missing, axis, keepdims=keepdims), like(result, math.nan), result)


@jitted("axis", "keepdims", "out")
def nanmax(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Maximum of the elements that are not NaN."""
    return _nan_extreme("nanmax", reductions.max, -math.inf, a, axis, out, keepdims, initial, where)


@jitted("axis", "keepdims", "out")
def nanmin(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Minimum of the elements that are not NaN."""
    return _nan_extreme("nanmin", reductions.min, math.inf, a, axis, out, keepdims, initial, where)


def _present(name: str, x: Array, where: ArrayLike | None) -> Array:
    reductions.check_where(name, where)
    mask = lax.eq(x, x)
    if where is None:
        return mask
    from .shaping import broadcast_arrays

    return lax.bitwise_and(*broadcast_arrays(mask, where))


@jitted(*_STATIC, "out")
def nanmean(
    a: ArrayLike,
    axis: Axis = None,
    dtype: Any = None,
    out: None = None,
    keepdims: bool = False,
    where: ArrayLike | None = None,
) -> Array:
    """Mean of the elements that are not NaN."""
    refuse_out("nanmean", out)
    check_arraylike("nanmean", a)
    x = asarray(a)
    if not dtypes.is_inexact(x.dtype):
        return reductions.mean(x, axis, dtype, None, keepdims, where=where)
    result = x.dtype if dtype is None else dtypes.canonical(dtype)
    count = reductions.sum(
        _present("nanmean", x, where), axis, dtype=dtypes.to_inexact(result), keepdims=keepdims
    )
    total = nansum(x, axis, dtype=dtype, keepdims=keepdims, where=where)
    return lax.convert_element_type(lax.div(total, lax.convert_element_type(count, total.dtype)), result)


@jitted(*_STATIC, "ddof", "out")
def nanvar(
    a: ArrayLike,
    axis: Axis = None,
    dtype: Any = None,
    out: None = None,
    ddof: int = 0,
    keepdims: bool = False,
    where: ArrayLike | None = None,
    mean: ArrayLike | None = None,
) -> Array:
    """Variance of the elements that are not NaN."""
    refuse_out("nanvar", out)
    check_arraylike("nanvar", a)
    x = asarray(a)
    kind = dtypes.to_inexact(x.dtype) if dtype is None else dtypes.canonical(dtype)
    x = lax.convert_element_type(x, kind)
    centre = nanmean(x, axis, keepdims=True, where=where) if mean is None else asarray(mean)
    mask = _present("nanvar", x, where)
    centred = _where(mask, lax.sub(x, centre), like(x, 0))
    squares = lax.square(centred) if kind.kind != "c" else lax.real(lax.mul(centred, lax.conj(centred)))
    count = reductions.sum(mask, axis, dtype=squares.dtype, keepdims=keepdims)
    freedom = lax.sub(count, lax.full_like(count, ddof))
    total = reductions.sum(squares, axis, keepdims=keepdims)
    none_left = lax.le(freedom, like(freedom, 0))
    divisor = _where(none_left, like(freedom, 1), freedom)
    return _where(none_left, like(total, math.nan), lax.div(total, divisor))


@jitted(*_STATIC, "ddof", "out")
def nanstd(
    a: ArrayLike,
    axis: Axis = None,
    dtype: Any = None,
    out: None = None,
    ddof: int = 0,
    keepdims: bool = False,
    where: ArrayLike | None = None,
    mean: ArrayLike | None = None,
) -> Array:
    """Standard deviation of the elements that are not NaN."""
    refuse_out("nanstd", out)
    return lax.sqrt(nanvar(a, axis, dtype, None, ddof, keepdims, where, mean))


def _nan_place(
    name: str, place: Callable[..., Array], worst: float, a: ArrayLike, axis: Any, out: Any, keepdims: Any
) -> Array:
    refuse_out(name, out)
    x, missing = _replaced(name, a, worst)
    result = place(x, axis, keepdims=keepdims)
    if missing is None:
        return result
    gone = reductions.all(missing, axis, keepdims=bool(keepdims))
    return _where(gone, like(result, -1), result)


def nanargmax(a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
    """Index of the first maximum that is not NaN; -1 if all are."""
    return _nan_place("nanargmax", reductions.argmax, -math.inf, a, axis, out, keepdims)


def nanargmin(a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
    """Index of the first minimum that is not NaN; -1 if all are."""
    return _nan_place("nanargmin", reductions.argmin, math.inf, a, axis, out, keepdims)
