"""`@jax.jit` above `@staticmethod` → the other way round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from .draft import Draft
from .names import dotted
from .place import parents

if TYPE_CHECKING:
    from ..events import TransformApplied
    from ..findings import Fix


def swap(event: TransformApplied) -> Fix | None:
    """The two decorators, where they stand next to each other."""
    above = parents(event.source)
    decorator = above.get(event.node)
    function = above.get(decorator) if decorator is not None else None
    if (
        event.problem != "staticmethod"
        or not isinstance(decorator, cst.Decorator)
        or not isinstance(function, cst.FunctionDef)
    ):
        return None
    position = [id(d) for d in function.decorators].index(id(decorator))
    below = function.decorators[position + 1 : position + 2]
    if not below or dotted(below[0].decorator) != "staticmethod":
        return None
    draft = Draft(event.source, event.node)
    draft.replace(decorator.decorator, draft.text(below[0].decorator))
    draft.replace(below[0].decorator, draft.text(decorator.decorator))
    return draft.fix("Apply staticmethod last", "safe")
