"""`assert` on a tracer → `checkify.debug_check`, or nothing, as the check cannot be made while tracing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..syntax.walk import in_order
from .booleans import condition, gives_booleans, is_boolean_operation
from .draft import Draft
from .place import block_of, small, statement_of
from .printing import Format

if TYPE_CHECKING:
    from ..events import Truth
    from ..findings import Fix


def debug_check(event: Truth) -> Fix | None:
    """A check that the compiled program makes where its caller asks for it with `checkify.checkify`.

    `checkify.check` would raise under every other caller.
    """
    statement = statement_of(event.source, event.node)
    inner = small(statement) if statement is not None else None
    if not isinstance(inner, cst.Assert):
        return None
    draft = Draft(event.source, inner)
    test = condition(inner.test, draft)
    if test is None or "\n" in test:
        return None
    asked = getattr(event.value, "dtype", None) if inner.test is event.node else None
    if asked != "bool" and not gives_booleans(inner.test) and not is_boolean_operation(inner.test):
        test = f"{draft.atom(inner.test)} != 0"
    message = Format(draft)
    if inner.msg is None:
        message.literal(draft.text(inner.test))
    elif not message.add(inner.msg):
        return None
    tested = {draft.text(node) for node in in_order(inner.test) if isinstance(node, cst.BaseExpression)}
    if not tested.issuperset(message.values):
        return None  # what else the message names may be text, which no compiled check can show
    arguments = ", ".join([test, message.text, *message.values])
    draft.replace(inner, f"{draft.module('jax.experimental.checkify')}.debug_check({arguments})")
    return draft.fix(
        "Check with checkify.debug_check", cost="checked only where the caller uses checkify.checkify"
    )


def drop(event: Truth) -> Fix | None:
    """Takes the statement away."""
    statement = statement_of(event.source, event.node)
    if statement is None or not isinstance(small(statement), cst.Assert):
        return None
    draft = Draft(event.source, event.node)
    if len(block_of(event.source, statement)) == 1:
        draft.replace(statement, "pass")
    else:
        draft.delete_statement(statement)
    return draft.fix("Leave the assertion out", cost="nothing is checked any more")
