"""Blocks of statements as the bodies of local functions: for `cond`, `while_loop` and `fori_loop`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from ..syntax.walk import children
from .names import bound, defined_before, dotted, locals_of, read
from .place import ancestors, following, function_of, indent_of, suite

if TYPE_CHECKING:
    from ..files.source import SourceFile

_FORBIDDEN = (
    cst.Return, cst.Break, cst.Continue, cst.Raise, cst.Global, cst.Nonlocal, cst.Del, cst.Import, cst.ImportFrom,
    cst.Yield, cst.Await, cst.NamedExpr, cst.Try, cst.With, cst.ClassDef,
)  # fmt: skip


def is_pure(statements: Sequence[cst.CSTNode]) -> bool:
    """Whether statements only compute and bind local names, so that they may move into a function."""
    pending = list(statements)
    while pending:
        node = pending.pop()
        if isinstance(node, _FORBIDDEN):
            return False
        if isinstance(node, cst.Expr) and not _harmless(node.value):
            return False
        if isinstance(node, cst.AssignTarget | cst.AugAssign | cst.AnnAssign | cst.For) and not _binds_names(
            node.target
        ):
            return False
        if not isinstance(node, cst.FunctionDef | cst.Lambda):
            pending.extend(children(node))
    return True


def _harmless(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.BaseString) or (
        isinstance(node, cst.Call) and dotted(node.func).endswith("debug.print")
    )


def _binds_names(target: cst.BaseExpression) -> bool:
    if isinstance(target, cst.Tuple | cst.List):
        return all(_binds_names(element.value) for element in target.elements)
    return isinstance(target, cst.Name)


def lines_of(source: SourceFile, body: cst.BaseSuite | Sequence[cst.CSTNode]) -> list[str] | None:
    """The lines of a block without its indentation, comments included; None where a text goes over several lines."""
    if isinstance(body, cst.SimpleStatementSuite):
        return [source.module.code_for_node(cst.SimpleStatementLine(body.body)).strip()]
    statements = suite(body) if isinstance(body, cst.BaseSuite) else body
    if not statements or _has_long_text(statements):
        return None
    first, last = source.span_of(statements[0]).start.row, source.span_of(statements[-1]).end.row
    indent = indent_of(source, statements[0])
    found = [line.rstrip("\r\n") for line in source.lines[first - 1 : last]]
    return [line[len(indent) :] if line.startswith(indent) else line.lstrip() for line in found]


def _has_long_text(statements: Sequence[cst.CSTNode]) -> bool:
    pending = list(statements)
    while pending:
        node = pending.pop()
        if isinstance(node, cst.SimpleString) and "\n" in node.value:
            return True
        if isinstance(node, cst.FormattedString) and node.prefix + node.quote and len(node.quote) == 3:
            return True
        pending.extend(children(node))
    return False


def later_reads(source: SourceFile, statement: cst.CSTNode) -> set[str]:
    """The names that the function may read after a statement: behind it, or in the next turn of a loop around it."""
    found: set[str] = set()
    current = statement
    for holder in (statement, *ancestors(source, statement)):
        if isinstance(holder, cst.FunctionDef | cst.Lambda) and holder is not statement:
            break
        if isinstance(holder, cst.For | cst.While) and holder is not statement:
            found |= read(holder)
        if isinstance(holder, cst.SimpleStatementLine | cst.BaseCompoundStatement):
            current = holder
            found |= read(*following(source, current))
    return found


def carried(
    source: SourceFile, loop: cst.For | cst.While, body: Sequence[cst.CSTNode], *tests: cst.CSTNode
) -> list[str] | None:
    """The names that a loop hands from turn to turn, in order; None where some have no value before it."""
    names = bound(*body)
    function = function_of(source, loop)
    if function is not None and not set(names) <= locals_of(function):
        return None
    before, later = defined_before(source, loop), later_reads(source, loop)
    needed = later | read(*tests)
    carry = [name for name in names if name in before]
    if any(name in needed for name in names if name not in before):
        return None
    return [name for name in carry if name in needed | read(*body)]


def define(name: str, parameters: Sequence[str], body: Sequence[str], unit: str) -> list[str]:
    """The lines of a local function."""
    return [f"def {name}({', '.join(parameters)}):", *(f"{unit}{line}" if line else "" for line in body), ""]


def packed(names: Sequence[str]) -> str:
    """`x`, or `x, y`."""
    return ", ".join(names)
