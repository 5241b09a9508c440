"""The next version of a text: statements of the module whose text is the same keep their nodes.

What has been looked into of a function, and whatever the analysis remembers of its nodes by identity, is good for the
next keystroke too.
"""

from __future__ import annotations

import ast
import warnings
from collections import defaultdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ..files.source import SourceFile
from ..python_tree import first_row
from .moved import unchanged

if TYPE_CHECKING:
    from ..syntax.units import Unit

MAX_KEPT = 500_000
"""Characters of a text whose tree is kept for the next keystroke."""


class EditedSource(SourceFile):
    """A text in the editor; `before` is the version of it that was there until now."""

    def __init__(
        self, text: str, filename: str, path: Path | None, before: EditedSource | None = None
    ) -> None:
        super().__init__(text, filename, path)
        self._before: EditedSource | None = before
        if before is not None and "module" not in before.__dict__:
            self._before = before._before  # that version was never looked into
        self._statements: list[ast.stmt] | None = None

    @cached_property
    def tree(self) -> ast.Module:
        """Python's own syntax tree; where rows have changed, only the statements in them are parsed."""
        if self._statements is None:
            self._statements = self._parsed_where_changed()
        if self._statements is None:
            whole = super().tree
            self._statements = whole.body if len(self.text) <= MAX_KEPT else None
            return whole
        return ast.Module(self._statements, type_ignores=[])

    def _parsed_where_changed(self) -> list[ast.stmt] | None:
        """The statements of the text, those of the version before where their rows are the same; None if that cannot be told.

        Rows may have changed, but neither come nor gone: nodes know their rows.
        """
        before, lines = self._before, self.lines
        if before is None or before._statements is None or len(before.lines) != len(lines):
            return None
        known = before._statements
        top, bottom = unchanged(before.lines, lines)
        start = next((n for n, node in enumerate(known) if _last_row(node) > top), len(known))
        stop = next((n for n, node in enumerate(known) if first_row(node) > len(lines) - bottom), len(known))
        while 0 < start < len(known) and _last_row(known[start - 1]) >= first_row(known[start]):
            start -= 1  # they share a row
        while 0 < stop < len(known) and first_row(known[stop]) <= _last_row(known[stop - 1]):
            stop += 1
        above = _last_row(known[start - 1]) if start else 0
        below = first_row(known[stop]) - 1 if stop < len(known) else len(lines)
        if above and lines[above - 1].rstrip("\r\n").endswith("\\"):
            return None  # what follows may belong to it
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                changed = ast.parse("".join(lines[above:below])).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None  # perhaps it goes on below, or belongs to what stands above
        for node in changed:
            ast.increment_lineno(node, above)
        return [*known[:start], *changed, *known[stop:]]

    def _known_units(self) -> dict[str, list[Unit]]:
        known: dict[str, list[Unit]] = defaultdict(list)
        before, self._before = self._before, None
        if before is not None and "module" in before.__dict__:
            for _, unit in before.units:
                known[unit.text].append(unit)
        return known


def _last_row(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno
