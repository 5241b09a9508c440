"""Calls: arguments are evaluated, the callee is told apart, and its model runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import libcst as cst

from ..domain import (
    TAINTED,
    UNKNOWN,
    Array,
    DictValue,
    ExternalValue,
    FunctionValue,
    MethodValue,
    PartialValue,
    Tree,
    Union,
    Unknown,
    Value,
    members,
)
from ..joins import join
from .python.containers import held_by, mapping_of, sequence_of
from .tracing.traces import level_of

if TYPE_CHECKING:
    from .machine import Interpreter

CalledValue = TypeVar("CalledValue", bound=Value)
Callee: TypeAlias = (
    "Callable[[Interpreter, CalledValue, list[Value], dict[str, Value], cst.CSTNode, Value | None], Value]"
)
"""Calls a value with arguments, those by keyword, where, and what stands for arguments of unknown number."""

_CALLEES: dict[type[Value], Callee[Any]] = {}
_METHODS: dict[type[Value], Callee[Any]] = {}


def evaluate_call(interp: Interpreter, node: cst.Call) -> Value:
    """`function(arguments)`."""
    interp.callee = node.func
    function = interp.evaluate(node.func)
    args: list[Value] = []
    kwargs: dict[str, Value] = {}
    spread: Value | None = None
    for argument in node.args:
        if argument.star == "*" or (type(argument.value) is cst.GeneratorExp and consumes(function)):
            interp.consumed = argument.value
        value = interp.evaluate(argument.value)
        if argument.star == "*":
            part = sequence_of(interp, value, argument)
            if spread is None:
                args.extend(part.items)
            if part.rest is not None:
                spread = part.rest if spread is None else join(spread, part.rest)
        elif argument.star == "**":
            value = held_by(interp, value) or value
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
) -> Value:
    """The result of calling a value; `node` is where, None for a call that Python makes by itself."""
    place = node if node is not None else interp.frame.statement or cst.Name("call")
    if type(function) is not Union:
        return _call(interp, function, args, kwargs, place, spread)
    return interp.each(function, lambda member: _call(interp, member, args, kwargs, place, spread))


def decorate(interp: Interpreter, wrap: Value, value: Value, node: cst.CSTNode) -> Value:
    """What a decorator makes of a function or class; of a library's that is not known, the same is taken."""
    result = call(interp, wrap, [value], {}, node)
    if isinstance(wrap, ExternalValue) and isinstance(result, Unknown):
        if interp.catalogue.function(wrap.name) is not None:
            return result
        if isinstance(value, FunctionValue):
            interp.wrapped_unseen.add(id(value.node))
        return value
    return result


def callee(
    kind: type[Value], of_method: bool = False
) -> Callable[[Callee[CalledValue]], Callee[CalledValue]]:
    """Registers what calls values of one type, or methods whose function is of that type."""

    def register(run: Callee[CalledValue]) -> Callee[CalledValue]:
        (_METHODS if of_method else _CALLEES)[kind] = run
        return run

    return register


def _call(
    interp: Interpreter,
    function: Value,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    interp.budget.spend()
    run = _CALLEES.get(type(function))
    if run is None:
        return opaque(interp, [function, *args], kwargs, spread)
    return run(interp, function, args, kwargs, node, spread)


@callee(MethodValue)
def _call_method(
    interp: Interpreter,
    method: MethodValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    run = _METHODS.get(type(method.function))
    if run is not None:
        return run(interp, method, args, kwargs, node, spread)
    return call(interp, method.function, [method.receiver, *args], kwargs, node, spread)


@callee(PartialValue)
def _call_partial(
    interp: Interpreter,
    partial: PartialValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    return call(
        interp,
        partial.function,
        [*partial.args, *args],
        {**dict(partial.kwargs), **kwargs},
        node,
        spread if partial.spread is None else partial.spread,
    )


@callee(Array)
@callee(Tree)
def _call_tree(
    interp: Interpreter,
    tree: Array | Tree,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    return Tree(tree.level, False, tree.roots, tree.trail)


def opaque(
    interp: Interpreter, args: list[Value], kwargs: dict[str, Value], spread: Value | None = None
) -> Value:
    """The result of a call of which nothing is known: anything, and traced perhaps where an argument is.

    A function that was handed over may be called by it, with anything.
    """
    given = [*args, *kwargs.values(), *([spread] if spread is not None else [])]
    if interp.lifetimes.memory.handed:
        interp.lifetimes.memory.waited(given)
    tainted = any(
        level_of(value) > 0 or any(isinstance(m, Unknown) and m.may_trace for m in members(value))
        for value in given
    )
    return TAINTED if tainted else UNKNOWN
