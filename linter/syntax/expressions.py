"""Expressions of Python's tree as libcst's nodes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from .builder import Builder, ordered, with_one, with_three, with_two
from .places import Origin, Stretch
from .strings import parsed, string
from .text import is_parenthesized

BINARY: dict[type[ast.operator], type[cst.BaseBinaryOp]] = {
    ast.Add: cst.Add,
    ast.Sub: cst.Subtract,
    ast.Mult: cst.Multiply,
    ast.MatMult: cst.MatrixMultiply,
    ast.Div: cst.Divide,
    ast.Mod: cst.Modulo,
    ast.Pow: cst.Power,
    ast.LShift: cst.LeftShift,
    ast.RShift: cst.RightShift,
    ast.BitOr: cst.BitOr,
    ast.BitXor: cst.BitXor,
    ast.BitAnd: cst.BitAnd,
    ast.FloorDiv: cst.FloorDivide,
}
UNARY: dict[type[ast.unaryop], type[cst.BaseUnaryOp]] = {
    ast.Invert: cst.BitInvert,
    ast.Not: cst.Not,
    ast.UAdd: cst.Plus,
    ast.USub: cst.Minus,
}
COMPARISON: dict[type[ast.cmpop], type[cst.BaseCompOp]] = {
    ast.Eq: cst.Equal,
    ast.Lt: cst.LessThan,
    ast.LtE: cst.LessThanEqual,
    ast.Gt: cst.GreaterThan,
    ast.GtE: cst.GreaterThanEqual,
    ast.Is: cst.Is,
    ast.IsNot: cst.IsNot,
    ast.In: cst.In,
    ast.NotIn: cst.NotIn,
}
_DECIMAL_BITS = 64  # Python refuses to write long integers as decimals
_NUMBERS: dict[type, type[cst.BaseNumber]] = {int: cst.Integer, float: cst.Float, complex: cst.Imaginary}

_make_argument = with_three(cst.Arg, "value", "keyword", "star")
_make_attribute = with_two(cst.Attribute, "value", "attr")
_make_call = with_two(cst.Call, "func", "args")
_make_element = with_one(cst.Element, "value")


class Expressions(Builder):
    """Translates expressions; what is of no kind that is known here is left to libcst's parser."""

    def expression(self, node: ast.expr) -> Any:
        """The same expression."""
        translate = _TRANSLATIONS.get(type(node))
        return parsed(self, node) if translate is None else translate(self, node)

    def optional(self, node: ast.expr | None) -> Any:
        """The same expression, if there is one."""
        return None if node is None else self.expression(node)

    # --- parts that several kinds share ------------------------------------------------------------------------

    def elements(self, nodes: Sequence[ast.expr]) -> list[cst.BaseElement]:
        """What stands in a list, tuple or set."""
        return [
            self.starred(node)
            if isinstance(node, ast.Starred)
            else _make_element(self, node, self.expression(node))
            for node in nodes
        ]

    def starred(self, node: ast.Starred) -> cst.StarredElement:
        """`*a` where an element may stand."""
        return self.make(cst.StarredElement, node, value=self.expression(node.value))

    def arguments(self, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> list[cst.Arg]:
        """The arguments of a call, in the order of the text."""
        nodes: list[Any] = [*args, *keywords]
        if keywords and any(isinstance(node, ast.Starred) for node in args):
            nodes = ordered(nodes)
        return [self._argument(node) for node in nodes]

    def _argument(self, node: ast.expr | ast.keyword) -> cst.Arg:
        keyword, star = None, ""
        value: Any = node
        if isinstance(node, ast.keyword):
            value = node.value
            if node.arg is None:
                star = "**"
            else:
                keyword = self.name(node.arg, node)
        elif isinstance(node, ast.Starred):
            value, star = node.value, "*"
        return _make_argument(self, node, self.expression(value), keyword, star)

    def parameters(self, node: ast.arguments, origin: Origin) -> cst.Parameters:
        """What a function takes."""
        positional = [*node.posonlyargs, *node.args]
        defaults = [None] * (len(positional) - len(node.defaults)) + node.defaults
        params = [self._parameter(arg, default) for arg, default in zip(positional, defaults, strict=True)]
        only = len(node.posonlyargs)
        star: Any = cst.MaybeSentinel.DEFAULT
        if node.vararg is not None:
            star = self._parameter(node.vararg, None, "*")
        elif node.kwonlyargs:
            star = self.make(cst.ParamStar, origin)
        return self.make(
            cst.Parameters,
            origin,
            params=params[only:],
            star_arg=star,
            kwonly_params=[
                self._parameter(arg, default)
                for arg, default in zip(node.kwonlyargs, node.kw_defaults, strict=True)
            ],
            star_kwarg=None if node.kwarg is None else self._parameter(node.kwarg, None, "**"),
            posonly_params=params[:only],
            posonly_ind=self.make(cst.ParamSlash, origin) if only else cst.MaybeSentinel.DEFAULT,
        )

    def _parameter(self, node: ast.arg, default: ast.expr | None, star: str = "") -> cst.Param:
        return self.make(
            cst.Param,
            node,
            name=self.name(node.arg, node),
            annotation=self.annotation(node.annotation),
            default=self.optional(default),
            star=star,
        )

    def annotation(self, node: ast.expr | None) -> cst.Annotation | None:
        """What stands behind a colon or an arrow."""
        return None if node is None else self.make(cst.Annotation, node, annotation=self.annotated_type(node))

    def annotated_type(self, node: ast.expr) -> Any:
        """The type of an annotation, which may be unpacked (`*args: *Ts`)."""
        return self.starred(node) if isinstance(node, ast.Starred) else self.expression(node)

    def generators(self, nodes: Sequence[ast.comprehension]) -> cst.CompFor:
        """The clauses of a comprehension, each inside the one before."""
        inner: cst.CompFor | None = None
        for node in reversed(nodes):
            inner = self.make(
                cst.CompFor,
                (node.target, node.ifs[-1] if node.ifs else node.iter),
                target=self.expression(node.target),
                iter=self.expression(node.iter),
                ifs=[self.make(cst.CompIf, test, test=self.expression(test)) for test in node.ifs],
                inner_for_in=inner,
                asynchronous=self.make(cst.Asynchronous, node.target) if node.is_async else None,
            )
        assert inner is not None
        return inner

    def subscripts(self, node: ast.expr) -> list[cst.SubscriptElement]:
        """What stands between square brackets."""
        if not isinstance(node, ast.Tuple) or not node.elts or is_parenthesized(self.text, node):
            return [self._subscript(node)]
        found = [self._subscript(element) for element in node.elts]
        if len(found) == 1:
            object.__setattr__(found[0], "comma", self.make(cst.Comma, node))  # it makes the index a tuple
        return found

    def _subscript(self, node: ast.expr) -> cst.SubscriptElement:
        inner: cst.BaseSlice
        if isinstance(node, ast.Slice):
            inner = self.make(
                cst.Slice,
                node,
                lower=self.optional(node.lower),
                upper=self.optional(node.upper),
                step=self.optional(node.step),
            )
        else:
            star = isinstance(node, ast.Starred)
            value = node.value if isinstance(node, ast.Starred) else node
            inner = self.make(cst.Index, node, value=self.expression(value), star="*" if star else None)
        return self.make(cst.SubscriptElement, node, slice=inner, comma=cst.MaybeSentinel.DEFAULT)


# --- one function a kind ---------------------------------------------------------------------------------------


def _name(to: Expressions, node: ast.Name) -> Any:
    return to.name(node.id, node)


def _attribute(to: Expressions, node: ast.Attribute) -> Any:
    return _make_attribute(to, node, to.expression(node.value), to.name(node.attr, node))


def _call(to: Expressions, node: ast.Call) -> Any:
    return _make_call(to, node, to.expression(node.func), to.arguments(node.args, node.keywords))


def _constant(to: Expressions, node: ast.Constant) -> Any:
    value = node.value
    if isinstance(value, str | bytes):
        return string(to, node, value)
    if value is Ellipsis:
        return to.make(cst.Ellipsis, node)
    kind = _NUMBERS.get(type(value))
    if kind is None or value is None:  # True, False, None
        return to.name(repr(value), node)
    return to.make(kind, node, value=_numeral(value))


def _numeral(value: complex) -> str:
    """A number as Python reads it, however large."""
    if isinstance(value, int):
        return hex(value) if value.bit_length() > _DECIMAL_BITS else repr(value)
    return repr(value).replace("inf", "1e999")


def _binary(to: Expressions, node: ast.BinOp) -> Any:
    return to.make(
        cst.BinaryOperation,
        node,
        left=to.expression(node.left),
        operator=to.make(BINARY[type(node.op)], node),
        right=to.expression(node.right),
    )


def _unary(to: Expressions, node: ast.UnaryOp) -> Any:
    return to.make(
        cst.UnaryOperation,
        node,
        operator=to.make(UNARY[type(node.op)], node),
        expression=to.expression(node.operand),
    )


def _boolean(to: Expressions, node: ast.BoolOp) -> Any:
    operator = cst.And if isinstance(node.op, ast.And) else cst.Or
    first, *rest = node.values
    found = to.expression(first)
    for value in rest:
        found = to.make(
            cst.BooleanOperation,
            node if value is rest[-1] else Stretch(node, 0, to.text.end(value) - to.text.start(node)),
            left=found,
            operator=to.make(operator, node),
            right=to.expression(value),
        )
    return found


def _comparison(to: Expressions, node: ast.Compare) -> Any:
    return to.make(
        cst.Comparison,
        node,
        left=to.expression(node.left),
        comparisons=[
            to.make(
                cst.ComparisonTarget,
                right,
                operator=to.make(cst.NotEqual, right, value="!=")
                if isinstance(operator, ast.NotEq)
                else to.make(COMPARISON[type(operator)], right),
                comparator=to.expression(right),
            )
            for operator, right in zip(node.ops, node.comparators, strict=True)
        ],
    )


def _conditional(to: Expressions, node: ast.IfExp) -> Any:
    return to.make(
        cst.IfExp,
        node,
        test=to.expression(node.test),
        body=to.expression(node.body),
        orelse=to.expression(node.orelse),
    )


def _lambda(to: Expressions, node: ast.Lambda) -> Any:
    return to.make(cst.Lambda, node, params=to.parameters(node.args, node), body=to.expression(node.body))


def _subscript(to: Expressions, node: ast.Subscript) -> Any:
    return to.make(cst.Subscript, node, value=to.expression(node.value), slice=to.subscripts(node.slice))


def _collection(kind: type[cst.BaseExpression]) -> Callable[[Expressions, Any], Any]:
    return lambda to, node: to.make(kind, node, elements=to.elements(node.elts))


def _dict(to: Expressions, node: ast.Dict) -> Any:
    return to.make(
        cst.Dict,
        node,
        elements=[
            to.make(cst.StarredDictElement, value, value=to.expression(value))
            if key is None
            else to.make(cst.DictElement, (key, value), key=to.expression(key), value=to.expression(value))
            for key, value in zip(node.keys, node.values, strict=True)
        ],
    )


def _comprehension(kind: type[cst.BaseExpression]) -> Callable[[Expressions, Any], Any]:
    return lambda to, node: to.make(
        kind, node, elt=to.expression(node.elt), for_in=to.generators(node.generators)
    )


def _dict_comprehension(to: Expressions, node: ast.DictComp) -> Any:
    return to.make(
        cst.DictComp,
        node,
        key=to.expression(node.key),
        value=to.expression(node.value),
        for_in=to.generators(node.generators),
    )


def _walrus(to: Expressions, node: ast.NamedExpr) -> Any:
    return to.make(cst.NamedExpr, node, target=to.expression(node.target), value=to.expression(node.value))


def _await(to: Expressions, node: ast.Await) -> Any:
    return to.make(cst.Await, node, expression=to.expression(node.value))


def _yield(to: Expressions, node: ast.Yield) -> Any:
    return to.make(cst.Yield, node, value=to.optional(node.value))


def _yield_from(to: Expressions, node: ast.YieldFrom) -> Any:
    inner = to.make(cst.From, node, item=to.expression(node.value))
    return to.make(cst.Yield, node, value=inner)


_TRANSLATIONS: dict[type[ast.expr], Callable[[Expressions, Any], Any]] = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Constant: _constant,
    ast.JoinedStr: lambda to, node: string(to, node),
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _comparison,
    ast.IfExp: _conditional,
    ast.Lambda: _lambda,
    ast.Subscript: _subscript,
    ast.Tuple: _collection(cst.Tuple),
    ast.List: _collection(cst.List),
    ast.Set: _collection(cst.Set),
    ast.Dict: _dict,
    ast.ListComp: _comprehension(cst.ListComp),
    ast.SetComp: _comprehension(cst.SetComp),
    ast.GeneratorExp: _comprehension(cst.GeneratorExp),
    ast.DictComp: _dict_comprehension,
    ast.NamedExpr: _walrus,
    ast.Await: _await,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
    ast.Starred: lambda to, node: to.starred(node),
}
