"""Einstein summation, as a sequence of `dot_general`s."""

from __future__ import annotations

import itertools
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from ..lax.elementwise import convert_to
from .promotion import asarray, check_arraylike, promote_dtypes


def _parse(subscripts: Any, operands: tuple[Any, ...]) -> tuple[list[str], str, list[Any]]:
    """Labels of each operand and of the result, ellipsis written out."""
    if not isinstance(subscripts, str):
        terms, values = [], [subscripts, *operands]
        result: Any = None
        if len(values) % 2:
            result = values.pop()
        letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

        def text(sub: Any) -> str:
            return "".join("..." if s is Ellipsis else letters[s] for s in sub)

        terms = [text(s) for s in values[1::2]]
        arrays = values[0::2]
        subscripts = ",".join(terms) + ("" if result is None else "->" + text(result))
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
    sizes: dict[str, int] = {}
    for number, (term, value) in enumerate(zip(terms, values)):
        for label, n in zip(term, value.shape):
            if sizes.setdefault(label, n) != n:
                if 1 not in (n, sizes[label]):
                    raise ValueError(
                        f"Size of label '{label}' for operand {number} ({sizes[label]}) does not match previous "
                        f"terms ({n})."
                    )
                sizes[label] = max(n, sizes[label])
    pairs = list(zip(values, terms))
    pairs = [_squeezed(v, t, sizes) for v, t in pairs]
    while len(pairs) > 1:
        i, j = _cheapest(pairs, right, sizes) if len(pairs) > 2 else (0, 1)
        (y, ly), (x, lx) = pairs.pop(j), pairs.pop(i)
        others = set(right).union(*(t for _, t in pairs))
        pairs.insert(
            len(pairs), _pair(x, lx, y, ly, others, precision, preferred_element_type, not pairs and right)
        )
    x, labels = pairs[0]
    x, labels = _unique_labels(x, labels, set(right))
    x = lax.transpose(x, [labels.index(c) for c in right])
    return convert_to(
        x, x.dtype if preferred_element_type is None else dtypes.canonical(preferred_element_type), weak
    )


def _squeezed(x: Array, labels: str, sizes: dict[str, int]) -> tuple[Array, str]:
    """Drop unit axes that stand against longer ones."""
    gone = tuple(i for i, c in enumerate(labels) if x.shape[i] == 1 and sizes[c] != 1)
    return (
        (lax.squeeze(x, gone), "".join(c for i, c in enumerate(labels) if i not in gone))
        if gone
        else (x, labels)
    )


def _cheapest(pairs: list[tuple[Array, str]], right: str, sizes: dict[str, int]) -> tuple[int, int]:
    """The pair whose product is smallest: a greedy contraction order."""
    best: tuple[int, int, int] | None = None
    for i in range(len(pairs)):
        for j in range(i + 1, len(pairs)):
            others = set(right).union(*(t for k, (_, t) in enumerate(pairs) if k not in (i, j)))
            cost = 1
            for label in set(pairs[i][1] + pairs[j][1]) & others:
                cost *= sizes[label]
            spent = cost
            for label in set(pairs[i][1] + pairs[j][1]) - others:
                spent *= sizes[label]
            if best is None or spent < best[0]:
                best = (spent, i, j)
    assert best is not None
    return best[1], best[2]


def _pair(
    x: Array, lx: str, y: Array, ly: str, others: set[str], precision: Any, preferred: Any, final: Any
) -> tuple[Array, str]:
    """The product of two operands, summed over labels that neither the result nor other operands need."""
    x, lx = _unique_labels(x, lx, others | set(ly))
    y, ly = _unique_labels(y, ly, others | set(lx))
    batch = [c for c in lx if c in ly and c in others]
    contracted = [c for c in lx if c in ly and c not in others]
    free_x, free_y = ([c for c in labels if c not in batch and c not in contracted] for labels in (lx, ly))
    if final and batch + free_y + free_x == list(final) and batch + free_x + free_y != list(final):
        x, lx, y, ly, free_x, free_y = y, ly, x, lx, free_y, free_x
    out = lax.dot_general(
        x,
        y,
        (
            (tuple(lx.index(c) for c in contracted), tuple(ly.index(c) for c in contracted)),
            (tuple(lx.index(c) for c in batch), tuple(ly.index(c) for c in batch)),
        ),
        precision,
        preferred if preferred is not None else dtypes.result_type(x, y),
    )
    return out, "".join(batch + free_x + free_y)


def einsum_path(subscripts: Any, /, *operands: Any, optimize: Any = "auto") -> tuple[list[Any], Any]:
    """A contraction order: pairs of operand positions, and a description."""
    if isinstance(optimize, Array):
        raise TypeError(f"Did not understand the path (optimize): {optimize}")
    terms, right, arrays = _parse(subscripts, operands)
    path: list[Any] = []
    count = len(arrays)
    while count > 2:
        path.append((0, 1))
        count -= 1
    path.append(tuple(range(count)))
    return path, ",".join(terms) + "->" + right
