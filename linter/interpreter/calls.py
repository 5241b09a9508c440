"""Calls: arguments are evaluated, the callee is told apart, and its model runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..domain import (
    TAINTED,
    UNKNOWN,
    Array,
    ClassValue,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    MethodValue,
    PartialValue,
    TransformedValue,
    Tree,
    Unknown,
    Value,
    join,
    members,
)
from .classes import find_member, instantiate, super_value
from .containers import mapping_of, sequence_of
from .functions import run_function, underlying
from .traces import level_of

if TYPE_CHECKING:
    from .machine import Interpreter


def evaluate_call(interp: Interpreter, node: cst.Call) -> Value:
    """`function(arguments)`."""
    function = interp.evaluate(node.func)
    if isinstance(function, ExternalValue) and function.name == "builtins.super" and not node.args:
        return super_value(interp)
    args: list[Value] = []
    kwargs: dict[str, Value] = {}
    spread: Value | None = None
    for argument in node.args:
        if type(argument.value) is cst.GeneratorExp and consumes(function):
            interp.consumed = argument.value
        value = interp.evaluate(argument.value)
        if argument.star == "*":
            part = sequence_of(interp, value, argument)
            if spread is None:
                args.extend(part.items)
            if part.rest is not None:
                spread = part.rest if spread is None else join(spread, part.rest)
        elif argument.star == "**":
            if isinstance(value, DictValue):
                mapping = mapping_of(interp, value)
                kwargs.update({str(key): item for key, item in mapping.items if isinstance(key, str)})
                extra = mapping.rest
            else:
                extra = TAINTED if level_of(value) else UNKNOWN
            if extra is not None:
                spread = extra if spread is None else join(spread, extra)
        elif argument.keyword is not None:
            kwargs[argument.keyword.value] = value
        elif spread is None:
            args.append(value)
        else:
            spread = join(spread, value)
    return call(interp, function, args, kwargs, node, spread)


def consumes(function: Value) -> bool:
    """Whether a callable exhausts a generator that it is given."""
    if isinstance(function, MethodValue):
        return isinstance(function.function, ExternalValue)
    lazy = "builtins.iter builtins.map builtins.filter builtins.zip builtins.enumerate builtins.print builtins.type"
    return isinstance(function, ExternalValue) and function.name not in lazy.split()


def call(
    interp: Interpreter,
    function: Value,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode | None,
    spread: Value | None = None,
    decorating: bool = False,
) -> Value:
    """The result of calling a value; `node` is where, None for a call that Python makes by itself."""
    place = node if node is not None else interp.frame.statement or cst.Name("call")
    return interp.each(
        function, lambda member: _call(interp, member, args, kwargs, place, spread, decorating)
    )


def _call(
    interp: Interpreter,
    function: Value,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
    decorating: bool,
) -> Value:
    interp.budget.spend()
    match function:
        case FunctionValue():
            return run_function(interp, function, args, kwargs, spread)
        case MethodValue(function=ExternalValue()):
            from .library import call_method

            return call_method(interp, function, args, kwargs, node, spread)
        case MethodValue(function=TransformedValue() as transformed):
            from .transforms import call_transformed

            return call_transformed(interp, transformed, [function.receiver, *args], kwargs, node, spread)
        case MethodValue(function=FunctionValue() as inner):
            return run_function(interp, inner, [function.receiver, *args], kwargs, spread, function.receiver)
        case MethodValue():
            return call(interp, function.function, [function.receiver, *args], kwargs, node, spread)
        case PartialValue():
            return call(
                interp,
                function.function,
                [*function.args, *args],
                {**dict(function.kwargs), **kwargs},
                node,
                spread if function.spread is None else function.spread,
            )
        case TransformedValue():
            from .transforms import call_transformed

            return call_transformed(interp, function, args, kwargs, node, spread)
        case ClassValue():
            return instantiate(interp, function, args, kwargs, node, spread)
        case InstanceValue():
            from .lifting import lifted
            from .objects import object_method

            method = lifted(function, "__call__", find_member(interp, function.cls, "__call__"))
            own = object_method(interp, function, "__call__") if method is None else None
            if own is not None:
                return call(interp, own, args, kwargs, node, spread)
            if method is None or isinstance(
                underlying(method), InstanceValue
            ):  # perhaps one whose class is this one
                return opaque(interp, [function, *args], kwargs, spread)
            return call(interp, MethodValue(method, function), args, kwargs, node, spread)
        case ExternalValue():
            from .library import call_external

            return call_external(interp, function, args, kwargs, node, spread, decorating)
        case Array() | Tree():
            return Tree(function.level, False, function.roots, function.trail)
        case _:
            return opaque(interp, [function, *args], kwargs, spread)


def opaque(
    interp: Interpreter, args: list[Value], kwargs: dict[str, Value], spread: Value | None = None
) -> Value:
    """The result of a call of which nothing is known: anything, and traced perhaps where an argument is.

    A function that was handed over may be called by it, with anything.
    """
    given = [*args, *kwargs.values(), *([spread] if spread is not None else [])]
    tainted = any(
        level_of(value) > 0 or any(isinstance(m, Unknown) and m.may_trace for m in members(value))
        for value in given
    )
    return TAINTED if tainted else UNKNOWN
