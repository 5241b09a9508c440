"""Which names code binds and reads, as far as rewrites must know; nested scopes are told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst

from ..syntax.walk import children
from .place import Function, ancestors, preceding, suite

if TYPE_CHECKING:
    from ..files.source import SourceFile

_SCOPES = (cst.FunctionDef, cst.Lambda, cst.ClassDef)
_COMPREHENSIONS = (cst.GeneratorExp, cst.ListComp, cst.SetComp, cst.DictComp)


def targets(node: cst.CSTNode) -> Iterator[str]:
    """The names that an assignment target binds; none for attributes and subscripts."""
    if isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, cst.Tuple | cst.List):
        for element in node.elements:
            yield from targets(element.value)


def bound(*nodes: cst.CSTNode) -> list[str]:
    """The names that statements bind in their own scope, in order."""
    found: dict[str, None] = {}
    pending = list(nodes[::-1])
    while pending:
        node = pending.pop()
        found.update(dict.fromkeys(_bound_here(node)))
        if not isinstance(node, (*_SCOPES, *_COMPREHENSIONS)):
            pending.extend(reversed(children(node)))
    return list(found)


def _bound_here(node: cst.CSTNode) -> Iterable[str]:
    match node:
        case cst.Assign():
            return [name for target in node.targets for name in targets(target.target)]
        case cst.AnnAssign() if node.value is not None:
            return targets(node.target)
        case cst.AugAssign() | cst.NamedExpr() | cst.For():
            return targets(node.target)
        case cst.AsName():
            return targets(node.name)
        case cst.FunctionDef() | cst.ClassDef():
            return [node.name.value]
        case cst.ImportAlias() if node.asname is None:
            return [dotted(node.name).split(".")[0]]
        case cst.MatchAs() if node.name is not None:
            return [node.name.value]
        case _:
            return ()


def binders(function: Function, name: str) -> list[cst.CSTNode]:
    """The nodes of a function's own scope that bind a name; its parameter is none of them."""
    found: list[cst.CSTNode] = []
    pending: list[cst.CSTNode] = [function.body]
    while pending:
        node = pending.pop()
        if name in _bound_here(node):
            found.append(node)
        if not isinstance(node, (*_SCOPES, *_COMPREHENSIONS)):
            pending.extend(children(node))
    return found


def mentions(node: cst.CSTNode, name: str) -> int:
    """How often a name is written inside a node."""
    count = 0
    pending = [node]
    while pending:
        current = pending.pop()
        count += isinstance(current, cst.Name) and current.value == name
        pending.extend(children(current))
    return count


def read(*nodes: cst.CSTNode) -> set[str]:
    """The names that code reads; a name that it binds and never reads is not among them."""
    found: set[str] = set()
    pending: list[cst.CSTNode] = list(nodes)
    while pending:
        node = pending.pop()
        match node:
            case cst.Name():
                found.add(node.value)
            case cst.Attribute():
                pending.append(node.value)
            case cst.Arg():
                pending.append(node.value)
            case cst.AssignTarget() | cst.For() | cst.NamedExpr() | cst.AnnAssign():
                target = node.target
                pending.extend(child for child in children(node) if child is not target)
                pending.extend(_inside_target(target))
            case cst.Param():
                pending.extend(p for p in (node.annotation, node.default) if p is not None)
            case _:
                pending.extend(children(node))
    return found


def _inside_target(target: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(target, cst.Tuple | cst.List):
        for element in target.elements:
            yield from _inside_target(element.value)
    elif not isinstance(target, cst.Name):
        yield target


@lru_cache(maxsize=1)  # every finding of a file asks for them
def every_name(source: SourceFile) -> frozenset[str]:
    """Every name that occurs anywhere in a file."""
    found: set[str] = set()
    pending: list[cst.CSTNode] = [source.module]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.Name):
            found.add(node.value)
        pending.extend(children(node))
    return frozenset(found)


def fresh(source: SourceFile, *wanted: str) -> list[str]:
    """The wanted names, each with a number where the file uses it already."""
    taken = set(every_name(source))
    names: list[str] = []
    for name in wanted:
        candidate, number = name, 2
        while candidate in taken:
            candidate, number = f"{name}_{number}", number + 1
        names.append(candidate)
        taken.add(candidate)
    return names


def parameters(function: Function) -> list[str]:
    """The names of a function's parameters."""
    params = function.params
    plain = [*params.posonly_params, *params.params, *params.kwonly_params]
    starred = [p for p in (params.star_arg, params.star_kwarg) if isinstance(p, cst.Param)]
    return [p.name.value for p in (*plain, *starred)]


def definition_of(source: SourceFile, name: str) -> cst.FunctionDef | None:
    """The only function or method of a file that has this name."""
    found: list[cst.FunctionDef] = []
    pending: list[cst.CSTNode] = [source.module]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.FunctionDef) and node.name.value == name:
            found.append(node)
        pending.extend(children(node))
    return found[0] if len(found) == 1 else None


def locals_of(function: Function) -> set[str]:
    """The names that belong to a function's own scope."""
    inside = suite(function.body) if isinstance(function, cst.FunctionDef) else ()
    return {*parameters(function), *bound(*inside)} - _declared_outside(function)


def _declared_outside(function: Function) -> set[str]:
    found: set[str] = set()
    pending: list[cst.CSTNode] = [function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.Global | cst.Nonlocal):
            found.update(item.name.value for item in node.names)
        if not isinstance(node, _SCOPES):
            pending.extend(children(node))
    return found


def defined_before(source: SourceFile, statement: cst.CSTNode) -> set[str]:
    """The names that surely have a value in the function's scope when a statement is reached."""
    found: set[str] = set()
    for other in preceding(source, statement):
        found.update(_surely_bound(other))
    for holder in ancestors(source, statement):
        if isinstance(holder, cst.For):
            found.update(targets(holder.target))
        if isinstance(holder, cst.FunctionDef | cst.Lambda):
            found.update(parameters(holder))
            break
    return found


def _surely_bound(statement: cst.CSTNode) -> set[str]:
    match statement:
        case cst.SimpleStatementLine() | cst.FunctionDef() | cst.ClassDef():
            return set(bound(statement))
        case cst.If(orelse=cst.CSTNode() as orelse):
            first = _all_bound(suite(statement.body))
            rest = _surely_bound(orelse) if isinstance(orelse, cst.If) else _all_bound(suite(orelse.body))
            return first & rest
        case cst.With():
            return {*bound(*statement.items), *_all_bound(suite(statement.body))}
        case _:
            return set()


def _all_bound(statements: Iterable[cst.CSTNode]) -> set[str]:
    return {name for statement in statements for name in _surely_bound(statement)}


def dotted(node: cst.CSTNode) -> str:
    """`a.b.c` for such an expression, empty for any other."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr.value}" if inner else ""
    return ""
