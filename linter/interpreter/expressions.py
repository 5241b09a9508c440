"""Expressions: names, literals, operators, displays, text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import libcst as cst

from ..domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    Arrays,
    Const,
    DictValue,
    Level,
    Mapping,
    Static,
    Tree,
    TupleValue,
    Unknown,
    Value,
    members,
)
from ..joins import join
from .arrays.operators import binary, compare, unary
from .branches import doubts
from .calls import evaluate_call
from .comprehensions import dict_comp, generator, list_comp, set_comp
from .functions import define_lambda
from .generators import produce
from .narrowing import narrow
from .python.attributes import attribute
from .python.containers import held_by, mapping_of, needs_hash, new_dict, new_list, sequence_of
from .python.folding import MAX_BITS
from .python.indexing import evaluate_subscript
from .python.keys import known_key
from .python.texts import formatted_string
from .tracing.frozen import METADATA
from .truth import truth

if TYPE_CHECKING:
    from .machine import Interpreter

CONSTANTS = {
    "None": NONE,
    "True": Const(True),
    "False": Const(False),
    "__debug__": Const(True),
    "NotImplemented": Static("NotImplementedType"),
}


def _name(interp: Interpreter, node: cst.Name) -> Value:
    constant = CONSTANTS.get(node.value)
    if constant is not None:
        return constant
    box, value = interp.find(node.value)
    if value is None:
        return UNKNOWN
    if box is not None and interp.trace is not None:
        if box.context is None:
            kind = "global" if box.parent is None else "nonlocal"
            interp.lifetimes.frozen.read(interp, box, node.value, value, node, kind)
        else:
            interp.lifetimes.frozen.read_local(interp, node.value, value, node)
    return value


def _attribute(interp: Interpreter, node: cst.Attribute) -> Value:
    called = interp.callee is node
    frozen = interp.lifetimes.frozen
    outer = frozen.asked
    of_name = type(node.value) is cst.Name or type(node.value) is cst.Attribute
    frozen.asked = (outer if outer in METADATA else node.attr.value) if of_name else ""
    value = interp.evaluate(node.value)
    frozen.asked = outer
    return attribute(interp, value, node.attr.value, node, called)


@lru_cache(4096)
def _literal(text: str, kind: str) -> Value:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return Static(kind)
    return Static(kind) if isinstance(value, int) and value.bit_length() > MAX_BITS else Const(value)


def _number(interp: Interpreter, node: cst.Integer | cst.Imaginary) -> Value:
    return _literal(node.value, "int")


def _float(interp: Interpreter, node: cst.Float) -> Value:
    return Const(float(node.value))  # tables hold many, and each another


def _string(interp: Interpreter, node: cst.SimpleString) -> Value:
    return _literal(node.value, "str")


def _concatenated(interp: Interpreter, node: cst.ConcatenatedString) -> Value:
    left, right = interp.evaluate(node.left), interp.evaluate(node.right)
    if isinstance(left, Const) and isinstance(right, Const) and type(left.value) is type(right.value):
        return Const(left.value + right.value)
    return Static("str")


def _boolean(interp: Interpreter, node: cst.BooleanOperation) -> Value:
    is_and = type(node.operator) is cst.And
    left = interp.evaluate(node.left)
    known = truth(interp, left, node.left, "and" if is_and else "or")
    if known is not None:
        if known is not is_and:
            return left
        right = interp.evaluate(node.right)
        interp.last_operand = node, right
        return right

    mark = interp.state.mark()
    narrow(interp, node.left, is_and)
    doubtful = doubts(left)[0 if is_and else 1]
    with interp.doubting(doubtful):
        right = interp.evaluate(node.right)
    interp.state.rollback(mark)
    if any(isinstance(m, Arrays) and m.level is Level.ABSTRACT for m in members(left)):
        return TAINTED  # told already: `bool` of the left operand raises
    if not doubtful and any(isinstance(m, Arrays) for m in members(right)):
        interp.last_operand = node, right
    if isinstance(right, Const) and isinstance(right.value, bool) and right.value is not is_and:
        return right  # whatever the left operand is, the truth of the whole is that of the right one
    flag = right == Const(is_and) or (isinstance(right, Static) and right.kind == "bool")
    if flag and isinstance(left, Static) and left.likely is not None:
        if bool(left.likely.value) is not is_and:
            return left
    if isinstance(left, Unknown) and not is_and and not any(isinstance(m, Arrays) for m in members(right)):
        if truth(interp, right, node.right, "or"):
            return Unknown(left.may_trace, true=True)
    falls = [m for m in members(left) if not (isinstance(m, Const) and bool(m.value) is is_and)]
    result = right
    for member in falls:
        result = join(result, member)
    return result


def _not(interp: Interpreter, node: cst.UnaryOperation) -> Value:
    value = interp.evaluate(node.expression)
    if type(node.operator) is cst.Not:
        known = truth(interp, value, node.expression, "not")
        if known is None and any(isinstance(m, Array) and m.level is Level.ABSTRACT for m in members(value)):
            return TAINTED
        if known is None and isinstance(value, Static) and value.likely is not None:
            return Static("bool", Const(not value.likely.value))
        return Static("bool") if known is None else Const(not known)
    return unary(interp, type(node.operator).__name__, value, node)


def _binary(interp: Interpreter, node: cst.BinaryOperation) -> Value:
    left = interp.evaluate(node.left)
    return binary(interp, type(node.operator).__name__, left, interp.evaluate(node.right), node)


def _comparison(interp: Interpreter, node: cst.Comparison) -> Value:
    left = interp.evaluate(node.left)
    left_node: cst.BaseExpression = node.left
    result: Value = Const(True)
    for position, target in enumerate(node.comparisons):
        right = interp.evaluate(target.comparator)
        result = compare(
            interp, type(target.operator).__name__, left, right, node, left_node, target.comparator
        )
        if position + 1 < len(node.comparisons):
            known = truth(interp, result, node, "chain")
            if known is False:
                return result
            if any(isinstance(m, Array) and m.level is Level.ABSTRACT for m in members(result)):
                result = TAINTED
                for later in node.comparisons[position + 1 :]:
                    interp.evaluate(later.comparator)
                return result
        left, left_node = right, target.comparator
    return result


def _conditional(interp: Interpreter, node: cst.IfExp) -> Value:
    test = interp.evaluate(node.test)
    known = truth(interp, test, node.test, "conditional")
    if known is not None:
        mark = interp.state.mark()
        narrow(interp, node.test, known)
        value = interp.evaluate(node.body if known else node.orelse)
        delta = interp.state.delta(mark)
        interp.state.rollback(mark)
        interp.state.apply(delta)
        return value
    on_true, on_false = doubts(test)
    mark = interp.state.mark()
    narrow(interp, node.test, True)
    with interp.doubting(on_true):
        then = interp.evaluate(node.body)
    interp.state.rollback(mark)
    narrow(interp, node.test, False)
    with interp.doubting(on_false):
        otherwise = interp.evaluate(node.orelse)
    interp.state.rollback(mark)
    return join(then, otherwise)


def _lambda(interp: Interpreter, node: cst.Lambda) -> Value:
    return define_lambda(interp, node)


def _display(interp: Interpreter, nodes: Sequence[cst.BaseElement]) -> TupleValue:
    items: list[Value] = []
    rest: Value | None = None
    for element in nodes:
        if type(element) is cst.StarredElement:
            interp.consumed = element.value
        value = interp.evaluate(element.value)
        if type(element) is cst.StarredElement:
            part = sequence_of(interp, value, element)
            if part.rest is not None or rest is not None:
                for item in (*part.items, *((part.rest,) if part.rest is not None else ())):
                    rest = item if rest is None else join(rest, item)
            else:
                items.extend(part.items)
        elif rest is not None:
            rest = join(rest, value)
        else:
            items.append(value)
    return TupleValue(tuple(items), rest)


def _tuple(interp: Interpreter, node: cst.Tuple) -> Value:
    return _display(interp, node.elements)


def _list(interp: Interpreter, node: cst.List) -> Value:
    return new_list(interp, _display(interp, node.elements), node)


def _set(interp: Interpreter, node: cst.Set) -> Value:
    content = _display(interp, node.elements)
    for element, item in zip(node.elements, content.items, strict=False):
        needs_hash(interp, item, element.value, "set member")
    return new_list(interp, content, node, "set")


def _dict(interp: Interpreter, node: cst.Dict) -> Value:
    items: dict[Any, Value] = {}
    rest: Value | None = None
    for element in node.elements:
        if type(element) is cst.StarredDictElement:
            value = interp.evaluate(element.value)
            value = held_by(interp, value) or value
            if isinstance(value, DictValue):
                mapping = mapping_of(interp, value)
                items.update(mapping.items)
                if mapping.rest is not None:
                    rest = mapping.rest if rest is None else join(rest, mapping.rest)
            else:
                other = value if isinstance(value, Unknown | Tree) else UNKNOWN
                rest = other if rest is None else join(rest, other)
            continue
        assert type(element) is cst.DictElement
        key = interp.evaluate(element.key)
        value = interp.evaluate(element.value)
        needs_hash(interp, key, element.key, "dict key")
        known = known_key(key)
        if known is not None:
            items[known.value] = value
        else:
            rest = value if rest is None else join(rest, value)
    return new_dict(interp, Mapping(tuple(items.items()), rest), node)


def _walrus(interp: Interpreter, node: cst.NamedExpr) -> Value:
    value = interp.evaluate(node.value)
    assert type(node.target) is cst.Name
    frames = interp.frames
    home = next((f for f in reversed(frames) if f.scope.name != "comprehension"), interp.frame)
    interp.state.write(home.scope, node.target.value, value)
    return value


def _await(interp: Interpreter, node: cst.Await) -> Value:
    interp.evaluate(node.expression)
    return UNKNOWN


def _yield(interp: Interpreter, node: cst.Yield) -> Value:
    frame = next((f for f in reversed(interp.frames) if f.scope.name != "comprehension"), interp.frame)
    if isinstance(node.value, cst.From):
        content = sequence_of(interp, interp.evaluate(node.value.item), node)
    else:
        content = TupleValue((interp.evaluate(node.value) if node.value is not None else NONE,))
    frame.yielding = dict(frame.scope.slots)
    if frame.outside is None:
        changes = interp.state.delta(frame.mark)
        frame.outside = {place: value for place, value in changes.items() if place[0] is not frame.scope}
    produce(interp, frame, content)
    return UNKNOWN


def _starred(interp: Interpreter, node: cst.StarredElement) -> Value:
    interp.consumed = node.value
    return interp.evaluate(node.value)


def _ellipsis(interp: Interpreter, node: cst.Ellipsis) -> Value:
    return Const(...)


EXPRESSIONS: dict[type[cst.CSTNode], Callable[..., Value]] = {
    cst.Name: _name,
    cst.Attribute: _attribute,
    cst.Call: evaluate_call,
    cst.Subscript: evaluate_subscript,
    cst.BinaryOperation: _binary,
    cst.Comparison: _comparison,
    cst.BooleanOperation: _boolean,
    cst.UnaryOperation: _not,
    cst.IfExp: _conditional,
    cst.Lambda: _lambda,
    cst.Tuple: _tuple,
    cst.List: _list,
    cst.Set: _set,
    cst.Dict: _dict,
    cst.ListComp: list_comp,
    cst.SetComp: set_comp,
    cst.DictComp: dict_comp,
    cst.GeneratorExp: generator,
    cst.Integer: _number,
    cst.Float: _float,
    cst.Imaginary: _number,
    cst.SimpleString: _string,
    cst.ConcatenatedString: _concatenated,
    cst.FormattedString: formatted_string,
    cst.NamedExpr: _walrus,
    cst.Await: _await,
    cst.Yield: _yield,
    cst.StarredElement: _starred,
    cst.Ellipsis: _ellipsis,
}
