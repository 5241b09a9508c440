"""A misspelt name in `static_argnames` → the parameter that it means."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import FunctionValue
from ..syntax.walk import children
from .draft import Draft
from .names import parameters

if TYPE_CHECKING:
    from ..events import TransformApplied
    from ..findings import Fix


def correct_name(event: TransformApplied) -> Fix | None:
    """The string, where exactly one place of the transform's call holds it."""
    function = event.transformed.function
    if event.problem != "unknown-name" or not isinstance(function, FunctionValue):
        return None
    similar = get_close_matches(event.detail, parameters(function.node), 1)
    strings: list[cst.SimpleString] = []
    pending = [event.node]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.SimpleString) and node.evaluated_value == event.detail:
            strings.append(node)
        pending.extend(children(node))
    if not similar or len(strings) != 1:
        return None
    draft = Draft(event.source, event.node)
    draft.replace(strings[0], strings[0].value.replace(event.detail, similar[0]))
    return draft.fix(f"Name {similar[0]}")
