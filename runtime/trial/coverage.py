"""Which branches a run takes, how often its loops turn, and on which side of each comparison its values lie.

The syntax tree is rewritten so that conditions, comparisons and loops report; what they compute stays the same.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

Goal = tuple[int, str]
"""A place, by its number, and what has to happen there."""

_OPERATORS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_TRUTH, _COMPARE, _ROUNDS, _START, _REACHED, _PAIR = (
    f"__tracetrap_{name}__" for name in ("truth", "compare", "rounds", "start", "reached", "pair")
)


@dataclass(slots=True)
class Coverage:
    """What the places on the rows of interest have to show (`needed`, `wanted`), and what one run showed."""

    rows: frozenset[int]
    needed: set[Goal] = field(default_factory=set)
    wanted: set[Goal] = field(default_factory=set)
    lines: dict[int, int] = field(default_factory=dict)
    seen: set[Goal] = field(default_factory=set)
    differences: dict[int, float] = field(default_factory=dict)
    _turns: dict[int, int] = field(default_factory=dict)

    def instrument(self, tree: ast.Module) -> None:
        """Rewrite a tree in place."""
        _Marker(self).visit(tree)
        ast.fix_missing_locations(tree)

    def publish(self, module: ModuleType) -> None:
        """Give a module that was instrumented the functions that it calls."""
        module.__dict__.update(
            {
                _TRUTH: self._truth,
                _COMPARE: self._compare,
                _ROUNDS: self._rounds,
                _START: self._start,
                _REACHED: self._reached,
                _PAIR: self._pair,
            }
        )

    def begin(self) -> None:
        """Forget the last run."""
        self.seen, self.differences, self._turns = set(), {}, {}

    def end(self) -> set[Goal]:
        """All that happened in this run."""
        for number, turns in self._turns.items():
            self.seen.add((number, _count(turns)))
        return self.seen

    @property
    def at_a_kink(self) -> bool:
        """True if some comparison had equal sides: no place for derivatives."""
        return any(outcome == "equal" for _, outcome in self.seen)

    def missing(self, covered: set[Goal]) -> str:
        """What of the needed goals was never met, for people; empty if nothing."""
        number, outcome = min(self.needed - covered, default=(0, ""))
        if not outcome:
            return ""
        return f"no inputs found for which line {self.lines[number]} is {outcome}"

    def place(self, node: ast.AST, needed: Iterable[str], wanted: Iterable[str] = ()) -> int:
        """Number a place; its outcomes are goals if it stands on the rows of interest."""
        number = len(self.lines) + 1
        row = self.lines[number] = getattr(node, "lineno", 0)
        if row in self.rows:
            self.needed |= {(number, outcome) for outcome in needed}
            self.wanted |= {(number, outcome) for outcome in wanted}
        return number

    def _truth(self, number: int, value: Any) -> Any:
        self.seen.add((number, "true" if value else "false"))
        return value

    def _compare(self, number: int, name: str, left: Any, right: Any) -> Any:
        self._side(number, left, right)
        return getattr(operator, name)(left, right)

    def _side(self, number: int, left: Any, right: Any) -> None:
        try:
            difference = float(left) - float(right)
        except (TypeError, ValueError, OverflowError):
            return
        self.seen.add((number, "equal" if difference == 0 else "less" if difference < 0 else "greater"))
        self.differences[number] = difference

    def _pair(self, number: int, *values: Any) -> tuple[Any, ...]:
        self._side(number, values[0], values[1])
        return values

    def _rounds(self, number: int, values: Iterable[Any]) -> Iterator[Any]:
        count = 0
        try:
            for value in values:
                count += 1
                yield value
        finally:
            self.seen.add((number, _count(count)))

    def _start(self, number: int) -> None:
        if number in self._turns:
            self.seen.add((number, _count(self._turns[number])))
        self._turns[number] = 0

    def _reached(self, number: int) -> None:
        self.seen.add((number, "reached"))
        if number in self._turns:
            self._turns[number] += 1


def _count(turns: int) -> str:
    return ("never entered", "entered once")[turns] if turns < 2 else "entered often"


_COUNTS = ("never entered", "entered once", "entered often")


class _Marker(ast.NodeTransformer):
    def __init__(self, coverage: Coverage) -> None:
        self.coverage = coverage

    def _truth(self, test: ast.expr) -> ast.expr:
        number = self.coverage.place(test, ("true", "false"))
        return _call(_TRUTH, test, ast.Constant(number), test)

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        node.test = self._truth(node.test)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        node.test = self._truth(node.test)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        node.values = [self._truth(value) for value in node.values]
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs = [self._truth(test) for test in node.ifs]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        function = _OPERATORS.get(type(node.ops[0]))
        if len(node.ops) > 1 or function is None:
            return node
        number = self.coverage.place(node, (), ("less", "equal", "greater"))
        parts = (ast.Constant(number), ast.Constant(function.__name__), node.left, node.comparators[0])
        return _call(_COMPARE, node, *parts)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        named = isinstance(node.func, ast.Name) and node.func.id in ("min", "max")
        starred = any(isinstance(argument, ast.Starred) for argument in node.args)
        if named and len(node.args) > 1 and not starred:
            number = self.coverage.place(node, (), ("less", "equal", "greater"))
            pair = _call(_PAIR, node, ast.Constant(number), *node.args)
            node.args = [ast.copy_location(ast.Starred(pair, ast.Load()), node)]
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        number = self.coverage.place(node, (), _COUNTS)
        node.iter = _call(_ROUNDS, node.iter, ast.Constant(number), node.iter)
        return node

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        self.generic_visit(node)
        number = self.coverage.place(node, (), _COUNTS)
        node.body.insert(0, _statement(_REACHED, node.body[0], number))
        return [_statement(_START, node, number), node]

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        node.guard = self.visit(node.guard) if node.guard is not None else None
        first = node.body[0]
        number = self.coverage.place(first, ("reached",))
        body: list[ast.stmt] = [_statement(_REACHED, first, number)]
        for statement in node.body:
            visited = self.visit(statement)
            body += visited if isinstance(visited, list) else [visited]
        node.body = body
        return node


def _call(name: str, anchor: ast.AST, *arguments: ast.expr) -> ast.Call:
    call = ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=list(arguments), keywords=[])
    return ast.copy_location(call, anchor)


def _statement(name: str, anchor: ast.stmt, number: int) -> ast.stmt:
    return ast.copy_location(ast.Expr(_call(name, anchor, ast.Constant(number))), anchor)
