"""Results of unknown size of which only the size, or the first item, is used → what says just that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from .draft import Draft
from .names import dotted
from .place import parents

if TYPE_CHECKING:
    from ..events import DynamicShape
    from ..findings import Fix

INDICES = frozenset({"nonzero", "where"})  # a tuple of index arrays
FLAT = frozenset({"flatnonzero", "argwhere", "unique"})


def number(event: DynamicShape) -> Fix | None:
    """`jnp.nonzero(m)[0].size`, `len(jnp.argwhere(m))` → `jnp.count_nonzero(m)`; `jnp.nonzero(m)[0][0]` → `jnp.argmax(m)`."""
    node, above = event.node, parents(event.source)
    name = event.function.rpartition(".")[2]
    if not isinstance(node, cst.Call) or name not in INDICES | FLAT or name == "unique":
        return None
    if len(node.args) != 1 or node.args[0].keyword is not None or node.args[0].star:
        return None
    indices: cst.CSTNode = node
    if name in INDICES:
        indices = above.get(node, node)
        if not isinstance(indices, cst.Subscript) or _subscript(indices) != "0":
            return None
    draft = Draft(event.source, node)
    mask = draft.text(node.args[0].value)
    user = above.get(indices)
    if isinstance(user, cst.Attribute) and user.attr.value == "size" and name != "argwhere":
        draft.replace(user, f"{draft.jnp('count_nonzero')}({mask})")
    elif (
        isinstance(user, cst.Attribute) and user.attr.value == "shape" and _subscript(above.get(user)) == "0"
    ):
        draft.replace(above[user], f"{draft.jnp('count_nonzero')}({mask})")
    elif (
        isinstance(user, cst.Arg)
        and isinstance(call := above.get(user), cst.Call)
        and dotted(call.func) == "len"
    ):
        draft.replace(call, f"{draft.jnp('count_nonzero')}({mask})")
    elif (
        isinstance(user, cst.Subscript)
        and user.value is indices
        and _subscript(user) == "0"
        and name != "argwhere"
    ):
        draft.replace(user, f"{draft.jnp('argmax')}({mask})")
        return draft.fix("Ask for the first index", cost="gives 0 where no element is true")
    else:
        return None
    return draft.fix("Count the elements")


def _subscript(node: cst.CSTNode | None) -> str:
    """The index of `x[i]`, where it is a number."""
    if (
        not isinstance(node, cst.Subscript)
        or len(node.slice) != 1
        or not isinstance(node.slice[0].slice, cst.Index)
    ):
        return ""
    value = node.slice[0].slice.value
    return value.value if isinstance(value, cst.Integer) else ""
