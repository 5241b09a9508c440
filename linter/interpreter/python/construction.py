"""Construction: what calling a class gives, and what stands for an instance that nobody is seen to make."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    TAINTED,
    UNKNOWN,
    Array,
    ClassValue,
    Const,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Level,
    MethodValue,
    Static,
    TransformedValue,
    TupleValue,
    Value,
)
from ..calls import call, callee
from ..functions import run_function
from .classes import ENUMS, ancestors, annotated, field_default, fields_of, find_member, has_base
from .derived import begin
from .flattening import HEIRS, pytree_fields

if TYPE_CHECKING:
    from ..machine import Interpreter

NAMED_TUPLES = ("typing.NamedTuple", "typing_extensions.NamedTuple")


@callee(ClassValue)
def instantiate(
    interp: Interpreter,
    cls: ClassValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    """A new instance: `__init__`, a dataclass's fields, or a NamedTuple's."""
    if has_base(cls, NAMED_TUPLES):
        return _named_tuple(interp, cls, args, kwargs, spread)
    if has_base(cls, ENUMS):
        from .enumerations import member_with

        return member_with(interp, cls, args[0] if args else UNKNOWN, node)
    made = _new(interp, cls, args, kwargs, node, spread)
    if isinstance(made, InstanceValue) and has_base(cls, ("equinox.Module",)):
        for one in ancestors(cls):
            check = interp.state.read(one.box, "__check_init__") if isinstance(one, ClassValue) else None
            if isinstance(check, FunctionValue):
                call(interp, MethodValue(check, made), [], {}, node)
    return made


def _new(
    interp: Interpreter,
    cls: ClassValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    """A new object, filled by `__init__` or as a dataclass is."""
    instance = InstanceValue(cls, interp.new_box(cls.name, site=node))
    box = instance.box
    filled = begin(interp, cls, instance, node)
    init = find_member(interp, cls, "__init__")
    if isinstance(init, FunctionValue | TransformedValue):
        followed = call(interp, MethodValue(init, instance), args, kwargs, node, spread) != TAINTED
        return instance if followed else TAINTED
    if filled is not None:
        call(interp, filled, args, kwargs, node, spread)
    inherited = _made_by_library(interp, cls, args, kwargs, node, spread)
    if inherited is not None:
        return inherited
    names = fields_of(cls)
    if not names:
        return instance
    for position, name in enumerate(names):
        given = kwargs.get(name, args[position] if position < len(args) else None)
        if given is None:
            given = spread if spread is not None else field_default(interp, cls, name)
        box.slots[name] = given if given is not None else UNKNOWN
    after = find_member(interp, cls, "__post_init__")
    if after is not None:
        call(interp, MethodValue(after, instance), [], {}, node)
    return instance


def _made_by_library(
    interp: Interpreter,
    cls: ClassValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value | None:
    """An instance of a class derived from a library's variables (`nnx.Variable`): one of these."""
    for base in ancestors(cls):
        made = interp.catalogue.function(base.name) if isinstance(base, ExternalValue) else None
        if made is not None and made.result.word == "variable":
            variable = call(interp, base, args, kwargs, node, spread)
            return InstanceValue(cls, variable.box) if isinstance(variable, InstanceValue) else None
    return None


def _named_tuple(
    interp: Interpreter, cls: ClassValue, args: list[Value], kwargs: dict[str, Value], spread: Value | None
) -> Value:
    names = fields_of(cls)
    items: list[Value] = []
    for position, name in enumerate(names):
        given = args[position] if position < len(args) else kwargs.get(name)
        default = field_default(interp, cls, name)
        items.append(
            given
            if given is not None
            else spread
            if spread is not None
            else default
            if default is not None
            else UNKNOWN
        )
    return TupleValue(tuple(items), None, tuple(names), cls)


def _has_heirs(cls: Value) -> bool:
    return isinstance(cls, ClassValue) and cls.box.slots.get(HEIRS) == Const(True)


def specimen(interp: Interpreter, cls: ClassValue) -> Value:
    """An instance of which only the class is known, for methods that nobody is seen to call."""
    from ..tracing.entries import unknown_arguments

    kept = interp.specimens.get(id(cls.node))
    if kept is not None:
        return kept
    box = interp.new_box(cls.name, site=cls.node)
    instance: Value = InstanceValue(cls, box)
    interp.specimens[id(cls.node)] = instance
    init = find_member(interp, cls, "__init__")
    fields = pytree_fields(interp, cls)
    if isinstance(init, FunctionValue):
        before = interp.run_nodes.copy()
        run_function(interp, init, *unknown_arguments(interp, init, instance))
        interp.making |= interp.run_nodes - before
    else:
        from ..tracing.entries import by_annotation

        dynamic = fields if isinstance(fields, set) else set()
        for one in ancestors(cls):
            if isinstance(one, ClassValue):
                for name, annotation in annotated(one.node):
                    value = by_annotation(interp, annotation, None, one.box.parent)
                    if isinstance(value, InstanceValue) and _has_heirs(value.cls):
                        value = UNKNOWN  # it may be one of theirs
                    if (
                        name in dynamic
                        and isinstance(value, Static)
                        and value.kind in ("int", "float", "bool")
                    ):
                        # People annotate a number where batches of them pass, too
                        value = Array(Level.CONCRETE, sure=False)
                    box.slots.setdefault(name, value)
    if isinstance(fields, set):
        for name, value in box.slots.items():
            if name not in fields and value == Array(Level.CONCRETE):
                # What is annotated as an array or scalar is hardly one where it is structure, which is compared
                box.slots[name] = UNKNOWN
    return instance
