"""One file as the linter sees it: its text, its tree, and the places of nodes; each worked out on first use."""

from __future__ import annotations

import ast
import warnings
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
    from .syntax import LaterBlock


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
    def tree(self) -> ast.Module:
        """Python's own syntax tree; raises SyntaxError, and what else `ast.parse` raises."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of invalid escapes: not ours to report
            return ast.parse(self.text)

    @cached_property
    def parses(self) -> bool:
        """Whether the text is Python."""
        try:
            _ = self.tree
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        return True

    @cached_property
    def module(self) -> cst.Module:
        """The concrete syntax tree, parsed as far as it is looked into.

        Raises libcst.ParserSyntaxError, and `syntax.TooMuchCode`.
        """
        from .outline import Outline
        from .syntax import parse

        outline = Outline.of(self.tree, self.lines, self._starts) if self.parses else None
        self.__dict__.pop("tree", None)  # it has served
        return parse(self.text, outline)

    def raise_if_unparsable(self) -> None:
        """Raises libcst.ParserSyntaxError if a part of `module` that was looked into is no Python that libcst knows."""
        from libcst import ParserSyntaxError

        for block in self._later:
            if isinstance(block.failure, ParserSyntaxError):
                row = self.location(block.place.start).row - block.place.depth - 1
                raise ParserSyntaxError(
                    block.failure.message,
                    lines=self.lines,
                    raw_line=block.failure.raw_line + row,
                    raw_column=block.failure.raw_column,
                )

    @property
    def left_out(self) -> str | None:
        """Why some code that was to be looked into was not, if so."""
        from .syntax import TooMuchCode

        return next(
            (str(block.failure) for block in self._later if isinstance(block.failure, TooMuchCode)), None
        )

    def span_of(self, node: cst.CSTNode) -> Span:
        """Where a node of `module` stands, without the white space and comments around it."""
        place = self._place(node)
        if place is None:
            raise KeyError(node)
        return Span(self.location(place[0]), self.location(place[1]))

    def holds(self, node: cst.CSTNode) -> bool:
        """Whether a node is one of this file's tree."""
        return self._place(node) is not None

    def _place(self, node: cst.CSTNode) -> tuple[int, int] | None:
        known = self._places.get(node)
        if known is None and (fresh := [block for block in self._unplaced if block.parsed]):
            from .positions import places_within

            for block in fresh:
                self._unplaced.remove(block)
                self._places |= places_within(block, self.module)
            known = self._places.get(node)
        return known

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
    def line_ends(self) -> list[int]:
        """The offset that each line ends at, behind its line end."""
        return [*accumulate(len(line) for line in self.lines)]

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0, *self.line_ends]
        if self.text and not self.text.endswith(("\n", "\r")):
            starts.pop()
        return starts

    @cached_property
    def _places(self) -> dict[cst.CSTNode, tuple[int, int]]:
        from .positions import places

        return places(self.module)

    @cached_property
    def _later(self) -> list[LaterBlock]:
        from .syntax import later_blocks

        return list(later_blocks(self.module))

    @cached_property
    def _unplaced(self) -> list[LaterBlock]:
        return list(self._later)
