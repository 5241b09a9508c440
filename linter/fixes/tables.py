"""A list, tuple or NumPy array that a tracer indexes → a jax array, or `lax.switch` among functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from .draft import Draft
from .place import parents

if TYPE_CHECKING:
    from ..events import HostIndex
    from ..findings import Fix

SEQUENCES = ("list index", "tuple index")
COST = "an index out of range is clamped, not refused"


def index_array(event: HostIndex) -> Fix | None:
    """The table becomes a jax array, which holds all its items."""
    node = event.node
    if event.how not in (*SEQUENCES, "ndarray index") or not isinstance(node, cst.Subscript):
        return None
    if isinstance(parents(event.source).get(node), cst.Call) and parents(event.source)[node].func is node:  # type: ignore[attr-defined]
        return None
    draft = Draft(event.source, node)
    draft.replace(node.value, f"{draft.jnp('asarray')}({draft.text(node.value)})")
    return draft.fix("Index a jax array", cost=COST)


def switch(event: HostIndex) -> Fix | None:
    """`functions[i](x)`."""
    node = event.node
    call = parents(event.source).get(node)
    if event.how not in SEQUENCES or not isinstance(node, cst.Subscript) or not isinstance(call, cst.Call) or call.func is not node:
        return None
    if len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index) or any(a.keyword or a.star for a in call.args):
        return None
    draft = Draft(event.source, node)
    parts = [draft.text(node.slice[0].slice.value), draft.text(node.value), *(draft.text(arg.value) for arg in call.args)]
    draft.replace(call, f"{draft.lax('switch')}({', '.join(parts)})")
    return draft.fix("Choose the function with lax.switch", cost=COST)
