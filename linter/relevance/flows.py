"""Where the names of a function have their values from, read off Python's own tree."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..python_tree import inside

RESULT = "return"
"""What a function gives, beside its names: no name itself."""
CONTENT = "[]"
"""What stands behind a name for what is in what it holds."""
ANYTHING = ""
"""What nothing is known of, beside the names that something comes from."""

_PLACELESS = (ast.Constant, ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)


@dataclass(frozen=True, slots=True)
class HandedOn:
    """A call.

    Args:
        called: the dotted name of what is called, if it has one.
        method: the last name of what is called, also of an attribute of what has no name.
        arguments: the places that each argument comes from, by its position or keyword.
        repeated: whether it stands in a loop.
    """

    called: str
    method: str
    arguments: Mapping[int | str | None, frozenset[str]]
    repeated: bool

    @property
    def places(self) -> frozenset[str]:
        """The places that its arguments come from."""
        return frozenset[str]().union(*self.arguments.values())


@dataclass(slots=True)
class Flows:
    """The flows of a block, those of its inner functions included.

    A place is a dotted name, or what is in what it holds.

    Args:
        keeps: whether the result of calling a dotted name may hold its arguments.
        sources: the places that each place, and what the function gives, has its value from.
        calls: where something is handed on.
    """

    keeps: Callable[[str], bool]
    sources: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    calls: list[HandedOn] = field(default_factory=list)
    _inner: dict[str, list[str]] = field(default_factory=dict)
    _loops: int = 0

    @classmethod
    def of(cls, block: Iterable[ast.AST], keeps: Callable[[str], bool]) -> Flows:
        """Those of the body of a function."""
        flows = cls(keeps)
        flows.of_block(block)
        flows._enter_inner()
        return flows

    def of_block(self, block: Iterable[ast.AST]) -> None:
        """Adds the flows of statements."""
        for statement in block:
            self._statement(statement)
            is_loop = isinstance(statement, ast.For | ast.AsyncFor | ast.While)
            self._loops += is_loop
            self.of_block(inside(statement))
            self._loops -= is_loop

    def _statement(self, statement: ast.AST) -> None:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.sources[statement.name].add(RESULT)
                self._inner[statement.name] = [*_arguments(statement.args)]
            case ast.ClassDef():
                self.sources[statement.name].add(ANYTHING)
            case ast.Return():
                self.sources[RESULT] |= self._of(statement.value)
            case ast.For() | ast.AsyncFor():
                self._bind(statement.target, self._of(statement.iter))
            case ast.With() | ast.AsyncWith():
                for item in statement.items:
                    self._bind(item.optional_vars, self._of(item.context_expr))
            case ast.Assign():
                places = self._of(statement.value)
                for target in statement.targets:
                    self._bind(target, places)
            case ast.AnnAssign() | ast.AugAssign():
                self._bind(statement.target, self._of(statement.value))
            case ast.Match():
                places = self._of(statement.subject)
                for part in (part for case in statement.cases for part in ast.walk(case.pattern)):
                    for name in ("name", "rest"):
                        if isinstance(bound := getattr(part, name, None), str):
                            self.sources[bound] |= places
            case ast.ExceptHandler(name=str() as name):
                self._declare([name])
            case ast.stmt():
                for child in ast.iter_child_nodes(statement):
                    if isinstance(child, ast.expr):
                        self._of(child)

    def _enter_inner(self) -> None:
        """Notes what inner functions are called with, here or by what they are handed to."""
        for name, parameters in self._inner.items():
            self._declare(parameters)
            for call in self.calls:
                if call.called == name:
                    self._enter(parameters, call)
                elif frozenset({name}) in call.arguments.values():
                    for parameter in parameters:
                        self.sources[parameter] |= call.places - {name}

    def _enter(self, parameters: Sequence[str], call: HandedOn) -> None:
        for place, given in call.arguments.items():
            if isinstance(place, int) and place < len(parameters):
                self.sources[parameters[place]] |= given
            elif place in parameters:
                self.sources[str(place)] |= given
            else:  # what `*` and `**` stand for
                for parameter in parameters:
                    self.sources[parameter] |= given

    def _declare(self, names: Iterable[str]) -> None:
        """Notes that names are bound here, be it to nothing that is seen."""
        for name in names:
            self.sources[name] |= set()

    def _bind(self, target: ast.expr | None, places: set[str]) -> None:
        """Notes that a target, or what it is a part of, has its value from these places."""
        if isinstance(target, ast.Tuple | ast.List):
            for part in target.elts:
                self._bind(part, places)
        elif isinstance(target, ast.Starred):
            self._bind(target.value, places)
        elif target is not None and (place := place_of(target)):
            self.sources[place] |= places

    def _of(self, expression: ast.expr | None) -> set[str]:
        """The places that an expression has its value from, after noting what is bound, changed and handed on in it."""
        if expression is None:
            return set()
        path = _plain(expression)
        if path:
            return {path}
        found = self._parts(expression)
        return found | {place + CONTENT for place in found if not place.endswith(CONTENT)}

    def _parts(self, expression: ast.expr) -> set[str]:
        found: set[str] = set()
        pending: list[ast.AST] = [expression]
        while pending:
            node = pending.pop()
            if path := _plain(node):
                found.add(path)
                continue
            match node:
                case ast.Call():
                    found |= self._call(node)
                    continue
                case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                    found |= self._comprehension(node)
                    continue
                case ast.NamedExpr():
                    self._bind(node.target, self._of(node.value))
                case ast.Lambda():
                    self._declare(_arguments(node.args))
                case ast.Yield() | ast.YieldFrom():
                    self.sources[RESULT] |= self._of(node.value)
            pending += [one for one in ast.iter_child_nodes(node) if not isinstance(one, _PLACELESS)]
        return found

    def _call(self, node: ast.Call) -> set[str]:
        called = path_of(node.func)
        arguments: dict[int | str | None, frozenset[str]] = {}
        named = [(one.arg, one.value) for one in node.keywords]
        for name, argument in (*enumerate(node.args), *named):
            if isinstance(argument, ast.Starred):
                name, argument = None, argument.value
            arguments[name] = arguments.get(name, frozenset()) | self._of(argument)
        method = node.func.attr if isinstance(node.func, ast.Attribute) else called
        handed = HandedOn(called, method, arguments, self._loops > 0)
        self.calls.append(handed)
        if isinstance(node.func, ast.Attribute) and called:  # `rows.append(row)`
            self.sources[called.rpartition(".")[0] + CONTENT] |= handed.places
        found = self._parts(node.func)
        return found | handed.places if not called or self.keeps(called) else found

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> set[str]:
        found: set[str] = set()
        for generator in node.generators:
            places = self._of(generator.iter)
            self._bind(generator.target, places)
            found |= places
        self._loops += 1
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for part in (*parts, *(test for generator in node.generators for test in generator.ifs)):
            found |= self._of(part)
        self._loops -= 1
        return found


def statements_in(block: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The statements and clauses of a block, those of inner functions included."""
    pending = [*block]
    while pending:
        node = pending.pop()
        yield node
        pending += inside(node)


def imports_in(block: Iterable[ast.AST]) -> dict[str, tuple[str, str | None]]:
    """The names that a block imports, each with its module (leading dots for a relative one), and its name there, if any."""
    found: dict[str, tuple[str, str | None]] = {}
    for statement in statements_in(block):
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                top = alias.name.partition(".")[0]
                found[alias.asname or top] = (alias.name if alias.asname else top, None)
        elif isinstance(statement, ast.ImportFrom):
            module = "." * statement.level + (statement.module or "")
            found |= {alias.asname or alias.name: (module, alias.name) for alias in statement.names}
    return found


def place_of(node: ast.AST) -> str:
    """The place that an expression is; empty for one that has no name."""
    path = path_of(node)
    return f"{path}{CONTENT}" if path and not _plain(node) else path


def path_of(node: ast.AST) -> str:
    """The dotted name that an expression is, with the indices in it left out; empty for others."""
    return _path(node, (ast.Attribute, ast.Subscript))


def _plain(node: ast.AST) -> str:
    """The dotted name that an expression is, without any index; empty for others."""
    return _path(node, (ast.Attribute,))


def _path(node: ast.AST, through: tuple[type[ast.AST], ...]) -> str:
    names: list[str] = []
    while isinstance(node, through):
        if isinstance(node, ast.Attribute):
            names.append(node.attr)
        node = node.value  # type: ignore[attr-defined]
    if not isinstance(node, ast.Name):
        return ""
    return ".".join((node.id, *reversed(names))) if names else node.id


def _arguments(arguments: ast.arguments) -> Iterator[str]:
    """The names of parameters, in the order that they are given in."""
    starred = filter(None, (arguments.vararg, arguments.kwarg))
    return (one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *starred))
