"""Arguments read off the calls of a function in its own file, evaluated in the executed module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from .execution import Execution
from .sandbox import time_limit

_MAX_SITES = 4
_SECONDS = 0.5
UNKNOWN = object()  # the expression needs values that only a run has


def call_site_arguments(execution: Execution, names: set[str]) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    """The arguments of each call of one of `names`; UNKNOWN for those that do not evaluate."""
    sites = 0
    for scope, call in _calls(execution, names):
        if sites == _MAX_SITES:
            return
        if any(isinstance(argument, ast.Starred) for argument in call.args) or not all(
            k.arg for k in call.keywords
        ):
            continue
        sites += 1
        namespace = _namespace(execution, scope, call)
        positional = [_evaluate(argument, namespace) for argument in call.args]
        keywords = {str(keyword.arg): _evaluate(keyword.value, namespace) for keyword in call.keywords}
        yield positional, keywords


def _calls(execution: Execution, names: set[str]) -> list[tuple[ast.FunctionDef | None, ast.Call]]:
    """The calls of any of the names, in the order of the text."""
    found = [site for name in names for site in execution.index.calls.get(name, ())]
    return sorted(found, key=lambda site: (site[1].lineno, site[1].col_offset))


def _namespace(execution: Execution, scope: ast.FunctionDef | None, call: ast.Call) -> dict[str, Any]:
    """The module's names, with the plain assignments that stand before the call in its function."""
    namespace = dict(execution.module.__dict__)
    if scope is None:
        return namespace
    for statement in scope.body:
        if statement.lineno >= call.lineno:
            break
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and not any(
            node is call for node in ast.walk(statement)
        ):
            code = compile(ast.Module([statement], []), "<call site>", "exec")
            with suppress(Exception), time_limit(_SECONDS):
                exec(code, namespace)  # noqa: S102 (the user's own assignments, confined like the rest)
    return namespace


def _evaluate(node: ast.expr, namespace: dict[str, Any]) -> Any:
    try:
        code = compile(ast.Expression(node), "<call site>", "eval")
        with time_limit(_SECONDS):
            return eval(code, namespace)
    except BaseException:  # noqa: BLE001 (whatever it is, the expression gives no value)
        return UNKNOWN
