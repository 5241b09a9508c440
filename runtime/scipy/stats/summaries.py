"""Statistics of samples: the most common value, ranks, the standard error of the mean."""

from __future__ import annotations

from typing import NamedTuple

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...lax import types
from ...numpy.promotion import (
    ArrayLike,
    asarray,
    canonical_axis,
    check_arraylike,
    jitted,
    promote_dtypes_inexact,
)


class ModeResult(NamedTuple):
    """Result of `mode`."""

    mode: Array
    count: Array  # type: ignore[assignment]


def _check_nan_policy(name: str, nan_policy: str) -> None:
    if nan_policy not in ("propagate", "omit", "raise"):
        raise ValueError(
            f"Illegal nan_policy value {nan_policy!r}; expected one of {{'propagate', 'omit', 'raise'}}"
        )
    if nan_policy != "propagate":
        raise NotImplementedError(f"nan_policy={nan_policy!r} of jax.scipy.stats.{name}")


@jitted("axis", "nan_policy", "keepdims")
def mode(
    a: ArrayLike, axis: int | None = 0, nan_policy: str = "propagate", keepdims: bool = False
) -> ModeResult:
    """The most common value along an axis, the smallest of equally common ones, and how often it occurs."""
    check_arraylike("mode", a)
    x = jnp.atleast_1d(asarray(a))
    _check_nan_policy("mode", nan_policy)
    places = tuple(range(x.ndim)) if axis is None else (canonical_axis(axis, x.ndim),)
    kept = [n for d, n in enumerate(x.shape) if d not in places]
    shape = tuple(1 if d in places else n for d, n in enumerate(x.shape)) if keepdims else tuple(kept)
    rows = jnp.moveaxis(x, places, range(-len(places), 0)).reshape(_product(kept), -1)
    length = rows.shape[-1]
    if length == 0:
        nothing = jnp.full(shape, jnp.nan, types.float_default())
        return ModeResult(nothing, jnp.zeros(shape, types.float_default()))
    ordered = jnp.sort(rows, axis=-1)
    # The length of each run of equal values stands at its last element.
    starts = jnp.concatenate([jnp.ones((len(rows), 1), bool), ordered[:, 1:] != ordered[:, :-1]], axis=-1)
    place = jnp.arange(length)
    run = place - lax.cummax(jnp.where(starts, place, 0), axis=1) + 1
    best = jnp.argmax(run, axis=-1)
    values = jnp.take_along_axis(ordered, best[:, None], axis=-1)[:, 0]
    return ModeResult(values.reshape(shape), run.max(-1).reshape(shape))


def _product(sizes: list[int]) -> int:
    total = 1
    for n in sizes:
        total *= n
    return total


@jitted("method", "axis", "nan_policy")
def rankdata(
    a: ArrayLike, method: str = "average", *, axis: int | None = None, nan_policy: str = "propagate"
) -> Array:
    """Ranks from 1, along an axis or of all values; a NaN makes all ranks NaN.

    `method` says what equal values get: the average, the least or the largest of their ranks, ranks without gaps
    (``dense``), or ranks in their order (``ordinal``). Raises ValueError for other words.
    """
    check_arraylike("rankdata", a)
    _check_nan_policy("rankdata", nan_policy)
    if method not in ("average", "min", "max", "dense", "ordinal"):
        raise ValueError(f"unknown method '{method}'")
    x = asarray(a)
    if axis is not None:
        return jnp.apply_along_axis(lambda row: _ranks(row, method), axis, x)
    return _ranks(jnp.ravel(x), method)


def _ranks(x: Array, method: str) -> Array:
    count = x.shape[0]
    float_ = types.float_default()
    order = jnp.argsort(x)
    ordered = x[order]
    rank = jnp.zeros(count, types.int_default()).at[order].set(jnp.arange(count, dtype=types.int_default()))
    if method == "ordinal":
        value = rank + 1
    elif method == "dense":
        starts = jnp.concatenate([jnp.ones(min(count, 1), bool), ordered[1:] != ordered[:-1]])
        value = jnp.cumsum(starts)[rank]
    else:
        least = jnp.searchsorted(ordered, x, side="left") + 1
        largest = jnp.searchsorted(ordered, x, side="right")
        value = {"min": least, "max": largest, "average": (least + largest) / 2}[method]
    return jnp.where(jnp.isnan(x).any(), jnp.nan, value.astype(float_))


@jitted("axis", "ddof", "nan_policy", "keepdims")
def sem(
    a: ArrayLike,
    axis: int | None = 0,
    ddof: int = 1,
    nan_policy: str = "propagate",
    *,
    keepdims: bool = False,
) -> Array:
    """Standard error of the mean."""
    check_arraylike("sem", a)
    (x,) = promote_dtypes_inexact(a)
    if nan_policy == "propagate":
        size = x.size if axis is None else x.shape[axis]
        return x.std(axis, ddof=ddof, keepdims=keepdims) / jnp.sqrt(size).astype(x.dtype)
    if nan_policy == "omit":
        count = jnp.sum(~jnp.isnan(x), axis, keepdims=keepdims)
        return jnp.nanstd(x, axis, ddof=ddof, keepdims=keepdims) / jnp.sqrt(count).astype(x.dtype)
    raise ValueError(f"{nan_policy} is not supported")
