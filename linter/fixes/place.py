"""Where a node stands: its ancestors, its statement, what is written before it in the same function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary

import libcst as cst

from ..syntax.walk import children

if TYPE_CHECKING:
    from ..files.source import SourceFile

Function: TypeAlias = "cst.FunctionDef | cst.Lambda"
Statement: TypeAlias = "cst.SimpleStatementLine | cst.BaseCompoundStatement"

_parents: WeakKeyDictionary[SourceFile, dict[cst.CSTNode, cst.CSTNode]] = WeakKeyDictionary()


def parents(source: SourceFile) -> dict[cst.CSTNode, cst.CSTNode]:
    """The parent of each node of a file; worked out at the file's first fix."""
    found = _parents.get(source)
    if found is None:
        found = {}
        pending: list[cst.CSTNode] = [source.module]
        while pending:
            node = pending.pop()
            for child in children(node):
                found[child] = node
                pending.append(child)
        _parents[source] = found
    return found


def ancestors(source: SourceFile, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What encloses a node, innermost first."""
    above = parents(source)
    current = above.get(node)
    while current is not None:
        yield current
        current = above.get(current)


def function_of(source: SourceFile, node: cst.CSTNode) -> Function | None:
    """The innermost function that a node is written in."""
    return next((n for n in ancestors(source, node) if isinstance(n, cst.FunctionDef | cst.Lambda)), None)


def statement_of(source: SourceFile, node: cst.CSTNode) -> Statement | None:
    """The innermost statement that a node is, or is part of."""
    for candidate in (node, *ancestors(source, node)):
        if isinstance(candidate, cst.SimpleStatementLine | cst.BaseCompoundStatement):
            return candidate
    return None


def block_of(source: SourceFile, statement: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """The statements that stand in the same block."""
    holder = parents(source).get(statement)
    return holder.body if isinstance(holder, cst.IndentedBlock | cst.Module) else ()


def following(source: SourceFile, statement: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """The later statements of the same block."""
    block = block_of(source, statement)
    return block[[id(s) for s in block].index(id(statement)) + 1 :] if block else ()


def preceding(source: SourceFile, statement: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The statements of the function that surely run before this one: of its block, and of those around it."""
    current = statement
    for holder in ancestors(source, statement):
        if isinstance(holder, cst.IndentedBlock):
            for other in holder.body:
                if other is current:
                    break
                yield other
        if isinstance(holder, cst.FunctionDef):
            return
        if not isinstance(holder, cst.IndentedBlock):
            current = holder


def text(source: SourceFile, node: cst.CSTNode) -> str:
    """A node as it is written, its own parentheses included."""
    return source.module.code_for_node(node).strip()


def indent_of(source: SourceFile, statement: cst.CSTNode) -> str:
    """The white space before a statement."""
    row = source.span_of(statement).start.row
    line = source.lines[row - 1]
    return line[: len(line) - len(line.lstrip())]


def unit_of(source: SourceFile) -> str:
    """One level of the file's indentation."""
    return source.module.default_indent


def suite(node: cst.BaseSuite) -> Sequence[cst.CSTNode]:
    """The statements of a body, also of one that stands behind the colon."""
    if isinstance(node, cst.SimpleStatementSuite):
        return (cst.SimpleStatementLine(node.body),)
    return node.body


def small(statement: cst.CSTNode) -> cst.BaseSmallStatement | None:
    """What a line says, where it says one thing."""
    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
        return statement.body[0]
    return None


def comments(node: cst.CSTNode) -> list[str]:
    """The comments inside a node."""
    found: list[str] = []
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, cst.Comment):
            found.append(current.value)
        pending.extend(reversed(current.children))
    return found
