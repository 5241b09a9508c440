"""The edit that disables a rule for one line: a `noqa` comment, new or with one more code."""

from __future__ import annotations

from ..findings import Edit, Finding, Location, Span
from ..noqa import COMMENT, Suppressions
from ..source import SourceFile


def disabling_edit(source: SourceFile, finding: Finding) -> Edit | None:
    """Where the comment goes: the end of the finding's line, or of the last one that a string or backslash joins to it.

    None where the line does not exist any more.
    """
    row = finding.span.start.row
    if row > len(source.lines):
        return None
    first, last = Suppressions(tuple(source.lines), whole_file=False).extent(row)
    for candidate in range(first, last + 1):
        comment = COMMENT.search(source.lines[candidate - 1])
        if comment is not None and comment["codes"]:
            end = comment.start("codes") + len(comment["codes"].rstrip(", \t\r\n"))
            return _insertion(candidate, end, f", {finding.code}")
    return _insertion(last, len(source.lines[last - 1].rstrip()), f"  # noqa: {finding.code}")


def _insertion(row: int, offset: int, text: str) -> Edit:
    place = Location(row, offset + 1)
    return Edit(Span(place, place), text)
