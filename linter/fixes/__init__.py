"""Rewrites, one file each: what a rule offers as a fix.  Rules name them here; their modules are loaded when used.

Every rewrite ends as minimal text edits.  It answers None where it does not apply, and `safe` only where the mended
code surely computes what the undecorated Python function computes.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias, cast

if TYPE_CHECKING:
    from ..events import Event
    from ..findings import Fix

Rewrite: TypeAlias = "Callable[[Event], Fix | None]"
"""Tries to mend what an event tells; None where it does not apply."""


STRICT = False
"""Whether a rewrite that fails raises, as the tests want it, or offers nothing."""


def _rewrite(module: str, function: str) -> Rewrite:
    """The function of a module of this package, imported (and libcst with it) at the first event."""

    def attempt(event: Event) -> Fix | None:
        try:
            return cast("Rewrite", getattr(import_module(f".{module}", __package__), function))(event)
        except Exception:  # a rewrite that meets code it was not made for costs its fix, never the finding
            if STRICT:
                raise
            return None

    attempt.__name__ = attempt.__qualname__ = f"{module}.{function}"
    return attempt


DECLARED_STATIC = _rewrite("static_arguments", "declared")
PLAUSIBLE_STATIC = _rewrite("static_arguments", "plausible")
STATIC_ARGUMENT = _rewrite("static_arguments", "non_array")
STATIC_SELF = _rewrite("static_arguments", "static_self")
STATIC_NAME = _rewrite("static_names", "correct_name")
LISTED = _rewrite("arguments", "as_list")
HASHABLE = _rewrite("hashable", "as_tuple")
SWAP_DECORATORS = _rewrite("decorators", "swap")
HOST_CONSTANTS = _rewrite("host_constants", "numpy")
SELECT = _rewrite("select", "statement")
SELECT_EXPRESSION = _rewrite("select", "expression")
BRANCH = _rewrite("branch", "statement")
BRANCH_EXPRESSION = _rewrite("branch", "expression")
WHILE_LOOP = _rewrite("while_loop", "while_loop")
FORI_LOOP = _rewrite("fori_loop", "fori_loop")
ROLLED_LOOP = _rewrite("fori_loop", "rolled")
SCAN = _rewrite("scan", "scan")
LOOP_WITH_BREAK = _rewrite("break_loop", "break_loop")
BOOLEAN = _rewrite("booleans", "boolean_operator")
BUILTIN = _rewrite("builtin_twins", "twin")
FILTERED = _rewrite("filters", "reduced")
FILTERED_LIST = _rewrite("filters", "summed_later")
MASKED_REDUCTION = _rewrite("masks", "masked_reduction")
MASKED_UPDATE = _rewrite("masks", "masked_update")
NUMBER = _rewrite("conversions", "keep_array")
HOST_TWIN = _rewrite("host_functions", "twin")
INDEX_TABLE = _rewrite("tables", "index_array")
SWITCH_TABLE = _rewrite("tables", "switch")
SWITCH_FROM_THE_END = _rewrite("tables", "switch_from_the_end")
DEBUG_PRINT = _rewrite("printing", "debug_print")
DYNAMIC_SLICE = _rewrite("slices", "dynamic_slice")
SLICE_MASK = _rewrite("slices", "mask")
SIZE = _rewrite("sizes", "upper_bound")
FUNCTIONAL_UPDATE = _rewrite("updates", "functional")
BIND_UPDATE = _rewrite("updates", "bind")
BEFORE_LOOP = _rewrite("hoist", "before_loop")
DEBUG_CHECK = _rewrite("asserts", "debug_check")
DROP_ASSERT = _rewrite("asserts", "drop")
FILL_ARRAY = _rewrite("host_buffers", "fill_array")
PROMOTE_BRANCHES = _rewrite("agreement", "select")
START_LIKE_A_TURN = _rewrite("agreement", "start")
DROP_CACHE = _rewrite("caches", "drop_cache")
KEEP_ARGUMENT = _rewrite("donation", "keep")
SHIFT_STATIC = _rewrite("static_options", "shift")
LEAVE_TRACED = _rewrite("static_options", "leave_traced")
AT_COMPILE_TIME = _rewrite("constants", "at_compile_time")
SWITCH = _rewrite("switch", "statement")
AS_LIST = _rewrite("generators", "as_list")
LOOK_UP = _rewrite("tables", "look_up")
COUNT = _rewrite("counts", "number")
HASHABLE_ITEMS = _rewrite("hashable", "as_items")
