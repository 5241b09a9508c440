"""`lru_cache` around what is called with tracers → the function without a cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from .draft import Draft
from .names import definition_of, dotted

if TYPE_CHECKING:
    from ..events import HostIndex
    from ..findings import Fix

CACHES = ("lru_cache", "cache")


def drop_cache(event: HostIndex) -> Fix | None:
    """Takes the decorator away: while tracing the function runs once for each trace anyway."""
    call = event.node
    if event.how != "cache key" or not isinstance(call, cst.Call):
        return None
    function = definition_of(event.source, dotted(call.func).rpartition(".")[2])
    if function is None:
        return None
    for decorator in function.decorators:
        applied = decorator.decorator
        name = dotted(applied.func if isinstance(applied, cst.Call) else applied)
        if name.rpartition(".")[2] in CACHES:
            draft = Draft(event.source, decorator)
            draft.delete_statement(decorator)
            return draft.fix(
                "Leave the cache out", cost="calls outside of traces compute their results again"
            )
    return None
