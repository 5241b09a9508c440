"""Branches and carries that differ in shape or dtype → results and starts that agree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from .draft import Draft
from .names import parameters
from .place import text

if TYPE_CHECKING:
    from ..events import ControlFlow
    from ..findings import Fix

_DTYPES = re.compile(r"(weak(ly typed)? )?(u?int|b?float|complex|bool)\w* (against|becomes) ")
_LONGEST = 60  # characters of a lambda that may be written twice
_POSITIONS = {
    "fori_loop": ({"body_fun": 2, "init_val": 3}, "{body}({lower}, {start})"),
    "while_loop": ({"body_fun": 1, "init_val": 2}, "{body}({start})"),
    "scan": ({"f": 0, "init": 1, "xs": 2}, "{body}({start}, {first})[0]"),
}


def select(event: ControlFlow) -> Fix | None:
    """`lax.cond(p, f, g, x)` → both branches, and a choice between their leaves, which promotes dtypes."""
    call = event.node
    if event.problem != "branches" or not isinstance(call, cst.Call) or not _DTYPES.match(event.detail):
        return None  # a choice between different shapes would broadcast them
    if _last(event.function) == "select":
        draft = Draft(event.source, call)
        draft.replace(call.func, draft.jnp("where"))
        return draft.fix("Choose with jnp.where, which promotes dtypes")
    if _last(event.function) != "cond":
        return None
    if len(call.args) < 3 or any(arg.keyword or arg.star for arg in call.args):
        return None
    predicate, first, second, *operands = (arg.value for arg in call.args)
    draft = Draft(event.source, call)
    given = [draft.text(operand) for operand in operands]
    results = [_result(branch, given, draft) for branch in (first, second)]
    test = draft.text(predicate)
    if _is_one_array(first) and _is_one_array(second):
        draft.replace(call, f"{draft.jnp('where')}({test}, {results[0]}, {results[1]})")
    else:
        choose = f"lambda a, b: {draft.jnp('where')}({test}, a, b)"
        draft.replace(call, f"{draft.module('jax')}.tree.map({choose}, {results[0]}, {results[1]})")
    return draft.fix("Choose with jnp.where, which promotes dtypes", cost="both branches are computed")


def start(event: ControlFlow) -> Fix | None:
    """The initial carry takes shapes and dtypes from one turn of the loop."""
    call = event.node
    if event.problem != "carry" or _last(event.function) not in _POSITIONS or not isinstance(call, cst.Call):
        return None
    if not (_DTYPES.match(event.detail) or _from_scalar(event.detail)):
        return None  # another structure, or a carry that grows in each turn
    positions, template = _POSITIONS[_last(event.function)]
    given = _arguments(call, positions)
    lower = call.args[0].value
    if given is None:
        return None
    draft = Draft(event.source, call)
    body, initial, *rest = given.values()
    if not _may_repeat(initial):
        return None
    if isinstance(body, cst.Lambda) and len(draft.text(body)) > _LONGEST:
        return None
    parts = {"body": draft.atom(body), "start": draft.text(initial), "lower": draft.text(lower), "first": ""}
    if rest:
        parts["first"] = f"{draft.module('jax')}.tree.map(lambda x: x[0], {draft.text(rest[0])})"
    turn = template.format(**parts)
    if isinstance(initial, cst.Integer | cst.Float) and initial.evaluated_value == 0:
        written = f"{draft.jnp('zeros_like')}({turn})"
    elif isinstance(initial, cst.Tuple | cst.List | cst.Dict) or " at " in event.detail:
        written = f"{draft.module('jax')}.tree.map({draft.jnp('full_like')}, {turn}, {parts['start']})"
    else:
        written = f"{draft.jnp('full_like')}({turn}, {parts['start']})"
    draft.replace(initial, written)
    return draft.fix("Start with the shapes and dtypes of one turn", cost="the body is traced once more")


def _last(function: str) -> str:
    return function.rpartition(".")[2]


def _from_scalar(detail: str) -> bool:
    """Whether what differs is a scalar that becomes an array."""
    return detail.startswith("shape () becomes")


def _arguments(call: cst.Call, positions: dict[str, int]) -> dict[str, cst.BaseExpression] | None:
    """The arguments of a call by name; None where one is missing."""
    named = {arg.keyword.value: arg.value for arg in call.args if arg.keyword is not None}
    if any(arg.star for arg in call.args):
        return None
    plain = [arg.value for arg in call.args if arg.keyword is None]
    found: dict[str, cst.BaseExpression] = {}
    for name, position in positions.items():
        value = named.get(name) or (plain[position] if position < len(plain) else None)
        if value is None:
            return None
        found[name] = value
    return found


def _may_repeat(node: cst.BaseExpression) -> bool:
    """Whether an initial carry may be written twice: numbers, names, and containers of them, and calls of few characters."""
    match node:
        case cst.BaseNumber() | cst.Name() | cst.Attribute() | cst.Call() | cst.UnaryOperation():
            return True
        case cst.Tuple() | cst.List():
            return all(_may_repeat(element.value) for element in node.elements)
        case cst.Dict():
            return all(isinstance(e, cst.DictElement) and _may_repeat(e.value) for e in node.elements)
        case _:
            return False


def _result(branch: cst.BaseExpression, operands: list[str], draft: Draft) -> str:
    """What a branch gives for the operands; the body of a lambda where its parameters bear the same names."""
    if isinstance(branch, cst.Lambda) and parameters(branch) == operands:
        return text(draft.source, branch.body)
    return f"{draft.atom(branch)}({', '.join(operands)})"


def _is_one_array(branch: cst.BaseExpression) -> bool:
    """Whether a branch surely gives one array or number."""
    return isinstance(branch, cst.Lambda) and isinstance(
        branch.body,
        cst.BaseNumber | cst.BinaryOperation | cst.UnaryOperation | cst.Comparison | cst.Subscript,
    )
