"""Inputs that the user gives: `# tracetrap: f32[8,3], i32[]` above a function, or in the settings."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

_COMMENT = re.compile(r"^\s*#\s*tracetrap:\s*(\S.*?)\s*$")


@dataclass(frozen=True, slots=True)
class Hint:
    """Arguments in the notation of the runtime, for the function that stands from `first` to `last`."""

    name: str
    first: int
    last: int
    arguments: str


def read_hints(text: str, table: Mapping[str, str] | None = None) -> list[Hint]:
    """The hints of a file: its comments first, then those of the settings, which go by qualified name."""
    hints: list[Hint] = []
    lines = text.splitlines()
    commented = [number for number, line in enumerate(lines, 1) if _COMMENT.match(line)]
    if not commented and not table:
        return []
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    functions = functions_of(tree)
    for number in commented:
        match = _COMMENT.match(lines[number - 1])
        below = number
        while below < len(lines) and (not lines[below].strip() or lines[below].lstrip().startswith("#")):
            below += 1
        for name, first, last in functions:
            if match and first == below + 1:
                hints.append(Hint(name, first, last, match[1]))
    for name, arguments in (table or {}).items():
        hints += [Hint(name, first, last, arguments) for known, first, last in functions if known == name]
    return hints


def hints_for(hints: list[Hint], name: str, row: int) -> list[str]:
    """The arguments noted for an entry point, by its name or a row of its text."""
    return [hint.arguments for hint in hints if hint.name == name or hint.first <= row <= hint.last]


def top_rows(text: str) -> frozenset[int]:
    """The rows of a file that stand outside all functions and classes."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    rows = set(range(1, text.count("\n") + 2))
    for statement in tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            rows -= set(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    return frozenset(rows)


def functions_of(tree: ast.Module) -> list[tuple[str, int, int]]:
    """Name, first row (a decorator's) and last row of each function, and of assignments, by their target."""
    found: list[tuple[str, int, int]] = []

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
                if not isinstance(child, ast.ClassDef):
                    found.append((prefix + child.name, first, child.end_lineno or child.lineno))
                visit(child, f"{prefix}{child.name}.")
            elif isinstance(child, ast.Assign) and isinstance(child.targets[0], ast.Name):
                found.append((prefix + child.targets[0].id, child.lineno, child.end_lineno or child.lineno))
            else:
                visit(child, prefix)

    visit(tree, "")
    return found
