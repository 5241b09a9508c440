"""Assignments: to names, attributes, items and patterns of them; and what escapes or is changed by them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard, cast

import libcst as cst

from ..domain import (
    Array,
    Arrays,
    Box,
    ClassValue,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    MethodValue,
    ModuleValue,
    Static,
    TupleValue,
    Value,
    members,
)
from ..events import ArrayMutation, Discarded, OutsideKind
from ..joins import join
from .closures import captured_tracer
from .imports import dotted
from .later_use import is_passing, used_later
from .libraries.variables import VALUE, content_of_variable
from .python.containers import (
    contents,
    elements,
    held_by,
    items_of,
    mapping_of,
    new_list,
    store_item,
)
from .tracing.buffers import store_in_buffer
from .tracing.leaks import belongs_outside
from .tracing.traces import Trace, level_of, with_step

if TYPE_CHECKING:
    from ..files.source import SourceFile
    from .machine import Interpreter


def assign(
    interp: Interpreter, target: cst.BaseExpression, value: Value, node: cst.CSTNode, augmented: bool = False
) -> None:
    """Binds a target of an assignment, a `for`, a `with` or a comprehension."""
    if type(target) is cst.Name:
        value = _traced_step(interp, value, f"assigned to {target.value}", node)
        interp.assign_name(target.value, value, node)
    elif type(target) is cst.Attribute:
        _assign_attribute(interp, target, value, node)
    elif type(target) is cst.Subscript:
        _assign_item(interp, target, value, node)
    elif type(target) is cst.Tuple or type(target) is cst.List:
        _unpack(interp, target, value, node)
    elif type(target) is cst.StarredElement:
        assign(interp, target.value, value, node)
        return
    if interp.observer is not None:
        interp.observer(target, value, "target")


def _traced_step(interp: Interpreter, value: Value, message: str, node: cst.CSTNode) -> Value:
    if isinstance(value, Arrays):
        return with_step(value, message, node, interp.source) if value.traced else value
    return value


def _unpack(interp: Interpreter, target: cst.Tuple | cst.List, value: Value, node: cst.CSTNode) -> None:
    from .loops import note_iteration

    note_iteration(interp, value, node, "unpack")
    parts = [element.value for element in target.elements]
    star = next((k for k, element in enumerate(target.elements) if type(element) is cst.StarredElement), None)
    for member in members(value):
        known = items_of(interp, member)
        if known is None or len(members(value)) > 1:
            break
        if star is None and len(known) == len(parts):
            for part, item in zip(parts, known, strict=True):
                assign(interp, part, item, node)
            return
        if star is not None and len(known) >= len(parts) - 1:
            after = len(parts) - star - 1
            middle = known[star : len(known) - after]

            for part, item in zip(parts[:star], known[:star], strict=True):
                assign(interp, part, item, node)
            assign(interp, parts[star], new_list(interp, TupleValue(tuple(middle)), target), node)
            for part, item in zip(parts[star + 1 :], known[len(known) - after :], strict=True):
                assign(interp, part, item, node)
            return
    per_position = _by_position(interp, value, len(parts)) if star is None else None
    for k, part in enumerate(parts):
        item = per_position[k] if per_position else elements(interp, value, node)
        assign(interp, part, new_list(interp, TupleValue((), item), target) if k == star else item, node)


def _by_position(interp: Interpreter, value: Value, count: int) -> list[Value] | None:
    """The items at each position of a union of sequences of this length."""
    columns: list[Value] | None = None
    for member in members(value):
        known = items_of(interp, member)
        if known is None:
            known = [elements(interp, member)] * count
        if len(known) != count:
            return None
        columns = known if columns is None else [join(a, b) for a, b in zip(columns, known, strict=True)]
    return columns


def _assign_attribute(interp: Interpreter, target: cst.Attribute, value: Value, node: cst.CSTNode) -> None:
    from .libraries.guarded import changed_from_another_trace
    from .python.classes import open_ended

    owner = interp.evaluate(target.value)
    name = target.attr.value
    for member in members(owner):
        if isinstance(member, Array) and member.traced:
            sure = member.sure and len(members(owner)) == 1
            interp.tell(ArrayMutation, node, sure, value=member, how="attribute", error="AttributeError")
        if interp.setters and isinstance(member, InstanceValue):
            from .python.descriptors import set_by_code

            if set_by_code(interp, member, name, value, node):
                continue
        if isinstance(member, FunctionValue):
            place = (member.node, name)
            note_escape(
                interp, member.scope, value, node, f"{_text(target.value)}.{name}", "attribute", key=place
            )
            interp.state.write(member.scope, place, value)
        if isinstance(member, InstanceValue | ClassValue | ModuleValue):
            text = f"{_text(target.value)}.{name}"
            kind: OutsideKind = "attribute" if isinstance(member, InstanceValue) else "class"
            managed = isinstance(member, InstanceValue) and open_ended(interp, member.cls)
            if not isinstance(member, InstanceValue) or not changed_from_another_trace(
                interp, member, text, node
            ):
                with interp.doubting(managed):  # a framework's module may carry its state across the border
                    note_escape(interp, member.box, value, node, text, kind, key=name)
            interp.lifetimes.frozen.written(interp, member.box, name, value, node)
            if name == "__dict__" and isinstance(value, DictValue):
                for key, item in mapping_of(interp, value).items:
                    interp.state.write(member.box, key, item)
            interp.state.write(member.box, name, _traced_step(interp, value, f"stored in {text}", node))


def _text(node: cst.BaseExpression) -> str:
    return dotted(node) or "..."


def _assign_item(interp: Interpreter, target: cst.Subscript, value: Value, node: cst.CSTNode) -> None:
    from .python.indexing import index_value

    owner = interp.evaluate(target.value)
    if is_update(owner) or any(isinstance(m, Array) for m in members(owner)):
        mutate_array(interp, owner, target, "assign", node)
    index = index_value(interp, target)
    if type(target.value) is cst.Attribute and target.value.attr.value == "__dict__":
        _assign_by_name(interp, interp.evaluate(target.value.value), index, value, node)
    for member in members(owner):
        if isinstance(member, ListValue | DictValue):
            if not (isinstance(index, Array) and index.traced):  # no such key, so nothing is stored
                with interp.doubting(_is_managed(interp, target.value)):
                    note_escape(interp, member.box, value, node, _text(target.value), "container")
            if isinstance(member, DictValue) and isinstance(index, Const):
                interp.lifetimes.frozen.written(interp, member.box, f"[{index.value!r}]", value, node)
            if isinstance(member, ListValue):
                interp.lifetimes.frozen.changed_list(interp, member.box, node)
            store_item(interp, member, index, value, target)
        elif isinstance(member, Static) and member.kind == "ndarray":
            store_in_buffer(interp, member, index, value, target, node)
        elif isinstance(member, InstanceValue):
            from .calls import call
            from .libraries.guarded import changed_from_another_trace
            from .python.classes import find_member

            if content_of_variable(interp, member) is not None:
                changed_from_another_trace(interp, member, _text(target.value), node)
                interp.state.write(member.box, VALUE, value)
                continue
            method = find_member(interp, member.cls, "__setitem__")
            held = held_by(interp, member)
            if method is not None:
                call(interp, MethodValue(method, member), [index, value], {}, target)
            elif held is not None:
                note_escape(interp, held.box, value, node, _text(target.value), "container")
                store_item(interp, held, index, value, target)


def _is_managed(interp: Interpreter, container: cst.BaseExpression) -> bool:
    """Whether a container belongs to an object of a library's class, which may do with it what is not seen."""
    from .python.classes import open_ended

    if interp.trace is None or type(container) is not cst.Attribute:
        return False
    owner = interp.evaluate(container.value)
    return any(isinstance(one, InstanceValue) and open_ended(interp, one.cls) for one in members(owner))


def _assign_by_name(interp: Interpreter, owner: Value, name: Value, value: Value, node: cst.CSTNode) -> None:
    """`owner.__dict__[name] = value`, whose dict is the attributes of the object."""
    if isinstance(owner, InstanceValue) and isinstance(name, Const) and isinstance(name.value, str):
        note_escape(
            interp, owner.box, value, node, f"{owner.box.name}.{name.value}", "attribute", key=name.value
        )
        interp.state.write(owner.box, name.value, value)


def mutate_array(
    interp: Interpreter, value: Value, target: cst.Subscript, how: str, node: cst.CSTNode
) -> None:
    """A jax array is changed in place, which it never allows; so is what stands for its updates, `x.at`."""
    if is_update(value):
        how, value = "at", value.receiver
    arrays = [m for m in members(value) if isinstance(m, Array)]
    sure = len(arrays) == len(members(value)) and all(m.sure for m in arrays)
    error = "AttributeError" if how == "delete" else "TypeError"
    interp.tell(ArrayMutation, node, sure, value=value, how=how, error=error)


def is_update(value: Value) -> TypeGuard[MethodValue]:
    """Whether a value is `x.at` of an array."""
    return (
        isinstance(value, MethodValue)
        and value.function == ExternalValue("Array.at")
        and isinstance(value.receiver, Array)
    )


def note_escape(
    interp: Interpreter,
    box: Box,
    value: Value,
    node: cst.CSTNode,
    target: str,
    where: OutsideKind,
    source: SourceFile | None = None,
    key: Any = None,
) -> None:
    """Tells of a tracer that is stored in an object which outlives its trace, if it is there still when this ends.

    `key` is the slot, but for containers.  Where the object is an argument that the trace has copied, the caller never sees the change.
    """
    trace = interp.trace
    if trace is None:
        return
    home = cast("Trace | None", box.context)
    if home is not None and home.within(trace):
        copied = box.site is ARGUMENT if where == "container" else box.origin is not None
        if copied and where in ("container", "attribute"):
            if used_later(interp, box, key):
                interp.lifetimes.copies.changed(interp, box, key, value, node)
            else:
                interp.tell(Discarded, node, value=value, how="argument")
        return
    kept = captured_tracer(value)
    held = level_of(value) if kept is None else kept.level
    if held and not belongs_outside(value if kept is None else kept, home):
        sure = kept is not None or _surely_held(value) or any(True for _ in contents(value))
        with interp.doubting(where == "container" and is_passing(interp, box)):
            interp.lifetimes.leaks.stored(
                interp, value if kept is None else kept, node, where, target, sure, source,
                (box, "items") if where == "container" else None if key is None else (box, key),
            )  # fmt: skip
    elif where == "container" and isinstance(value, ListValue | DictValue) and interp.certain:
        value.box.context, value.box.site = home, node  # it lives as long as what it stands in


def _surely_held(value: Value) -> bool:
    """Whether a value is an array, or a tuple with one inside, on every way."""
    return all(
        (isinstance(m, Arrays) and m.sure)
        or (isinstance(m, TupleValue) and any(_surely_held(item) for item in m.items if level_of(item)))
        for m in members(value)
    )


ARGUMENT = object()
"""The site of a container that a trace copied from an argument."""
