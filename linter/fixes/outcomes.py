"""What an `if` chain or a `match` comes to, where each branch only returns or assigns values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from ..interpreter.usage import ARRAY_ATTRIBUTES
from .booleans import condition
from .draft import Draft
from .names import dotted, read, targets
from .place import following, small, suite

if TYPE_CHECKING:
    from ..files.source import SourceFile

_NO_NUMBERS = (
    cst.List, cst.Dict, cst.Set, cst.BaseString, cst.Lambda, cst.Ellipsis, cst.GeneratorExp, cst.ListComp,
    cst.SetComp, cst.DictComp, cst.Yield, cst.Await, cst.NamedExpr,
)  # fmt: skip


_CONTAINERS = ("tuple", "list", "dict", "set", "zip", "map", "enumerate", "range", "sorted", "reversed")
_COPIES = ("_replace", "replace")  # of named tuples and dataclasses


@dataclass(frozen=True)
class Outcome:
    """The texts of what one branch returns, or assigns to each name; `atoms` are the same, fit to be operands."""

    returns: tuple[str, ...] | None = None
    assigns: dict[str, str] = field(default_factory=dict)
    is_tuple: bool = False


@dataclass(frozen=True)
class Chain:
    """`(condition, outcome)` for each branch, and the outcome of the rest; `last` is the last statement used up."""

    branches: tuple[tuple[str, Outcome], ...]
    default: Outcome
    first: cst.CSTNode
    last: cst.CSTNode


def outcome(statements: Sequence[cst.CSTNode], draft: Draft) -> Outcome | None:
    """What a branch comes to; None where it does more than to return or to assign independent values."""
    assigns: dict[str, str] = {}
    for statement in statements:
        if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) > 1:
            return None
        inner = small(statement)
        match inner:
            case cst.Return(value=cst.BaseExpression() as value) if not assigns:
                return _returned(value, draft)
            case cst.Assign(value=value) if len(inner.targets) == 1 and not read(value) & set(assigns):
                pairs = _pairs(inner.targets[0].target, value)
                if pairs is None or not all(is_array(item) for _, item in pairs):
                    return None
                if any(read(item) & set(assigns) for _, item in pairs):
                    return None
                assigns.update((name, draft.text(item)) for name, item in pairs)
            case cst.AnnAssign(target=cst.Name() as target, value=cst.BaseExpression() as value):
                if not is_array(value) or read(value) & set(assigns):
                    return None
                assigns[target.value] = draft.text(value)
            case cst.AugAssign(target=cst.Name() as target, value=value):
                if read(value) & set(assigns) or target.value in assigns or not is_array(value):
                    return None
                sign = draft.source.module.code_for_node(inner.operator).strip()[:-1]
                assigns[target.value] = f"{target.value} {sign} {draft.atom(value)}"
            case cst.Pass():
                pass
            case _:
                return None
    return Outcome(assigns=assigns)


def _returned(value: cst.BaseExpression, draft: Draft) -> Outcome | None:
    if isinstance(value, cst.Tuple):
        items = [element.value for element in value.elements]
        if not all(isinstance(e, cst.Element) for e in value.elements) or not all(map(is_array, items)):
            return None
        return Outcome(tuple(draft.text(item) for item in items), is_tuple=True)
    return Outcome((draft.text(value),)) if is_array(value) else None


def _pairs(
    target: cst.BaseExpression, value: cst.BaseExpression
) -> list[tuple[str, cst.BaseExpression]] | None:
    if isinstance(target, cst.Name):
        return [(target.value, value)]
    names = list(targets(target))
    if (
        isinstance(target, cst.Tuple)
        and isinstance(value, cst.Tuple)
        and len(names) == len(target.elements) == len(value.elements)
    ):
        if all(isinstance(e, cst.Element) for e in (*target.elements, *value.elements)):
            return [(name, element.value) for name, element in zip(names, value.elements, strict=True)]
    return None


def is_array(node: cst.BaseExpression) -> bool:
    """Whether an expression may be one array or number, and no object that holds several."""
    structure = (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Attribute)
        and node.func.attr.value in _COPIES
    )
    named = isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value[:1].isupper()
    return is_numeric(node) and not structure and not named and not _builds(node)


def _builds(node: cst.BaseExpression) -> bool:
    """Whether a method of the object itself makes something out of nothing: `self.reset()` may give any structure."""
    if not isinstance(node, cst.Call) or node.args or not isinstance(node.func, cst.Attribute):
        return False
    return dotted(node.func).startswith("self.") and node.func.attr.value not in ARRAY_ATTRIBUTES


def is_numeric(node: cst.BaseExpression) -> bool:
    """Whether an expression may be an array or a number, and does nothing but compute."""
    if isinstance(node, cst.Tuple) or (isinstance(node, cst.Name) and node.value == "None"):
        return False
    if isinstance(node, cst.Call) and dotted(node.func) in _CONTAINERS:
        return False
    return not isinstance(node, _NO_NUMBERS)


def chain_of_if(source: SourceFile, node: cst.If, draft: Draft) -> Chain | None:
    """The chain that begins at an `if` or `elif`, a `return` that follows it included."""
    branches: list[tuple[str, Outcome]] = []
    current: cst.If | None = node
    default: Outcome | None = None
    last: cst.CSTNode = node
    while current is not None:
        test, result = condition(current.test, draft), outcome(suite(current.body), draft)
        if test is None or result is None:
            return None
        branches.append((test, result))
        orelse = current.orelse
        if isinstance(orelse, cst.Else):
            default = outcome(suite(orelse.body), draft)
            if default is None:
                return None
        current = orelse if isinstance(orelse, cst.If) else None
    if default is None:
        default, last = _after(source, node, branches, draft)
    return None if default is None else Chain(tuple(branches), default, node, last)


def chain_of_match(source: SourceFile, node: cst.Match, draft: Draft) -> Chain | None:
    """The chain that a `match` on numbers comes to."""
    branches: list[tuple[str, Outcome]] = []
    default: Outcome | None = None
    subject = draft.atom(node.subject)
    for case in node.cases:
        result = outcome(suite(case.body), draft)
        if result is None or case.guard is not None or default is not None:
            return None
        tests = literal_tests(case.pattern, subject, draft)
        if tests is None:
            return None
        if tests:
            branches.append((tests[0] if len(tests) == 1 else " | ".join(f"({t})" for t in tests), result))
        else:
            default = result
    last: cst.CSTNode = node
    if default is None:
        default, last = _after(source, node, branches, draft)
    return None if default is None or not branches else Chain(tuple(branches), default, node, last)


def literal_tests(pattern: cst.MatchPattern, subject: str, draft: Draft) -> list[str] | None:
    """The comparisons that a pattern of literals makes; none for a wildcard, None for other patterns."""
    match pattern:
        case cst.MatchValue(value=cst.BaseNumber() | cst.UnaryOperation() | cst.Attribute() as value):
            return [f"{subject} == {draft.text(value)}"]
        case cst.MatchOr():
            parts = [literal_tests(part.pattern, subject, draft) for part in pattern.patterns]
            return (
                None if any(not part for part in parts) else [test for part in parts for test in part or ()]
            )
        case cst.MatchAs(pattern=None, name=None):
            return []
        case _:
            return None


def _after(
    source: SourceFile, node: cst.CSTNode, branches: list[tuple[str, Outcome]], draft: Draft
) -> tuple[Outcome | None, cst.CSTNode]:
    """What happens where no branch is taken: the `return` that follows, or nothing."""
    if all(result.returns is None for _, result in branches):
        return Outcome(), node
    rest = following(source, node)
    if rest and isinstance(small(rest[0]), cst.Return):
        return outcome(rest[:1], draft), rest[0]
    return None, node
