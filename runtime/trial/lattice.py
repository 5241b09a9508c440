"""The search over candidate inputs: best first, led by how far a trial came and the line that stopped it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .evidence import Raised

_UNIFORM_STEPS = 6


class Lattice:
    """Points are one index into the candidates of each parameter; `tell` says how the last point fared.

    The point that came furthest is the base.  From it one parameter is changed at a time, first those that
    the failing line names, and the same step is tried for all parameters, since arrays often go together.
    """

    def __init__(self, counts: dict[str, int]) -> None:
        self.names = list(counts)
        self.counts = list(counts.values())
        self._base = (0,) * len(self.counts)
        self._best = -1
        self._last = self._base
        self._seen: set[tuple[int, ...]] = set()
        self._queue: Iterator[tuple[int, ...]] = iter((self._base,))

    def next(self) -> tuple[int, ...] | None:
        """The next point to try, or None when the neighbourhood of the best one is used up."""
        for point in self._queue:
            if point not in self._seen:
                self._seen.add(point)
                self._last = point
                return point
        return None

    def tell(self, progress: int, line: str) -> None:
        """The last point came as far as `progress` (a row) and failed on the text `line`."""
        if progress > self._best:
            self._best = progress
            self._base = self._last
            words = set(re.findall(r"\w+", line))
            self._queue = self._neighbours([i for i, name in enumerate(self.names) if name in words])

    def _neighbours(self, named: list[int]) -> Iterator[tuple[int, ...]]:
        base, counts = self._base, self.counts
        for step in range(max(counts, default=0)):
            for position in named:
                if step < counts[position]:
                    yield _changed(base, position, step)
        for step in range(1, _UNIFORM_STEPS):
            yield tuple(min(step, count - 1) for count in counts)
        for step in range(max(counts, default=0)):
            for position, count in enumerate(counts):
                if step < count:
                    yield _changed(base, position, step)
        for number, one in enumerate(named):
            for other in named[number + 1 :]:
                for first in range(min(4, counts[one])):
                    for second in range(min(4, counts[other])):
                        yield _changed(_changed(base, one, first), other, second)


def _changed(point: tuple[int, ...], position: int, index: int) -> tuple[int, ...]:
    return (*point[:position], index, *point[position + 1 :])


def progress_of(raised: Raised, first: int, last: int) -> int:
    """How far a trial came: the furthest row of the target's own text on the way to the error."""
    rows = [frame.line for frame in raised.frames if first <= frame.line <= last]
    return rows[0] if rows else 0
