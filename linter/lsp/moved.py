"""Findings of a text that is being typed in: where they stand in one that is no Python for the moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..findings import Finding, Location, Span
from ..source import SourceFile


def unchanged(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many lines of two texts are the same at their beginnings, and at their ends."""
    shorter = min(len(old), len(new))
    top = 0
    while top < shorter and old[top] == new[top]:
        top += 1
    bottom = 0
    while bottom < shorter - top and old[-1 - bottom] == new[-1 - bottom]:
        bottom += 1
    return top, bottom


def moved(findings: Sequence[Finding], before: SourceFile, after: SourceFile) -> Iterator[Finding]:
    """Those findings of a text that stand in lines which a later one still has, at their places in it, without fixes."""
    move = _Move.between(before, after)
    for finding in findings:
        span = move.span(finding.span)
        if span is not None:
            steps = (
                replace(step, location=place)
                for step in finding.provenance
                if (place := move.place(step.location) if step.filename == after.filename else step.location)
            )
            yield replace(finding, span=span, provenance=tuple(steps), fixes=())


@dataclass(frozen=True)
class _Move:
    """Rows up to `top` stay, those from `bottom` on move by `by`, what is between is gone."""

    top: int
    bottom: int
    by: int

    @classmethod
    def between(cls, before: SourceFile, after: SourceFile) -> _Move:
        top, bottom = unchanged(before.lines, after.lines)
        return cls(top, len(before.lines) - bottom + 1, len(after.lines) - len(before.lines))

    def place(self, place: Location) -> Location | None:
        if place.row <= self.top:
            return place
        return replace(place, row=place.row + self.by) if place.row >= self.bottom else None

    def span(self, span: Span) -> Span | None:
        start, end = self.place(span.start), self.place(span.end)
        whole = span.end.row <= self.top or span.start.row >= self.bottom
        return Span(start, end) if start is not None and end is not None and whole else None
