"""How instances flatten as pytrees: which fields are dynamic, and whether there are leaves at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    ClassValue,
    Const,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    TupleValue,
    Value,
)
from ...syntax.walk import children
from ..libraries.variables import KIND
from .classes import LINEN, ancestors, fields_of, find_member, has_base, open_ended
from .fields import as_field

if TYPE_CHECKING:
    from ..machine import Interpreter

LEAVES: dict[str | None, tuple[str, ...]] = {
    "class:pytree": (),
    "class:module": (),
    "class:TrainState": ("step", "params", "opt_state"),
}
"""The words of the tables for classes whose heirs are pytrees, and the leaves that these inherit."""
HEIRS = "__heirs__"
"""The slot of a class whose objects may be pytrees; it holds whether others derive from it that are."""
NO_PYTREES = (*LINEN, "haiku.Module", "haiku.RNNCore")


def mark_pytree(cls: Value, dynamic: list[str] | None) -> None:
    """Instances flatten as pytrees: these fields, or all."""
    if isinstance(cls, ClassValue):
        cls.box.slots["__pytree__"] = (
            Const(True) if dynamic is None else TupleValue(tuple(map(Const, dynamic)))
        )
        mark_heirs(cls)


def mark_heirs(cls: Value) -> None:
    """An object of the class may be a pytree, and so may one of which it is known that it is of one of its bases."""
    for base in ancestors(cls):
        if isinstance(base, ClassValue) and base.box.slots.get(HEIRS) != Const(True):
            base.box.slots[HEIRS] = Const(base is not cls)


def inherit_pytree(interp: Interpreter, cls: ClassValue) -> None:
    """A class whose base a table calls a pytree is one: its fields but those marked static."""
    for one in ancestors(cls):
        word = interp.catalogue.object(one.name) if isinstance(one, ExternalValue) else None
        if word in LEAVES:
            mark_pytree(cls, [*LEAVES[word], *dynamic_fields(interp, cls)])
            return


def dynamic_fields(interp: Interpreter, cls: Value) -> list[str]:
    """The fields of a dataclass that are not marked static by `field(metadata={'static': True})` and its like."""
    found = []
    for name in fields_of(cls):
        given = as_field(find_member(interp, cls, name))
        if given is None or given.static != Const(True):
            found.append(name)
    return found


def pytree_fields(interp: Interpreter, cls: Value) -> set[str] | bool | None:
    """The dynamic fields of a pytree class, True for all, None where instances do not flatten."""
    for one in ancestors(cls):
        if isinstance(one, ClassValue):
            mark = one.box.slots.get("__pytree__")
            if isinstance(mark, TupleValue):
                return {item.value for item in mark.items if isinstance(item, Const)}
            if mark is not None:
                return True
    if isinstance(cls, ClassValue) and HEIRS in cls.box.slots:
        return True
    word = interp.catalogue.object(cls.name) if isinstance(cls, ExternalValue) else None
    if word == "class:opaque":
        return None
    if LEAVES.get(word):
        return set(LEAVES[word])
    if not isinstance(cls, ClassValue):
        return True
    if has_base(cls, NO_PYTREES):
        return None
    if open_ended(interp, cls):
        dynamic = dynamic_fields(interp, cls)
        return set(dynamic) if len(dynamic) < len(fields_of(cls)) else True
    return None


def arrays_alone(interp: Interpreter, value: InstanceValue) -> bool:
    """Whether the leaves of an instance are its arrays alone, and numbers its structure: a graph, a library's object."""
    return KIND in value.box.slots or any(
        isinstance(one, ExternalValue) and interp.catalogue.object(one.name) == "class:graph"
        for one in ancestors(value.cls)
    )


def is_structure(interp: Interpreter, value: InstanceValue, name: str) -> bool:
    """Whether an attribute of a pytree is no leaf of it: what steps make of the pytree keeps it."""
    for one in ancestors(value.cls):
        leaves = LEAVES.get(interp.catalogue.object(one.name)) if isinstance(one, ExternalValue) else None
        if leaves:
            return name not in leaves and name not in fields_of(value.cls)
    return name in metadata_fields(interp, value.cls)


def metadata_fields(interp: Interpreter, cls: Value) -> list[str]:
    """The fields of a pytree class that are part of its structure: those of a dataclass that are no leaves, or read from its text."""
    if fields := fields_of(cls):
        leaves = pytree_fields(interp, cls)
        return [name for name in fields if name not in leaves] if isinstance(leaves, set) else []
    return flattened_fields(interp, cls, 1) or []


def flattened_fields(interp: Interpreter, cls: Value, part: int = 0) -> list[str] | None:
    """The fields that a class's `tree_flatten` gives as children (part 0) or metadata (1), read from its text.

    Children that it does not name are the fields of a dataclass that are no metadata; None where all may be children.
    """
    method = find_member(interp, cls, "tree_flatten") or find_member(interp, cls, "tree_flatten_with_keys")
    if not isinstance(method, FunctionValue) or type(method.node) is not cst.FunctionDef:
        return None
    assigned: dict[str, cst.BaseExpression] = {}
    for line in method.node.body.body:
        for small in line.body if type(line) is cst.SimpleStatementLine else ():
            if type(small) is cst.Assign and type(small.targets[0].target) is cst.Name:
                assigned[small.targets[0].target.value] = small.value
            if (
                type(small) is cst.Return
                and type(small.value) is cst.Tuple
                and len(small.value.elements) > part
            ):
                given: cst.CSTNode = small.value.elements[part].value
                if type(given) is cst.Name:
                    given = assigned.get(given.value, given)
                named = _self_attributes(given)
                if part == 0 and not named and (metadata := flattened_fields(interp, cls, 1)):
                    named = [name for name in fields_of(cls) if name not in metadata]
                return named or None
    return None


def _self_attributes(node: cst.CSTNode) -> list[str]:
    found: list[str] = []
    stack = [node]
    while stack:
        item = stack.pop()
        if type(item) is cst.Attribute and type(item.value) is cst.Name and item.value.value == "self":
            found.append(item.attr.value)
        stack.extend(children(item))
    return found
