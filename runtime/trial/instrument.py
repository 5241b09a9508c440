"""Rewrites a module's syntax tree so that its run tells which places were passed, and what was caught.

Line numbers stay as they were, so every error still points into the user's text.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Sequence
from dataclasses import dataclass

PASSED = "__tracetrap_passed__"
CAUGHT = "__tracetrap_caught__"
MEND = "__tracetrap_mend__"


@dataclass(frozen=True, slots=True)
class Place:
    """A span of the file: 1-based rows and columns in characters, the end not included."""

    number: int
    start: tuple[int, int]
    end: tuple[int, int]


def instrument(
    tree: ast.Module, source: str, places: Sequence[Place], mended: Container[int] = ()
) -> ast.Module:
    """The tree with a marker at each place and in each exception handler.

    The expressions at the places numbered in `mended` are handed over unevaluated, statements there may fail.
    """
    lines = source.splitlines()
    spans = {place.number: _byte_span(place, lines) for place in places}
    pending = dict(spans)
    _ExpressionMarker(pending, mended).visit(tree)
    _StatementMarker(pending, spans, mended).visit(tree)
    return ast.fix_missing_locations(tree)


def rounds_of(number: int) -> int:
    """The number under which the rounds of the loop at a place are marked."""
    return -1 - number


_Span = tuple[tuple[int, int], tuple[int, int]]


def _byte_span(place: Place, lines: list[str]) -> _Span:
    """The span with columns as `ast` counts them: 0-based, in UTF-8 bytes."""

    def offset(row: int, column: int) -> tuple[int, int]:
        text = lines[row - 1] if 0 < row <= len(lines) else ""
        return row, len(text[: column - 1].encode())

    return offset(*place.start), offset(*place.end)


def _span(node: ast.expr | ast.stmt) -> _Span:
    end = (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
    return (node.lineno, node.col_offset), end


def _call(name: str, anchor: ast.expr | ast.stmt, *arguments: ast.expr) -> ast.Call:
    call = ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=list(arguments), keywords=[])
    return ast.copy_location(call, anchor)


# Inside a lambda these would mean something else.
_BOUND_TO_SCOPE = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)


class _ExpressionMarker(ast.NodeTransformer):
    """Wraps each expression whose span is that of a place; takes those places off the list."""

    def __init__(self, pending: dict[int, _Span], mended: Container[int]) -> None:
        self.pending, self.mended = pending, mended

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if not isinstance(node, ast.expr):
            return super().generic_visit(node)
        numbers = [number for number, span in self.pending.items() if span == _span(node)]
        wrappable = isinstance(getattr(node, "ctx", ast.Load()), ast.Load) and not isinstance(
            node, (ast.Starred, ast.Slice)
        )
        if not numbers or not wrappable:
            return super().generic_visit(node)
        for number in numbers:
            del self.pending[number]
        wrapped = super().generic_visit(node)
        assert isinstance(wrapped, ast.expr)
        for number in numbers:
            wrapped = self._wrap(number, wrapped)
        return wrapped

    def _wrap(self, number: int, node: ast.expr) -> ast.expr:
        if number not in self.mended or any(isinstance(part, _BOUND_TO_SCOPE) for part in ast.walk(node)):
            return _call(PASSED, node, ast.Constant(number), node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
            return ast.copy_location(ast.Tuple([ast.Constant(0), ast.Constant(1)], ast.Load()), node)
        nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        thunk = ast.copy_location(ast.Lambda(nothing, node), node)
        return _call(MEND, node, ast.Constant(number), thunk)

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        """A pattern is no expression, though it is made of them."""
        node.guard = self.visit(node.guard) if node.guard is not None else None
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Before Python 3.12 the parts of an f-string have no positions of their own: leave them."""
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node


class _StatementMarker(ast.NodeTransformer):
    """Marks the innermost statement that holds a place, and the start of every exception handler."""

    def __init__(self, pending: dict[int, _Span], spans: dict[int, _Span], mended: Container[int]) -> None:
        self.pending, self.spans, self.mended = pending, spans, mended

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, (ast.For, ast.While)):
            self._count_rounds(node)
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                setattr(node, name, [part for statement in block for part in self._mark(statement)])
        if isinstance(node, ast.ExceptHandler):
            node.body.insert(0, ast.copy_location(ast.Expr(_call(CAUGHT, node.body[0])), node.body[0]))
        return node

    def _count_rounds(self, node: ast.For | ast.While) -> None:
        """Mark each round of a loop in whose header a place stands, as `rounds_of(number)`."""
        first = node.body[0]
        for number, (start, _) in self.spans.items():
            if (node.lineno, node.col_offset) <= start < (first.lineno, first.col_offset):
                marker = _call(PASSED, first, ast.Constant(rounds_of(number)), ast.Constant(None))
                node.body.insert(0, ast.copy_location(ast.Expr(marker), first))

    def _mark(self, statement: ast.stmt) -> list[ast.stmt]:
        start, end = _span(statement)
        numbers = [number for number, (first, last) in self.pending.items() if start <= first and last <= end]
        after: list[ast.stmt] = []
        for number in numbers:
            del self.pending[number]
            header = _header(statement)
            if number in self.mended and isinstance(
                statement, (ast.Assert, ast.AugAssign, ast.Assign, ast.Expr)
            ):
                statement = _tolerant(statement)
            elif header is not None:
                value = getattr(statement, header)
                setattr(statement, header, _call(PASSED, value, ast.Constant(number), value))
            elif not isinstance(statement, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
                marker = _call(PASSED, statement, ast.Constant(number), ast.Constant(None))
                after.append(ast.copy_location(ast.Expr(marker), statement))
        return [statement, *after]


def _tolerant(statement: ast.stmt) -> ast.stmt:
    """The statement, with whatever it raises ignored."""
    handler = ast.ExceptHandler(ast.Name("Exception", ast.Load()), None, [ast.Pass()])
    attempt = ast.Try(body=[statement], handlers=[handler], orelse=[], finalbody=[])
    return ast.copy_location(attempt, statement)


def _header(statement: ast.stmt) -> str | None:
    """The field of a statement that is evaluated where the statement begins."""
    if isinstance(statement, (ast.If, ast.While)):
        return "test"
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        return "iter"
    if isinstance(statement, ast.Match):
        return "subject"
    if isinstance(statement, ast.Return) and statement.value is not None:
        return "value"
    return None
