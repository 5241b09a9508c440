"""`jnp` on constants inside a traced function → NumPy, which computes them while tracing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..domain import roots_of
from ..syntax.walk import children
from .draft import Draft
from .names import dotted
from .static_arguments import value_of

if TYPE_CHECKING:
    from ..events import Event
    from ..findings import Fix

# Functions that NumPy has under the same name and with the same meaning, for numbers, sizes and shapes.
SHARED = frozenset(
    "abs absolute add all any arange argmax argmin around array array_equal asarray ceil cos cumprod cumsum divide dot "
    "equal exp exp2 fix floor floor_divide full greater greater_equal isclose less less_equal linspace log log10 log2 "
    "logical_and logical_not logical_or max maximum mean min minimum mod multiply negative not_equal ones power prod "
    "remainder round sign sin sort sqrt square subtract sum tan trunc unique where zeros".split()
)


def numpy(event: Event) -> Fix | None:
    """Each operation that staged a constant, where nothing but such operations made the value."""
    roots = roots_of([value_of(event)])
    draft = Draft(event.source, event.node)
    for root in roots:
        function = root.node.func if isinstance(root.node, cst.Call) else None
        if (
            root.kind != "operation"
            or root.source is not event.source
            or not isinstance(function, cst.Attribute)
        ):
            return None
        if isinstance(root.node, cst.Call) and not all(_is_static(arg.value) for arg in root.node.args):
            return None
        if function.attr.value not in SHARED or dotted(function.value) != draft.module("jax.numpy"):
            return None
        draft.replace(function.value, draft.module("numpy"))
    return (
        draft.fix("Compute constants with NumPy", cost="NumPy computes in double precision")
        if roots
        else None
    )


def _is_static(node: cst.CSTNode) -> bool:
    """Whether an argument reads no attribute that may be a tracer of unknown origin: shapes may be read."""
    if isinstance(node, cst.Attribute):
        return node.attr.value in ("shape", "ndim", "size")
    inside = node.args if isinstance(node, cst.Call) else children(node)
    return all(_is_static(child) for child in inside)
