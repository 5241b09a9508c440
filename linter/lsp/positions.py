"""Places as the protocol counts them, lines from 0 and columns in code units, and as findings do, in characters from 1."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from ..files.source import SourceFile
from ..findings import Location, Span

_WIDTHS = {types.PositionEncodingKind.Utf8: "utf-8", types.PositionEncodingKind.Utf16: "utf-16-le"}
_UNIT = {"utf-8": 1, "utf-16-le": 2}


class Positions:
    """Converts places of one encoding, the one that was agreed on with the client."""

    def __init__(self, encoding: types.PositionEncodingKind | str = types.PositionEncodingKind.Utf16) -> None:
        self._codec = _WIDTHS.get(types.PositionEncodingKind(encoding))

    def units(self, text: str) -> int:
        """The length of a text in code units."""
        if self._codec is None or text.isascii():
            return len(text)
        return len(text.encode(self._codec, "surrogatepass")) // _UNIT[self._codec]

    def characters(self, text: str, units: int) -> int:
        """How many characters the first code units of a line are; one that is cut through counts as before it."""
        if self._codec is None or text.isascii():
            return min(units, len(text))
        data = text.encode(self._codec, "surrogatepass")[: units * _UNIT[self._codec]]
        return len(data.decode(self._codec, "ignore"))

    def position(self, lines: Sequence[str], place: Location) -> types.Position:
        """A place of a finding as a position."""
        row = place.row - 1
        if row >= len(lines):
            return types.Position(row, max(place.column - 1, 0))
        return types.Position(row, self.units(lines[row][: place.column - 1]))

    def range(self, lines: Sequence[str], span: Span) -> types.Range:
        """A span of a finding as a range."""
        return types.Range(self.position(lines, span.start), self.position(lines, span.end))

    def location(self, lines: Sequence[str], position: types.Position) -> Location:
        """A position as a place; beyond the end of a line it is that end, beyond the last line the end of the text."""
        if position.line >= len(lines):
            return end_of(lines)
        line = lines[position.line].rstrip("\r\n")
        return Location(position.line + 1, self.characters(line, position.character) + 1)

    def span(self, lines: Sequence[str], range_: types.Range) -> Span:
        """A range as a span."""
        return Span(self.location(lines, range_.start), self.location(lines, range_.end))

    def changed(self, source: SourceFile, range_: types.Range, text: str) -> str:
        """The text of a file after a range of it is replaced; a range the wrong way round is turned."""
        start, end = sorted(
            source.offset(self.location(source.lines, place)) for place in (range_.start, range_.end)
        )
        return source.text[:start] + text + source.text[end:]


def end_of(lines: Sequence[str]) -> Location:
    """The end of a text."""
    if not lines:
        return Location(1, 1)
    if lines[-1].endswith(("\n", "\r")):
        return Location(len(lines) + 1, 1)
    return Location(len(lines), len(lines[-1]) + 1)


def touches(range_: types.Range, other: types.Range) -> bool:
    """Whether two ranges overlap or meet."""

    def key(place: types.Position) -> tuple[int, int]:
        return (place.line, place.character)

    return key(range_.start) <= key(other.end) and key(other.start) <= key(range_.end)
