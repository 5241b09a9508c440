"""What a function closes over: the names that its text mentions, found in the scopes around it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ..domain import (
    Array,
    Arrays,
    Box,
    ClassValue,
    Const,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Level,
    MethodValue,
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
def own_names(node: cst.CSTNode) -> frozenset[str]:
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
        if type(item) is cst.Name and item.value in outside and item.value not in own_names(function.node):
            yield from ((item, m) for m in members(outside[item.value]) if isinstance(m, Arrays) and m.traced)


def settings_in(function: Value) -> dict[str, object]:
    """What decides which program a function is, by name: texts, flags, functions and classes that it closes over, or that are bound to it."""
    found: dict[str, Value] = {}
    while isinstance(function, Wrapper):
        if isinstance(function, PartialValue):
            bound = [*enumerate(function.args), *function.kwargs]
            found |= {str(name): value for name, value in bound}
        elif isinstance(function, MethodValue):
            found["self"] = function.receiver
        function = function.function
    box: Box | None = function.scope if isinstance(function, FunctionValue) else None
    while box is not None and box.parent is not None and isinstance(function, FunctionValue):
        mentioned = names_in(function.node)
        found |= {name: value for name, value in box.slots.items() if name in mentioned and name not in found}
        box = box.parent
    for name, value in list(found.items()):
        if isinstance(value, InstanceValue):
            found |= {f"{name}.{slot}": held for slot, held in value.box.slots.items()}
    # Functions and classes are known by their text
    return {name: getattr(value, "node", value) for name, value in found.items() if _is_setting(value)}


def _is_setting(value: Value) -> bool:
    if isinstance(value, Const):
        return value.value is None or isinstance(value.value, str | bool)
    if isinstance(value, InstanceValue):
        return not value.box.slots  # what it holds is not known
    return isinstance(value, FunctionValue | ClassValue | ExternalValue)


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
