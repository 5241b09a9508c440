"""Results of unknown size of which only the size, or the first item, is used → what says just that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..syntax.walk import children
from .draft import Draft
from .names import dotted
from .place import function_of, parents

if TYPE_CHECKING:
    from ..events import DynamicShape
    from ..files.source import SourceFile
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
    assignment = above.get(indices)
    if not isinstance(assignment, cst.Assign):
        kind = _use(event.source, indices, name, mask, draft)
        return None if kind is None else _fix(draft, {kind})
    function = function_of(event.source, node)
    target = assignment.targets[0].target
    if (
        len(assignment.targets) != 1
        or not isinstance(target, cst.Name)
        or not isinstance(function, cst.FunctionDef)
    ):
        return None
    uses = _reads(function, target)
    kinds = {_use(event.source, use, name, target.value, draft) for use in uses}
    if None in kinds or not uses:
        return None
    draft.replace(indices, mask)
    return _fix(draft, kinds)


def _fix(draft: Draft, kinds: set[str | None]) -> Fix:
    if "argmax" in kinds:
        return draft.fix("Ask for the first index", cost="gives 0 where no element is true")
    return draft.fix("Count the elements")


def _reads(function: cst.FunctionDef, target: cst.Name) -> list[cst.Name]:
    """Where a name is read, or bound again, in a function."""
    found: list[cst.Name] = []
    pending: list[cst.CSTNode] = [function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.Name) and node.value == target.value and node is not target:
            found.append(node)
        pending.extend(children(node))
    return found


def _use(source: SourceFile, indices: cst.CSTNode, name: str, mask: str, draft: Draft) -> str | None:
    """Replaces one use of the indices; the function of jax.numpy that does what it asks for."""
    above = parents(source)
    user = above.get(indices)
    replaced: cst.CSTNode | None = None
    function = "count_nonzero"
    if isinstance(user, cst.Attribute) and user.attr.value == "size" and name != "argwhere":
        replaced = user
    elif (
        isinstance(user, cst.Attribute) and user.attr.value == "shape" and _subscript(above.get(user)) == "0"
    ):
        replaced = above[user]
    elif (
        isinstance(user, cst.Arg)
        and isinstance(call := above.get(user), cst.Call)
        and dotted(call.func) == "len"
    ):
        replaced = call
    elif (
        isinstance(user, cst.Subscript)
        and user.value is indices
        and _subscript(user) == "0"
        and name != "argwhere"
    ):
        replaced, function = user, "argmax"
    if replaced is None:
        return None
    draft.replace(replaced, f"{draft.jnp(function)}({mask})")
    return function


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
