"""Sparse arrays with batch axes in front, each with a list of elements of its own, and dense axes behind, of which elements
have all: what is done to plain ones is done along these axes too.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...transforms.vmap import vmap
from . import elements
from .base import SparseEfficiencyError, SparseEfficiencyWarning
from .bcoo import BCOO
from .elements import Elements


def _whole(mat: BCOO) -> tuple[Array, Array]:
    """Values and indices with all batch axes at their full length."""
    batch = mat.shape[: mat.n_batch]
    data = jnp.broadcast_to(mat.data, (*batch, *mat.data.shape[mat.n_batch :]))
    return data, jnp.broadcast_to(mat.indices, (*batch, *mat.indices.shape[mat.n_batch :]))


def _sparse_shape(mat: BCOO) -> tuple[int, ...]:
    return mat.shape[mat.n_batch : mat.n_batch + mat.n_sparse]


def _dense_shape(mat: BCOO) -> tuple[int, ...]:
    return mat.shape[mat.n_batch + mat.n_sparse :]


def lifted(
    function: Callable[..., Elements], *mats: BCOO, ordered: bool = False, unique: bool = False
) -> BCOO:
    """`function` of the elements of plain arrays, along all batch and dense axes. Their layouts are alike."""
    first = mats[0]
    shapes = [_sparse_shape(mat) for mat in mats]
    made: tuple[int, ...] = ()

    def flat(*parts: Any) -> tuple[Any, Any]:
        nonlocal made
        out = function(*map(Elements, parts[::2], parts[1::2], shapes))
        made = out.shape
        return out.data, out.indices

    run = _along(flat, first, (1, None) * len(mats), (1, None))
    data, indices = run(*(part for mat in mats for part in _whole(mat)))
    shape = (*first.shape[: first.n_batch], *made, *_dense_shape(first))
    return BCOO((data, indices), shape=shape, indices_sorted=ordered, unique_indices=unique)


def _along(function: Callable[..., Any], mat: BCOO, dense_in: Any, dense_out: Any) -> Callable[..., Any]:
    for _ in range(mat.n_dense):
        function = vmap(function, dense_in, dense_out)
    for _ in range(mat.n_batch):
        function = vmap(function)
    return function


def to_dense(mat: BCOO) -> Array:
    shape = _sparse_shape(mat)
    run = _along(lambda d, i: elements.to_dense(Elements(d, i, shape)), mat, (1, None), len(shape))
    out: Array = run(*_whole(mat))
    return out


def from_dense(dense: Array, nse: int | None, index_dtype: Any, n_batch: int, n_dense: int) -> BCOO:
    """The elements that are not 0, as many for each batch. Raises ValueError for more axes than there are."""
    n_sparse = dense.ndim - n_batch - n_dense
    if n_sparse < 0:
        raise ValueError(f"an array of {dense.ndim} axes has no {n_batch=} and {n_dense=} axes")
    there = (dense != 0).any(tuple(range(n_batch + n_sparse, dense.ndim)))
    count = there.sum(tuple(range(n_batch, there.ndim))).max(initial=0) if nse is None else nse

    def one(part: Any, mask: Any) -> tuple[Any, Any]:
        if n_sparse:
            where = jnp.stack(jnp.nonzero(mask, size=int(count), fill_value=mask.shape), 1)
        else:
            where = jnp.zeros((int(count), 0), int)
        pick: Callable[..., Any] = lambda values: elements.gathered(where, values)
        for _ in range(n_dense):
            pick = vmap(pick, n_sparse, 1)
        return pick(part), where.astype(index_dtype)

    for _ in range(n_batch):
        one = vmap(one)
    return BCOO(one(dense, there), shape=dense.shape, indices_sorted=True, unique_indices=True)


def values_of(mat: BCOO, dense: Array) -> Array:
    """The values of a dense array, of the same shape or of axes of length 1, at the places of a sparse one."""
    dense = jnp.broadcast_to(dense, mat.shape)
    _, indices = _whole(mat)
    run = _along(lambda values, i: elements.gathered(i, values), mat, (mat.n_sparse, None), 1)
    out: Array = run(dense, indices)
    return out


def transpose(mat: BCOO, order: Sequence[int]) -> BCOO:
    """Axes in another order. Raises NotImplementedError where they would change their kind."""
    first, last = mat.n_batch, mat.n_batch + mat.n_sparse
    batch, inner, dense = order[:first], order[first:last], order[last:]
    for kind, axes, known in (("batch", batch, range(first)), ("dense", dense, range(last, mat.ndim))):
        if sorted(axes) != list(known):
            raise NotImplementedError(
                f"transpose permutation cannot permute {kind} axes with non-{kind} axes; got permutation {tuple(order)}, "
                f"with n_{kind}={len(known)}."
            )
    data = mat.data.transpose((*batch, first, *(axis - mat.n_sparse + 1 for axis in dense)))
    indices = mat.indices.transpose((*batch, first, first + 1))[
        ..., jnp.array([d - first for d in inner], int)
    ]
    shape = [mat.shape[d] for d in order]
    return BCOO((data, indices), shape=shape, unique_indices=mat.unique_indices)


def summed(mat: BCOO, axes: Sequence[int]) -> Any:
    """Sums along axes of any kind: a batch axis makes the lists longer. Of all axes, a number."""
    if len(axes) == mat.ndim:
        return to_dense(mat).sum()
    first, last = mat.n_batch, mat.n_batch + mat.n_sparse
    inner = [axis - first for axis in axes if first <= axis < last]
    out = lifted(lambda x: elements.summed(x, inner), mat) if inner else mat
    dense = [axis - last + first + 1 for axis in axes if axis >= last]
    data, indices = _whole(out)
    data = data.sum(tuple(dense)) if dense else data
    shape = [n for d, n in enumerate(mat.shape) if d not in axes]
    for axis in sorted((axis for axis in axes if axis < first), reverse=True):
        n_batch = indices.ndim - 2
        data, indices = (jnp.moveaxis(part, axis, n_batch - 1) for part in (data, indices))
        data, indices = (_merged(part, n_batch - 1) for part in (data, indices))
    return BCOO((data, indices), shape=shape)


def _merged(x: Array, axis: int) -> Array:
    """Two axes made one."""
    return x.reshape((*x.shape[:axis], x.shape[axis] * x.shape[axis + 1], *x.shape[axis + 2 :]))


def item(mat: BCOO, keys: Sequence[Any]) -> BCOO:
    """A part by a slice or an integer for each of the first axes."""
    keys = [*keys, *[slice(None)] * (mat.ndim - len(keys))]
    first, last = mat.n_batch, mat.n_batch + mat.n_sparse
    data, indices = _whole(mat)
    data = data[(*keys[:first], slice(None), *keys[last:])]
    indices = indices[tuple(keys[:first])]
    outer = [_cut_length(n, key) for n, key in zip(mat.shape[:first], keys[:first])]
    behind = [_cut_length(n, key) for n, key in zip(mat.shape[last:], keys[last:])]
    batch, dense = ([n for n in part if n is not None] for part in (outer, behind))
    part = BCOO(
        (data, indices), shape=(*batch, *mat.shape[first:last], *dense), unique_indices=mat.unique_indices
    )
    inner = tuple(keys[first:last])
    if all(key == slice(None) for key in inner):
        return part
    plain = not (part.n_batch or part.n_dense)
    return part[inner] if plain else lifted(lambda x: BCOO._of(x)[inner].elements, part)


def _cut_length(n: int, key: Any) -> int | None:
    """The length of a part of an axis; None if it is gone."""
    return len(range(*key.indices(n))) if isinstance(key, slice) else None


def dot_general(mat: BCOO, dense: Array, axes: Any, batch: Any) -> Array:
    """Contracted with a dense array: the paired batch axes, the other axes of `mat`, those of the dense array.

    Raises NotImplementedError where paired axes are no batch axes, or where dense axes are contracted.
    """
    (mine, other), (my_batch, other_batch) = axes, batch
    first, last = mat.n_batch, mat.n_batch + mat.n_sparse
    if any(axis >= first for axis in my_batch):
        raise NotImplementedError(
            "bcoo_dot_general batch dimensions must be among the batch dimensions in the sparse representation. got "
            f"lhs_batch={tuple(my_batch)}, n_batch={first}"
        )
    if any(axis >= last for axis in mine):
        raise NotImplementedError("bcoo_dot_general: contracting over dense dimensions.")
    if mat.n_dense or any(axis < first for axis in mine):
        if my_batch:
            raise NotImplementedError("bcoo_dot_general: batch axes beside dense or contracted batch axes.")
        return dot_general(update_layout(mat, 0, 0), dense, axes, batch)
    inner = [axis - first for axis in mine]
    shape = _sparse_shape(mat)
    pairs = dict(zip(my_batch, other_batch))
    elements.check_contraction(
        tuple(mat.shape[d] for d in (*my_batch, *mine)),
        tuple(dense.shape[d] for d in (*other_batch, *other)),
        range(len(my_batch) + len(mine)),
        range(len(other_batch) + len(other)),
    )
    # The axes of the dense array that is left, innermost call first.
    left = [d for d in range(dense.ndim) if d not in other_batch]
    last_axes = [left.index(d) for d in other]

    def run(data: Any, indices: Any, part: Any) -> Any:
        return elements.dense_product(Elements(data, indices, shape), part, inner, last_axes)

    for axis in reversed(range(first)):
        run = vmap(run, (0, 0, 0 if axis in pairs else None))
    turned = jnp.transpose(dense, (*(pairs[axis] for axis in sorted(pairs)), *left))
    out: Array = run(*_whole(mat), turned)
    order = [*my_batch, *(axis for axis in range(first) if axis not in pairs)]
    return jnp.transpose(out, (*order, *range(first, out.ndim)))


def update_layout(mat: BCOO, n_batch: int, n_dense: int, on_inefficient: str | None = None) -> BCOO:
    """The same array with other numbers of batch and dense axes.

    Raises SparseEfficiencyError where that takes more memory, if `on_inefficient` says so.
    """
    before = mat.data.size
    while mat.n_batch > n_batch:
        mat = _without_batch_axis(mat)
    while mat.n_dense > n_dense:
        mat = _without_dense_axis(mat)
    kinds = (("n_batch", mat.n_batch, n_batch), ("n_dense", mat.n_dense, n_dense))
    grows = [(kind, old, new) for kind, old, new in kinds if new > old]
    while mat.n_dense < n_dense:
        mat = _with_dense_axis(mat)
    while mat.n_batch < n_batch:
        mat = _with_batch_axis(mat)
    if grows and mat.data.size > before and on_inefficient is not None:
        (kind, old, new) = grows[0]
        text = (
            f"For matrix of shape {mat.shape}, increasing {kind} from {old} to {new} results in inefficient storage. To "
            "disable this error, set the on_inefficient argument of bcoo_update_layout to 'warn' or None."
        )
        if on_inefficient == "error":
            raise SparseEfficiencyError(text)
        warnings.warn(text, SparseEfficiencyWarning, stacklevel=3)
    return mat


def _without_batch_axis(mat: BCOO) -> BCOO:
    """The last batch axis becomes a sparse one."""
    data, indices = _whole(mat)
    axis = mat.n_batch - 1
    at = jnp.arange(mat.shape[axis], dtype=indices.dtype)[:, None, None]
    column = jnp.broadcast_to(at, (*indices.shape[:-1], 1))
    indices = jnp.concatenate([column, indices], -1)
    return BCOO((_merged(data, axis), _merged(indices, axis)), shape=mat.shape)


def _without_dense_axis(mat: BCOO) -> BCOO:
    """The first dense axis becomes a sparse one."""
    data, indices = _whole(mat)
    n, axis = mat.shape[mat.n_batch + mat.n_sparse], mat.n_batch
    wide = jnp.repeat(indices, n, axis=axis)
    along = jnp.tile(jnp.arange(n, dtype=indices.dtype), mat.nse)
    column = jnp.broadcast_to(along[:, None], (*wide.shape[:-1], 1))
    return BCOO((_merged(data, axis), jnp.concatenate([wide, column], -1)), shape=mat.shape)


def _with_batch_axis(mat: BCOO) -> BCOO:
    """The first sparse axis becomes a batch axis: each of its lists has room for all elements."""
    data, indices = _whole(mat)
    axis = mat.n_batch
    n, rest = mat.shape[axis], jnp.array(_sparse_shape(mat)[1:], indices.dtype)
    at = jnp.arange(n, dtype=indices.dtype)[:, None]
    mine = jnp.expand_dims(indices[..., 0], axis) == at
    inner = jnp.where(mine[..., None], jnp.expand_dims(indices[..., 1:], axis), rest)
    shown = mine.reshape((*mine.shape, *[1] * mat.n_dense))
    return BCOO((jnp.where(shown, jnp.expand_dims(data, axis), 0), inner), shape=mat.shape)


def _with_dense_axis(mat: BCOO) -> BCOO:
    """The last sparse axis becomes a dense one: each element has room for all of it."""
    data, indices = _whole(mat)
    n = _sparse_shape(mat)[-1]
    mine = indices[..., -1:] == jnp.arange(n, dtype=indices.dtype)
    shown = mine.reshape((*mine.shape, *[1] * mat.n_dense))
    wide = jnp.where(shown, jnp.expand_dims(data, mat.n_batch + 1), 0)
    return BCOO((wide, indices[..., :-1]), shape=mat.shape)


def reshaped(mat: BCOO, shape: tuple[int, ...]) -> BCOO:
    """In another shape. Raises ValueError where batch and sparse axes would mix."""
    batch, inner = mat.shape[: mat.n_batch], math.prod(_sparse_shape(mat))
    dense = _dense_shape(mat)
    front = shape[: len(shape) - len(dense)]
    count = next((k for k in range(len(front) + 1) if math.prod(front[:k]) == math.prod(batch)), None)
    if count is None or math.prod(front[count:]) != inner or shape[len(front) :] != dense:
        raise ValueError(
            "bcoo_reshape: new shape cannot mix batch and sparse dimensions; got "
            f"shape={mat.shape} new_shape={shape} with n_batch={mat.n_batch}"
        )
    while count < min(len(front), mat.n_batch) and front[count] == 1:
        count += 1
    out = lifted(lambda x: elements.reshaped(x, front[count:]), mat, unique=mat.unique_indices)
    data, indices = (
        part.reshape((*front[:count], *part.shape[mat.n_batch :])) for part in (out.data, out.indices)
    )
    return BCOO((data, indices), shape=shape, unique_indices=mat.unique_indices)


def joined(mats: Sequence[BCOO], axis: int) -> BCOO:
    """Concatenated along a batch or a sparse axis."""
    first = mats[0]
    if axis >= first.n_batch:
        if axis >= first.n_batch + first.n_sparse:
            raise NotImplementedError("Concatenation along dense dimensions.")
        return lifted(lambda *parts: elements.joined(parts, axis - first.n_batch), *mats)
    parts = [_whole(mat) for mat in mats]
    data, indices = (jnp.concatenate([part[k] for part in parts], axis) for k in range(2))
    shape = list(first.shape)
    shape[axis] = sum(mat.shape[axis] for mat in mats)
    return BCOO((data, indices), shape=shape)


def reversed_along(mat: BCOO, axes: Sequence[int]) -> BCOO:
    """Turned round along axes."""
    inner = [a - mat.n_batch for a in axes if mat.n_batch <= a < mat.n_batch + mat.n_sparse]
    out = lifted(lambda x: elements.reversed_along(x, inner), mat, unique=mat.unique_indices)
    batch = [a for a in axes if a < mat.n_batch]
    dense = [a - mat.n_sparse + 1 for a in axes if a >= mat.n_batch + mat.n_sparse]
    data, indices = jnp.flip(out.data, (*batch, *dense)), jnp.flip(out.indices, tuple(batch))
    return BCOO((data, indices), shape=mat.shape, unique_indices=mat.unique_indices)


def broadcast(mat: BCOO, shape: Sequence[int], axes: Sequence[int]) -> BCOO:
    """With more axes, and with axes of length 1 made longer. New axes before sparse ones are batch axes."""
    if mat.n_dense:
        raise NotImplementedError("bcoo_broadcast_in_dim of arrays with dense dimensions")
    batch = axes[mat.n_batch] if mat.n_sparse else len(shape)
    data, indices = _whole(mat)
    outer = tuple(shape[:batch])
    kept = [axis for axis in range(batch) if axis in axes]
    data, indices = (
        jnp.broadcast_to(
            part.reshape(
                (
                    *[part.shape[kept.index(d)] if d in kept else 1 for d in range(batch)],
                    *part.shape[mat.n_batch :],
                )
            ),
            (*outer, *part.shape[mat.n_batch :]),
        )
        for part in (data, indices)
    )
    out = BCOO((data, indices), shape=(*outer, *_sparse_shape(mat)), unique_indices=mat.unique_indices)
    inner = [axis - batch for axis in axes[mat.n_batch :]]
    if list(inner) == list(range(len(shape) - batch)) and out.shape == tuple(shape):
        return out

    def widened(x: Elements) -> Elements:
        for axis in sorted(set(range(len(shape) - batch)) - set(inner)):
            x = elements.unsqueezed(x, axis)
        for axis, length in enumerate(shape[batch:]):
            x = elements.repeated(x, axis, length) if x.shape[axis] != length else x
        return x

    return lifted(widened, out, unique=mat.unique_indices)


def squeezed(mat: BCOO, axes: Sequence[int]) -> BCOO:
    """Without some axes of length 1."""
    return item(mat, [0 if d in axes else slice(None) for d in range(mat.ndim)])


def window(mat: BCOO, start: Sequence[Any], sizes: Sequence[int]) -> BCOO:
    """A part that begins where the numbers say, which may be traced."""
    first, last = mat.n_batch, mat.n_batch + mat.n_sparse
    data, indices = _whole(mat)
    zeros = [0] * (data.ndim - mat.n_dense - first)
    data = lax.dynamic_slice(
        data, (*start[:first], *zeros, *start[last:]), (*sizes[:first], mat.nse, *sizes[last:])
    )
    indices = lax.dynamic_slice(indices, (*start[:first], 0, 0), (*sizes[:first], *indices.shape[first:]))
    shape = (*sizes[:first], *mat.shape[first:last], *sizes[last:])
    part = BCOO((data, indices), shape=shape)
    at = jnp.stack([jnp.asarray(n) for n in start[first:last]])
    return lifted(lambda x: elements.cut(x, at, sizes[first:last]), part, unique=mat.unique_indices)


def gathered(
    mat: BCOO,
    starts: Array,
    offset_dims: Sequence[int],
    dropped: Sequence[int],
    axes: Sequence[int],
    sizes: Any,
) -> BCOO:
    """Parts of a plain array, of the same sizes, that begin where the last axis of `starts` says for the given axes.

    The `dropped` axes of parts have length 1; the others stand at `offset_dims` of the result.
    """
    known = mat.elements
    ends = jnp.array([mat.shape[axis] - sizes[axis] for axis in axes], starts.dtype)
    first = jnp.clip(starts, 0, ends)
    made = tuple(n for d, n in enumerate(sizes) if d not in dropped)

    def part(at: Any) -> tuple[Any, Any]:
        begin = jnp.zeros(mat.ndim, starts.dtype).at[jnp.array(axes, int)].set(at)
        out = elements.cut(known, begin, sizes, dropped)
        return out.data, out.indices

    batch = starts.shape[:-1]
    run: Callable[..., Any] = part
    for _ in batch:
        run = vmap(run)
    out = BCOO(run(first), shape=(*batch, *made), unique_indices=mat.unique_indices)
    others = [d for d in range(out.ndim) if d not in offset_dims]
    order = [
        others.index(d) if d in others else len(batch) + list(offset_dims).index(d) for d in range(out.ndim)
    ]
    return out if order == list(range(out.ndim)) else update_layout(out, 0, 0).transpose(order)
