"""Einstein summation, as a sequence of `dot_general`s."""

from __future__ import annotations

import itertools
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from ..lax.elementwise import convert_to
from .contraction_order import PathInfo, contraction_path, steps
from .promotion import asarray, check_arraylike, promote_dtypes


def _parse(subscripts: Any, operands: tuple[Any, ...]) -> tuple[list[str], str, list[Any]]:
    """Labels of each operand and of the result, ellipsis written out."""
    if not isinstance(subscripts, str):
        subscripts, arrays = _written_out([subscripts, *operands])
    else:
        arrays = list(operands)
    subscripts = subscripts.replace(" ", "")
    left, arrow, right = subscripts.partition("->")
    terms = left.split(",")
    if len(terms) != len(arrays):
        raise ValueError(
            f"Number of einsum subscripts, {len(terms)}, must be equal to the number of operands, {len(arrays)}."
        )
    ranks = [len(dtypes.shape(a)) for a in arrays]
    extra = max((r - len(t.replace("...", "")) for t, r in zip(terms, ranks) if "..." in t), default=0)
    spare = "".join(c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if c not in subscripts)[:extra]
    terms = [
        t.replace(
            "...",
            spare[len(spare) - (r - len(t.replace("...", ""))) :]
            if "..." in t and r > len(t.replace("...", ""))
            else "",
        )
        for t, r in zip(terms, ranks)
    ]
    if not arrow:
        counts = "".join(terms)
        right = spare + "".join(sorted(c for c in set(counts) - set(spare) if counts.count(c) == 1))
    else:
        right = right.replace("...", spare)
    _check_result(right, terms)
    for number, (t, r) in enumerate(zip(terms, ranks)):
        if len(t) != r:
            raise ValueError(
                f"Einstein sum subscript '{t}' does not contain the correct number of indices for operand {number}."
            )
    return terms, right, arrays


def _written_out(values: list[Any]) -> tuple[str, list[Any]]:
    """The subscripts and the arrays of ``einsum(x, [0, 1], y, [1, 2], [0, 2])``. Raises KeyError for unknown labels."""
    result = values.pop() if len(values) % 2 else None
    lists = [list(labels) for labels in values[1::2]]
    known = {label for labels in lists for label in labels if label is not Ellipsis}
    try:
        letters = dict(zip(sorted(known), ascii_lowercase + ascii_uppercase))
    except TypeError:
        raise TypeError("Labels of einsum must be comparable with each other.") from None

    def text(labels: Any) -> str:
        return "".join("..." if label is Ellipsis else letters[label] for label in labels)

    arrow = "" if result is None else "->" + text(result)
    return ",".join(map(text, lists)) + arrow, values[0::2]


def _check_result(right: str, terms: list[str]) -> None:
    """Labels of the result are in the input, and there once. Raises ValueError."""
    for label in right:
        if right.count(label) > 1:
            raise ValueError(f"Output character '{label}' appeared more than once in the output.")
        if label not in "".join(terms):
            raise ValueError(f"Output character '{label}' did not appear in the input")


def _unique_labels(x: Array, labels: str, keep: set[str]) -> tuple[Array, str]:
    """Take diagonals of repeated labels, and sum out labels that nobody else needs."""
    gone = tuple(i for i, c in enumerate(labels) if c not in keep and labels.count(c) == 1)
    x, labels = _summed(x, labels, gone)
    for label in dict.fromkeys(labels):
        axes = tuple(i for i, c in enumerate(labels) if c == label)
        if len(axes) > 1:
            x = lax.select(_all_equal(x.shape, axes), x, lax.full_like(x, 0))
            x, labels = _summed(x, labels, axes[:-1] if label in keep else axes)
    return x, labels


def _summed(x: Array, labels: str, axes: tuple[int, ...]) -> tuple[Array, str]:
    """`x` summed over `axes` (the sum of truth values is whether one is true), and the labels that remain."""
    if not axes:
        return x, labels
    total = (lax.reduce_or if x.dtype.kind == "b" else lax.reduce_sum)(x, axes)
    return total, "".join(c for i, c in enumerate(labels) if i not in axes)


def _all_equal(shape: tuple[int, ...], axes: tuple[int, ...]) -> Array:
    """Where the places along `axes` are the same: a mask of `shape`."""
    square = tuple(shape[axis] for axis in axes)
    places = [lax.broadcasted_iota("uint32", square, i) for i in range(len(axes))]
    mask = lax.eq(places[0], places[1])
    for one, other in itertools.pairwise(places[1:]):
        mask = lax.bitwise_and(mask, lax.eq(one, other))
    return lax.broadcast_in_dim(mask, shape, axes)


def einsum(
    subscripts: Any,
    /,
    *operands: Any,
    out: None = None,
    optimize: Any = "auto",
    precision: Any = None,
    preferred_element_type: Any = None,
    _dot_general: Any = None,
    out_sharding: Any = None,
) -> Array:
    """Sum of products over the labels that the result lacks."""
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.einsum is not supported.")
    if isinstance(optimize, Array):
        raise TypeError(f"Did not understand the path (optimize): {optimize}")
    terms, right, arrays = _parse(subscripts, operands)
    check_arraylike("einsum", *arrays)
    weak = preferred_element_type is None and dtypes.lattice_result(*arrays)[1]
    if preferred_element_type is None:
        values = [asarray(a) for a in promote_dtypes(*arrays)]
    else:
        values = [asarray(a) for a in arrays]
    sizes = _sizes(terms, [value.shape for value in values])
    path = contraction_path(terms, right, sizes, optimize)
    for positions, gone, call in steps(terms, right, path):
        names, _, wanted = call.partition("->")
        taken = [values.pop(position) for position in positions]
        if len(taken) == 1:
            x, labels = _unique_labels(taken[0], names, set(wanted))
        elif len(taken) == 2:
            x, labels = _pair(taken, names.split(","), wanted, gone, precision, preferred_element_type)
        else:
            raise NotImplementedError(
                "jax.numpy.einsum does not support simultaneous contraction of 3 or more operands."
            )
        values.append(lax.transpose(x, [labels.index(c) for c in wanted]) if labels != wanted else x)
    x = values[0]
    return convert_to(
        x, x.dtype if preferred_element_type is None else dtypes.canonical(preferred_element_type), weak
    )


def _squeezed(x: Array, labels: str, y: Array, others: str) -> tuple[Array, str]:
    """Drop unit axes of `x` that stand against longer ones of `y`."""
    gone = tuple(
        i for i, c in enumerate(labels) if x.shape[i] == 1 and c in others and y.shape[others.index(c)] != 1
    )
    if not gone:
        return x, labels
    return lax.squeeze(x, gone), "".join(c for i, c in enumerate(labels) if i not in gone)


def _pair(
    operands: list[Array], names: list[str], wanted: str, gone: frozenset[str], precision: Any, preferred: Any
) -> tuple[Array, str]:
    """The product of two operands, summed over labels that neither the result nor other operands need."""
    (y, x), (ly, lx) = operands, names
    x, lx = _squeezed(x, lx, y, ly)
    y, ly = _squeezed(y, ly, x, lx)
    x, lx = _unique_labels(x, lx, set(wanted + ly))
    y, ly = _unique_labels(y, ly, set(wanted + lx))
    batch = [c for c in wanted if c in lx and c in ly]
    contracted = [c for c in sorted(gone) if c in lx and c in ly]
    free_x, free_y = ([c for c in labels if c not in batch and c not in contracted] for labels in (lx, ly))
    if "".join(batch + free_x + free_y) != wanted:
        x, lx, free_x, y, ly, free_y = y, ly, free_y, x, lx, free_x
    sums = tuple(lx.index(c) for c in contracted), tuple(ly.index(c) for c in contracted)
    rows = tuple(lx.index(c) for c in batch), tuple(ly.index(c) for c in batch)
    dtype = preferred if preferred is not None else dtypes.result_type(x, y)
    return lax.dot_general(x, y, (sums, rows), precision, dtype), "".join(batch + free_x + free_y)


def einsum_path(
    subscripts: Any, /, *operands: Any, optimize: Any = "auto"
) -> tuple[list[tuple[int, ...]], PathInfo]:
    """A contraction order: pairs of operand positions, and what it costs."""
    if isinstance(optimize, Array):
        raise TypeError(f"Did not understand the path (optimize): {optimize}")
    terms, right, arrays = _parse(subscripts, operands)
    sizes = _sizes(terms, [dtypes.shape(a) for a in arrays])
    path = contraction_path(terms, right, sizes, optimize)
    return path, PathInfo(terms, right, sizes, path)


def _sizes(terms: list[str], shapes: list[tuple[int, ...]]) -> dict[str, int]:
    """The extent of each label. Raises ValueError where operands disagree."""
    sizes: dict[str, int] = {}
    for number, (term, shape) in enumerate(zip(terms, shapes)):
        for label, n in zip(term, shape):
            if sizes.setdefault(label, n) != n:
                if 1 not in (n, sizes[label]):
                    raise ValueError(
                        f"Size of label '{label}' for operand {number} ({sizes[label]}) does not match previous "
                        f"terms ({n})."
                    )
                sizes[label] = max(n, sizes[label])
    return sizes
