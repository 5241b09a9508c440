"""Who can still see a container that a statement changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..domain import Box, BoxedValue, TupleValue, Value, members
from ..syntax.walk import in_order
from .containers import contents

if TYPE_CHECKING:
    from .machine import Interpreter

_DEPTH = 4  # how far inside other values the container is looked for


def used_later(interp: Interpreter, box: Box) -> bool:
    """Whether the function under way uses the container again after the statement under way, by any of its names.

    A name counts that holds the container or something with the container inside it.  "After" is later in the text, in
    the same loop, or in a function defined inside.
    """
    function, statement = interp.frame.function, interp.frame.statement
    if function is None or statement is None or _changed_name(statement) is None:
        return True
    names = {name for name, value in interp.frame.scope.slots.items() if _holds(value, box, _DEPTH)}
    names.add(_changed_name(statement) or "")
    inside = {id(node) for node in in_order(statement)}
    reached = False
    for node in in_order(function.node.body):
        reached = reached or id(node) in inside
        if type(node) is cst.Name and node.value in names and reached and id(node) not in inside:
            return True
        if isinstance(node, cst.For | cst.While | cst.FunctionDef | cst.Lambda):
            held = {id(part): part for part in in_order(node)}
            again = not isinstance(node, cst.For | cst.While) or id(statement) in held
            if again and any(
                type(part) is cst.Name and part.value in names and key not in inside
                for key, part in held.items()
            ):
                return True
    return False


def is_passing(interp: Interpreter, box: Box) -> bool:
    """Whether a container was made for a call under way alone, as an argument of it: nobody sees it afterwards."""
    for frame in interp.frames:
        for node in in_order(frame.statement) if frame.statement is not None else ():
            if type(node) is cst.Call and any(argument.value is box.site for argument in node.args):
                return True
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


def _holds(value: Value, box: Box, depth: int) -> bool:
    """Whether a value is the container, or has it inside."""
    for member in members(value):
        if isinstance(member, BoxedValue):
            if member.box is box:
                return True
            parts = list(contents(member))
        else:
            parts = list(member.items) if isinstance(member, TupleValue) else []
        if depth and any(_holds(part, box, depth - 1) for part in parts):
            return True
    return False
