"""`assert` on a tracer: the check goes, as it cannot be made while tracing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from .draft import Draft
from .place import block_of, small, statement_of

if TYPE_CHECKING:
    from ..events import Truth
    from ..findings import Fix


def drop(event: Truth) -> Fix | None:
    """Takes the statement away; `checkify.check` keeps it where the caller checkifies the function."""
    statement = statement_of(event.source, event.node)
    if statement is None or not isinstance(small(statement), cst.Assert):
        return None
    draft = Draft(event.source, event.node)
    if len(block_of(event.source, statement)) == 1:
        draft.replace(statement, "pass")
    else:
        draft.delete_statement(statement)
    return draft.fix(
        "Leave the assertion out", cost="nothing is checked any more; checkify.check keeps the check"
    )
