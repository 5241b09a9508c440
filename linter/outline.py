"""Where the bodies of a file's functions stand, read from Python's own syntax tree at a tenth of libcst's price."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .python_tree import blocks, first_row, inside

_BEFORE_COLON = re.compile(r"(?:[^:#]|#[^\r\n]*)*:")


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a function that stands in no other, as offsets into the text.

    Args:
        start: after the colon.
        stop: after the last statement.
        end: after the line that the last statement ends on.
        depth: how many blocks the `def` stands in.
        asynchronous: whether it is an `async def`.
    """

    start: int
    stop: int
    end: int
    depth: int
    asynchronous: bool


@dataclass(frozen=True, slots=True)
class Outline:
    """The functions of a file that stand in no other, in the order of the text.

    Args:
        indent: one step of indentation, as the file's first block has it.
        newline: what ends every line.
        functions: the name of each, with the place of its body; None where that is not on lines of its own, or is
            indented in another way.
    """

    indent: str
    newline: str
    functions: tuple[tuple[str, Body | None], ...]

    @classmethod
    def of(cls, tree: ast.Module, lines: Sequence[str], starts: Sequence[int]) -> Outline | None:
        """The outline of a parsed text, given its lines and the offset that each begins at; None if these end variously."""
        ends = {line[len(line.rstrip("\r\n")) :] for line in lines} - {""}
        if len(ends) != 1:
            return None
        text = _Text(lines, starts)
        indent = next(filter(None, map(text.margin, _blocks(tree))), "    ")
        return cls(
            indent, ends.pop(), tuple((node.name, text.body(node, indent)) for node in _functions(tree))
        )


class _Text:
    def __init__(self, lines: Sequence[str], starts: Sequence[int]) -> None:
        self._lines, self._starts = lines, starts

    def margin(self, block: Sequence[ast.AST]) -> str:
        """The white space before a block's first line; empty if it stands behind its colon."""
        row = first_row(block[0])
        column = getattr(block[0], "col_offset", 0)
        before = self._lines[row - 1][:column]
        if isinstance(block[0], ast.pattern):
            return before[: len(before) - len(before.lstrip())]
        return before if before.isspace() else ""

    def body(self, node: ast.FunctionDef | ast.AsyncFunctionDef, indent: str) -> Body | None:
        """Where a function's body stands, if it is on lines of its own and indented by whole steps."""
        before = self._lines[node.lineno - 1][: node.col_offset]
        depth = len(before) // len(indent)
        if before != indent * depth or self.margin(node.body) != indent * (depth + 1):
            return None
        row, column = _signature_end(node)
        line = self._lines[row - 1]
        colon = self._offset(row, column) - self._starts[row - 1]
        while (found := _BEFORE_COLON.match(line, colon)) is None:
            row, colon = row + 1, 0
            line = self._lines[row - 1]
        last = node.body[-1]
        last_row, last_column = last.end_lineno or 0, last.end_col_offset or 0
        end = self._starts[last_row - 1] + len(self._lines[last_row - 1])
        if row >= first_row(node.body[0]) or not self._lines[last_row - 1].endswith(("\n", "\r")):
            return None
        return Body(
            self._starts[row - 1] + found.end(),
            self._offset(last_row, last_column),
            end,
            depth,
            isinstance(node, ast.AsyncFunctionDef),
        )

    def _offset(self, row: int, column: int) -> int:
        """The offset of a place whose column counts UTF-8 bytes."""
        line = self._lines[row - 1]
        if not line.isascii():
            column = len(line.encode()[:column].decode(errors="ignore"))
        return self._starts[row - 1] + column


def _signature_end(node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[int, int]:
    """A place between the `def` and its colon with nothing behind it but brackets, commas and comments."""
    parts: list[ast.expr | ast.arg] = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    parts += [default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None]
    parts += [one for one in (node.args.vararg, node.args.kwarg, node.returns) if one is not None]
    parts += getattr(node, "type_params", [])
    ends = [(part.end_lineno or 0, part.end_col_offset or 0) for part in parts]
    return max(ends, default=(node.lineno, node.col_offset))


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    pending: list[ast.AST] = [*reversed(tree.body)]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        elif not isinstance(node, ast.Match):
            pending += reversed(inside(node))


def _blocks(tree: ast.Module) -> Iterator[list[ast.AST]]:
    """The outermost blocks, in the order of the text."""
    pending: list[ast.AST] = [*reversed(tree.body)]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Match):
            yield [node.cases[0].pattern]
            continue
        for block in blocks(node):
            if not isinstance(block[0], ast.ExceptHandler):
                yield block
            pending += reversed(block)
