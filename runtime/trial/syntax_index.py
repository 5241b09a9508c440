"""Where the functions and calls of a module stand, found in one walk over its syntax."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(slots=True)
class SyntaxIndex:
    """Functions by first line (a decorator's, if there is one) and name; calls by name, with the function around them."""

    functions: dict[tuple[int, str], FunctionNode] = field(default_factory=dict)
    calls: dict[str, list[tuple[ast.FunctionDef | None, ast.Call]]] = field(default_factory=dict)

    @classmethod
    def of(cls, tree: ast.Module) -> SyntaxIndex:
        """The index of a tree, each list in the order of the text."""
        index = cls()
        index._walk(tree, None)
        return index

    def _walk(self, node: ast.AST, scope: ast.FunctionDef | None) -> None:
        for child in ast.iter_child_nodes(node):
            inner = scope
            if isinstance(child, ast.Call):
                called = child.func
                name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", None)
                if name is not None:
                    self.calls.setdefault(name, []).append((scope, child))
            elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                first = min([child.lineno, *(d.lineno for d in getattr(child, "decorator_list", []))])
                self.functions.setdefault((first, getattr(child, "name", "<lambda>")), child)
                inner = child if isinstance(child, ast.FunctionDef) else scope
            self._walk(child, inner)
