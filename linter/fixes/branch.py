"""`if` with work in its branches → `lax.cond`, which computes only the branch that is taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from ..causes import is_shaped
from .blocks import define, is_pure, later_reads, lines_of, packed
from .booleans import condition
from .draft import Draft
from .names import bound, defined_before, fresh, locals_of
from .outcomes import is_numeric
from .place import comments, following, function_of, parents, small, statement_of, suite

if TYPE_CHECKING:
    from ..events import Truth
    from ..findings import Fix

COST = "both branches must return the same structure and dtypes"


def expression(event: Truth) -> Fix | None:
    """A conditional expression."""
    node = parents(event.source).get(event.node)
    if not isinstance(node, cst.IfExp) or node.test is not event.node or is_shaped(event.value):
        return None
    draft = Draft(event.source, node)
    test = condition(node.test, draft)
    if (
        test is None
        or not (is_numeric(node.body) and is_numeric(node.orelse))
        or isinstance(node.orelse, cst.IfExp)
    ):
        return None
    draft.replace(
        node,
        f"{draft.lax('cond')}({test}, lambda: {draft.text(node.body)}, lambda: {draft.text(node.orelse)})",
    )
    return draft.fix("Branch with lax.cond", cost=COST)


def statement(event: Truth) -> Fix | None:
    """`if` and `else` that both assign, or both return; a missing `else` is what follows, or leaves values alone."""
    source, node = event.source, statement_of(event.source, event.node)
    if not isinstance(node, cst.If) or node.test is not event.node or is_shaped(event.value):
        return None
    if isinstance(parents(source).get(node), cst.If) or isinstance(node.orelse, cst.If):
        return None
    draft = Draft(source, node)
    test = condition(node.test, draft)
    if test is None:
        return None
    taken = suite(node.body)
    if isinstance(small(taken[-1]), cst.Return):
        other = suite(node.orelse.body) if node.orelse is not None else following(source, node)
        return _returning(node, test, taken, other, draft)
    return _assigning(node, test, taken, suite(node.orelse.body) if node.orelse is not None else (), draft)


def _returning(
    node: cst.If, test: str, taken: Sequence[cst.CSTNode], other: Sequence[cst.CSTNode], draft: Draft
) -> Fix | None:
    if not other or not (returns_numbers(taken) and returns_numbers(other)):
        return None
    source = draft.source
    before = defined_before(source, node)
    operands = [name for name in dict.fromkeys((*bound(*taken), *bound(*other))) if name in before]
    when_true, when_false = fresh(source, "when_true", "when_false")
    lines: list[str] = []
    called: list[str] = []
    for name, block in ((when_true, taken), (when_false, other)):
        only = small(block[0]) if len(block) == 1 else None
        if isinstance(only, cst.Return) and only.value is not None:
            called.append(
                f"lambda {packed(operands)}: {_lambda_body(only.value, draft)}".replace("lambda :", "lambda:")
            )
            lines += comments(block[0])
            continue
        body = lines_of(
            source, node.body if block is taken else node.orelse.body if node.orelse is not None else block
        )
        if body is None:
            return None
        lines += define(name, operands, body, draft.unit)
        called.append(name)
    lines.append(f"return {draft.lax('cond')}({', '.join([test, *called, *operands])})")
    draft.replace_statements(node, other[-1] if node.orelse is None else node, lines)
    return draft.fix("Branch with lax.cond", cost=COST)


def _lambda_body(value: cst.BaseExpression, draft: Draft) -> str:
    written = draft.text(value)
    return f"({written})" if isinstance(value, cst.Tuple) and not value.lpar else written


def returns_numbers(block: Sequence[cst.CSTNode]) -> bool:
    """Whether a block ends with the return of numbers, and otherwise only computes."""
    last = small(block[-1])
    if not isinstance(last, cst.Return) or last.value is None:
        return False
    values = [e.value for e in last.value.elements] if isinstance(last.value, cst.Tuple) else [last.value]
    return all(is_numeric(value) for value in values) and is_pure([*block[:-1], last.value])


def _assigning(
    node: cst.If, test: str, taken: Sequence[cst.CSTNode], other: Sequence[cst.CSTNode], draft: Draft
) -> Fix | None:
    source = draft.source
    if not is_pure(taken) or not is_pure(other):
        return None
    before, later = defined_before(source, node), later_reads(source, node)
    first, second = bound(*taken), bound(*other)
    names = list(dict.fromkeys((*first, *second)))
    function = function_of(source, node)
    kept = [name for name in names if name in before or (name in first and name in second)]
    if not kept or any(name in later for name in names if name not in kept):
        return None
    if function is not None and not set(names) <= locals_of(function):
        return None
    operands = [name for name in names if name in before]
    when_true, when_false = fresh(source, "when_true", "when_false")
    lines: list[str] = []
    called: list[str] = []
    for name, block, body in (
        (when_true, taken, node.body),
        (when_false, other, node.orelse.body if node.orelse else None),
    ):
        if not block or body is None:
            values = packed(kept) if len(kept) == 1 else f"({packed(kept)})"
            called.append(f"lambda {packed(operands)}: {values}")
            continue
        inner = lines_of(source, body)
        if inner is None:
            return None
        lines += define(name, operands, [*inner, f"return {packed(kept)}"], draft.unit)
        called.append(name)
    lines.append(f"{packed(kept)} = {draft.lax('cond')}({', '.join([test, *called, *operands])})")
    draft.replace_statements(node, node, lines)
    return draft.fix("Branch with lax.cond", cost=COST)
