"""Who can still see a container or an object that a statement changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import (
    Array,
    Box,
    BoxedValue,
    DictValue,
    InstanceValue,
    ListValue,
    ModuleValue,
    TransformedValue,
    TupleValue,
    Unknown,
    Value,
    members,
)
from ..syntax.walk import in_order
from .occurrences import literal_key, occurrences, stands_within
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
    body = occurrences(function.node.body)
    start, end = body.spans.get(id(statement), (inf, inf))
    if frame is interp.frame:
        names.add(_changed_name(statement) or "")
    elif sum(name in names for name in _names(statement)) > 1:
        return True  # `return fill(state), state`
    attributes = set(map(str, box.slots)) - {key} if key is not None else None
    item = _changed_item(interp.frame.statement)
    again = [span for span in body.loops if span[0] <= start < span[1]] + body.functions
    for name in names & body.uses.keys():
        uses = body.uses[name]
        lists: Iterable[list[int]] = (uses.all,)
        if _is(frame.scope.slots.get(name), box):
            if attributes is not None:
                lists = uses.but_for_attributes(attributes)
            elif item is not None:
                lists = uses.but_for_other_items(item)
        for places in lists:
            if stands_within(places, end, inf) or any(
                stands_within(places, first, min(last, start)) or stands_within(places, max(first, end), last)
                for first, last in again
            ):
                return True
    return False


def _names(node: cst.CSTNode) -> Iterator[str]:
    return (part.value for part in in_order(node) if type(part) is cst.Name)


def _is(value: Value | None, box: Box) -> bool:
    return isinstance(value, BoxedValue) and value.box is box


def _changed_item(statement: cst.CSTNode | None) -> str | None:
    """The literal key under which a statement changes a dict: `"a"` in `state["a"] = x`."""
    if type(statement) is not cst.Assign or type(place := statement.targets[0].target) is not cst.Subscript:
        return None
    return literal_key(place) if type(place.value) is cst.Name else None


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


def is_seen(interp: Interpreter, buffer: int) -> bool:
    """Whether what runs from now on may look at a jax array that shares the memory of a NumPy array."""
    if any(isinstance(node, cst.BaseComp) for frame in interp.frames for node in _parts(frame.statement)):
        return True  # one of those that it has gathered
    own = {id(frame.scope): frame for frame in interp.frames}
    scopes = {id(home): home for frame in interp.frames for home in _with_outer(frame.scope)}
    for number, scope in scopes.items():
        frame = own.get(number)
        given = () if frame is None else (*frame.yields, *(value for value, _ in frame.returns))
        if any(_shares(value, buffer) for value in given):
            return True
        for name, value in [*scope.slots.items()]:
            if _shares(value, buffer) and (frame is None or not _is_bound_anew(frame, name)):
                return True
    return False


def _parts(statement: cst.CSTNode | None) -> Iterator[cst.CSTNode]:
    """What stands in a simple statement."""
    return in_order(statement) if isinstance(statement, cst.BaseSmallStatement) else iter(())


def _with_outer(scope: Box) -> Iterator[Box]:
    home: Box | None = scope
    while home is not None:
        yield home
        home = home.parent


def _shares(value: Value, buffer: int, depth: int = _DEPTH) -> bool:
    """Whether a value is such an array, or has one inside."""
    for member in members(value):
        if isinstance(member, Array):
            if member.buffer == buffer:
                return True
        elif isinstance(member, InstanceValue | ModuleValue):
            if depth and any(_shares(slot, buffer, depth - 1) for slot in [*member.box.slots.values()]):
                return True
        elif isinstance(member, TupleValue | ListValue | DictValue) and depth:
            parts = member.parts if isinstance(member, TupleValue) else contents(member)
            if any(_shares(part, buffer, depth - 1) for part in parts):
                return True
    return False


def _is_bound_anew(frame: Frame, name: object) -> bool:
    """Whether a variable gets another value before it is used again."""
    body = frame.source.module if frame.function is None else frame.function.node.body
    found = occurrences(body)
    start, end = found.spans.get(id(frame.statement), (-1, -1))
    if frame.is_class or start < 0 or not isinstance(name, str) or name not in found.uses:
        return False
    uses, bindings = found.uses[name].all, found.bindings.get(name, [])
    if any(stands_within(uses, first, last) for first, last in found.functions):
        return False

    def gone(first: int, last: float) -> bool | None:
        """Whether the first use between two places binds the name, whatever happens; None where there is none."""
        use = next((place for place in uses if first <= place < last), None)
        if use is None:
            return None
        return use in bindings and all(
            not block[0] <= use < block[1] or block[0] <= start < block[1] for block in found.blocks
        )

    first, last = start, end
    for begin, until in sorted((span for span in found.loops if span[0] <= start < span[1]), reverse=True):
        ahead = gone(last, until)
        if ahead is not None:
            return ahead
        if gone(begin, first) is False:
            return False
        first, last = begin, until
    return gone(last, inf) is not False
