"""In which order operands of an Einstein sum are contracted, two at a time: paths as in ``jnp.einsum_path``."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import prod
from typing import Any

Labels = frozenset[str]
Path = list[tuple[int, ...]]

#: Up to so many operands every order is tried, then orders of the two best next pairs, and beyond the best pair is taken.
EXHAUSTIVE, BRANCHING = 6, 8
_NAMES = "auto auto-hq optimal dp greedy eager opportunistic random-greedy random-greedy-128 branch-all branch-2 branch-1".split()


class PathInfo:
    """What a path costs; its text is what NumPy's users know."""

    def __init__(self, terms: Sequence[str], right: str, sizes: dict[str, int], path: Path) -> None:
        self.eq = ",".join(terms) + "->" + right
        self.path = path
        self.size_dict = sizes
        self.opt_cost = 0
        self.largest_intermediate = prod(sizes[c] for c in right)
        self.contraction_list: list[tuple[tuple[int, ...], Labels, str]] = []
        for positions, labels, call in steps(terms, right, path):
            inner = labels | set(call.partition("->")[2])
            self.opt_cost += flops(frozenset(inner), bool(labels), len(positions), sizes)
            self.largest_intermediate = max(
                self.largest_intermediate, prod(sizes[c] for c in call.partition("->")[2])
            )
            self.contraction_list.append((positions, labels, call))
        every = frozenset("".join(terms))
        self.naive_cost = flops(every, bool(every - set(right)), len(terms), sizes)
        self.speedup = self.naive_cost / max(self.opt_cost, 1)

    def __str__(self) -> str:
        lines = [
            f"  Complete contraction:  {self.eq}",
            f"      Naive FLOP count:  {self.naive_cost:.3e}",
            f"  Optimized FLOP count:  {self.opt_cost:.3e}",
            f"   Theoretical speedup:  {self.speedup:.3e}",
            f"  Largest intermediate:  {self.largest_intermediate:.3e} elements",
        ]
        return "\n".join([*lines, *(f"  {call}" for _, _, call in self.contraction_list)])

    __repr__ = __str__


def steps(terms: Sequence[str], right: str, path: Path) -> list[tuple[tuple[int, ...], Labels, str]]:
    """For each step the operands to take, the last first, the labels to sum out, and what it is in subscripts."""
    left, out = list(terms), []
    for step, chosen in enumerate(path):
        positions = tuple(sorted(chosen, reverse=True))
        taken = [left.pop(position) for position in positions]
        seen = "".join(taken)
        needed = set(right).union(*left)
        kept = right if step == len(path) - 1 else "".join(c for c in dict.fromkeys(seen) if c in needed)
        out.append((positions, frozenset(seen) - set(kept), ",".join(taken) + "->" + kept))
        left.append(kept)
    return out


def flops(labels: Labels, inner: bool, operands: int, sizes: dict[str, int]) -> int:
    """Multiplications and additions of one step over these labels."""
    return prod(sizes[c] for c in labels) * (max(1, operands - 1) + inner)


def contraction_path(terms: Sequence[str], right: str, sizes: dict[str, int], optimize: Any) -> Path:
    """The pairs to contract, as positions among the operands that remain; results are put at the end."""
    count = len(terms)
    if isinstance(optimize, str) and optimize not in _NAMES:
        raise KeyError(f"Path optimizer '{optimize}' not found, valid options are {set(_NAMES)}.")
    if not isinstance(optimize, (bool, str)) and optimize is not None:
        return [tuple(step) for step in optimize]
    if count <= 2:
        return [tuple(range(count))]
    if optimize is False:
        return [(0, 1)] * (count - 1)
    inputs, output = [frozenset(term) for term in terms], frozenset(right)
    if optimize == "greedy" or count > BRANCHING:
        order = _greedy(inputs, output, sizes)
    else:
        order = _best(inputs, output, sizes)
    return _positions(order, count)


def _positions(order: Sequence[tuple[int, int]], count: int) -> Path:
    """Operands named by their number, results counted on, as positions among those that remain."""
    remaining, path = list(range(count)), Path()
    for step, pair in enumerate(order):
        path.append(tuple(sorted(remaining.index(name) for name in pair)))
        remaining = [name for name in remaining if name not in pair] + [count + step]
    return path


def _contracted(i: int, j: int, left: dict[int, Labels], output: Labels) -> tuple[Labels, Labels]:
    """All labels of a pair, and those that are still needed afterwards."""
    either = left[i] | left[j]
    return either, either & output.union(*(labels for k, labels in left.items() if k not in (i, j)))


def _best(inputs: list[Labels], output: Labels, sizes: dict[str, int]) -> list[tuple[int, int]]:
    """The order that takes the fewest operations, the first of these."""
    branches = None if len(inputs) <= EXHAUSTIVE else 2
    cheapest, best = float("inf"), list[tuple[int, int]]()

    def search(order: list[tuple[int, int]], left: dict[int, Labels], spent: int) -> None:
        nonlocal cheapest, best
        if len(left) == 1:
            cheapest, best = spent, order
            return
        pairs = list(itertools.combinations(left, 2))
        if branches is not None:
            pairs = sorted(pairs, key=lambda pair: _growth(pair, left, output, sizes))[:branches]
        for i, j in pairs:
            either, kept = _contracted(i, j, left, output)
            total = spent + flops(either, either != kept, 2, sizes)
            if total < cheapest:
                rest = {k: labels for k, labels in left.items() if k not in (i, j)}
                search([*order, (i, j)], {**rest, len(inputs) + len(order): kept}, total)

    search([], dict(enumerate(inputs)), 0)
    return best


def _greedy(inputs: list[Labels], output: Labels, sizes: dict[str, int]) -> list[tuple[int, int]]:
    """Always the pair whose product frees most memory; pairs without a common label come last."""
    left, order = dict(enumerate(inputs)), list[tuple[int, int]]()
    while len(left) > 1:
        i, j = min(itertools.combinations(left, 2), key=lambda pair: _growth(pair, left, output, sizes))
        _, kept = _contracted(i, j, left, output)
        del left[i], left[j]
        left[len(inputs) + len(order)] = kept
        order.append((i, j))
    return order


def _growth(
    pair: tuple[int, int], left: dict[int, Labels], output: Labels, sizes: dict[str, int]
) -> tuple[bool, int]:
    """Whether a pair has no common label, and by how much its product is larger than the two."""
    i, j = pair
    _, kept = _contracted(i, j, left, output)
    before = sum(prod(sizes[c] for c in left[k]) for k in pair)
    return not left[i] & left[j], prod(sizes[c] for c in kept) - before
