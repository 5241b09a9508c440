"""`and`, `or`, `not`, chained comparisons and `in`, said in operations on arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from .draft import Draft
from .names import dotted
from .place import function_of, parents

if TYPE_CHECKING:
    from ..domain import Value
    from ..events import Truth
    from ..findings import Fix

_GUARDS = frozenset({"isinstance", "hasattr", "callable", "issubclass", "len"})
_BOOLEAN_RESULTS = frozenset(
    "isfinite isnan isinf any all isin logical_and logical_or logical_not logical_xor allclose array_equal isclose "
    "signbit greater less equal not_equal greater_equal less_equal".split()
)


def boolean_operator(event: Truth) -> Fix | None:
    """Rewrites the whole boolean expression that the asked operand belongs to."""
    above = parents(event.source)
    node: cst.CSTNode = event.node
    if not is_boolean_operation(node):
        node = above.get(node, node)
    if not is_boolean_operation(node):
        return None
    while is_boolean_operation(above.get(node, node)) and above.get(node) is not None:
        node = above[node]
    if isinstance(node, cst.Comparison) and isinstance(above.get(node), cst.ComparisonTarget):
        return None
    assert isinstance(node, cst.BaseExpression)
    draft = Draft(event.source, node)
    if _asked_for_truth(above.get(node), node) or _dtype(event.value) == "bool" or gives_booleans(node):
        written = condition(node, draft)
    else:
        written = _choosing(node, draft)
    if written is None:
        return None
    tight = isinstance(
        above.get(node), cst.Arg | cst.Assign | cst.Return | cst.If | cst.While | cst.Assert | cst.Index
    )
    plain_call = isinstance(cst.parse_expression(written), cst.Call)
    draft.replace(node, written if tight or plain_call else f"({written})")
    return draft.fix("Use operations on arrays", cost="both operands are always computed")


def is_boolean_operation(node: cst.CSTNode | None) -> bool:
    """Whether Python asks for truth inside this expression."""
    match node:
        case cst.BooleanOperation() | cst.UnaryOperation(operator=cst.Not()):
            return True
        case cst.Comparison():
            return len(node.comparisons) > 1 or isinstance(node.comparisons[0].operator, cst.In | cst.NotIn)
        case _:
            return False


def condition(node: cst.BaseExpression, draft: Draft) -> str | None:
    """A condition as an expression that is a boolean array; None where that cannot be said."""
    match node:
        case cst.BooleanOperation():
            return _binary(node, draft)
        case cst.UnaryOperation(operator=cst.Not()):
            inner = condition(node.expression, draft)
            return None if inner is None else f"{draft.jnp('logical_not')}({inner})"
        case cst.Comparison() if is_boolean_operation(node):
            return _membership(node, draft) if len(node.comparisons) == 1 else _chain(node, draft)
        case cst.Call() if dotted(node.func) == "bool" and len(node.args) == 1:
            return condition(node.args[0].value, draft)
        case _:
            return draft.text(node)


def gives_booleans(node: cst.BaseExpression) -> bool:
    """Whether an expression's syntax says that its value is a boolean (or an array of booleans)."""
    match node:
        case cst.Comparison():
            return not any(isinstance(c.operator, cst.Is | cst.IsNot) for c in node.comparisons)
        case cst.BooleanOperation():
            return gives_booleans(node.left) and gives_booleans(node.right)
        case cst.UnaryOperation():
            return isinstance(node.operator, cst.Not) or (
                isinstance(node.operator, cst.BitInvert) and gives_booleans(node.expression)
            )
        case cst.BinaryOperation(operator=cst.BitAnd() | cst.BitOr() | cst.BitXor()):
            return gives_booleans(node.left) and gives_booleans(node.right)
        case cst.Call():
            function = node.func.attr.value if isinstance(node.func, cst.Attribute) else dotted(node.func)
            return function in _BOOLEAN_RESULTS or function == "bool"
        case cst.Name():
            return node.value in ("True", "False")
        case _:
            return False


def _binary(node: cst.BooleanOperation, draft: Draft) -> str | None:
    conjunction = isinstance(node.operator, cst.And)
    right = condition(node.right, draft)
    if _is_guard(node.left):
        word = "and" if conjunction else "or"
        return None if right is None else f"{draft.text(node.left)} {word} {_operand(node.right, right)}"
    left = condition(node.left, draft)
    if left is None or right is None:
        return None
    if gives_booleans(node.left) and gives_booleans(node.right):
        sign = "&" if conjunction else "|"
        return f"{_operand(node.left, left, sign)} {sign} {_operand(node.right, right, sign)}"
    return f"{draft.jnp('logical_and' if conjunction else 'logical_or')}({left}, {right})"


def _operand(node: cst.BaseExpression, written: str, sign: str = "") -> str:
    """What was written for an operand, in parentheses where `&`, which binds tighter than comparisons, needs them."""
    if isinstance(node, cst.Name | cst.Call | cst.Attribute | cst.Subscript) or node.lpar:
        return written
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        return written
    same = isinstance(node, cst.BooleanOperation) and (
        (sign == "&" and isinstance(node.operator, cst.And))
        or (sign == "|" and isinstance(node.operator, cst.Or))
    )
    if same and gives_booleans(node):
        return written
    return f"({written})"


def _is_guard(node: cst.BaseExpression) -> bool:
    """Whether an operand is decided while tracing and keeps the other from being evaluated."""
    match node:
        case cst.Comparison():
            return any(isinstance(c.operator, cst.Is | cst.IsNot) for c in node.comparisons) or _is_guard(
                node.left
            )
        case cst.BooleanOperation():
            return _is_guard(node.left) and _is_guard(node.right)
        case cst.UnaryOperation(operator=cst.Not()):
            return _is_guard(node.expression)
        case cst.Call():
            return dotted(node.func) in _GUARDS
        case _:
            return False


def _chain(node: cst.Comparison, draft: Draft) -> str | None:
    parts: list[str] = []
    left = node.left
    for target in node.comparisons:
        if isinstance(target.operator, cst.Is | cst.IsNot | cst.In | cst.NotIn):
            return None
        sign = draft.source.module.code_for_node(target.operator).strip()
        parts.append(f"({draft.text(left)} {sign} {draft.text(target.comparator)})")
        left = target.comparator
    return " & ".join(parts)


def _membership(node: cst.Comparison, draft: Draft) -> str | None:
    target = node.comparisons[0]
    container = target.comparator
    if isinstance(container, cst.Dict | cst.SimpleString):
        return None
    if isinstance(container, cst.Tuple | cst.List | cst.Set):
        items = ", ".join(draft.text(element.value) for element in container.elements)
        array = f"{draft.jnp('array')}([{items}])"
    else:
        array = f"{draft.jnp('array')}(list({draft.text(container)}))"
    invert = ", invert=True" if isinstance(target.operator, cst.NotIn) else ""
    return f"{draft.jnp('isin')}({draft.text(node.left)}, {array}{invert})"


def _choosing(node: cst.BaseExpression, draft: Draft) -> str | None:
    """`a or b` of numbers is one of its operands."""
    match node:
        case cst.BooleanOperation():
            left, right = _choosing(node.left, draft), _choosing(node.right, draft)
            if left is None or right is None or _is_guard(node.left):
                return None
            test = f"{draft.atom(node.left) if left == draft.text(node.left) else f'({left})'} != 0"
            both = isinstance(node.operator, cst.And)
            chosen = f"{right}, {left}" if both else f"{left}, {right}"
            written = f"{draft.jnp('where')}({test}, {chosen})"
            if not _may_be_none(node.left, draft):
                return written
            return f"{left if both else right} if {left} is None else {written}"
        case _ if is_boolean_operation(node):
            return condition(node, draft)
        case _:
            return draft.text(node)


def _may_be_none(node: cst.BaseExpression, draft: Draft) -> bool:
    """Whether an operand is a parameter that is None where nothing is passed for it."""
    function = function_of(draft.source, node)
    if type(node) is not cst.Name or function is None:
        return False
    params = function.params
    return any(
        param.name.value == node.value and type(param.default) is cst.Name and param.default.value == "None"
        for param in (*params.posonly_params, *params.params, *params.kwonly_params)
    )


def _asked_for_truth(parent: cst.CSTNode | None, node: cst.CSTNode) -> bool:
    match parent:
        case cst.If() | cst.While() | cst.IfExp() | cst.Assert() | cst.CompIf():
            return parent.test is node
        case _:
            return False


def _dtype(value: Value) -> str | None:
    dtype = getattr(value, "dtype", None)
    return dtype if isinstance(dtype, str) else None
