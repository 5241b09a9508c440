"""A file in units: the statements of its module, each with the text that belongs to it and the places of its nodes.

A unit does not know where in the file it stands, so the next version of an edited file keeps the units whose text is the
same, and with them all that the analysis remembers of their nodes by identity.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import libcst as cst

from ..collector import held_back
from .allowance import Allowance
from .layout import end_lines, fill
from .places import Recorder, place_of
from .statements import LaterBlock, Statements
from .text import Text


class Unit:
    """One statement of a module, or several that share a line.

    Args:
        nodes: the statements in Python's tree.
        lines: their rows, with those between them and the statement before.
        first: the row that these begin with in the file.
        allowance: how much of the file may still be looked into.
    """

    def __init__(
        self, nodes: Sequence[ast.stmt], lines: Sequence[str], first: int, allowance: Allowance
    ) -> None:
        self._text = Text(lines, first)
        self._maker = Statements(self._text, allowance)
        self._recorder: Recorder | None = None
        self.statement: Any = self._maker.statements(nodes)[0]
        allowance.take(len(self.text) - sum(len(block.text) for block in self.later), self._outside)

    @property
    def text(self) -> str:
        """Its rows."""
        return self._text.whole

    @property
    def first(self) -> int:
        """The row that it began with when Python parsed the file."""
        return self._text.first

    @property
    def indent(self) -> str:
        """The white space before its first block; empty if it has none."""
        return self._maker.indent

    @property
    def later(self) -> Sequence[LaterBlock]:
        """The bodies of functions in it that stand in no other."""
        return self._maker.outer

    @property
    def identities(self) -> Collection[int]:
        """The identities of its nodes; more are added when a body is looked into."""
        return self._maker.origins if self._recorder is None else self._recorder.found

    @property
    def laid_out(self) -> bool:
        """Whether its nodes have their layout."""
        return self._recorder is not None

    def place(self, node: cst.CSTNode) -> tuple[int, int]:
        """Start and end of one of its nodes, as offsets into its text."""
        if self._recorder is not None:
            return self._recorder.found[id(node)]
        return place_of(node, self._maker.origins[id(node)], self._text)

    def _outside(self) -> str:
        """What stands in no body that is left for later."""
        pieces, done = [], self.first
        for block in self.later:
            pieces.append(self._text.rows(done, block.statements[0].lineno - 1))
            done = block.last_row + 1
        return "".join(pieces) + "".join(self._text.lines[done - self.first :])

    def lay_out(self, newline: str) -> None:
        """Has libcst parse its text, and gives its nodes their layout.

        `newline` is how the file's lines end.  Raises libcst.ParserSyntaxError.
        """
        if self.laid_out:
            return
        with held_back():
            parsed = cst.parse_module(self.text)
            if parsed.default_newline != newline:
                end_lines(parsed, parsed.default_newline)
            self._maker.retired += fill(self.statement, parsed.body[0], parsed.default_indent)
        recorder = Recorder(parsed.default_indent, parsed.default_newline)
        for line in parsed.header:
            line._codegen(recorder)
        recorder.found.clear()  # these lines are in no tree: others may get their identities
        self.statement._codegen(recorder)
        self._recorder = recorder


def units_of(
    tree: ast.Module, lines: Sequence[str], known: dict[str, list[Unit]], allowance: Allowance
) -> Iterator[tuple[int, Unit]]:
    """The units of a file, each with the row that it begins with; those `known` by their text are taken from there."""
    text = Text(lines, 1)
    begin = 1
    waiting: list[ast.stmt] = []
    for index, node in enumerate(tree.body):
        waiting.append(node)
        last = text.last_row(node)
        if index + 1 < len(tree.body) and tree.body[index + 1].lineno <= last:
            continue
        rows = lines[begin - 1 : last]
        same = known.get("".join(rows)) if known else None
        yield begin, same.pop(0) if same else Unit(waiting, rows, begin, allowance)
        begin, waiting = last + 1, []
