"""`equinox.tree_at`: a copy of a tree in which other parts stand at some places."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from ...domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Const,
    DictValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    SequenceValue,
    Value,
)
from ..calls import call as run
from ..functions import parameters
from ..python.attributes import attribute
from ..python.containers import sequence_of, store_item
from ..python.copies import fresh_copy
from ..python.indexing import subscript

if TYPE_CHECKING:
    from ..machine import Interpreter
    from .library import Call

Step: TypeAlias = "str | int"
"""An attribute, or an index of a list or tuple."""


def tree_at(call: Call) -> Value:
    """`tree_at(where, pytree, replace)`, where `where` is a lambda that names attributes and items."""
    interp, where = call.interp, call.bound.get("where", UNKNOWN)
    places = _places(where)
    if places is None:
        return TAINTED
    tree = fresh_copy(interp, call.bound.get("pytree", UNKNOWN), lambda leaf: leaf, call.node)
    several = isinstance(where, FunctionValue) and isinstance(where.node.body, cst.Tuple | cst.List)
    given, replaced_by = call.bound.get("replace"), call.bound.get("replace_fn", NONE)
    news: list[Value] | None = None
    if given is not None:
        news = [given]
        if several:
            news = list(sequence_of(interp, given).items) if isinstance(given, SequenceValue) else []
    for number, place in enumerate(places):
        if not place or (news is not None and number >= len(news)):
            return TAINTED
        owner = tree
        for step in place[:-1]:
            owner = _part(interp, owner, step, call.node)
        new = news[number] if news is not None else None
        if new is None:
            new = run(interp, replaced_by, [_part(interp, owner, place[-1], call.node)], {}, call.node)
        if not _put(interp, owner, place[-1], new, call.node):
            return TAINTED
    return tree


def _places(where: Value) -> list[list[Step]] | None:
    """The places that a lambda names; None where it does anything else."""
    if not isinstance(where, FunctionValue) or not isinstance(where.node, cst.Lambda):
        return None
    names = [param.name.value for param in parameters(where)]
    body = where.node.body
    named = [element.value for element in body.elements] if isinstance(body, cst.Tuple | cst.List) else [body]
    places = [_steps(node, names[0]) for node in named] if len(names) == 1 else []
    return [place for place in places if place is not None] if places and None not in places else None


def _steps(node: cst.BaseExpression, name: str) -> list[Step] | None:
    steps: list[Step] = []
    while True:
        if isinstance(node, cst.Attribute):
            steps.insert(0, node.attr.value)
            node = node.value
        elif isinstance(node, cst.Subscript) and len(node.slice) == 1:
            index = node.slice[0].slice
            text = index.value if isinstance(index, cst.Index) else None
            if isinstance(text, cst.Integer):
                steps.insert(0, int(text.value))
            elif isinstance(text, cst.UnaryOperation) and isinstance(text.expression, cst.Integer):
                steps.insert(0, -int(text.expression.value))
            else:
                return None
            node = node.value
        else:
            return steps if isinstance(node, cst.Name) and node.value == name else None


def _part(interp: Interpreter, owner: Value, step: Step, node: cst.CSTNode) -> Value:
    if isinstance(step, str):
        return attribute(interp, owner, step, node)
    return subscript(interp, owner, Const(step), node)


def _put(interp: Interpreter, owner: Value, step: Step, new: Value, node: cst.CSTNode) -> bool:
    """Puts a value at a place; whether that could be done."""
    if isinstance(owner, InstanceValue) and isinstance(step, str):
        interp.state.write(owner.box, step, new)
        return True
    if isinstance(owner, ListValue | DictValue) and isinstance(step, int):
        store_item(interp, owner, Const(step), new, node)
        return True
    return False
