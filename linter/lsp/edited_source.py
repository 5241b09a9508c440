"""The next version of a text that was parsed before: statements whose text is the same keep their nodes.

What has been parsed of a function, where its nodes stand in it, and whatever the analysis remembers of them by identity
is good for the next keystroke too.  Only statements of the module itself are taken over, whole: with their comments,
and with what stands between them and the next one, since libcst may count that to either.

Taking nodes over moves them: a version must not be looked into any more once a later one has been.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ..positions import places_within
from ..source import SourceFile
from ..syntax import LaterBlock, later_blocks

if TYPE_CHECKING:
    import libcst as cst

    from ..positions import Places


class EditedSource(SourceFile):
    """A text in the editor; `before` is the version of it that was there until now."""

    def __init__(
        self, text: str, filename: str, path: Path | None, before: EditedSource | None = None
    ) -> None:
        super().__init__(text, filename, path)
        self._before: EditedSource | None = before
        if before is not None and "module" not in before.__dict__:
            self._before = before._before
        self._rows: list[tuple[int, int]] = []
        self._within: dict[LaterBlock, Places] = {}
        """Where the nodes of a body stand, counted from where it begins."""

    @cached_property
    def module(self) -> cst.Module:
        """The concrete syntax tree, with the nodes of the version before where nothing has changed."""
        if self.parses:
            self._rows = list(_rows(self.tree))
        module: cst.Module = SourceFile.module.func(self)  # type: ignore[attr-defined]
        before, self._before = self._before, None
        if before is not None and len(self._rows) == len(module.body):
            object.__setattr__(module, "body", tuple(self._taken_over(module, before)))
        return module

    def _taken_over(self, module: cst.Module, before: EditedSource) -> Iterator[cst.CSTNode]:
        old = before.module
        known: dict[str, list[int]] = {}
        alike = (old.default_indent, old.default_newline) == (module.default_indent, module.default_newline)
        if alike and len(before._rows) == len(old.body):
            for index in range(1, len(old.body)):  # the comments above the first one are the module's
                known.setdefault(before._extract(index), []).append(index)
        for index, statement in enumerate(module.body):
            same = known.get(self._extract(index)) if index and not self._is_entangled(index) else None
            if not same:
                yield statement
                continue
            kept = old.body[same.pop(0)]
            for block, fresh in zip(_later(kept), _later(statement), strict=True):
                object.__setattr__(block, "place", fresh.place)
                if block in before._within:
                    self._within[block] = before._within[block]
            yield kept

    def _extract(self, index: int) -> str:
        """A statement with all that stands between it and its neighbours."""
        last = len(self.lines) if index + 1 == len(self._rows) else self._rows[index + 1][0] - 1
        return "".join(self.lines[self._rows[index - 1][1] : last])

    def _is_entangled(self, index: int) -> bool:
        """Whether an indented comment stands above a statement: it belongs to the block above, if there is one."""
        above = self.lines[self._rows[index - 1][1] : self._rows[index][0] - 1]
        return any(line[0] in " \t\f" and line.lstrip().startswith("#") for line in above)

    def _place(self, node: cst.CSTNode) -> tuple[int, int] | None:
        known = self._places.get(node)
        if known is not None:
            return known
        for block in self._later:
            if block.parsed:
                within = self._within.get(block)
                start = block.place.start
                if within is None:
                    found = places_within(block, self.module)
                    within = self._within[block] = {n: (a - start, b - start) for n, (a, b) in found.items()}
                place = within.get(node)
                if place is not None:
                    return place[0] + start, place[1] + start
        return None


def _rows(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """The first and the last row of each statement of a module; what shares a line is one."""
    first = last = 0
    for statement in tree.body:
        decorators = getattr(statement, "decorator_list", ())
        start = min((statement.lineno, *(one.lineno for one in decorators)))
        end = statement.end_lineno or statement.lineno
        if start > last:
            if last:
                yield first, last
            first = start
        last = max(last, end)
    if last:
        yield first, last


def _later(statement: cst.CSTNode) -> Iterator[LaterBlock]:
    import libcst as cst

    return later_blocks(cst.Module([statement]))  # type: ignore[list-item]
