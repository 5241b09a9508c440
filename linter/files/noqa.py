"""`# noqa` comments, read as flake8 reads them."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..findings import Finding

if TYPE_CHECKING:
    from .source import SourceFile

_CODE = r"[A-Z]+[0-9]+"
COMMENT = re.compile(rf"# noqa(?::\s?(?P<codes>(?:{_CODE}[,\s]*)+))?", re.IGNORECASE)
"""A comment that suppresses findings, with the codes that it names, if any."""
_FILE = re.compile(r"\s*# flake8[:=]\s*noqa", re.IGNORECASE)
_SEPARATOR = re.compile(r"[,\s]+")
_LAYOUT = (tokenize.ENDMARKER, tokenize.DEDENT)
_ENDS = (tokenize.NL, tokenize.NEWLINE)


@dataclass(frozen=True)
class Suppressions:
    """The `noqa` comments of one file.

    A comment counts for the physical line that it stands on and, where a string or a backslash continues that line,
    for all the lines that belong together.  `# flake8: noqa` on a line of its own counts for the whole file.
    """

    lines: tuple[str, ...]
    whole_file: bool

    @classmethod
    def of(cls, source: SourceFile) -> Suppressions:
        """The comments of a file; cheap where its text has none."""
        if "noqa" not in source.text.lower():
            return cls((), whole_file=False)
        return cls(tuple(source.lines), any(_FILE.match(line) for line in source.lines))

    def suppresses(self, finding: Finding) -> bool:
        """Whether a comment tells not to report this finding."""
        return self.whole_file or self.at(finding.span.start.row, finding.code)

    def at(self, row: int, code: str) -> bool:
        """Whether a comment suppresses a code on this row."""
        if not 0 < row <= len(self.lines):
            return False
        first, last = self.extent(row)
        found = COMMENT.search("".join(self.lines[first - 1 : last]))
        if found is None:
            return False
        if found["codes"] is None:
            return True
        return code.startswith(tuple(part for part in _SEPARATOR.split(found["codes"]) if part))

    def extent(self, row: int) -> tuple[int, int]:
        """The first and the last of the rows that a comment for this row may stand on."""
        return self._ranges.get(row, (row, row))

    @cached_property
    def _ranges(self) -> dict[int, tuple[int, int]]:
        """The rows that belong together, for rows that do not stand alone."""
        try:
            return {row: (first, last) for first, last in self._joined() for row in range(first, last + 1)}
        except (tokenize.TokenError, SyntaxError):
            return {}

    def _joined(self) -> Iterator[tuple[int, int]]:
        first, last = len(self.lines) + 2, -1
        for token in tokenize.generate_tokens(iter(self.lines).__next__):
            if token.type in _LAYOUT:
                continue
            first, last = min(first, token.start[0]), max(last, token.end[0])
            if token.type in _ENDS:
                if last > first:
                    yield first, last
                first, last = len(self.lines) + 2, -1
