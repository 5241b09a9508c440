"""A stretch of a file's lines, addressed as Python's tree does: by rows, and by columns that count UTF-8 bytes."""

from __future__ import annotations

import ast
import re
import tokenize
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from itertools import accumulate
from typing import Any


class Text:
    """Lines with their ends; `first` is the row that the first of them had when Python parsed the file."""

    def __init__(self, lines: Sequence[str], first: int) -> None:
        self.lines = lines
        self.first = first

    @cached_property
    def whole(self) -> str:
        """All the lines."""
        return "".join(self.lines)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(map(len, self.lines))]

    @cached_property
    def spellings(self) -> dict[str, list[str]]:
        """How names are written that Python normalizes, by what it makes of them."""
        found: dict[str, list[str]] = {}
        if not self.whole.isascii():
            for word in dict.fromkeys(_WORD.findall(self.whole)):
                name = unicodedata.normalize("NFKC", word)
                if name != word and word.isidentifier():  # `f₁` in a comment is no name
                    found.setdefault(name, []).append(word)
        return found

    def offset(self, row: int, column: int) -> int:
        """The offset of a place into `whole`."""
        line = self.lines[row - self.first]
        if not line.isascii():
            column = len(line.encode()[:column].decode(errors="ignore"))
        return self._starts[row - self.first] + column

    def start(self, node: Any) -> int:
        """The offset that a node of Python's tree begins at."""
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: Any) -> int:
        """The offset that a node of Python's tree ends at."""
        return self.offset(node.end_lineno, node.end_col_offset)

    def of(self, node: Any) -> str:
        """The text of a node of Python's tree."""
        return self.whole[self.start(node) : self.end(node)]

    def begins(self, node: Any, word: str) -> bool:
        """Whether the text at a node of Python's tree begins with a word."""
        return self.whole.startswith(word, self.start(node))

    def margin(self, node: Any) -> str | None:
        """The white space before a statement, its decorators included, that begins its line; None for others."""
        row = node.lineno
        before = self.lines[row - self.first][: node.col_offset]
        decorators = getattr(node, "decorator_list", None)
        if decorators:
            row = decorators[0].lineno
            while not self.lines[row - self.first].lstrip().startswith("@"):
                row -= 1  # `@(` and `@\\` may end a line
            before = self.lines[row - self.first].partition("@")[0]
        while self.joined(row):
            row -= 1
            before = self.lines[row - self.first].rstrip("\\\r\n") + before
        return before if not before or before.isspace() else None

    def joined(self, row: int) -> bool:
        """Whether a backslash joins a row, other than one inside a string, to the one before."""
        before = row - 1 - self.first
        line = self.lines[before].rstrip("\r\n") if 0 <= before < len(self.lines) else ""
        return line.endswith("\\") and not ("#" in line and row - 1 in self._commented)

    @cached_property
    def _commented(self) -> frozenset[int]:
        """The rows that end in a comment."""
        rows = set()
        with suppress(tokenize.TokenError, SyntaxError):
            for token in tokenize.generate_tokens(iter([*self.lines, ""]).__next__):
                if token.type == tokenize.COMMENT:
                    rows.add(token.start[0] + self.first - 1)
        return frozenset(rows)

    def last_row(self, node: Any) -> int:
        """The last row of the line that a statement stands on, which backslashes may continue."""
        row: int = node.end_lineno
        while self.joined(row + 1):
            row += 1
        return row

    def rows(self, first: int, last: int) -> str:
        """The text of whole rows, both included."""
        return "".join(self.lines[first - self.first : last - self.first + 1])


_WORD = re.compile(r"\w+")
_GAP = re.compile(r"(?:\s|\\\r?\n|#[^\r\n]*)*")
_MARK = re.compile(r"#[^\r\n]*|[^\s\\]")


def gap_end(text: str, start: int) -> int:
    """Where the white space and comments end that stand at an offset of a text."""
    found = _GAP.match(text, start)
    return start if found is None else found.end()


def last_mark_end(text: str, start: int, end: int) -> int:
    """Where the last sign ends that stands between two offsets of a text, outside strings, and is in no comment."""
    return max((mark.end() for mark in _MARK.finditer(text, start, end) if mark[0][0] != "#"), default=start)


def is_parenthesized(text: Text, node: ast.expr | ast.pattern) -> bool:
    """Whether the extent that Python gives a tuple, or a pattern of a sequence, includes its parentheses."""
    written = text.of(node)
    if not (written.startswith("(") and written.endswith(")")):
        return False
    try:
        inside = f"[{written[1:-1]}\n]"  # brackets, so that lines may end inside
        ast.parse(inside if isinstance(node, ast.expr) else f"match 0:\n case {inside}: pass")
    except (SyntaxError, ValueError):
        return False
    return True
