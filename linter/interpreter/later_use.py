"""Who can still see a container or an object that a statement changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import (
    Box,
    BoxedValue,
    InstanceValue,
    TransformedValue,
    TupleValue,
    Unknown,
    Value,
    members,
)
from ..syntax.walk import in_order
from .python.containers import contents
from .tracing.traces import Trace

if TYPE_CHECKING:
    from .machine import Frame, Interpreter

KEEPING = frozenset("add append appendleft extend insert push put register setdefault store update".split())
"""What methods are called that keep what they are given."""
_DEPTH = 4  # how far inside other values the container is looked for


def used_later(interp: Interpreter, box: Box, key: str | None = None) -> bool:
    """Whether what runs inside the trace that the object belongs to uses it again, by any name, after what runs now.

    A name counts that holds the object or something with the object inside it.  "After" is later in the text, in
    the same loop, or in a function defined inside.  `key` is the attribute in question: others of them do not count.
    """
    if interp.frame.statement is None or _changed_name(interp.frame.statement) is None:
        return True
    for frame in reversed(interp.frames):
        home = frame.scope.context
        if frame is not interp.frame and not (isinstance(home, Trace) and home.within(box.context)):
            return False
        if _uses_again(interp, frame, box, key):
            return True
    return False


def _uses_again(interp: Interpreter, frame: Frame, box: Box, key: str | None) -> bool:
    """Whether a function uses an object after its statement under way, or, if it has called another one, in it, too."""
    function, statement = frame.function, frame.statement
    if function is None or statement is None:
        return True
    names = {name for name, value in frame.scope.slots.items() if holds(value, box)}
    inside = {id(node) for node in in_order(statement)}
    if frame is interp.frame:
        names.add(_changed_name(statement) or "")
    elif sum(name in names for name in _names(statement)) > 1:
        return True  # `return fill(state), state`
    direct = {name for name in names if _is(frame.scope.slots.get(name), box)}
    if key is not None:
        others = _other_attributes(function.node.body, direct, set(map(str, box.slots)) - {key})
    else:
        others = _other_items(function.node.body, direct, _changed_item(interp.frame.statement))
    passed_over = set(others)
    reached = False
    for node in in_order(function.node.body):
        reached = reached or id(node) in inside
        if id(node) in passed_over:
            continue
        if type(node) is cst.Name and node.value in names and reached and id(node) not in inside:
            return True
        if isinstance(node, cst.For | cst.While | cst.FunctionDef | cst.Lambda):
            held = {id(part): part for part in in_order(node)}
            again = not isinstance(node, cst.For | cst.While) or id(statement) in held
            if again and any(
                type(part) is cst.Name and part.value in names and id(part) not in inside | passed_over
                for part in held.values()
            ):
                return True
    return False


def _names(node: cst.CSTNode) -> Iterator[str]:
    return (part.value for part in in_order(node) if type(part) is cst.Name)


def _is(value: Value | None, box: Box) -> bool:
    return isinstance(value, BoxedValue) and value.box is box


def _other_attributes(body: cst.CSTNode, names: set[str], attributes: set[str]) -> Iterator[int]:
    """The places where only other attributes of an object are used, by one of these names."""
    for node in in_order(body):
        if type(node) is cst.Attribute and type(node.value) is cst.Name:
            if node.value.value in names and node.attr.value in attributes:
                yield id(node.value)


def _other_items(body: cst.CSTNode, names: set[str], item: str | None) -> Iterator[int]:
    """The places where only other items of a dict are used, by one of these names."""
    for node in in_order(body) if item is not None else ():
        if type(node) is cst.Subscript and type(node.value) is cst.Name and node.value.value in names:
            if _literal(node) not in (None, item):
                yield id(node.value)


def _changed_item(statement: cst.CSTNode | None) -> str | None:
    """The literal key under which a statement changes a dict: `"a"` in `state["a"] = x`."""
    if type(statement) is not cst.Assign or type(place := statement.targets[0].target) is not cst.Subscript:
        return None
    return _literal(place) if type(place.value) is cst.Name else None


def _literal(node: cst.Subscript) -> str | None:
    part = node.slice[0].slice
    key = part.value if type(part) is cst.Index else None
    literal = key.evaluated_value if type(key) is cst.SimpleString else None
    return literal if isinstance(literal, str) else None


def is_passing(interp: Interpreter, box: Box) -> bool:
    """Whether a container was made for a call under way alone, as an argument of it: nobody sees it afterwards."""
    for frame in interp.frames:
        for node in in_order(frame.statement) if frame.statement is not None else ():
            if type(node) is cst.Call and any(argument.value is box.site for argument in node.args):
                return True
    return False


def consumed(interp: Interpreter, node: cst.CSTNode) -> bool:
    """Whether what an expression gives is an argument alone, of a compiled function or one of which nothing is known."""
    for outer in in_order(interp.frame.statement) if interp.frame.statement is not None else ():
        if type(outer) is cst.Call and any(argument.value is node for argument in outer.args):
            if type(outer.func) is cst.Attribute and outer.func.attr.value in KEEPING:
                return False
            mark = interp.state.mark()
            called = interp.evaluate(outer.func)
            interp.state.rollback(mark)
            return isinstance(called, TransformedValue | Unknown)
    return False


def _changed_name(statement: cst.CSTNode) -> str | None:
    """The name that the container is changed through: `state` in `state["a"]["b"] = x`."""
    place: cst.CSTNode = statement
    if type(statement) is cst.Assign:
        place = statement.targets[0].target
    elif type(statement) is cst.AugAssign:
        place = statement.target
    elif type(statement) is cst.Expr and type(statement.value) is cst.Call:
        place = statement.value.func
    while isinstance(place, cst.Attribute | cst.Subscript):
        place = place.value
    return place.value if type(place) is cst.Name else None


def holds(value: Value, box: Box, depth: int = _DEPTH) -> bool:
    """Whether a value is the container, or has it inside."""
    for member in members(value):
        if isinstance(member, BoxedValue):
            if member.box is box:
                return True
            parts = list(contents(member))
            if isinstance(member, InstanceValue):
                parts += member.box.slots.values()
        else:
            parts = list(member.items) if isinstance(member, TupleValue) else []
        if depth and any(holds(part, box, depth - 1) for part in parts):
            return True
    return False
