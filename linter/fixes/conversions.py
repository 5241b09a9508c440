"""`float(x)`, `int(x)`, `x.item()`, ... → the array itself, of that dtype."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from .draft import Draft
from .names import dotted

if TYPE_CHECKING:
    from ..events import Converted
    from ..findings import Fix

DTYPES = {"int": "int", "float": "float", "complex": "complex"}
DROPPED = ("item", "tolist")


def keep_array(event: Converted) -> Fix | None:
    """The conversion."""
    node = event.node
    if not isinstance(node, cst.Call):
        return None
    draft = Draft(event.source, node)
    name = event.function.rsplit(".", 1)[-1]
    if (
        isinstance(node.func, cst.Attribute)
        and name in DROPPED
        and node.func.attr.value == name
        and not node.args
    ):
        draft.replace(node, draft.text(node.func.value))
        return draft.fix(f"Leave .{name}() out")
    if (
        dotted(node.func) != name
        or name not in DTYPES
        or len(node.args) != 1
        or node.args[0].keyword
        or node.args[0].star
    ):
        return None
    argument = node.args[0].value
    dtype = getattr(event.value, "dtype", None) or ""
    if dtype.startswith(name):
        draft.replace(node, draft.atom(argument))
        return draft.fix(f"Leave {name}() out")
    draft.replace(node, f"{draft.atom(argument)}.astype({DTYPES[name]})")
    return draft.fix(f"Keep the array, as {name}")
