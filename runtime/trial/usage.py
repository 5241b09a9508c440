"""How a function uses its parameters, read from its syntax: called, indexed, compared with a string, ..."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .targets import FunctionNode

_ARRAY_ATTRIBUTES = """
    shape ndim dtype size T at astype reshape sum mean max min any all dot ravel flatten squeeze transpose
    item tolist copy argmax argmin argsort sort cumsum prod std var clip round conj real imag take swapaxes
    block_until_ready repeat view nbytes devices
"""
_MAX_DEPTH = 3

Lookup = Callable[[str], "FunctionNode | None"]


@dataclass(slots=True)
class Usage:
    """What the body of a function says of one parameter."""

    called_with: int | None = None
    strings: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    attributes: list[str] = field(default_factory=list)
    unpacked: int | None = None
    indexed: bool = False
    counted: bool = False
    tested: bool = False
    matrix: bool = False
    random_key: bool = False
    tree: bool = False
    iterated: int | None = None
    rank: int | None = None
    shape: tuple[int, ...] | None = None

    def merge(self, other: Usage) -> None:
        """Add what another function, to which the parameter is passed, says of it."""
        self.called_with = self.called_with if self.called_with is not None else other.called_with
        self.unpacked = self.unpacked or other.unpacked
        self.iterated = self.iterated if self.iterated is not None else other.iterated
        self.rank = self.rank if self.rank is not None else other.rank
        self.shape = self.shape if self.shape is not None else other.shape
        for name in ("strings", "keys", "attributes"):
            getattr(self, name).extend(
                item for item in getattr(other, name) if item not in getattr(self, name)
            )
        for name in ("indexed", "counted", "tested", "matrix", "random_key", "tree"):
            setattr(self, name, getattr(self, name) or getattr(other, name))


def parameter_names(node: FunctionNode) -> list[str]:
    """The names of all parameters that take one argument each."""
    arguments = node.args
    return [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def usages(node: FunctionNode, lookup: Lookup, depth: int = 0) -> dict[str, Usage]:
    """Parameter name to usage; `lookup` gives the syntax of other functions of the module by name."""
    found = {name: Usage() for name in parameter_names(node)}
    if node.args.kwarg is not None:
        found[node.args.kwarg.arg] = Usage()
    for child in ast.walk(node):
        _look(child, found, lookup, depth)
    return found


def _look(node: ast.AST, found: dict[str, Usage], lookup: Lookup, depth: int) -> None:
    if isinstance(node, ast.Call):
        _look_at_call(node, found, lookup, depth)
    elif isinstance(node, ast.Compare):
        _look_at_comparison(node, found)
    elif isinstance(node, ast.Subscript) and (usage := _of(node.value, found)):
        index = node.slice
        if isinstance(index, ast.Constant) and isinstance(index.value, str):
            usage.keys.append(index.value)
        else:
            usage.indexed = True
            if isinstance(index, ast.Tuple):
                usage.rank = max(usage.rank or 0, len([e for e in index.elts if not _is_new_axis(e)]))
    elif isinstance(node, ast.Attribute) and (usage := _of(node.value, found)):
        if node.attr not in _ARRAY_ATTRIBUTES.split() and node.attr not in usage.attributes:
            usage.attributes.append(node.attr)
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
        count = len(node.targets[0].elts)
        if usage := _of(node.value, found):
            usage.unpacked = count
        elif (
            isinstance(node.value, ast.Attribute)
            and node.value.attr == "shape"
            and (usage := _of(node.value.value, found))
        ):
            usage.rank = count
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        for side in (node.left, node.right):
            if usage := _of(side, found):
                usage.matrix = True
    elif isinstance(node, (ast.If, ast.IfExp)):
        test = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
        if usage := _of(test, found):
            usage.tested = True
    elif isinstance(node, ast.For):
        iterated = node.iter.args if isinstance(node.iter, ast.Call) else [node.iter]
        for argument in iterated:
            if usage := _of(argument, found):
                usage.iterated = len(node.target.elts) if isinstance(node.target, ast.Tuple) else 0


def _look_at_call(node: ast.Call, found: dict[str, Usage], lookup: Lookup, depth: int) -> None:
    if usage := _of(node.func, found):
        usage.called_with = len(node.args)
    called = ast.unparse(node.func) if isinstance(node.func, (ast.Name, ast.Attribute)) else ""
    if called == "range":
        for argument in node.args:
            for part in ast.walk(argument):
                if usage := _of(part, found):
                    usage.counted = True
    if (
        ("random." in called or called.startswith("jr."))
        and node.args
        and (usage := _of(node.args[0], found))
    ):
        usage.random_key = not called.startswith(("np.", "numpy.")) and ".PRNGKey" not in called
    if "tree" in called:
        for argument in node.args:
            if usage := _of(argument, found):
                usage.tree = True
    callee = lookup(called) if called and depth < _MAX_DEPTH else None
    if callee is None:
        return
    inner: dict[str, Usage] | None = None
    names = parameter_names(callee)
    pairs: list[tuple[str, Any]] = list(zip(names, node.args))
    pairs += [(keyword.arg, keyword.value) for keyword in node.keywords if keyword.arg in names]
    for name, argument in pairs:
        if usage := _of(argument, found):
            inner = inner if inner is not None else usages(callee, lookup, depth + 1)
            usage.merge(inner[name])


def _look_at_comparison(node: ast.Compare, found: dict[str, Usage]) -> None:
    sides = [node.left, *node.comparators]
    for side in sides:
        if isinstance(side, ast.Attribute) and (usage := _of(side.value, found)):
            for other in sides:
                _look_at_dimensions(side.attr, other, usage)
        if usage := _of(side, found):
            for other in sides:
                parts = other.elts if isinstance(other, (ast.Tuple, ast.List, ast.Set)) else [other]
                usage.strings += [
                    p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)
                ]


def _look_at_dimensions(attribute: str, other: ast.expr, usage: Usage) -> None:
    """`x.shape == (2, 3)` and `x.ndim == 2` tell the shape and the rank."""
    if attribute == "ndim" and isinstance(other, ast.Constant) and isinstance(other.value, int):
        usage.rank = other.value
    if attribute == "shape" and isinstance(other, ast.Tuple):
        lengths = [part.value for part in other.elts if isinstance(part, ast.Constant)]
        if len(lengths) == len(other.elts):
            usage.shape = tuple(length for length in lengths if isinstance(length, int))


def _of(node: ast.AST, found: dict[str, Usage]) -> Usage | None:
    return found.get(node.id) if isinstance(node, ast.Name) else None


def _is_new_axis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (None, Ellipsis)
