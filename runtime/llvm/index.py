"""Affine indices: where an array is read, as a linear form in the loop variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias


class Affine(NamedTuple):
    """``const + sum(coefs[d] * loop[d])`` over the dimensions of a loop domain."""

    coefs: tuple[int, ...]
    const: int

    def plus(self, offset: int) -> Affine:
        return Affine(self.coefs, self.const + offset) if offset else self

    def times(self, factor: int) -> Affine:
        return self if factor == 1 else Affine(tuple(c * factor for c in self.coefs), self.const * factor)

    def add(self, other: Affine) -> Affine:
        coefs = tuple(a + b for a, b in zip(self.coefs, other.coefs, strict=True))
        return Affine(coefs, self.const + other.const)

    @property
    def dims(self) -> int:
        """The dimensions that the value depends on, as a bit mask."""
        mask = 0
        for d, c in enumerate(self.coefs):
            if c:
                mask |= 1 << d
        return mask

    def __str__(self) -> str:
        terms = [f"{'' if c == 1 else f'{c}*'}i{d}" for d, c in enumerate(self.coefs) if c]
        if self.const or not terms:
            terms.append(str(self.const))
        return " + ".join(terms)


Index: TypeAlias = tuple[Affine, ...]


def strides(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of a C-contiguous array, in elements."""
    result, step = [], 1
    for size in reversed(shape):
        result.append(step)
        step *= size
    return tuple(reversed(result))


def zero(rank: int) -> Affine:
    return Affine((0,) * rank, 0)


def identity(shape: Sequence[int]) -> Index:
    """Each dimension's own loop variable; dimensions of size 1 have none."""
    rank = len(shape)
    return tuple(Affine(tuple(int(d == k and shape[k] != 1) for d in range(rank)), 0) for k in range(rank))


def flatten(index: Index, shape: Sequence[int], rank: int) -> Affine:
    """The position in memory of ``index`` into a C-contiguous array."""
    total = zero(rank)
    for at, size, step in zip(index, shape, strides(shape), strict=True):
        if size != 1:
            total = total.add(at.times(step))
    return total


def reshape(index: Index, old: Sequence[int], new: Sequence[int], rank: int) -> Index | None:
    """The index into an array of shape ``old`` that ``index`` into its reshaped form means; None if not affine.

    Splitting a dimension is affine when read back (i*b + j); merging dimensions needs division and is not.
    """
    result: list[Affine] = []
    n, m = 0, 0
    while n < len(old):
        if old[n] == 1:
            result.append(zero(rank))
            n += 1
            continue
        at, size = zero(rank), 1
        while size < old[n]:
            if m == len(new):
                return None
            if new[m] != 1:
                at = at.times(new[m]).add(index[m])
                size *= new[m]
            m += 1
        if size != old[n]:
            return None
        result.append(at)
        n += 1
    return tuple(result)
