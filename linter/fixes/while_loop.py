"""`while` on a traced condition → `lax.while_loop` with its carried variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from .blocks import carried, define, is_pure, lines_of, packed
from .booleans import condition, gives_booleans
from .draft import Draft
from .names import bound, fresh
from .place import comments, parents, suite

if TYPE_CHECKING:
    from ..events import Truth
    from ..findings import Fix

COST = "reverse-mode derivatives do not pass through the loop"


def while_loop(event: Truth) -> Fix | None:
    """A loop whose body only computes and binds names that had a value before."""
    source, loop = event.source, parents(event.source).get(event.node)
    if not isinstance(loop, cst.While) or loop.test is not event.node or loop.orelse is not None:
        return None
    if bound(loop.test):
        return None  # a name that the condition binds
    body = suite(loop.body)
    draft = Draft(source, loop)
    test, lines = condition(loop.test, draft), lines_of(source, loop.body)
    if test is None or lines is None or not is_pure(body):
        return None
    if not gives_booleans(loop.test) and getattr(event.value, "dtype", None) != "bool":
        test = f"({test}) != 0"
    carry = carried(source, loop, body, loop.test)
    if not carry:
        return None
    running, step, state = fresh(source, "unfinished", "advance", "carry")
    unpack = [] if len(carry) == 1 else [f"{packed(carry)} = {state}"]
    parameter = carry[0] if len(carry) == 1 else state
    initial = carry[0] if len(carry) == 1 else f"({packed(carry)})"
    written = [
        *define(running, [parameter], [*unpack, f"return {test}"], draft.unit),
        *define(step, [parameter], [*unpack, *lines, f"return {packed(carry)}"], draft.unit),
        f"{packed(carry)} = {draft.lax('while_loop')}({running}, {step}, {initial})",
    ]
    header = comments(loop.body.header) if isinstance(loop.body, cst.IndentedBlock) else []
    draft.replace_statements(loop, loop, [*header, *written])
    return draft.fix("Loop with lax.while_loop", cost=COST)
