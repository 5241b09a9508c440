"""What a test that holds tells of the names in it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import (
    NONE,
    UNKNOWN,
    Array,
    Box,
    Const,
    DictValue,
    InstanceValue,
    ListValue,
    Mapping,
    Tree,
    TupleValue,
    Union,
    Unknown,
    Value,
    members,
)
from .python.containers import content_of
from .python.instances import is_instance
from .tracing.callables import not_callable

if TYPE_CHECKING:
    from .machine import Interpreter


def narrow(interp: Interpreter, test: cst.BaseExpression, holds: bool) -> None:
    """Narrows the names in a test that is known to hold, or not to hold, from here on."""
    if type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        narrow(interp, test.expression, not holds)
    elif type(test) is cst.BooleanOperation:
        if (type(test.operator) is cst.And) is holds:
            narrow(interp, test.left, holds)
            narrow(interp, test.right, holds)
    elif type(test) is cst.NamedExpr:
        narrow(interp, test.target, holds)
    elif type(test) is cst.Comparison and len(test.comparisons) == 1:
        target = test.comparisons[0]
        if type(target.comparator) is cst.Name and target.comparator.value == "None":
            same = isinstance(target.operator, cst.Is | cst.Equal)
            if same or isinstance(target.operator, cst.IsNot | cst.NotEqual):
                _keep(
                    interp,
                    test.left,
                    lambda member: (member == NONE) == (same == holds),
                    NONE if same == holds else None,
                )
    elif type(test) is cst.Name or type(test) is cst.Attribute:
        _keep(
            interp, test, lambda member: not (isinstance(member, Const) and bool(member.value) is not holds)
        )
    elif type(test) is cst.Call and type(test.func) is cst.Name and test.func.value == "isinstance":
        _narrow_instance(interp, test, holds)
    elif type(test) is cst.Call and type(test.func) is cst.Name and test.func.value == "callable":
        if holds and test.args:
            _drop_data(interp, test.args[0].value)


def none_when(interp: Interpreter, test: cst.BaseExpression) -> bool | None:
    """Whether a test holds for an object that is None, where it asks just that of an object of which nothing is known."""
    if type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        inner = none_when(interp, test.expression)
        return None if inner is None else not inner
    asked = _asked_for_none(test)
    place = _place(interp, asked) if asked is not None else None
    if asked is None or place is None or not isinstance(place[0].slots[place[1]], Unknown | Tree):
        return None
    assert type(test) is cst.Comparison
    return isinstance(test.comparisons[0].operator, cst.Is | cst.Equal)


def filled_when(interp: Interpreter, test: cst.BaseExpression) -> bool | None:
    """Whether a test holds for a dict with entries, where it asks just that of one that a loop has filled."""
    if type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        inner = filled_when(interp, test.expression)
        return None if inner is None else not inner
    place = _place(interp, test)
    held = place[0].slots[place[1]] if place is not None else None
    content = held.box.slots.get("items") if isinstance(held, DictValue) else None
    return True if isinstance(content, Mapping) and content.rest is not None else None


def asks_of_unset(interp: Interpreter, test: cst.BaseExpression) -> bool:
    """Whether a test asks whether an attribute is None that an object has got where the analysis has not followed."""
    asked = _asked_for_none(test)
    if type(asked) is not cst.Attribute or type(asked.value) is not cst.Name:
        return False
    owner = interp.lookup(asked.value.value)
    return isinstance(owner, InstanceValue) and asked.attr.value not in owner.box.slots


def _asked_for_none(test: cst.BaseExpression) -> cst.BaseExpression | None:
    """The operand of `is None` or `is not None`."""
    if type(test) is cst.Comparison and len(test.comparisons) == 1:
        comparator = test.comparisons[0].comparator
        if type(comparator) is cst.Name and comparator.value == "None":
            return test.left
    return None


def _place(interp: Interpreter, node: cst.BaseExpression) -> tuple[Box, str] | None:
    """The box and slot of a name, or of an attribute of an instance held by a name."""
    if type(node) is cst.NamedExpr:
        node = node.target
    if type(node) is cst.Name:
        box: Box | None = interp.frame.scope
        while box is not None:
            if node.value in box.slots:
                return box, node.value
            box = box.parent
    elif type(node) is cst.Attribute and type(node.value) is cst.Name:
        owner = interp.lookup(node.value.value)
        if isinstance(owner, InstanceValue) and node.attr.value in owner.box.slots:
            return owner.box, node.attr.value
    return None


def _keep(interp: Interpreter, node: cst.BaseExpression, fits: object, alone: Value | None = None) -> None:
    """Drops the alternatives that do not fit; an unknown becomes `alone` where that is given."""
    place = _place(interp, node)
    if place is None:
        return
    box, name = place
    value: Value = box.slots[name]
    if isinstance(value, Unknown):
        if alone is not None:
            interp.state.write(box, name, alone)
        return
    if isinstance(value, Tree) and alone is not None:
        interp.state.write(box, name, alone)
        return
    kept = [member for member in members(value) if fits(member)]  # type: ignore[operator]
    if kept and len(kept) < len(members(value)):
        interp.state.write(box, name, kept[0] if len(kept) == 1 else Union(tuple(kept)))


def _drop_data(interp: Interpreter, node: cst.BaseExpression) -> None:
    """Drops the alternatives that cannot be called; where none is left, callers have given something else."""
    place = _place(interp, node)
    if place is None:
        return
    box, name = place
    value: Value = box.slots[name]
    kept = [member for member in members(value) if not not_callable(interp, member)]
    if len(kept) < len(members(value)):
        one = UNKNOWN if not kept else kept[0] if len(kept) == 1 else Union(tuple(kept))
        interp.state.write(box, name, one)


def _narrow_instance(interp: Interpreter, test: cst.Call, holds: bool) -> None:
    """After `isinstance(x, Array)` a pytree of unknown structure is an array, and where it fails, it surely is none."""
    if len(test.args) != 2:
        return
    subject = test.args[0].value
    item = type(subject) is cst.Subscript
    place = _place(interp, subject.value if isinstance(subject, cst.Subscript) else subject)
    if place is None:
        return
    box, name = place
    value: Value = box.slots[name]
    mark = interp.state.mark()
    kind = interp.evaluate(test.args[1].value)
    interp.state.rollback(mark)
    if not item:
        kept = _of_kind(interp, value, kind, holds)
        if kept is not None and kept != value:
            interp.state.write(box, name, kept)
        return
    content = content_of(interp, value) if isinstance(value, ListValue) else value
    if not isinstance(content, TupleValue) or content.items or content.rest is None:
        return
    # What holds for one item holds for all of those that nobody tells apart
    rest = _of_kind(interp, content.rest, kind, holds)
    content = replace(content, rest=UNKNOWN if rest is None else rest)
    if isinstance(value, ListValue):
        interp.state.write(value.box, "items", content)
    else:
        interp.state.write(box, name, content)


def _of_kind(interp: Interpreter, value: Value, kind: Value, holds: bool) -> Value | None:
    """The alternatives that are, or are not, of a type; None where there are none."""
    kept: list[Value] = []
    for member in members(value):
        answer = is_instance(interp, member, kind)
        if answer is None or answer is holds:
            if isinstance(member, Tree) and answer is None and is_instance(interp, Array(member.level), kind):
                array = Array(member.level, None, None, False, member.sure, member.roots, member.trail)
                member = array if holds else UNKNOWN
            kept.append(member)
    if not kept:
        return None
    return kept[0] if len(kept) == 1 else Union(tuple(kept))
