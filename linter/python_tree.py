"""Python's own syntax tree: whether a text has one, and the rows and blocks of what it holds."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")


def parses(text: str) -> bool:
    """Whether a text is Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def first_row(node: ast.AST) -> int:
    """The row that a statement begins on, its decorators included; 0 for a clause that has none of its own."""
    decorators = getattr(node, "decorator_list", None)
    return int(decorators[0].lineno if decorators else getattr(node, "lineno", 0))


class _BlockNames(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of each kind of node that hold blocks; an expression has none, though a lambda has a body."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        names = tuple(name for name in BLOCKS if name in kind._fields and not issubclass(kind, ast.expr))
        self[kind] = names
        return names


_NAMES = _BlockNames()


def blocks(node: ast.AST) -> Iterator[list[ast.AST]]:
    """The blocks of a node, in the order of the text: statements, handlers, cases."""
    for name in _NAMES[type(node)]:
        block = getattr(node, name)
        if block:
            yield block


def inside(node: ast.AST) -> list[ast.AST]:
    """The statements and clauses of a node's blocks."""
    names = _NAMES[type(node)]
    return [child for name in names for child in getattr(node, name)] if names else []


def is_docstring(node: ast.AST) -> bool:
    """Whether a statement is nothing but a string."""
    return type(node) is ast.Expr and type(node.value) is ast.Constant and isinstance(node.value.value, str)
