"""Which top-level statements of a module a function needs: imports, functions, classes, constants."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator


def definitions(tree: ast.Module, names: Iterable[str]) -> list[ast.stmt]:
    """The statements that define `names` and all that those read, in order; with no names, every definition.

    Plain calls are left out, except those that configure JAX or register or complete a needed definition
    (`jax.config.update`, `register_pytree_node(Cls, ...)`, `f.defjvp(...)`).
    """
    bound = [set(_bound(statement)) for statement in tree.body]
    loaded = [set(_loaded(statement)) for statement in tree.body]
    wanted = set(names) or {name for group in bound for name in group}
    chosen: set[int] = set()
    grew = True
    while grew:
        grew = False
        for index, statement in enumerate(tree.body):
            if (
                index not in chosen
                and not _is_main_guard(statement)
                and (bound[index] & wanted or isinstance(statement, (ast.Import, ast.ImportFrom)))
            ):
                chosen.add(index)
                wanted |= loaded[index]
                grew = True
    for index, statement in enumerate(tree.body):
        if isinstance(statement, ast.Expr) and _completes(statement, loaded[index] & wanted):
            chosen.add(index)
    return [tree.body[index] for index in sorted(chosen)]


def _is_main_guard(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and any(
        isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(statement.test)
    )


def _completes(statement: ast.Expr, needed: set[str]) -> bool:
    if not isinstance(statement.value, ast.Call):
        return False
    called = ast.unparse(statement.value.func)
    method = called.rpartition(".")[2]
    if ".config." in f".{called}":
        return True
    return bool(needed) and (method.startswith(("register", "def")))


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Names that the statement binds in the module's scope."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
        return
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        for alias in statement.names:
            yield alias.asname or alias.name.partition(".")[0]
        return
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.stmt):
            yield from _bound(child)
        elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
            for inner in child.body:
                yield from _bound(inner)
        else:
            for node in ast.walk(child):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id
                elif isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
                    root: ast.expr = node
                    while isinstance(root, (ast.Attribute, ast.Subscript)):
                        root = root.value
                    if isinstance(root, ast.Name):
                        yield root.id


def _loaded(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Global):
            yield from node.names
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            yield node.value  # a quoted annotation
