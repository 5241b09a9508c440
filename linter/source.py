"""One file as the linter sees it: its text, its tree, and the places of nodes; each worked out on first use."""

from __future__ import annotations

import gc
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from .decoding import Encoding, decode, split_lines
from .findings import Location, Span

if TYPE_CHECKING:
    import libcst as cst

    from .noqa import Suppressions


class SourceFile:
    """A decoded Python file.

    Args:
        text: the whole text, line ends as they are in the file.
        filename: the name that findings report.
        path: where it stands on disk; None for text from elsewhere.
        encoding: how it is stored.
    """

    def __init__(
        self,
        text: str,
        filename: str = "<string>",
        path: Path | None = None,
        encoding: Encoding | None = None,
    ) -> None:
        self.text = text
        self.filename = filename
        self.path = path
        self.encoding = encoding or Encoding()

    @classmethod
    def from_bytes(cls, data: bytes, filename: str, path: Path | None = None) -> SourceFile:
        """Decode what a file holds; raises DecodingError."""
        text, encoding = decode(data)
        return cls(text, filename, path, encoding)

    @classmethod
    def read(cls, path: str | Path, filename: str | None = None) -> SourceFile:
        """Read a file; raises OSError and DecodingError."""
        path = Path(path)
        return cls.from_bytes(path.read_bytes(), filename if filename is not None else str(path), path)

    def __repr__(self) -> str:
        return f"SourceFile({self.filename!r})"

    @cached_property
    def lines(self) -> list[str]:
        """The lines with their ends."""
        return split_lines(self.text)

    @cached_property
    def suppressions(self) -> Suppressions:
        """What the file's `noqa` comments suppress."""
        from .noqa import Suppressions

        return Suppressions.of(self)

    @cached_property
    def module(self) -> cst.Module:
        """The concrete syntax tree; raises libcst.ParserSyntaxError."""
        from libcst import parse_module

        collecting = gc.isenabled()
        gc.disable()  # the parser only allocates: a fifth of its time would go into looking for garbage
        try:
            return parse_module(self.text)
        finally:
            if collecting:
                gc.enable()

    def span_of(self, node: cst.CSTNode) -> Span:
        """Where a node of `module` stands, without the white space and comments around it."""
        start, end = self._places[node]
        return Span(self.location(start), self.location(end))

    def holds(self, node: cst.CSTNode) -> bool:
        """Whether a node is one of this file's tree."""
        return node in self._places

    def location(self, offset: int) -> Location:
        """Row and column of an offset into the text."""
        row = max(bisect_right(self._starts, offset), 1)
        return Location(row, offset - self._starts[row - 1] + 1)

    def offset(self, location: Location) -> int:
        """The offset of a place, which may be the end of the text."""
        if location.row > len(self._starts):
            return len(self.text)
        return min(self._starts[location.row - 1] + location.column - 1, len(self.text))

    def segment(self, span: Span) -> str:
        """The text of a span."""
        return self.text[self.offset(span.start) : self.offset(span.end)]

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0, *accumulate(len(line) for line in self.lines)]
        if self.text and not self.text.endswith(("\n", "\r")):
            starts.pop()
        return starts

    @cached_property
    def _places(self) -> dict[cst.CSTNode, tuple[int, int]]:
        from .positions import places

        return places(self.module)
