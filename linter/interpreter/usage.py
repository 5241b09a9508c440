"""How a function's text uses a parameter: as one array, or as a container of some structure."""

from __future__ import annotations

import libcst as cst

from ..syntax.walk import children

ARRAY_ATTRIBUTES = frozenset(
    "shape ndim size dtype T at sum mean max min astype reshape any all item dot ravel flatten".split()
)

_kept: dict[int, tuple[cst.CSTNode, dict[str, set[str]]]] = {}


def used_as_leaf(node: cst.FunctionDef | cst.Lambda, name: str) -> bool:
    """Whether every use of the parameter fits an array, and one speaks for it.

    Speaks for it: arithmetic, ordering, an array's attribute, a truth test.  Against it: a string subscript, another
    attribute, iteration, `len`, a test for None.
    """
    uses = _uses(node).get(name, set())
    return bool(uses & {"arithmetic", "truth", "array"}) and not uses & {"container"}


def _uses(node: cst.FunctionDef | cst.Lambda) -> dict[str, set[str]]:
    kept = _kept.get(id(node))
    if kept is not None and kept[0] is node:
        return kept[1]
    found: dict[str, set[str]] = {}
    stack: list[cst.CSTNode] = [node.body]
    while stack:
        item = stack.pop()
        _note(item, found)
        stack.extend(children(item))
    if len(_kept) > 4096:
        _kept.clear()
    _kept[id(node)] = (node, found)
    return found


def _add(found: dict[str, set[str]], node: cst.CSTNode | None, use: str) -> None:
    if isinstance(node, cst.Name):
        found.setdefault(node.value, set()).add(use)


def _note(item: cst.CSTNode, found: dict[str, set[str]]) -> None:
    match item:
        case cst.BinaryOperation():
            _add(found, item.left, "arithmetic")
            _add(found, item.right, "arithmetic")
        case cst.Comparison():
            for part in (item.left, *(target.comparator for target in item.comparisons)):
                operators = [target.operator for target in item.comparisons]
                if any(isinstance(o, cst.Is | cst.IsNot | cst.In | cst.NotIn) for o in operators) or any(
                    isinstance(t.comparator, cst.SimpleString) for t in item.comparisons
                ):
                    _add(found, part, "container")
                else:
                    _add(found, part, "arithmetic")
        case cst.If() | cst.While() | cst.IfExp() | cst.Assert():
            _add(found, item.test, "truth")
        case cst.UnaryOperation():
            _add(found, item.expression, "truth" if isinstance(item.operator, cst.Not) else "arithmetic")
        case cst.BooleanOperation():
            _add(found, item.left, "truth")
            _add(found, item.right, "truth")
        case cst.Attribute():
            _add(found, item.value, "array" if item.attr.value in ARRAY_ATTRIBUTES else "container")
        case cst.Subscript():
            textual = any(
                isinstance(e.slice, cst.Index) and isinstance(e.slice.value, cst.SimpleString)
                for e in item.slice
            )
            _add(found, item.value, "container" if textual else "subscript")
        case cst.For() | cst.CompFor():
            _add(found, item.iter, "container")
        case cst.Arg():
            if item.star:
                _add(found, item.value, "container")
        case cst.Call():
            if isinstance(item.func, cst.Name) and item.func.value in (
                "len",
                "list",
                "tuple",
                "dict",
                "zip",
                "enumerate",
                "sum",
                "any",
                "all",
            ):
                for argument in item.args:
                    _add(found, argument.value, "container")
            _add(found, item.func, "container")
        case _:
            pass
