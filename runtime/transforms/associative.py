"""``associative_scan``: all prefixes of an associative operation, in a logarithmic number of steps."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from ..core import get_aval
from ..pytree.definition import tree_flatten


def associative_scan(fn: Callable[[Any, Any], Any], elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """The running results of `fn` along an axis of a tree of arrays.

    Adjacent elements are combined, the half as long scan is done, and the elements between are filled in
    (Blelloch, "Prefix sums and their applications", 1990).

    Raises:
        TypeError: if `fn` cannot be called.
        ValueError: if the arrays differ in size along the axis.
    """
    if not callable(fn):
        raise TypeError("lax.associative_scan: fn argument should be callable.")
    from ..lax import rev

    leaves, treedef = tree_flatten(elems)
    ndim = get_aval(leaves[0]).ndim
    axis = operator.index(axis)
    if not -ndim <= axis < ndim:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {ndim}")
    axis %= ndim
    if reverse:
        leaves = [rev(leaf, (axis,)) for leaf in leaves]
    sizes = {get_aval(leaf).shape[axis] for leaf in leaves}
    if len(sizes) > 1:
        raise ValueError(
            "Array inputs to associative_scan must have the same first dimension. "
            f"(saw: {[get_aval(leaf).shape for leaf in leaves]})"
        )

    def combine(first: Sequence[Any], second: Sequence[Any]) -> list[Any]:
        return tree_flatten(fn(treedef.unflatten(first), treedef.unflatten(second)))[0]

    outs = prefixes(combine, leaves, axis)
    if reverse:
        outs = [rev(out, (axis,)) for out in outs]
    return treedef.unflatten(outs)


def prefixes(combine: Callable[..., list[Any]], elems: Sequence[Any], axis: int) -> list[Any]:
    from ..lax import concatenate, slice_in_dim

    count = elems[0].shape[axis]
    if count < 2:
        return list(elems)

    def part(values: Sequence[Any], start: int, stop: int, stride: int = 1) -> list[Any]:
        return [slice_in_dim(value, start, stop, stride, axis) for value in values]

    pairs = combine(part(elems, 0, count - 1, 2), part(elems, 1, count, 2))
    odd = prefixes(combine, pairs, axis)
    if count % 2:
        even = combine(odd, part(elems, 2, count, 2))
    else:
        even = combine(part(odd, 0, odd[0].shape[axis] - 1), part(elems, 2, count, 2))
    first = part(elems, 0, 1)
    evens = [concatenate([head, rest], axis) for head, rest in zip(first, even, strict=True)]
    return [_interleaved(e, o, axis) for e, o in zip(evens, odd, strict=True)]


def _interleaved(even: Any, odd: Any, axis: int) -> Any:
    """The elements of two arrays in turn; the first array may be one longer."""
    from ..lax import add, bitwise_or, pad
    from ..primitives.apply import number

    ndim, aval = even.ndim, get_aval(even)
    zero = number(0, even)
    more = even.shape[axis] > odd.shape[axis]
    widen = [(0, 0, 0)] * ndim
    left, right = list(widen), list(widen)
    left[axis] = (0, 0, 1) if more else (0, 1, 1)
    right[axis] = (1, 1, 1) if more else (1, 0, 1)
    combine = bitwise_or if aval.dtype.kind == "b" else add
    return combine(pad(even, zero, left), pad(odd, zero, right))
