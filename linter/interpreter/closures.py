"""What a function closes over: the names that its text mentions, found in the scopes around it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ..domain import (
    Array,
    Arrays,
    Box,
    FunctionValue,
    Level,
    PartialValue,
    Tree,
    TupleValue,
    Value,
    Wrapper,
    members,
    traced_parts,
)
from ..syntax.memo import NodeMemo
from ..syntax.walk import children, in_order


@NodeMemo
def names_in(node: cst.CSTNode) -> frozenset[str]:
    """Every name that a function's text mentions."""
    found: set[str] = set()
    stack = [node]
    while stack:
        item = stack.pop()
        if type(item) is cst.Name:
            found.add(item.value)
        stack.extend(children(item))
    return frozenset(found)


@NodeMemo
def _own_names(node: cst.CSTNode) -> frozenset[str]:
    """Names that a function's text gives a value: parameters, targets, functions inside; perhaps those of inner scopes."""
    found: set[str] = set()
    for item in in_order(node):
        match item:
            case cst.Param(name=cst.Name(value=name)) | cst.FunctionDef(name=cst.Name(value=name)):
                found.add(name)
            case (
                cst.AssignTarget()
                | cst.AnnAssign()
                | cst.AugAssign()
                | cst.NamedExpr()
                | cst.For()
                | cst.CompFor()
            ):
                found |= names_in(item.target)
            case cst.AsName():
                found |= names_in(item.name)
            case _:
                pass
    return frozenset(found)


def captures(function: FunctionValue) -> Iterator[tuple[cst.Name, Array | Tree]]:
    """The places where a function's text reads a tracer of the scopes around it, in order."""
    outside: dict[str, Value] = {}
    box: Box | None = function.scope
    while box is not None and box.parent is not None:
        outside = {**{name: value for name, value in box.slots.items() if isinstance(name, str)}, **outside}
        box = box.parent
    for item in in_order(function.node):
        if type(item) is cst.Name and item.value in outside and item.value not in _own_names(function.node):
            yield from ((item, m) for m in members(outside[item.value]) if isinstance(m, Arrays) and m.traced)


def captured_tracer(function: Value) -> Array | Tree | None:
    """An abstract tracer that a function closes over."""
    return next((found for found in captured(function) if found.level is Level.ABSTRACT), None)


def captured(function: Value) -> Iterator[Array | Tree]:
    """The tracers that a function closes over, or that are bound to it."""
    for _ in range(5):
        if isinstance(function, PartialValue):
            yield from traced_parts(TupleValue((*function.args, *(value for _, value in function.kwargs))))
        if isinstance(function, Wrapper):
            function = function.function
    if not isinstance(function, FunctionValue):
        return
    mentioned = names_in(function.node)
    box: Box | None = function.scope
    while box is not None and box.parent is not None:
        for name, value in box.slots.items():
            if name in mentioned:
                yield from (m for m in members(value) if isinstance(m, Arrays) and m.traced)
        box = box.parent
