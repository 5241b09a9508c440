"""One file as the linter sees it: its text, its tree, and the places of nodes; each worked out on first use."""

from __future__ import annotations

import ast
import warnings
from bisect import bisect_right
from functools import cached_property
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from ..findings import Location, Span
from .decoding import Encoding, decode, split_lines

if TYPE_CHECKING:
    import libcst as cst

    from ..syntax.units import Unit
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
        self.digest: str | None = None
        """The SHA-256 of the bytes that the text was decoded from."""
        self.units: list[tuple[int, Unit]] = []
        """The statements of `module`, each with the row that its text begins with."""
        self._laid_out: bool | None = None
        self._numbers: dict[int, int] = {}
        """The unit that each node is in, by the node's identity; ..."""
        self._counted: dict[int, int] = {}
        """... and how many nodes of each unit are in it."""

    @classmethod
    def from_bytes(cls, data: bytes, filename: str, path: Path | None = None) -> SourceFile:
        """Decode what a file holds; raises DecodingError."""
        text, encoding = decode(data)
        source = cls(text, filename, path, encoding)
        source.digest = sha256(data).hexdigest()
        return source

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
        """What the text means, as libcst's nodes; their layout is missing until `lay_out`.

        Raises SyntaxError, what else `ast.parse` raises, and `syntax.allowance.TooMuchCode`.
        """
        import libcst as cst

        from ..collector import held_back
        from ..syntax.allowance import Allowance
        from ..syntax.units import units_of

        with held_back():
            self.units = list(units_of(self.tree, self.lines, self._known_units(), Allowance()))
        self.__dict__.pop("tree", None)  # it has served
        indent = next((unit.indent for _, unit in self.units if unit.indent), "    ")
        newline = next((end for end in ("\r\n", "\n", "\r") if end in self.text), "\n")
        return cst.Module(
            [unit.statement for _, unit in self.units], default_indent=indent, default_newline=newline
        )

    def _known_units(self) -> dict[str, list[Unit]]:
        """Units that may be taken over, by their text."""
        return {}

    def lay_out(self) -> bool:
        """Gives all nodes of `module` their layout, once; tells whether that was possible."""
        from libcst import CSTValidationError, ParserSyntaxError

        from ..syntax.allowance import MAX_LAID_OUT

        if self._laid_out is None:
            self._laid_out = len(self.text) <= MAX_LAID_OUT
            try:
                for _, unit in self.units if self._laid_out else ():
                    unit.lay_out(self.module.default_newline)
            except (
                CSTValidationError,
                ParserSyntaxError,
            ):  # libcst refuses some code that Python takes: `not.0`
                self._laid_out = False
        return self._laid_out

    @property
    def left_out(self) -> str | None:
        """Why some code that was to be looked into was not, if so."""
        failures = (block.failure for _, unit in self.units for block in unit.later)
        return next((str(failure) for failure in failures if failure is not None), None)

    def span_of(self, node: cst.CSTNode) -> Span:
        """Where a node of `module` stands, without the white space and comments around it; raises KeyError."""
        found = self._unit_of(node)
        if found is None:
            raise KeyError(type(node).__name__)  # without layout it cannot be shown
        row, unit = found
        start, end = unit.place(node)
        offset = self._starts[row - 1]
        return Span(self.location(offset + start), self.location(offset + end))

    def holds(self, node: cst.CSTNode) -> bool:
        """Whether a node is one of this file's tree."""
        return self._unit_of(node) is not None

    def _unit_of(self, node: cst.CSTNode) -> tuple[int, Unit] | None:
        """The unit that a node is in, with the row that this begins with."""
        identity = id(node)
        if identity not in self._numbers:
            for number, (_, unit) in enumerate(self.units):
                if self._counted.get(number) != len(unit.identities):  # more of it was looked into
                    self._numbers.update(dict.fromkeys(unit.identities, number))
                    self._counted[number] = len(unit.identities)
        found = self._numbers.get(identity)
        if found is None or identity not in self.units[found][1].identities:
            return None
        return self.units[found]

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
        starts = [0, *accumulate(map(len, self.lines))]
        if self.text and not self.text.endswith(("\n", "\r")):
            starts.pop()
        return starts
