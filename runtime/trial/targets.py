"""What to call so that an entry point is traced: the transformed function, or the one that holds it."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from .execution import Execution
from .seam import TRANSFORM_NAMES, Record, Seam, code_of
from .syntax_index import FunctionNode


@dataclass(frozen=True, slots=True)
class Target:
    """A callable to try; `record` is None for an ordinary function, which transforms others when it runs."""

    name: str
    function: Callable[..., Any]
    owner: type | None
    record: Record | None

    def fresh(self, seam: Seam) -> Callable[..., Any]:
        """The callable with nothing cached."""
        return self.function if self.record is None else seam.remake(self.record)

    @property
    def static_names(self) -> frozenset[str]:
        """Parameters that the transform makes static."""
        options = self.record.options if self.record is not None else {}
        names = options.get("static_argnames") or ()
        chosen = {names} if isinstance(names, str) else set(names)
        numbers = options.get("static_argnums")
        parameters = list(signature_of(self.function))
        for number in (numbers,) if isinstance(numbers, int) else numbers or ():
            if -len(parameters) <= number < len(parameters):
                chosen.add(parameters[number].name)
        return frozenset(chosen)


def signature_of(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters of a function; none if it has no signature."""
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def find_targets(execution: Execution, seam: Seam, name: str, transform: str, row: int) -> list[Target]:
    """The callables that lead to an entry point, the most direct first."""
    path = execution.module.__file__ or ""
    found: list[Target] = []
    matching = [
        record
        for record in seam.records.values()
        if record.key.filename == path
        and (same_function(record.key.name, name) or record.key.first_line == row)
    ]
    matching.sort(key=lambda record: (record.key.transform != transform, record.key.name != name))
    for record in matching[:3]:
        found.append(
            Target(record.key.name, record.function, owner_of(execution.module, record.key.name), record)
        )
    root = root_of(execution, row) or name.partition(".")[0]
    function = resolve(execution.module, root)
    if function is not None and callable(function) and not isinstance(function, type):
        code = code_of(function)
        if not any(code_of(target.function) is code and target.owner is None for target in found):
            found.append(Target(root, function, owner_of(execution.module, root), _record_of(seam, function)))
    return found


def same_function(qualified: str, name: str) -> bool:
    """True if `name`, which may lack its outer functions, names the function."""
    return qualified == name or (name != "<lambda>" and qualified.endswith("." + name))


def holders(tree: ast.Module) -> list[tuple[str, int, int]]:
    """Functions and methods in whose text a transform is called: qualified name, first and last row."""
    found: list[tuple[str, int, int]] = []
    for statement in tree.body:
        members = statement.body if isinstance(statement, ast.ClassDef) else [statement]
        prefix = f"{statement.name}." if isinstance(statement, ast.ClassDef) else ""
        for member in members:
            if isinstance(member, ast.FunctionDef) and any(map(_calls_transform, ast.walk(member))):
                found.append((prefix + member.name, member.lineno, member.end_lineno or member.lineno))
    return found


def _calls_transform(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Name, ast.Attribute)):
        return False
    name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
    return name in TRANSFORM_NAMES


def _record_of(seam: Seam, function: Any) -> Record | None:
    return next((record for record in seam.records.values() if record.made is function), None)


def resolve(module: ModuleType, name: str) -> Any:
    """The object at a dotted name in the module, or None."""
    value: Any = module
    for part in name.split("."):
        value = (
            inspect.getattr_static(value, part, None)
            if isinstance(value, type)
            else getattr(value, part, None)
        )
        if isinstance(value, (staticmethod, functools.cached_property)):
            value = getattr(value, "__func__", getattr(value, "func", None))
    return value


def owner_of(module: ModuleType, name: str) -> type | None:
    """The class that a method's dotted name names, or None for a function."""
    owner, _, _ = name.rpartition(".")
    value = resolve(module, owner) if owner else None
    return value if isinstance(value, type) else None


def root_of(execution: Execution, row: int) -> str | None:
    """The outermost function or method whose text holds the row."""
    for statement in execution.tree.body:
        if not statement.lineno <= row <= (statement.end_lineno or row):
            decorators = getattr(statement, "decorator_list", [])
            if not any(decorator.lineno <= row <= statement.lineno for decorator in decorators):
                continue
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return statement.name
        if isinstance(statement, ast.ClassDef):
            for member in statement.body:
                first = min([member.lineno, *(d.lineno for d in getattr(member, "decorator_list", []))])
                if isinstance(member, ast.FunctionDef) and first <= row <= (member.end_lineno or row):
                    return f"{statement.name}.{member.name}"
    return None


def node_of(execution: Execution, function: Callable[..., Any]) -> FunctionNode | None:
    """The syntax of a function, found by its first line (a decorator's, if it has any)."""
    code = code_of(function)
    if code is None:
        return None
    return execution.index.functions.get((code.co_firstlineno, code.co_name))
