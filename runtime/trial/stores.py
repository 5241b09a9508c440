"""Arrays that can be assigned to, as NumPy's can: what code means that writes `x[i] = v` to a jax array.

Such a statement raises, traced or not, so that there is no original to compare a rewrite with.  Here the array is
copied to NumPy, changed there, and bound again: `x[i] += v` with an index that occurs twice adds once, as in NumPy.
"""

from __future__ import annotations

import ast
import sys
from types import ModuleType
from typing import Any

import numpy

_STORE = "__tracetrap_store__"
_Function = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def allow_stores(tree: ast.Module) -> None:
    """Rewrite a tree in place, so that item assignments go through `store`."""
    _Stores().visit(tree)
    ast.fix_missing_locations(tree)


def publish_store(module: ModuleType) -> None:
    """Give a module that was rewritten the function that it calls."""
    module.__dict__[_STORE] = store


def store(container: Any, index: Any, value: Any) -> Any:
    """What the name of the container is bound to, once `value` stands at `index`."""
    jax = sys.modules["jax"]
    if not isinstance(container, jax.Array):
        container[index] = value
        return container
    if isinstance(container, jax.core.Tracer) or isinstance(value, jax.core.Tracer):
        return container.at[index].set(value)
    changed = numpy.array(container)
    changed[index] = value
    return jax.numpy.asarray(changed)


class _Stores(ast.NodeTransformer):
    def __init__(self) -> None:
        self.scopes: list[set[str] | None] = [None]  # None: every name may be bound

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.scopes.append(_locals(node))
        self.generic_visit(node)
        self.scopes.pop()
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, ast.Subscript) or not self._may_bind(target.value):
            return node
        return _bound(node, target, node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        target = node.target
        if not isinstance(target, ast.Subscript) or not self._may_bind(target.value):
            return node
        old = ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
        return _bound(node, target, ast.copy_location(ast.BinOp(_loaded(old), node.op, node.value), node))

    def _may_bind(self, base: ast.expr) -> bool:
        if isinstance(base, ast.Name):
            scope = self.scopes[-1]
            return scope is None or base.id in scope
        return isinstance(base, (ast.Attribute, ast.Subscript))


def _bound(statement: ast.stmt, target: ast.Subscript, value: ast.expr) -> ast.stmt:
    """`base = store(base, index, value)`."""
    base = target.value
    called = ast.Call(ast.Name(_STORE, ast.Load()), [_loaded(base), target.slice, value], [])
    if isinstance(base, ast.Name):
        place: ast.expr = ast.Name(base.id, ast.Store())
    elif isinstance(base, ast.Attribute):
        place = ast.Attribute(base.value, base.attr, ast.Store())
    else:
        assert isinstance(base, ast.Subscript)
        place = ast.Subscript(base.value, base.slice, ast.Store())
    return ast.copy_location(ast.Assign([place], called), statement)


def _loaded(node: ast.expr) -> ast.expr:
    """The same expression, read."""
    if isinstance(node, ast.Name):
        return ast.copy_location(ast.Name(node.id, ast.Load()), node)
    return node


def _locals(function: ast.FunctionDef) -> set[str]:
    """The names that the function itself binds."""
    arguments = function.args
    found = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    outside: set[str] = set()
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            outside.update(node.names)
        if not isinstance(node, (*_Function, ast.ClassDef)):
            pending.extend(ast.iter_child_nodes(node))
    return found - outside
