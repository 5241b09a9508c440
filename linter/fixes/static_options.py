"""`static_argnums` and `static_argnames` that name an array → the parameter stays traced, or the right one is named."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import FunctionValue
from ..syntax.walk import children
from .draft import Draft, extent
from .names import dotted, parameters, read
from .place import ancestors
from .static_arguments import written_tuple

if TYPE_CHECKING:
    from ..events import TracedCall
    from ..findings import Fix

NUMBERS, NAMES = "static_argnums", "static_argnames"


def shift(event: TracedCall) -> Fix | None:
    """On a method `self` is number 0: `static_argnums` that were counted without it move by one."""
    call, option, function = _option(event, NUMBERS)
    if call is None or option is None or function is None:
        return None
    order = parameters(function.node)
    if (
        not order
        or order[0] != "self"
        or not any(isinstance(n, cst.ClassDef) for n in ancestors(event.source, call))
    ):
        return None
    numbers = _numbers(option.value)
    if numbers is None or 0 in numbers or any(number + 1 >= len(order) for number in numbers):
        return None
    draft = Draft(event.source, call)
    draft.replace(option.value, written_tuple([number + 1 for number in numbers]))
    return draft.fix("Count self among the arguments")


def leave_traced(event: TracedCall) -> Fix | None:
    """Takes the parameter from the static ones."""
    for name in (NAMES, NUMBERS):
        call, option, function = _option(event, name)
        if call is None or option is None or function is None:
            continue
        order = parameters(function.node)
        present: list[str] | list[int] | None = (
            _names(option.value) if name == NAMES else _numbers(option.value)
        )
        if present is None or event.parameter not in order:
            continue
        static: str | int = event.parameter if name == NAMES else order.index(event.parameter)
        if static not in present or _needs_value(function.node, event.parameter):
            continue
        draft = Draft(event.source, call)
        left: list[object] = [item for item in present if item != static]
        if left:
            draft.replace(option.value, written_tuple(left))
        else:
            drop_argument(draft, call, option)
        return draft.fix(f"Leave {event.parameter} traced")
    return None


def drop_argument(draft: Draft, call: cst.Call, argument: cst.Arg) -> None:
    """Takes an argument of a call away, with the comma before it (or behind it, where it is the first)."""
    position = [id(arg) for arg in call.args].index(id(argument))
    own = extent(draft.source, argument.value)
    start = draft.source.span_of(argument.keyword or argument.value).start
    if position:
        before = extent(draft.source, call.args[position - 1].value)
        draft.cut(before.end, own.end)
    elif len(call.args) > 1:
        after = call.args[1]
        draft.cut(start, draft.source.span_of(after.keyword or after.value).start)
    else:
        draft.cut(start, own.end)


def _needs_value(function: cst.FunctionDef | cst.Lambda, name: str) -> bool:
    """Whether a function counts with its parameter, or decides by it."""
    pending: list[cst.CSTNode] = [function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.If | cst.IfExp | cst.While | cst.Assert) and name in read(node.test):
            return True
        if isinstance(node, cst.Call) and dotted(node.func) == "range" and name in read(*node.args):
            return True
        pending.extend(children(node))
    return False


def _option(event: TracedCall, name: str) -> tuple[cst.Call | None, cst.Arg | None, FunctionValue | None]:
    """The call that transforms the function, its option of this name, and the function."""
    transformed = event.transformed
    node = transformed.node
    if event.problem not in ("array-static", "unhashable-static") or transformed.source is not event.source:
        return None, None, None
    if not isinstance(node, cst.Call) or not isinstance(transformed.function, FunctionValue):
        return None, None, None
    option = next((arg for arg in node.args if arg.keyword is not None and arg.keyword.value == name), None)
    return node, option, transformed.function


def _numbers(node: cst.BaseExpression) -> list[int] | None:
    value = _literal(node)
    items = list(value) if isinstance(value, tuple | list) else [value]
    numbers = [item for item in items if isinstance(item, int)]
    return numbers if len(numbers) == len(items) else None


def _names(node: cst.BaseExpression) -> list[str] | None:
    value = _literal(node)
    items = list(value) if isinstance(value, tuple | list) else [value]
    return [str(item) for item in items] if all(isinstance(item, str) for item in items) else None


def _literal(node: cst.BaseExpression) -> object:
    try:
        return ast.literal_eval(cst.Module([]).code_for_node(node))
    except (ValueError, SyntaxError):
        return None
