"""A Python loop that ends with `if traced: break` → `lax.while_loop` with the test in its condition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from .blocks import carried, define, is_pure, later_reads, lines_of, packed
from .booleans import condition, gives_booleans
from .draft import Draft
from .fori_loop import range_bounds
from .names import bound, dotted, fresh
from .place import block_of, comments, parents, small, statement_of, suite
from .while_loop import COST

if TYPE_CHECKING:
    from ..events import Truth
    from ..findings import Fix


def break_loop(event: Truth) -> Fix | None:
    """The `break` is the last thing that a turn of the loop decides."""
    source, branch = event.source, statement_of(event.source, event.node)
    if not isinstance(branch, cst.If) or branch.test is not event.node or branch.orelse is not None:
        return None
    block = block_of(source, branch)
    holder = parents(source).get(branch)
    loop = parents(source).get(holder) if holder is not None else None
    if not isinstance(loop, cst.For | cst.While) or loop.orelse is not None or block[-1] is not branch or len(block) < 2:
        return None
    if [type(small(s)) for s in suite(branch.body)] != [cst.Break]:
        return None
    body = block[:-1]
    draft = Draft(source, loop)
    lines, stop = lines_of(source, body), condition(branch.test, draft)
    if lines is None or stop is None or not is_pure(body):
        return None
    if not gives_booleans(branch.test) and getattr(event.value, "dtype", None) != "bool":
        stop = f"({stop}) != 0"
    lines = [*lines, *comments(branch)]
    rewrite = _counted if isinstance(loop, cst.For) else _tested
    written = rewrite(loop, body, lines, stop, draft)  # type: ignore[arg-type]
    if written is None:
        return None
    draft.replace_statements(loop, loop, written)
    return draft.fix("Loop with lax.while_loop", cost=COST)


def _counted(loop: cst.For, body: Sequence[cst.CSTNode], lines: list[str], stop: str, draft: Draft) -> list[str] | None:
    source, bounds = draft.source, range_bounds(loop.iter)
    if bounds is None or not isinstance(loop.target, cst.Name):
        return None
    index = loop.target.value
    if index in later_reads(source, loop) or index in bound(*body):
        return None
    carry = carried(source, loop, body)
    if not carry:
        return None
    if index == "_":
        (index,) = fresh(source, "turn")
    lower = "0" if bounds[0] is None else draft.text(bounds[0])
    (done,) = fresh(source, "done")
    test = f"({index} < {draft.text(bounds[1])}) & {draft.jnp('logical_not')}({done})"
    step_lines = [*lines, f"return {index} + 1, {stop}, {packed(carry)}"]
    return _loop([index, done, *carry], [lower, "False", *carry], test, step_lines, draft)


def _tested(loop: cst.While, body: Sequence[cst.CSTNode], lines: list[str], stop: str, draft: Draft) -> list[str] | None:
    carry = carried(draft.source, loop, body, loop.test)
    own = condition(loop.test, draft)
    if not carry or own is None:
        return None
    (done,) = fresh(draft.source, "done")
    test = f"{draft.jnp('logical_not')}({done})"
    if dotted(loop.test) != "True":
        test = f"{draft.jnp('logical_and')}({own}, {test})"
    return _loop([done, *carry], ["False", *carry], test, [*lines, f"return {stop}, {packed(carry)}"], draft)


def _loop(names: list[str], initial: list[str], test: str, lines: list[str], draft: Draft) -> list[str]:
    running, step, state = fresh(draft.source, "unfinished", "advance", "carry")
    unpack = f"{packed(names)} = {state}"
    left = packed([name if name == value else "_" for name, value in zip(names, initial, strict=True)])
    return [
        *define(running, [state], [unpack, f"return {test}"], draft.unit),
        *define(step, [state], [unpack, *lines], draft.unit),
        f"{left} = {draft.lax('while_loop')}({running}, {step}, ({packed(initial)}))",
    ]
