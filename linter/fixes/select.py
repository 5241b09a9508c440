"""`if` that chooses between values → `jnp.where`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from .booleans import condition
from .draft import Draft
from .names import defined_before, locals_of
from .outcomes import Chain, Outcome, chain_of_if, chain_of_match, is_array
from .place import function_of, parents, statement_of

if TYPE_CHECKING:
    from ..events import Matched, Truth
    from ..findings import Fix

COST = "both branches are computed, and derivatives flow through both"
MAX_NAMES = 3  # assigned names; the condition is written for each


def statement(event: Truth | Matched) -> Fix | None:
    """The whole `if` chain or `match`, where its branches only return or assign values."""
    source = event.source
    node = statement_of(source, event.node)
    while isinstance(event.node, cst.MatchValue) and node is not None and not isinstance(node, cst.Match):
        node = statement_of(source, parents(source)[node])
    draft = Draft(source, event.node)
    if isinstance(node, cst.If) and node.test is event.node:
        chain = chain_of_if(source, node, draft)
    elif isinstance(node, cst.Match):
        chain = chain_of_match(source, node, draft)
    else:
        return None
    lines = None if chain is None else _lines(chain, draft)
    if chain is None or lines is None or not _may_assign(event, chain) or _holds_structures(event, chain):
        return None
    replace_chain(draft, chain.first, chain.last, lines)
    return draft.fix("Choose with jnp.where", cost=COST)


def replace_chain(draft: Draft, first: cst.CSTNode, last: cst.CSTNode, lines: Sequence[str]) -> None:
    """Puts lines in the place of an `if` chain; that of an `elif` stands in an `else` then."""
    if isinstance(parents(draft.source).get(first), cst.If):
        lines = ["else:", *(f"{draft.unit}{line}" if line else line for line in lines)]
    draft.replace_statements(first, last, lines, *dict.fromkeys((first, last)))


def expression(event: Truth) -> Fix | None:
    """A conditional expression."""
    node = parents(event.source).get(event.node)
    if not isinstance(node, cst.IfExp) or node.test is not event.node:
        return None
    draft = Draft(event.source, node)
    written = _where(node, draft)
    if written is None or _operands(node) & event.structures:
        return None
    draft.replace(node, written)
    return draft.fix("Choose with jnp.where", cost=COST)


def _where(node: cst.BaseExpression, draft: Draft) -> str | None:
    if not isinstance(node, cst.IfExp):
        return draft.text(node) if is_array(node) else None
    test, first, second = condition(node.test, draft), _where(node.body, draft), _where(node.orelse, draft)
    if isinstance(node.body, cst.Tuple) and isinstance(node.orelse, cst.Tuple) and test is not None:
        pairs = list(zip(node.body.elements, node.orelse.elements, strict=False))
        if len(node.body.elements) != len(node.orelse.elements):
            return None
        chosen = ", ".join(
            f"{draft.jnp('where')}({test}, {draft.text(a.value)}, {draft.text(b.value)})" for a, b in pairs
        )
        return f"({chosen})"
    if test is None or first is None or second is None:
        return None
    return f"{draft.jnp('where')}({test}, {first}, {second})"


def _operands(node: cst.BaseExpression) -> set[str]:
    """The names that a conditional expression chooses among."""
    if isinstance(node, cst.IfExp):
        return _operands(node.body) | _operands(node.orelse)
    return {node.value} if isinstance(node, cst.Name) else set()


def _holds_structures(event: Truth | Matched, chain: Chain) -> bool:
    """Whether a branch returns, or assigns, something that holds several arrays."""
    structures: frozenset[str] = getattr(event, "structures", frozenset())
    outcomes = [*(result for _, result in chain.branches), chain.default]
    texts = {text for result in outcomes for text in (*(result.returns or ()), *result.assigns.values())}
    return bool(structures & {*texts, *assigned(chain)})


def _may_assign(event: Truth | Matched, chain: Chain) -> bool:
    """Whether each name that some branch leaves alone has a value before."""
    names = assigned(chain)
    function = function_of(event.source, event.node)
    if names and function is not None and not set(names) <= locals_of(function):
        return False  # global or nonlocal
    before = defined_before(event.source, chain.first)
    outcomes = [*(result for _, result in chain.branches), chain.default]
    return all(name in before or all(name in result.assigns for result in outcomes) for name in names)


def assigned(chain: Chain) -> list[str]:
    """The names that branches assign, in order."""
    return list(
        dict.fromkeys(
            name for result in (*(r for _, r in chain.branches), chain.default) for name in result.assigns
        )
    )


def _lines(chain: Chain, draft: Draft) -> list[str] | None:
    outcomes = [*(result for _, result in chain.branches), chain.default]
    if any(result.returns is not None for result in outcomes):
        first = outcomes[0]
        if any(
            r.returns is None or (len(r.returns), r.is_tuple) != (len(first.returns or ()), first.is_tuple)
            for r in outcomes
        ):
            return None
        columns = zip(*(result.returns or () for result in outcomes), strict=True)
        parts = [_nested(chain, list(column), draft) for column in columns]
        return [f"return {', '.join(parts)}{',' if first.is_tuple and len(parts) == 1 else ''}"]
    names = assigned(chain)
    if not names or len(names) > MAX_NAMES:
        return None
    parts = [_nested(chain, [_value(result, name) for result in outcomes], draft) for name in names]
    return [f"{', '.join(names)} = {', '.join(parts)}"]


def _value(result: Outcome, name: str) -> str:
    return result.assigns.get(name, name)


def _nested(chain: Chain, values: list[str], draft: Draft) -> str:
    """`jnp.where(a, 1, jnp.where(b, 2, 3))`."""
    written = values[-1]
    for (test, _), value in reversed(list(zip(chain.branches, values, strict=False))):
        if value != written:
            written = f"{draft.jnp('where')}({test}, {value}, {written})"
    return written
