"""Members of a class as they are seen through an instance: methods are bound, properties computed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    UNKNOWN,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    MethodValue,
    PartialValue,
    TransformedValue,
    TupleValue,
    Value,
)
from ..calls import call
from ..stores import note_escape
from .classes import find_member
from .fields import as_field

if TYPE_CHECKING:
    from ..machine import Interpreter


def bind_member(interp: Interpreter, member: Value, receiver: Value, node: cst.CSTNode) -> Value:
    """A class member as it is seen through an instance."""
    cls = receiver.cls if isinstance(receiver, InstanceValue | TupleValue) else receiver
    match member:
        case FunctionValue():
            return MethodValue(member, receiver)
        case TransformedValue():
            return MethodValue(member, receiver)
        case MethodValue(function=ExternalValue(name="descriptor.property")):
            return call(interp, MethodValue(member.receiver, receiver), [], {}, node)
        case MethodValue(function=ExternalValue(name="descriptor.cached_property")):
            found = call(interp, MethodValue(member.receiver, receiver), [], {}, node)
            name = getattr(member.receiver, "name", "a cached property")
            if isinstance(receiver, InstanceValue):
                inner = member.receiver
                place, source = (
                    (inner.node, inner.source) if isinstance(inner, FunctionValue) else (node, interp.source)
                )
                note_escape(interp, receiver.box, found, place, name, "cache", source)
                interp.state.write(receiver.box, name, found)
            return found
        case MethodValue(function=ExternalValue(name="descriptor.staticmethod")):
            return member.receiver
        case MethodValue(function=ExternalValue(name="descriptor.classmethod")):
            return MethodValue(member.receiver, cls if cls is not None else UNKNOWN)
        case MethodValue() if (given := as_field(member)) is not None:
            return given.default
        case MethodValue(
            function=ExternalValue(name="descriptor.partialmethod"), receiver=PartialValue() as made
        ):
            return replace(made, function=bind_member(interp, made.function, receiver, node))
        case InstanceValue(cls=ExternalValue(name="functools.singledispatchmethod")):
            return PartialValue(member, (receiver,), ())
        case InstanceValue() if isinstance(
            getter := find_member(interp, member.cls, "__get__"), FunctionValue
        ):
            return call(
                interp, MethodValue(getter, member), [receiver, cls if cls is not None else UNKNOWN], {}, node
            )
        case _:
            return member
