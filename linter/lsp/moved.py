"""What was known of a text that is being typed in: where it stands in one that is no Python for the moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..files.source import SourceFile
from ..findings import Finding, Location, Span, Step
from ..observation import Observation
from .positions import end_of


def unchanged(old: Sequence[object], new: Sequence[object]) -> tuple[int, int]:
    """How many lines, or characters, of two texts are the same at their beginnings, and at their ends."""
    shorter = min(len(old), len(new))
    top = 0
    while top < shorter and old[top] == new[top]:
        top += 1
    bottom = 0
    while bottom < shorter - top and old[-1 - bottom] == new[-1 - bottom]:
        bottom += 1
    return top, bottom


@dataclass(frozen=True)
class Move:
    """What stands before `first` stays where it is, what stands from `old` on moves to `new`, what is between is gone."""

    before: SourceFile
    after: SourceFile
    first: Location
    old: Location
    new: Location

    @classmethod
    def between(cls, before: SourceFile, after: SourceFile) -> Move:
        """The move from one text to a later one."""
        top, bottom = unchanged(before.lines, after.lines)
        was, now = (source.lines[top : len(source.lines) - bottom] for source in (before, after))
        if not was or not now:  # whole lines have come or gone
            first = Location(top + 1, 1)
            return cls(before, after, first, Location(top + len(was) + 1, 1), Location(top + len(now) + 1, 1))
        start, _ = unchanged(was[0], now[0])
        rests = (was[-1][start if len(was) == 1 else 0 :], now[-1][start if len(now) == 1 else 0 :])
        end, _ = unchanged(*(rest[::-1] for rest in rests))
        return cls(
            before,
            after,
            Location(top + 1, start + 1),
            Location(top + len(was), len(was[-1]) - end + 1),
            Location(top + len(now), len(now[-1]) - end + 1),
        )

    def findings(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Those findings of the earlier text whose own text is still there, at their places in the later one, without fixes."""
        for finding in findings:
            span = self.span(finding.span)
            if span is not None:
                yield replace(finding, span=span, provenance=self._steps(finding.provenance), fixes=())

    def observations(self, observations: Iterable[Observation]) -> Iterator[Observation]:
        """The same for what is known of expressions."""
        for one in observations:
            span = self.span(one.span)
            if span is not None:
                yield replace(one, span=span, provenance=self._steps(one.provenance))

    def span(self, span: Span) -> Span | None:
        """Where some text stands now; None if it is not the same any more."""
        if span.end <= self.first:
            return None if span.end == self.first and self._cuts_word(self.first) else span
        if span.start >= self.old:
            cut = span.start == self.old and self._cuts_word(self.new)
            return None if cut else Span(self._moved(span.start), self._moved(span.end))
        return None

    def _steps(self, steps: Iterable[Step]) -> tuple[Step, ...]:
        return tuple(
            replace(step, location=place)
            for step in steps
            if (
                place := self._place(step.location) if step.filename == self.after.filename else step.location
            )
        )

    def _place(self, place: Location) -> Location | None:
        if place < self.first:
            return place
        return self._moved(place) if place >= self.old else None

    def _moved(self, place: Location) -> Location:
        column = place.column + (self.new.column - self.old.column if place.row == self.old.row else 0)
        return Location(place.row + self.new.row - self.old.row, column)

    def _cuts_word(self, place: Location) -> bool:
        """Whether a place of the later text is in the middle of a word: what ended or began there is another one now."""
        line = self.after.lines[place.row - 1] if place < end_of(self.after.lines) else ""
        around = line[max(place.column - 2, 0) : place.column]
        return len(around) == 2 and f"_{around}".isidentifier()
