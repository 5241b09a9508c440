"""A finding's lines of source, with its extent marked below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..findings import Span
from .style import Painter

_WIDEST = 160


def frame(span: Span, lines: Sequence[str], paint: Painter) -> Iterator[str]:
    """The first line of a span between gutters, its extent underlined; nothing where there is no such line."""
    row, column = span.start.row, span.start.column
    if not 0 < row <= len(lines):
        return
    line = lines[row - 1].rstrip("\r\n")
    end = span.end.column - 1 if span.end.row == row else len(line.rstrip())
    shown, offset = _window(line, column - 1)
    before = _spaces(shown[: column - 1 - offset])
    width = max(min(end, offset + len(shown)) - (column - 1), 1)
    number = str(row)
    gutter = paint(f"{' ' * len(number)} |", "gutter")
    yield gutter
    yield f"{paint(f'{number} |', 'gutter')} {_visible(shown)}"
    yield f"{gutter} {before}{paint('^' * width, 'mark')}"


def _window(line: str, column: int) -> tuple[str, int]:
    """The part of a long line around a column, and where it begins."""
    if len(line) <= _WIDEST:
        return line, 0
    start = max(0, min(column - _WIDEST // 3, len(line) - _WIDEST))
    return line[start : start + _WIDEST], start


def _spaces(text: str) -> str:
    return "".join("\t" if character == "\t" else " " * _cells(character) for character in text)


def _cells(character: str) -> int:
    from unicodedata import combining, east_asian_width

    if character.isascii():
        return 1
    if combining(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def _visible(text: str) -> str:
    """Control characters would move the terminal's cursor, or worse."""
    return "".join(
        character if character.isprintable() or character == "\t" else "\ufffd" for character in text
    )
