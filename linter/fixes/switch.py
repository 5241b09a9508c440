"""`elif` chains and `match` with work in their branches → `lax.switch`, which computes only the branch that is taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from ..causes import is_shaped
from .blocks import define, is_pure, later_reads, lines_of, packed
from .booleans import condition
from .branch import COST, returns_numbers
from .draft import Draft
from .names import bound, defined_before, fresh, locals_of
from .outcomes import literal_tests
from .place import Statement, following, function_of, parents, small, statement_of, suite

if TYPE_CHECKING:
    from ..events import Matched, Truth
    from ..findings import Fix

Block = Sequence[cst.CSTNode]


@dataclass(frozen=True)
class _Chain:
    """The tests, one block for each and one for the rest, and the last statement used up."""

    tests: list[str]
    blocks: list[Block]
    first: Statement
    last: cst.CSTNode


def statement(event: Truth | Matched) -> Fix | None:
    """The whole chain, from its first test on."""
    source, node = event.source, statement_of(event.source, event.node)
    while isinstance(event.node, cst.MatchValue) and node is not None and not isinstance(node, cst.Match):
        node = statement_of(source, parents(source)[node])
    draft = Draft(source, event.node)
    if isinstance(node, cst.If) and node.test is event.node and not is_shaped(event.value):
        chain = _chain_of_if(node, draft)
    elif isinstance(node, cst.Match):
        chain = _chain_of_match(node, draft)
    else:
        return None
    if chain is None:
        return None
    last = small(chain.blocks[0][-1]) if chain.blocks[0] else None
    lines = _returning(chain, draft) if isinstance(last, cst.Return) else _assigning(chain, draft)
    if lines is None:
        return None
    draft.replace_statements(chain.first, chain.last, lines)
    return draft.fix("Branch with lax.switch", cost=COST)


def _chain_of_if(node: cst.If, draft: Draft) -> _Chain | None:
    if isinstance(parents(draft.source).get(node), cst.If) or not isinstance(node.orelse, cst.If):
        return None
    tests: list[str] = []
    blocks: list[Block] = []
    current: cst.If | cst.Else | None = node
    while isinstance(current, cst.If):
        test = condition(current.test, draft)
        if test is None:
            return None
        tests.append(test)
        blocks.append(suite(current.body))
        current = current.orelse
    rest, last = _rest(node, suite(current.body) if current is not None else None, blocks, draft)
    return _Chain(tests, [*blocks, rest], node, last)


def _chain_of_match(node: cst.Match, draft: Draft) -> _Chain | None:
    tests: list[str] = []
    blocks: list[Block] = []
    default: Block | None = None
    for case in node.cases:
        found = literal_tests(case.pattern, draft.atom(node.subject), draft)
        if found is None or case.guard is not None or default is not None:
            return None
        if found:
            tests.append(found[0] if len(found) == 1 else " | ".join(f"({test})" for test in found))
            blocks.append(suite(case.body))
        else:
            default = suite(case.body)
    if not tests:
        return None
    rest, last = _rest(node, default, blocks, draft)
    return _Chain(tests, [*blocks, rest], node, last)


def _rest(
    node: Statement, default: Block | None, blocks: list[Block], draft: Draft
) -> tuple[Block, cst.CSTNode]:
    """What runs where no test holds: the last branch, else what follows branches that return, else nothing."""
    if default is not None:
        return default, node
    behind = following(draft.source, node)
    if behind and isinstance(small(blocks[0][-1]), cst.Return):
        return behind, behind[-1]
    return (), node


def _returning(chain: _Chain, draft: Draft) -> list[str] | None:
    if not all(block and returns_numbers(block) for block in chain.blocks):
        return None
    before = defined_before(draft.source, chain.first)
    names = dict.fromkeys(name for block in chain.blocks for name in bound(*block))
    operands = [name for name in names if name in before]
    written = _branches(chain, operands, None, draft)
    return None if written is None else [*written[0], f"return {_call(chain, written[1], operands, draft)}"]


def _assigning(chain: _Chain, draft: Draft) -> list[str] | None:
    source = draft.source
    if not all(is_pure(block) for block in chain.blocks):
        return None
    before, later = defined_before(source, chain.first), later_reads(source, chain.first)
    names = list(dict.fromkeys(name for block in chain.blocks for name in bound(*block)))
    everywhere = [set(bound(*block)) for block in chain.blocks]
    kept = [name for name in names if name in before or all(name in own for own in everywhere)]
    function = function_of(source, chain.first)
    if not kept or any(name in later for name in names if name not in kept):
        return None
    if function is not None and not set(names) <= locals_of(function):
        return None
    operands = [name for name in names if name in before]
    written = _branches(chain, operands, kept, draft)
    return (
        None
        if written is None
        else [*written[0], f"{packed(kept)} = {_call(chain, written[1], operands, draft)}"]
    )


def _branches(
    chain: _Chain, operands: list[str], kept: list[str] | None, draft: Draft
) -> tuple[list[str], list[str]] | None:
    """The lines that define a function for each block, and the names of these."""
    wanted = [f"branch_{number}" for number in range(len(chain.tests))]
    names = fresh(draft.source, *wanted, "otherwise")
    lines: list[str] = []
    for name, block in zip(names, chain.blocks, strict=True):
        body = lines_of(draft.source, block) if block else []
        if body is None:
            return None
        if kept is not None:
            body = [*(line for line in body if line != "pass"), f"return {packed(kept)}"]
        lines += define(name, operands, body, draft.unit)
    return lines, names


def _call(chain: _Chain, branches: list[str], operands: list[str], draft: Draft) -> str:
    index = str(len(chain.tests))
    for number, test in reversed(list(enumerate(chain.tests))):
        index = f"{draft.jnp('where')}({test}, {number}, {index})"
    return f"{draft.lax('switch')}({', '.join([index, f'[{packed(branches)}]', *operands])})"
