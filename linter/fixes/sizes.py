"""`jnp.nonzero(x)` → `jnp.nonzero(x, size=x.size)`: the largest size that the result can have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from .draft import Draft

if TYPE_CHECKING:
    from ..events import DynamicShape
    from ..findings import Fix

BOUNDED = frozenset({"nonzero", "flatnonzero", "argwhere", "unique", "where"})


def upper_bound(event: DynamicShape) -> Fix | None:
    """Shown, not applied: the result is padded, so that what uses it must know the padding."""
    node = event.node
    name = event.function.rsplit(".", 1)[-1]
    if (
        not isinstance(node, cst.Call)
        or name not in BOUNDED
        or event.parameter != "size"
        or len(node.args) != 1
    ):
        return None
    if node.args[0].keyword is not None or node.args[0].star:
        return None
    draft = Draft(event.source, node)
    argument = node.args[0].value
    draft.insert(event.source.span_of(node.args[0]).end, f", size={draft.atom(argument)}.size")
    return draft.fix("Give the result a static size", "display", "the result is padded to that size")
