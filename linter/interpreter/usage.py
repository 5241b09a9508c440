"""How a function's text uses a parameter: as one array, or as a container of some structure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import libcst as cst

from ..syntax.memo import NodeMemo
from ..syntax.walk import children

ARRAY_ATTRIBUTES = frozenset(
    "shape ndim size dtype T at sum mean max min astype reshape any all item dot ravel flatten".split()
)

Uses: TypeAlias = "dict[str, set[str]]"
"""How each name is used."""


def used_as_leaf(node: cst.FunctionDef | cst.Lambda, name: str) -> bool:
    """Whether every use of the parameter fits an array, and one speaks for it.

    Speaks for it: arithmetic, ordering, an array's attribute, a truth test.  Against it: a string subscript, another
    attribute, iteration, `len`, a test for None.
    """
    uses = _uses(node).get(name, set())
    return bool(uses & {"arithmetic", "truth", "array"}) and not uses & {"container"}


def used_as_array(node: cst.FunctionDef | cst.Lambda, name: str) -> bool:
    """Whether an attribute speaks for an array, and a number would not do."""
    uses = _uses(node).get(name, set())
    return "array" in uses and "container" not in uses


def used_as_container(node: cst.FunctionDef | cst.Lambda, name: str) -> bool:
    """Whether the parameter is asked for its parts, or whether it is None."""
    return "container" in _uses(node).get(name, set())


@NodeMemo
def _uses(node: cst.FunctionDef | cst.Lambda) -> Uses:
    found: Uses = {}
    stack: list[cst.CSTNode] = [node.body]
    while stack:
        item = stack.pop()
        note = _NOTES.get(type(item))
        if note is not None:
            note(found, item)
        stack.extend(children(item))
    return found


def _add(found: Uses, node: cst.CSTNode | None, use: str) -> None:
    if type(node) is cst.Name:
        found.setdefault(node.value, set()).add(use)


def _arithmetic(found: Uses, item: cst.BinaryOperation) -> None:
    _add(found, item.left, "arithmetic")
    _add(found, item.right, "arithmetic")


def _comparison(found: Uses, item: cst.Comparison) -> None:
    asks_what = any(
        type(target.operator) in _ASKS_WHAT or type(target.comparator) is cst.SimpleString
        for target in item.comparisons
    )
    for part in (item.left, *(target.comparator for target in item.comparisons)):
        _add(found, part, "container" if asks_what else "arithmetic")


def _test(found: Uses, item: cst.If | cst.While | cst.IfExp | cst.Assert) -> None:
    _add(found, item.test, "truth")


def _unary(found: Uses, item: cst.UnaryOperation) -> None:
    _add(found, item.expression, "truth" if type(item.operator) is cst.Not else "arithmetic")


def _both(found: Uses, item: cst.BooleanOperation) -> None:
    _add(found, item.left, "truth")
    _add(found, item.right, "truth")


def _attribute(found: Uses, item: cst.Attribute) -> None:
    _add(found, item.value, "array" if item.attr.value in ARRAY_ATTRIBUTES else "container")


def _subscript(found: Uses, item: cst.Subscript) -> None:
    textual = any(
        type(element.slice) is cst.Index and type(element.slice.value) is cst.SimpleString
        for element in item.slice
    )
    _add(found, item.value, "container" if textual else "subscript")


def _iterated(found: Uses, item: cst.For | cst.CompFor) -> None:
    _add(found, item.iter, "container")


def _argument(found: Uses, item: cst.Arg) -> None:
    if item.star:
        _add(found, item.value, "container")


def _call(found: Uses, item: cst.Call) -> None:
    if type(item.func) is cst.Name and item.func.value in _TAKE_CONTAINERS:
        for argument in item.args:
            _add(found, argument.value, "container")
    _add(found, item.func, "container")


_ASKS_WHAT = (cst.Is, cst.IsNot, cst.In, cst.NotIn)
_TAKE_CONTAINERS = frozenset("len list tuple dict zip enumerate sum any all".split())
_NOTES: dict[type[cst.CSTNode], Callable[[Uses, Any], None]] = {
    cst.Arg: _argument,
    cst.Assert: _test,
    cst.Attribute: _attribute,
    cst.BinaryOperation: _arithmetic,
    cst.BooleanOperation: _both,
    cst.Call: _call,
    cst.CompFor: _iterated,
    cst.Comparison: _comparison,
    cst.For: _iterated,
    cst.If: _test,
    cst.IfExp: _test,
    cst.Subscript: _subscript,
    cst.UnaryOperation: _unary,
    cst.While: _test,
}
