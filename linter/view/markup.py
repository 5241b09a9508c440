"""A file's text as HTML: one element a line, the expressions nested inside, those of several lines begun anew."""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..files.source import SourceFile

_SOFT = frozenset(keyword.softkwlist) - {"_", "type"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the text, by offsets, that becomes one element in each line that it touches.

    `tag` names the element; `attributes` stand in every line, `first` (an id) in the first alone.
    """

    start: int
    end: int
    tag: str
    attributes: str = ""
    first: str = ""

    def opening(self, *, again: bool) -> str:
        """The opening tag."""
        first = "" if again or not self.first else f" id={self.first}"
        return f"<{self.tag}{first}{self.attributes}>"

    def closing(self) -> str:
        """The closing tag."""
        return f"</{self.tag}>"


def lines(source: SourceFile, pieces: Iterable[Piece]) -> Iterator[str]:
    """The inner HTML of each line, without its end."""
    waiting = _nested(pieces)
    upcoming = next(waiting, None)
    open_: list[Piece] = []
    position = 0
    for line in source.lines:
        end = position + len(line)
        stop = position + len(line.rstrip("\r\n"))
        out = [piece.opening(again=True) for piece in open_]
        while True:
            until = open_[-1].end if open_ else end
            if upcoming is not None and upcoming.start < min(until, end):
                out.append(_text(source, position, upcoming.start, stop))
                position = max(position, upcoming.start)
                out.append(upcoming.opening(again=False))
                open_.append(upcoming)
                upcoming = next(waiting, None)
            elif open_ and until <= end:
                out.append(_text(source, position, until, stop))
                position = max(position, until)
                out.append(open_.pop().closing())
            else:
                break
        out.append(_text(source, position, end, stop))
        out += [piece.closing() for piece in reversed(open_)]
        position = end
        yield "".join(out)


def words(source: SourceFile) -> Iterator[Piece]:
    """Keywords (`b`) and comments (`i`); as far as the text can be read as Python."""
    starts = [0]
    for line in source.lines:
        starts.append(starts[-1] + len(line))
    soft_line = -1
    try:
        for token in tokenize.generate_tokens(io.StringIO(source.text, newline="").readline):
            row, column = token.start
            start = starts[row - 1] + column
            end = start + len(token.string)
            if token.type == tokenize.COMMENT:
                yield Piece(start, end, "i")
            elif token.type == tokenize.NAME:
                first_of_line = row != soft_line and not source.text[starts[row - 1] : start].strip()
                soft_line = row if first_of_line else soft_line
                soft = first_of_line and token.string in _SOFT and token.line.rstrip().endswith(":")
                if keyword.iskeyword(token.string) or soft:
                    yield Piece(start, end, "b")
    except (tokenize.TokenError, SyntaxError, IndexError):
        return


def _nested(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces in the order in which they open; one that would end after the piece around it ends with it."""
    around: list[Piece] = []
    for piece in sorted(pieces, key=lambda piece: (piece.start, -piece.end)):
        while around and around[-1].end <= piece.start:
            around.pop()
        end = min(piece.end, around[-1].end) if around else piece.end
        if end > piece.start:
            kept = (
                piece
                if end == piece.end
                else Piece(piece.start, end, piece.tag, piece.attributes, piece.first)
            )
            around.append(kept)
            yield kept


def _text(source: SourceFile, start: int, end: int, stop: int) -> str:
    """The text between two offsets, escaped, up to the end of the line; control characters made visible."""
    text = source.text[start : min(end, stop)]
    if not text.isprintable():
        text = "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in text)
    return escape(text, quote=False)
