"""What Python finds when it asks a value for its truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..domain import (
    Array,
    Arrays,
    BoxedValue,
    ClassValue,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Level,
    ListValue,
    Mapping,
    MethodValue,
    ModuleValue,
    PartialValue,
    TransformedValue,
    TupleValue,
    Union,
    Unknown,
    Value,
    surely_traced,
)
from ..events import Truth
from .calls import call
from .python.classes import find_member, open_ended
from .python.containers import held_by

if TYPE_CHECKING:
    from .machine import Interpreter


MODULES = frozenset("jax jax.numpy jax.lax jax.nn jax.random jax.scipy numpy scipy math operator".split())


def truth(
    interp: Interpreter, value: Value, node: cst.CSTNode, place: str, function: str = ""
) -> bool | None:
    """The truth of a value, None where it is not known; tells the rules where a tracer is asked for it.

    A pytree of unknown structure may be an empty container, so that its truth is only a possible pitfall.
    """
    interp.lifetimes.asked(interp, (value,), node)
    operand, interp.last_operand = interp.last_operand, None
    if type(node) is cst.BooleanOperation and operand is not None and operand[0] is node:
        value = operand[1]
        if place in ("and", "or"):
            node = node.right
    abstract = [
        m
        for m in (value.members if isinstance(value, Union) else (value,))
        if isinstance(m, Arrays) and m.level is Level.ABSTRACT
    ]
    if abstract:
        sure = surely_traced(value) and all(isinstance(m, Array) for m in abstract)
        named = _structures(interp)
        interp.emit(Truth, node, value, sure, place=place, function=function, structures=named)
        return None
    if isinstance(value, Union):
        answers = {_plain(interp, member, node, place) for member in value.members}
        return answers.pop() if len(answers) == 1 else None
    return _plain(interp, value, node, place)


def _structures(interp: Interpreter) -> frozenset[str]:
    """The variables of the function under way that hold containers and objects."""
    slots = interp.frame.scope.slots.items()
    return frozenset(str(name) for name, value in slots if isinstance(value, TupleValue | BoxedValue))


def _plain(interp: Interpreter, value: Value, node: cst.CSTNode, place: str) -> bool | None:
    match value:
        case Const():
            return bool(value.value)
        case Unknown():
            return value.true or None
        case TupleValue() if value.kind != "tuple" and not value.kind.startswith("dict_"):
            return True
        case TupleValue():
            return True if value.items else (False if value.rest is None else None)
        case ListValue() | DictValue():
            content = interp.state.read(value.box, "items")
            if isinstance(content, TupleValue):
                return True if content.items or content.count else (False if content.rest is None else None)
            if isinstance(content, Mapping):
                return True if content.items or content.filled else (False if content.rest is None else None)
            return None
        case (
            FunctionValue()
            | ClassValue()
            | ModuleValue()
            | MethodValue()
            | PartialValue()
            | TransformedValue()
        ):
            return True
        case ExternalValue():
            known = value.name in MODULES or interp.catalogue.function(value.name) is not None
            return True if known else None
        case InstanceValue():
            return _instance(interp, value, node, place)
        case _:
            return None


def _instance(interp: Interpreter, value: InstanceValue, node: cst.CSTNode, place: str) -> bool | None:
    for name in ("__bool__", "__len__"):
        method = find_member(interp, value.cls, name)
        if method is not None:
            result = call(interp, MethodValue(method, value), [], {}, node)
            if isinstance(result, Array):
                error = "TypeError" if name == "__bool__" else "TracerIntegerConversionError"
                interp.emit(Truth, node, result, place=place, error=error)
            return bool(result.value) if isinstance(result, Const) else None
    held = held_by(interp, value)
    if held is not None:
        return _plain(interp, held, node, place)
    return None if open_ended(interp, value.cls) else True
