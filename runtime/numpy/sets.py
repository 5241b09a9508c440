"""Sets of array elements. Results of data-dependent size need concrete input, or a static `size`."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from ..lax.elementwise import convert_to
from . import reductions
from .cumulative import cumsum
from .promotion import (
    ArrayLike,
    asarray,
    canonical_axis,
    check_arraylike,
    concrete,
    jitted,
    like,
    promote_dtypes,
    require_static,
)
from .selection import nonzero, where
from .shaping import concatenate, moveaxis, ravel
from .sorting import sort


class _UniqueAllResult(NamedTuple):
    """Result of `unique_all`."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class _UniqueCountsResult(NamedTuple):
    """Result of `unique_counts`."""

    values: Any
    counts: Any


class _UniqueInverseResult(NamedTuple):
    """Result of `unique_inverse`."""

    values: Any
    inverse_indices: Any


def unique(
    ar: ArrayLike,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    size: int | None = None,
    fill_value: Any = None,
    sorted: bool = True,
) -> Any:
    """Sorted distinct elements, with first places, inverse and counts if asked for."""
    check_arraylike("unique", ar)
    x = asarray(ar)
    if size is None:
        x = concrete(x, "The error arose for the first argument of jnp.unique(). " + _HINT)
    else:
        size = operator.index(
            concrete(size, "The error arose for the size argument of jnp.unique(). " + _HINT)
        )
    require_static("unique", equal_nan=equal_nan)
    options = [bool(v) for v in (return_index, return_inverse, return_counts)]
    shape = x.shape
    place = canonical_axis(operator.index(axis), x.ndim) if axis is not None else None
    rows = ravel(x) if place is None else moveaxis(x, place, 0)
    result = _unique(rows, size, fill_value, equal_nan)
    values, first, inverse, counts = result
    if place is not None:
        values = moveaxis(values, 0, place)
    else:
        inverse = inverse.reshape(shape)
    extras = [v for v, wanted in zip((first, inverse, counts), options) if wanted]
    return (values, *extras) if extras else values


_HINT = (
    "To make jnp.unique() compatible with JIT and other transforms, you can specify a concrete value for the size "
    "argument, which will determine the output size."
)


def _unique(
    rows: Array, size: int | None, fill_value: Any, equal_nan: bool
) -> tuple[Array, Array, Array, Array]:
    """Distinct rows in order, places of their first occurrence, inverse, counts."""
    n = rows.shape[0]
    flat = (
        lax.reshape(rows, (n, -1 if not n else rows.size // n))
        if rows.ndim > 1
        else lax.expand_dims(rows, (1,))
    )
    width = flat.shape[1]
    index = lax.iota(dtypes.int_default(), n)
    if not n or not width:
        if size and fill_value is None:
            raise ValueError(
                "jnp.unique: for zero-sized input with nonzero size argument, fill_value must be specified"
            )
        empty = lax.full((0 if size is None else size,), 0, dtypes.int_default())
        shape = (0 if size is None else size, *rows.shape[1:])
        return lax.full(shape, 0 if fill_value is None else fill_value, rows.dtype), empty, index, empty
    columns = [flat[:, i] for i in range(width)]
    *ordered, order = lax.sort((*columns, index), 0, num_keys=width)
    fresh = lax.full((n,), False)
    for column in ordered:
        differs = lax.ne(column[1:], column[:-1])
        if equal_nan and dtypes.is_inexact(column.dtype):
            both = lax.bitwise_and(lax.ne(column[1:], column[1:]), lax.ne(column[:-1], column[:-1]))
            differs = lax.bitwise_and(differs, lax.bitwise_not(both))
        fresh = lax.bitwise_or(fresh, lax.concatenate([lax.full((1,), True), differs], 0))
    group = lax.sub(
        cumsum(lax.convert_element_type(fresh, dtypes.int_default())), dtypes.scalar(1, dtypes.int_default())
    )
    inverse = lax.full((n,), 0, dtypes.int_default()).at[order].set(group)
    if size is None:
        size = int(concrete(group[-1], _HINT)) + 1
    starts: Any = lax.full((size,), n, dtypes.int_default())
    starts = starts.at[group].min(index, mode="drop")
    counts: Any = lax.full((size,), 0, dtypes.int_default())
    counts = counts.at[group].add(lax.full((), 1, dtypes.int_default()), mode="drop")
    found = lax.lt(starts, like(starts, n))
    safe = where(found, starts, 0)
    first = order[safe]
    values = rows[first]
    smallest = values[0] if fill_value is None else asarray(fill_value, rows.dtype)
    mask = lax.broadcast_in_dim(found, values.shape, (0,))
    values = where(mask, values, smallest)
    first = where(found, first, first[0])
    return values, first, inverse, counts


def unique_all(x: ArrayLike, /, *, size: int | None = None, fill_value: Any = None) -> _UniqueAllResult:
    """Distinct elements with everything known of them."""
    return _UniqueAllResult(*unique(x, True, True, True, equal_nan=False, size=size, fill_value=fill_value))


def unique_counts(x: ArrayLike, /, *, size: int | None = None, fill_value: Any = None) -> _UniqueCountsResult:
    """Distinct elements and their counts."""
    return _UniqueCountsResult(
        *unique(x, return_counts=True, equal_nan=False, size=size, fill_value=fill_value)
    )


def unique_inverse(
    x: ArrayLike, /, *, size: int | None = None, fill_value: Any = None
) -> _UniqueInverseResult:
    """Distinct elements and the inverse."""
    return _UniqueInverseResult(
        *unique(x, return_inverse=True, equal_nan=False, size=size, fill_value=fill_value)
    )


def unique_values(x: ArrayLike, /, *, size: int | None = None, fill_value: Any = None) -> Array:
    """Distinct elements."""
    values: Array = unique(x, equal_nan=False, size=size, fill_value=fill_value)
    return values


def isin(
    element: ArrayLike,
    test_elements: ArrayLike,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    method: str = "auto",
) -> Array:
    """Whether each element is among the test elements."""
    check_arraylike("isin", element, test_elements)
    x = asarray(element)
    found = _in1d(x, test_elements, invert=invert, assume_unique=assume_unique)
    return lax.reshape(found, x.shape)


@jitted("invert", "assume_unique")
def _in1d(x: Array, tests: ArrayLike, *, invert: bool, assume_unique: bool) -> Array:
    first, second = (ravel(asarray(v)) for v in promote_dtypes(x, tests))
    if not second.size:
        return lax.full(first.shape, bool(invert))
    left, right = lax.expand_dims(first, (1,)), lax.expand_dims(second, (0,))
    if invert:
        return reductions.all(lax.ne(left, right), -1)
    return reductions.any(lax.eq(left, right), -1)


def _concrete_pair(name: str, ar1: Any, ar2: Any, size: Any) -> tuple[Array, Array]:
    check_arraylike(name, ar1, ar2)
    first, second = (asarray(v) for v in promote_dtypes(ar1, ar2))
    if size is None:
        message = f"The error arose in {name}()"
        return concrete(first, message), concrete(second, message)
    concrete(size, f"The error arose in {name}()")
    return first, second


def _kept(x: Array, mask: Array, size: int | None, fill_value: Any) -> Array:
    """The elements that a mask keeps, padded to `size`."""
    if size is None:
        return x[mask]
    (places,) = nonzero(mask, size=size, fill_value=x.shape[0])
    filler = 0 if fill_value is None else fill_value
    if not x.shape[0]:
        return lax.full((size,), filler, x.dtype)
    return where(places < x.shape[0], x[where(places < x.shape[0], places, 0)], asarray(filler, x.dtype))


def _kept_or_least(x: Array, mask: Array, size: int, fill_value: Any) -> Array:
    """The elements that a mask keeps; `fill_value`, or the least of them (0 where there is none), up to `size`."""
    found = _kept(x, mask, size, fill_value)
    if fill_value is not None:
        return found
    hits = lax.lt(lax.iota(dtypes.int32, size), reductions.sum(mask, dtype=dtypes.int32))
    peak = reductions.max(found, initial=0)
    return where(hits, found, reductions.min(where(hits, found, peak)))


def setdiff1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    *,
    size: int | None = None,
    fill_value: Any = None,
) -> Array:
    """Elements of the first array, in its type, that are not in the second."""
    check_arraylike("setdiff1d", ar1, ar2)
    concrete(ar1 if size is None else size, "The error arose in setdiff1d()")
    first, second = ravel(asarray(ar1)), asarray(ar2)
    if size is None:
        values = first if bool(assume_unique) else unique(first)
        found = _kept(values, isin(values, second, invert=True), None, None)
    elif bool(assume_unique):
        found = _kept(first, isin(first, second, invert=True), size, fill_value)
    else:
        values, count = unique(first, size=max(first.size, size), return_counts=True)
        keep = lax.bitwise_and(isin(values, second, invert=True), lax.gt(count, like(count, 0)))
        found = _kept(values, keep, size, fill_value)
    return convert_to(found, first.dtype, first.weak_type)


def union1d(ar1: ArrayLike, ar2: ArrayLike, *, size: int | None = None, fill_value: Any = None) -> Array:
    """Elements of either array."""
    first, second = _concrete_pair("union1d", ar1, ar2, size)
    values: Array = unique(concatenate([ravel(first), ravel(second)]), size=size, fill_value=fill_value)
    return values


def intersect1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    return_indices: bool = False,
    *,
    size: int | None = None,
    fill_value: Any = None,
) -> Any:
    """Elements of both arrays, with their places if asked for."""
    require_static(
        "intersect1d",
        assume_unique=assume_unique,
        return_indices=return_indices,
        size=size,
        fill_value=fill_value,
    )
    first, second = _concrete_pair("intersect1d", ar1, ar2, size)
    first, second = ravel(first), ravel(second)
    if size is None:
        left, at_left = (
            (first, lax.iota(dtypes.int_default(), first.size))
            if assume_unique
            else unique(first, return_index=True)
        )
        right, at_right = (
            (second, lax.iota(dtypes.int_default(), second.size))
            if assume_unique
            else unique(second, return_index=True)
        )
        joined = concatenate([left, right])
        places = concatenate([at_left, at_right])
        origin = lax.concatenate(
            [lax.full(left.shape, 0, dtypes.int32), lax.full(right.shape, 1, dtypes.int32)], 0
        )
        joined, origin, places = lax.sort((joined, origin, places), 0, num_keys=2)
        twice = lax.eq(joined[1:], joined[:-1])

        (hits,) = nonzero(twice)
        values = joined[:-1][hits]
        return (values, places[:-1][hits], places[1:][hits]) if return_indices else values
    values, at, counts = unique(first, return_index=True, return_counts=True, size=first.size)
    common = lax.bitwise_and(isin(values, second), lax.gt(counts, like(counts, 0)))
    found = _kept_or_least(values, common, size, fill_value)
    if not return_indices:
        return found
    others = reductions.argmax(lax.eq(lax.expand_dims(second, (0,)), lax.expand_dims(values, (1,))), 1)
    return found, _kept(at, common, size, first.size), _kept(others, common, size, second.size)


def setxor1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    *,
    size: int | None = None,
    fill_value: Any = None,
) -> Array:
    """Elements of exactly one of the arrays."""
    require_static("setxor1d", assume_unique=assume_unique, size=size)
    check_arraylike("setxor1d", ar1, ar2)
    first, second = (ravel(asarray(v)) for v in promote_dtypes(ar1, ar2))
    if not assume_unique:
        first = unique(first, size=None if size is None else first.size)
        second = unique(second, size=None if size is None else second.size)
    joined = sort(concatenate([first, second]))
    if size is None and not joined.size:
        return joined
    if size is not None:
        only_first, only_second = isin(joined, second, invert=True), isin(joined, first, invert=True)
        lone = lax.bitwise_or(only_first, only_second)
        new = lax.concatenate([lax.full((1,), True), lax.ne(joined[1:], joined[:-1])], 0)
        return _kept_or_least(joined, lax.bitwise_and(lone, new), size, fill_value)
    edge = lax.full((1,), True)
    left = lax.concatenate([edge, lax.ne(joined[1:], joined[:-1])], 0)
    right = lax.concatenate([lax.ne(joined[1:], joined[:-1]), edge], 0)
    return _kept(joined, lax.bitwise_and(left, right), None, None)
