"""Edits that disable rules by `noqa` comments: for one finding in an editor, or for all findings of a file."""

from __future__ import annotations

from collections.abc import Iterable

from ..files.noqa import COMMENT, Suppressions
from ..files.source import SourceFile
from ..findings import Edit, Finding, Fix, Location, Span
from .apply import edited


def disabling_edit(source: SourceFile, finding: Finding) -> Edit | None:
    """The edit that disables a finding's rule for its line; None where the line does not exist any more."""
    return _edit(source, finding.span.start.row, [finding.code])


def disabled(source: SourceFile, findings: Iterable[Finding]) -> tuple[str, int]:
    """The text with comments that disable all these findings, and how many lines were given one."""
    everywhere = Suppressions(tuple(source.lines), whole_file=False)
    wanted: dict[tuple[int, int], dict[str, None]] = {}
    for finding in findings:
        wanted.setdefault(everywhere.extent(finding.span.start.row), {})[finding.code] = None
    edits = [edit for (row, _), codes in wanted.items() if (edit := _edit(source, row, sorted(codes)))]
    return edited(source, [Fix("disable", tuple(edits))]), len(edits)


def _edit(source: SourceFile, row: int, codes: list[str]) -> Edit | None:
    """Adds codes to the comment of a line, or of those that a string or backslash joins to it, or a new comment."""
    if row > len(source.lines):
        return None
    first, last = Suppressions(tuple(source.lines), whole_file=False).extent(row)
    listed = ", ".join(codes)
    for candidate in range(first, last + 1):
        comment = COMMENT.search(source.lines[candidate - 1])
        if comment is not None and comment["codes"]:
            end = comment.start("codes") + len(comment["codes"].rstrip(", \t\r\n"))
            return _insertion(candidate, end, f", {listed}")
    return _insertion(last, len(source.lines[last - 1].rstrip()), f"  # noqa: {listed}")


def _insertion(row: int, offset: int, text: str) -> Edit:
    place = Location(row, offset + 1)
    return Edit(Span(place, place), text)
