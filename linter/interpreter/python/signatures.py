"""Whether a function of the analysed code can be called with so many arguments, as Python would say."""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst

from ...domain import (
    ClassValue,
    FunctionValue,
    InstanceValue,
    MethodValue,
    PartialValue,
    TransformedValue,
    Value,
)

_KEEPS = frozenset(("jit", "vmap", "grad", "value_and_grad", "jacobian", "checkpoint", "filter_jit"))
"""Transforms whose result takes the arguments that the function takes."""


def spreads(node: cst.CSTNode) -> bool:
    """Whether a call gives `*arguments`: of a function that nobody is seen to call, their number is not known."""
    return type(node) is cst.Call and any(argument.star for argument in node.args)


def of_any_class(receiver: Value) -> bool:
    """Whether an object stands for any of its class and of classes derived from it, which may have other methods."""
    return (
        isinstance(receiver, InstanceValue)
        and isinstance(receiver.cls, ClassValue)
        and receiver.box.site is receiver.cls.node
    )


def refuses(function: Value, count: int, keywords: Collection[str]) -> str:
    """Why a call with so many arguments by position, and these by name, is refused; empty if it may be accepted."""
    names = set(keywords)
    while True:
        if isinstance(function, PartialValue):
            if function.spread is not None:
                return ""
            count += len(function.args)
            names |= {name for name, _ in function.kwargs}
        elif isinstance(function, MethodValue):
            if of_any_class(function.receiver):
                return ""
            count += 1
        elif not (isinstance(function, TransformedValue) and function.kind in _KEEPS):
            break
        function = function.function
    if not isinstance(function, FunctionValue):
        return ""
    params = function.node.params
    positional = [*params.posonly_params, *params.params]
    by_name = {p.name.value for p in (*params.params, *params.kwonly_params)}
    extra = names - by_name
    if extra and params.star_kwarg is None:
        return f"{function.name} has no parameter {min(extra)!r}"
    if count > len(positional) and type(params.star_arg) is not cst.Param:
        return f"{function.name} takes {len(positional)} argument{'s' if len(positional) != 1 else ''}, not {count}"
    missing = [
        p.name.value
        for p in (*positional[count:], *params.kwonly_params)
        if p.default is None and p.name.value not in names
    ]
    return f"{function.name} is called without its argument {missing[0]!r}" if missing else ""
