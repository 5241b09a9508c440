"""A NumPy buffer that is filled with tracers → a jax array, updated with `.at[].set`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..syntax.walk import children
from .draft import Draft
from .names import dotted, targets
from .place import function_of
from .updates import functional_text

if TYPE_CHECKING:
    from ..events import HostCall
    from ..findings import Fix

MAKERS = frozenset(
    "zeros ones empty full eye identity zeros_like ones_like empty_like full_like arange linspace array asarray".split()
)


def fill_array(event: HostCall) -> Fix | None:
    """The buffer is made with jnp, and each assignment to an item of it binds its name again."""
    store, function = event.node, function_of(event.source, event.node)
    if event.function != "numpy.ndarray.__setitem__" or not isinstance(function, cst.FunctionDef):
        return None
    target = store.targets[0].target if isinstance(store, cst.Assign) else getattr(store, "target", store)
    if not isinstance(target, cst.Subscript) or not isinstance(target.value, cst.Name):
        return None
    name = target.value.value
    draft = Draft(event.source, store)
    made = 0
    pending: list[cst.CSTNode] = [function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.Assign) and name in [n for t in node.targets for n in targets(t.target)]:
            maker = node.value.func if isinstance(node.value, cst.Call) else None
            if not isinstance(maker, cst.Attribute) or maker.attr.value not in MAKERS:
                return None
            if dotted(maker.value) != draft.module("numpy"):
                return None
            draft.replace(maker.value, draft.module("jax.numpy"))
            made += 1
        elif isinstance(node, cst.Assign | cst.AugAssign):
            written = functional_text(draft, node)
            if written is not None and written[0] == name:
                draft.replace(node, written[1])
        if not isinstance(node, cst.FunctionDef | cst.Lambda):
            pending.extend(children(node))
    return (
        draft.fix(
            "Fill a jax array with .at[...].set", cost="each update makes a new array, unless it is compiled"
        )
        if made
        else None
    )
