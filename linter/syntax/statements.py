"""Statements of Python's tree as libcst's nodes; the bodies of functions when they are looked into."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from .allowance import Allowance, TooMuchCode
from .builder import with_one, with_two
from .expressions import Expressions
from .patterns import pattern
from .places import Origin, Stretch
from .text import Text, gap_end

ASSIGNED: dict[type[ast.operator], type[cst.BaseAugOp]] = {
    ast.Add: cst.AddAssign,
    ast.Sub: cst.SubtractAssign,
    ast.Mult: cst.MultiplyAssign,
    ast.MatMult: cst.MatrixMultiplyAssign,
    ast.Div: cst.DivideAssign,
    ast.Mod: cst.ModuloAssign,
    ast.Pow: cst.PowerAssign,
    ast.LShift: cst.LeftShiftAssign,
    ast.RShift: cst.RightShiftAssign,
    ast.BitOr: cst.BitOrAssign,
    ast.BitXor: cst.BitXorAssign,
    ast.BitAnd: cst.BitAndAssign,
    ast.FloorDiv: cst.FloorDivideAssign,
}
_set = object.__setattr__


class LaterBlock(cst.IndentedBlock):
    """The body of a function, translated when it is first looked into.

    Attributes:
        outer: whether its function stands in no other.
        statements: the body in Python's tree.
        maker: what translates it.
        translated: whether that has been done.
        failure: why its statements were left out, if so; it is then taken to be empty.
    """

    __slots__ = ("failure", "maker", "outer", "statements", "translated")  # type: ignore[misc]

    statements: Sequence[ast.stmt]
    maker: Statements
    outer: bool
    translated: bool
    failure: TooMuchCode | None

    def __getattr__(self, name: str) -> Any:
        if name != "body" or self.translated:
            raise AttributeError(name)
        _set(self, "translated", True)
        try:
            if self.outer:
                text = self.text
                self.maker.allowance.take(len(text), lambda: text)
            body = self.maker.body(self.statements)
        except TooMuchCode as error:
            _set(self, "failure", error)
            body = []
        _set(self, "body", body)
        return body

    @property
    def text(self) -> str:
        """The rows of the body."""
        return self.rows(self.statements[0].lineno, self.last_row)

    def rows(self, first: int, last: int) -> str:
        """Some of them, by their numbers in the text that Python parsed."""
        return self.maker.text.rows(first, last)

    @property
    def last_row(self) -> int:
        """The row of its end, counted in the text that Python parsed."""
        return self.statements[-1].end_lineno or 0


_make_assign = with_two(cst.Assign, "targets", "value")
_make_line = with_one(cst.SimpleStatementLine, "body")
_make_target = with_one(cst.AssignTarget, "target")


class Statements(Expressions):
    """Translates statements."""

    def __init__(self, text: Text, allowance: Allowance) -> None:
        super().__init__(text)
        self.allowance = allowance
        self.outer: list[LaterBlock] = []
        self._in_function = False

    def statements(self, nodes: Sequence[ast.stmt]) -> list[Any]:
        """The statements of a block; simple ones that share a line are one."""
        found: list[Any] = []
        waiting = 0
        for index, node in enumerate(nodes):
            translate = _COMPOUND.get(type(node))
            if translate is not None:
                found.append(translate(self, node))
                waiting = index + 1
            elif index + 1 == len(nodes) or nodes[index + 1].lineno > self.text.last_row(node):
                found.append(self._line(nodes[waiting : index + 1]))
                waiting = index + 1
        return found

    def body(self, nodes: Sequence[ast.stmt]) -> list[Any]:
        """The statements of a function's body."""
        around, self._in_function = self._in_function, True
        try:
            return self.statements(nodes)
        finally:
            self._in_function = around

    def _line(self, nodes: Sequence[ast.stmt]) -> cst.SimpleStatementLine:
        return _make_line(self, (nodes[0], nodes[-1]), [_SIMPLE[type(node)](self, node) for node in nodes])

    def _small(self, node: ast.stmt) -> Any:
        return _SIMPLE[type(node)](self, node)

    def suite(self, nodes: Sequence[ast.stmt], *, of_function: bool = False) -> Any:
        """What stands behind a colon."""
        margin = self.text.margin(nodes[0])
        if margin is None:
            return self.make(
                cst.SimpleStatementSuite, (nodes[0], nodes[-1]), body=[self._small(node) for node in nodes]
            )
        self.indent = self.indent or margin
        if not of_function:
            return self.make(cst.IndentedBlock, (nodes[0], nodes[-1]), body=self.statements(nodes))
        block = self.make(
            LaterBlock,
            (nodes[0], nodes[-1]),
            statements=nodes,
            maker=self,
            outer=not self._in_function,
            translated=False,
            failure=None,
        )
        if block.outer:
            self.outer.append(block)
        return block

    def otherwise(self, nodes: Sequence[ast.stmt]) -> cst.Else | None:
        """What stands under `else`, if anything does."""
        return self.make(cst.Else, (nodes[0], nodes[-1]), body=self.suite(nodes)) if nodes else None

    def decorators(self, nodes: Sequence[ast.expr]) -> list[cst.Decorator]:
        """What stands behind the at-signs."""
        return [self.make(cst.Decorator, node, decorator=self.expression(node)) for node in nodes]

    def alias(self, name: str | None, origin: Origin) -> cst.AsName | None:
        """`as name`."""
        return None if name is None else self.make(cst.AsName, origin, name=self.name(name, origin))

    def type_parameters(self, node: Any) -> cst.TypeParameters | None:
        """`[T: int, *Ts, **P]` behind the name of a function, class or type."""
        parameters = getattr(node, "type_params", ())
        if not parameters:
            return None
        return self.make(cst.TypeParameters, node, params=[self._type_parameter(one) for one in parameters])

    def _type_parameter(self, node: Any) -> cst.TypeParam:
        name = self.name(node.name, node)
        inner: Any
        match type(node).__name__:
            case "TypeVarTuple":
                inner = self.make(cst.TypeVarTuple, node, name=name)
            case "ParamSpec":
                inner = self.make(cst.ParamSpec, node, name=name)
            case _:
                inner = self.make(cst.TypeVar, node, name=name, bound=self.optional(node.bound))
        default = getattr(node, "default_value", None)
        return self.make(cst.TypeParam, node, param=inner, default=self.optional(default))


# --- compound statements ---------------------------------------------------------------------------------------


def _function(to: Statements, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Any:
    return to.make(
        cst.FunctionDef,
        node,
        name=to.name(node.name, node),
        params=to.parameters(node.args, node),
        body=to.suite(node.body, of_function=True),
        decorators=to.decorators(node.decorator_list),
        returns=to.annotation(node.returns),
        asynchronous=to.make(cst.Asynchronous, node) if isinstance(node, ast.AsyncFunctionDef) else None,
        type_parameters=to.type_parameters(node),
    )


def _class(to: Statements, node: ast.ClassDef) -> Any:
    return to.make(
        cst.ClassDef,
        node,
        name=to.name(node.name, node),
        body=to.suite(node.body),
        bases=to.arguments(node.bases, ()),
        keywords=to.arguments((), node.keywords),
        decorators=to.decorators(node.decorator_list),
        type_parameters=to.type_parameters(node),
    )


def _if(to: Statements, node: ast.If) -> Any:
    orelse: Any = None
    below = node.orelse
    if len(below) == 1 and isinstance(below[0], ast.If) and to.text.begins(below[0], "elif"):
        orelse = _if(to, below[0])
    body = to.suite(node.body)
    return to.make(
        cst.If,
        node,
        test=to.expression(node.test),
        body=body,
        orelse=orelse if orelse is not None else to.otherwise(below),
    )


def _for(to: Statements, node: ast.For | ast.AsyncFor) -> Any:
    return to.make(
        cst.For,
        node,
        target=to.expression(node.target),
        iter=to.expression(node.iter),
        body=to.suite(node.body),
        orelse=to.otherwise(node.orelse),
        asynchronous=to.make(cst.Asynchronous, node) if isinstance(node, ast.AsyncFor) else None,
    )


def _while(to: Statements, node: ast.While) -> Any:
    return to.make(
        cst.While,
        node,
        test=to.expression(node.test),
        body=to.suite(node.body),
        orelse=to.otherwise(node.orelse),
    )


def _with(to: Statements, node: ast.With | ast.AsyncWith) -> Any:
    return to.make(
        cst.With,
        node,
        items=[_with_item(to, item) for item in node.items],
        body=to.suite(node.body),
        asynchronous=to.make(cst.Asynchronous, node) if isinstance(node, ast.AsyncWith) else None,
    )


def _with_item(to: Statements, node: ast.withitem) -> Any:
    asname = None
    if node.optional_vars is not None:
        asname = to.make(cst.AsName, node.optional_vars, name=to.expression(node.optional_vars))
    return to.make(cst.WithItem, node.context_expr, item=to.expression(node.context_expr), asname=asname)


def _try(to: Statements, node: Any) -> Any:
    grouped = type(node).__name__ == "TryStar"
    body = to.suite(node.body)
    handlers = [
        to.make(
            cst.ExceptStarHandler if grouped else cst.ExceptHandler,
            one,
            body=to.suite(one.body),
            type=to.optional(one.type),
            name=to.alias(one.name, one),
        )
        for one in node.handlers
    ]
    final = node.finalbody
    return to.make(
        cst.TryStar if grouped else cst.Try,
        node,
        body=body,
        handlers=handlers,
        orelse=to.otherwise(node.orelse),
        finalbody=to.make(cst.Finally, (final[0], final[-1]), body=to.suite(final)) if final else None,
    )


def _match(to: Statements, node: ast.Match) -> Any:
    return to.make(
        cst.Match,
        node,
        subject=to.expression(node.subject),
        cases=[
            to.make(
                cst.MatchCase,
                (case.pattern, case.body[-1]),
                pattern=pattern(to, case.pattern),
                guard=to.optional(case.guard),
                body=to.suite(case.body),
            )
            for case in node.cases
        ],
    )


_COMPOUND: dict[type[ast.AST], Callable[[Statements, Any], Any]] = {
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.Match: _match,
}
if hasattr(ast, "TryStar"):  # Python 3.11
    _COMPOUND[ast.TryStar] = _try


# --- simple statements -----------------------------------------------------------------------------------------


def _plain(kind: type[cst.BaseSmallStatement]) -> Callable[[Statements, Any], Any]:
    return lambda to, node: to.make(kind, node)


def _valued(kind: type[cst.BaseSmallStatement]) -> Callable[[Statements, Any], Any]:
    return lambda to, node: to.make(kind, node, value=to.optional(node.value))


def _assign(to: Statements, node: ast.Assign) -> Any:
    targets = [_make_target(to, one, to.expression(one)) for one in node.targets]
    return _make_assign(to, node, targets, to.expression(node.value))


def _augmented(to: Statements, node: ast.AugAssign) -> Any:
    return to.make(
        cst.AugAssign,
        node,
        target=to.expression(node.target),
        operator=to.make(ASSIGNED[type(node.op)], node),
        value=to.expression(node.value),
    )


def _annotated(to: Statements, node: ast.AnnAssign) -> Any:
    return to.make(
        cst.AnnAssign,
        node,
        target=to.expression(node.target),
        annotation=to.annotation(node.annotation),
        value=to.optional(node.value),
    )


def _raise(to: Statements, node: ast.Raise) -> Any:
    cause = None
    if node.cause is not None:
        cause = to.make(cst.From, node.cause, item=to.expression(node.cause))
    return to.make(cst.Raise, node, exc=to.optional(node.exc), cause=cause)


def _assert(to: Statements, node: ast.Assert) -> Any:
    return to.make(cst.Assert, node, test=to.expression(node.test), msg=to.optional(node.msg))


def _delete(to: Statements, node: ast.Delete) -> Any:
    written = to.text.of(node)
    if len(node.targets) == 1 and not written.endswith(","):
        return to.make(cst.Del, node, target=to.expression(node.targets[0]))
    place = Stretch(node, gap_end(written, len("del")), len(written))
    elements = to.elements(node.targets)
    return to.make(cst.Del, node, target=to.make(cst.Tuple, place, elements=elements))


def _names(kind: type[cst.BaseSmallStatement]) -> Callable[[Statements, Any], Any]:
    return lambda to, node: to.make(
        kind, node, names=[to.make(cst.NameItem, node, name=to.name(name, node)) for name in node.names]
    )


def _import(to: Statements, node: ast.Import) -> Any:
    return to.make(cst.Import, node, names=[_imported(to, alias) for alias in node.names])


def _import_from(to: Statements, node: ast.ImportFrom) -> Any:
    starred = node.names[0].name == "*"
    return to.make(
        cst.ImportFrom,
        node,
        module=None if node.module is None else to.dotted(node.module, node),
        names=to.make(cst.ImportStar, node.names[0])
        if starred
        else [_imported(to, alias) for alias in node.names],
        relative=[to.make(cst.Dot, node) for _ in range(node.level)],
    )


def _imported(to: Statements, node: ast.alias) -> cst.ImportAlias:
    return to.make(cst.ImportAlias, node, name=to.dotted(node.name, node), asname=to.alias(node.asname, node))


def _type_alias(to: Statements, node: Any) -> Any:
    return to.make(
        cst.TypeAlias,
        node,
        name=to.expression(node.name),
        value=to.expression(node.value),
        type_parameters=to.type_parameters(node),
    )


_SIMPLE: dict[type[ast.AST], Callable[[Statements, Any], Any]] = {
    ast.Expr: _valued(cst.Expr),
    ast.Return: _valued(cst.Return),
    ast.Pass: _plain(cst.Pass),
    ast.Break: _plain(cst.Break),
    ast.Continue: _plain(cst.Continue),
    ast.Assign: _assign,
    ast.AugAssign: _augmented,
    ast.AnnAssign: _annotated,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.Delete: _delete,
    ast.Global: _names(cst.Global),
    ast.Nonlocal: _names(cst.Nonlocal),
    ast.Import: _import,
    ast.ImportFrom: _import_from,
}
if hasattr(ast, "TypeAlias"):  # Python 3.12
    _SIMPLE[ast.TypeAlias] = _type_alias
