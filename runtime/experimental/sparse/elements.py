"""What is done to the elements of sparse arrays: their values, the index of each, and the shape of the whole.

An index outside of the shape belongs to no element: it fills up what was made longer than needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ... import numpy as jnp
from ...core import Array

Shape = tuple[int, ...]


class Elements(NamedTuple):
    """Values `data[n, ...]` at `indices[n, axis]`."""

    data: Array
    indices: Array
    shape: Shape

    @property
    def nse(self) -> int:
        return int(self.indices.shape[0])

    def at(self, axes: Iterable[int]) -> tuple[Array, ...]:
        """The positions along some axes."""
        return tuple(self.indices[:, axis] for axis in axes)

    def valid(self) -> Array:
        """Which elements there are."""
        return jnp.all(self.indices < jnp.array(self.shape, self.indices.dtype), axis=1)


def gathered(indices: Array, dense: Array) -> Array:
    """The values of a dense array at indices; 0 outside."""
    if not dense.ndim:
        return jnp.broadcast_to(dense, indices.shape[:1])
    axes = [jnp.where(dense.shape[d] == 1, 0, indices[:, d]) for d in range(dense.ndim)]
    return dense.at[tuple(axes)].get(mode="fill", fill_value=0)


def _rest(rank: int, used: Sequence[int]) -> list[int]:
    return [d for d in range(rank) if d not in used]


def _kept(valid: Array, indices: Array, shape: Sequence[int]) -> Array:
    """Indices where they are valid, others outside of the shape."""
    return jnp.where(valid[..., None], indices, jnp.array(shape, indices.dtype))


def from_dense(dense: Array, nse: int, index_dtype: Any) -> Elements:
    """The first `nse` elements that are not 0."""
    where = jnp.nonzero(dense != 0, size=nse, fill_value=dense.shape) if dense.ndim else ()
    indices = jnp.stack(where, 1).astype(index_dtype) if where else jnp.zeros((nse, 0), index_dtype)
    return Elements(gathered(indices, dense), indices, dense.shape)


def to_dense(x: Elements) -> Array:
    zeros = jnp.zeros(x.shape, x.data.dtype)
    if not x.shape:
        return x.data.sum()
    return zeros.at[x.at(range(len(x.shape)))].add(x.data, mode="drop")


def without_duplicates(x: Elements, nse: int) -> Elements:
    """Elements at the same place added up, in order; at most `nse` places."""
    size = math.prod(x.shape)
    if not x.shape:
        return Elements(x.data.sum(keepdims=True), x.indices[:1], x.shape)
    place = jnp.where(x.valid(), jnp.ravel_multi_index(x.at(range(len(x.shape))), x.shape, mode="clip"), size)
    places, group = jnp.unique(place, return_inverse=True, size=nse, fill_value=size)
    data = jnp.zeros(nse, x.data.dtype).at[group].add(jnp.where(x.valid(), x.data, 0), mode="drop")
    where = jnp.stack(jnp.unravel_index(places, x.shape), 1).astype(x.indices.dtype)
    return Elements(data, _kept(places < size, where, x.shape), x.shape)


def ordered(x: Elements) -> Elements:
    """The elements in the order of their places."""
    order = jnp.lexsort(x.at(reversed(range(len(x.shape))))) if x.shape else jnp.arange(x.nse)
    return x._replace(data=x.data[order], indices=x.indices[order])


def places_of(x: Elements) -> int:
    """How many different places there are. Only of values that are known."""
    return len({tuple(index) for index, valid in zip(x.indices.tolist(), x.valid().tolist()) if valid})


def summed(x: Elements, axes: Sequence[int]) -> Elements:
    rest = _rest(len(x.shape), axes)
    shape, valid = tuple(x.shape[d] for d in rest), x.valid()
    indices = _kept(valid, x.indices[:, jnp.array(rest, int)], shape)
    return Elements(jnp.where(valid, x.data, 0), indices, shape)


def reshaped(x: Elements, shape: Shape) -> Elements:
    place = jnp.ravel_multi_index(x.at(range(len(x.shape))), x.shape, mode="clip")
    where = jnp.stack(jnp.unravel_index(place, shape), 1).astype(x.indices.dtype)
    return Elements(x.data, _kept(x.valid(), where, shape), shape)


def cut(
    x: Elements,
    start: Array | Sequence[int],
    lengths: Sequence[int],
    dropped: Sequence[int] = (),
    steps: Sequence[int] | None = None,
) -> Elements:
    """A part, of every step-th index; the axes of length 1 that are `dropped` are gone. Where it starts may be traced."""
    moved = x.indices - jnp.asarray(start, x.indices.dtype)
    inside = x.valid() & jnp.all(moved >= 0, axis=1)
    if steps is not None:
        by = jnp.array(steps, x.indices.dtype)
        inside &= jnp.all(moved % by == 0, axis=1)
        moved //= by
    inside &= jnp.all(moved < jnp.array(lengths, x.indices.dtype), axis=1)
    rest = _rest(len(x.shape), dropped)
    part = Elements(
        jnp.where(inside, x.data, 0),
        _kept(inside, moved, lengths)[:, jnp.array(rest, int)],
        tuple(lengths[d] for d in rest),
    )
    room = math.prod(part.shape)
    return without_duplicates(part, room) if room < x.nse else part


def reversed_along(x: Elements, axes: Sequence[int]) -> Elements:
    last = jnp.array(x.shape, x.indices.dtype) - 1
    turned = jnp.array([d in axes for d in range(len(x.shape))], bool)
    return x._replace(indices=_kept(x.valid(), jnp.where(turned, last - x.indices, x.indices), x.shape))


def unsqueezed(x: Elements, axis: int) -> Elements:
    """With one axis more, of length 1."""
    shape = (*x.shape[:axis], 1, *x.shape[axis:])
    return Elements(x.data, _kept(x.valid(), jnp.insert(x.indices, axis, 0, axis=1), shape), shape)


def repeated(x: Elements, axis: int, count: int) -> Elements:
    """An axis of length 1 made longer: the elements stand at each of its indices."""
    shape = (*x.shape[:axis], count, *x.shape[axis + 1 :])
    indices = jnp.repeat(x.indices, count, axis=0)
    along = jnp.tile(jnp.arange(count, dtype=indices.dtype), x.nse)
    valid = jnp.repeat(x.valid(), count)
    return Elements(jnp.repeat(x.data, count), _kept(valid, indices.at[:, axis].set(along), shape), shape)


def joined(parts: Sequence[Elements], axis: int) -> Elements:
    """Concatenated along an axis."""
    shape = list(parts[0].shape)
    shape[axis] = sum(part.shape[axis] for part in parts)
    moved, offset = [], 0
    for part in parts:
        shift = jnp.array([offset if d == axis else 0 for d in range(len(shape))], part.indices.dtype)
        moved.append(_kept(part.valid(), part.indices + shift, shape))
        offset += part.shape[axis]
    return Elements(jnp.concatenate([p.data for p in parts]), jnp.concatenate(moved), tuple(shape))


def check_contraction(x: Shape, y: Shape, x_axes: Sequence[int], y_axes: Sequence[int]) -> None:
    """Raises TypeError for axes of different lengths."""
    mine, other = tuple(x[d] for d in x_axes), tuple(y[d] for d in y_axes)
    if mine != other:
        raise TypeError(
            f"dot_general requires contracting dimensions to have the same shape, got {mine} and {other}."
        )


def dense_product(x: Elements, y: Array, x_axes: Sequence[int], y_axes: Sequence[int]) -> Array:
    """Contracted with a dense array: the other axes of `x`, then those of `y`."""
    check_contraction(x.shape, y.shape, x_axes, y_axes)
    rows, rest = _rest(len(x.shape), x_axes), _rest(y.ndim, y_axes)
    turned = jnp.transpose(y, (*y_axes, *rest))
    picked = turned.at[x.at(x_axes)].get(mode="fill", fill_value=0)
    products = x.data.reshape(-1, *[1] * len(rest)) * picked
    if not rows:
        return products.sum(0)
    shape = (*[x.shape[d] for d in rows], *[y.shape[d] for d in rest])
    return jnp.zeros(shape, products.dtype).at[x.at(rows)].add(products, mode="drop")


def sparse_product(x: Elements, y: Elements, x_axes: Sequence[int], y_axes: Sequence[int]) -> Elements:
    """Contracted with a sparse array: the other axes of `x`, then those of `y`. Each element meets each."""
    check_contraction(x.shape, y.shape, x_axes, y_axes)
    rows, columns = _rest(len(x.shape), x_axes), _rest(len(y.shape), y_axes)
    shape = (*[x.shape[d] for d in rows], *[y.shape[d] for d in columns])
    meets = x.valid()[:, None] & y.valid()[None, :]
    for mine, other in zip(x.at(x_axes), y.at(y_axes)):
        meets &= mine[:, None] == other[None, :]
    pair = (x.nse, y.nse)
    axes = [jnp.broadcast_to(at[:, None], pair) for at in x.at(rows)]
    axes += [jnp.broadcast_to(at[None, :], pair) for at in y.at(columns)]
    data = jnp.where(meets, x.data[:, None] * y.data[None, :], 0).ravel()
    if not shape:
        return Elements(data.sum(keepdims=True), jnp.zeros((1, 0), x.indices.dtype), ())
    indices = _kept(meets, jnp.stack(axes, -1), shape).reshape(-1, len(shape))
    return without_duplicates(Elements(data, indices, shape), min(data.size, math.prod(shape)))


def sparse_multiple(x: Elements, y: Elements) -> Elements:
    """Products of what stands at the same places."""
    same = x.valid()[:, None] & jnp.all(x.indices[:, None] == y.indices[None, :], axis=-1)
    data = jnp.where(same, x.data[:, None] * y.data[None, :], 0).ravel()
    indices = jnp.broadcast_to(x.indices[:, None], (x.nse, *y.indices.shape))
    return Elements(data, _kept(same, indices, x.shape).reshape(-1, len(x.shape)), x.shape)


def sampled_product(
    x: Array, y: Array, indices: Array, x_axes: Sequence[int], y_axes: Sequence[int]
) -> Array:
    """The elements of a product of dense arrays at indices; no others are computed."""
    check_contraction(x.shape, y.shape, x_axes, y_axes)
    rows, columns = _rest(x.ndim, x_axes), _rest(y.ndim, y_axes)
    left = jnp.transpose(x, (*rows, *x_axes))
    right = jnp.transpose(y, (*columns, *y_axes))
    picked = left.at[tuple(indices[:, d] for d in range(len(rows)))].get(mode="fill", fill_value=0)
    other = right.at[tuple(indices[:, len(rows) + d] for d in range(len(columns)))].get(
        mode="fill", fill_value=0
    )
    return (picked * other).sum(tuple(range(1, picked.ndim)))
