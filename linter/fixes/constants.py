"""Constants that are made lazily inside a trace, and kept → made outside of it, as concrete arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..domain import roots_of
from .draft import Draft
from .place import ancestors, small, statement_of, suite, text

if TYPE_CHECKING:
    from ..events import Escaped
    from ..findings import Fix

COST = "the constant is computed while tracing, each time that this line runs"


def at_compile_time(event: Escaped) -> Fix | None:
    """`with jax.ensure_compile_time_eval():` around the statement, where no argument of the trace is in the value."""
    roots = roots_of([event.value])
    if not roots or any(root.kind != "operation" for root in roots):
        return None  # without any it is not known what goes into it
    node = event.node
    if isinstance(node, cst.FunctionDef):
        return _whole_body(event, node)
    statement = statement_of(event.source, node)
    if statement is None or not isinstance(small(statement), cst.Assign | cst.AnnAssign | cst.AugAssign):
        return None
    if any(isinstance(node, cst.With) for node in ancestors(event.source, statement)):
        return None
    draft = Draft(event.source, node)
    lines = text(event.source, statement).split("\n")
    written = [
        f"with {draft.module('jax')}.ensure_compile_time_eval():",
        *(draft.unit + line for line in lines),
    ]
    draft.replace_statements(statement, statement, written)
    return draft.fix("Compute the constant while tracing", cost=COST)


def _whole_body(event: Escaped, function: cst.FunctionDef) -> Fix | None:
    """The same for a cached function or property, whose only statement gives the constant."""
    body = [
        s for s in suite(function.body) if not isinstance(getattr(small(s), "value", None), cst.SimpleString)
    ]
    if len(body) != 1 or not isinstance(small(body[0]), cst.Return):
        return None
    draft = Draft(event.source, body[0])
    lines = text(event.source, body[0]).split("\n")
    written = [
        f"with {draft.module('jax')}.ensure_compile_time_eval():",
        *(draft.unit + line for line in lines),
    ]
    draft.replace_statements(body[0], body[0], written)
    return draft.fix("Compute the constant while tracing", cost=COST)
