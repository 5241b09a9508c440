"""A stretch of a file's lines, addressed as Python's tree does: by rows, and by columns that count UTF-8 bytes."""

from __future__ import annotations

import ast
from collections.abc import Sequence
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
        row, column = node.lineno, node.col_offset
        decorators = getattr(node, "decorator_list", None)
        if decorators:
            row = decorators[0].lineno
            before = self.lines[row - self.first].partition("@")[0]
        else:
            before = self.lines[row - self.first][:column]
        return before if not before or before.isspace() else None

    def rows(self, first: int, last: int) -> str:
        """The text of whole rows, both included."""
        return "".join(self.lines[first - self.first : last - self.first + 1])


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
