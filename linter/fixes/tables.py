"""A list, tuple, dict or NumPy array that a tracer indexes → a jax array, or `lax.switch` among functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import (
    ClassValue,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Static,
    members,
)
from ..syntax.walk import children
from .draft import Draft, imported
from .names import definition_of, dotted, targets
from .outcomes import is_numeric
from .place import parents

if TYPE_CHECKING:
    from ..domain import Value
    from ..events import HostIndex
    from ..files.source import SourceFile
    from ..findings import Fix

SEQUENCES = ("list index", "tuple index")
COST = "an index out of range is clamped, not refused"
FROM_THE_END = ", negative indices from the end"
_CONSTANTS = frozenset("pi e inf nan euler_gamma".split())
MISSING = "a key that is missing gives the last value, and is not refused"


def index_array(event: HostIndex) -> Fix | None:
    """The table becomes a jax array, which holds all its items."""
    node = event.node
    if event.how not in (*SEQUENCES, "ndarray index") or not isinstance(node, cst.Subscript):
        return None
    if _is_called(event.source, node) or (event.item is not None and _is_no_array(event.item)):
        return None
    draft = Draft(event.source, node)
    draft.replace(node.value, f"{draft.jnp('asarray')}({draft.text(node.value)})")
    return draft.fix("Index a jax array", cost=COST)


def switch(event: HostIndex, *, from_the_end: bool = False) -> Fix | None:
    """`functions[i](x)`, also where `functions` is a dict."""
    node, call = event.node, parents(event.source).get(event.node)
    if not isinstance(node, cst.Subscript) or not isinstance(call, cst.Call) or call.func is not node:
        return None
    index = _index(node)
    if index is None or any(a.keyword or a.star for a in call.args):
        return None
    draft = Draft(event.source, node)
    table, cost = draft.text(node.value), COST
    chosen = draft.text(index)
    if event.how == "dict key":
        entries = _entries(event.source, node.value)
        if entries is None:
            return None
        table = f"[{', '.join(draft.text(value) for _, value in entries)}]"
        chosen = chosen if _counts(entries, draft) else _position(entries, draft.atom(index), draft)
        cost = MISSING
    elif event.how not in SEQUENCES:
        return None
    elif from_the_end:
        chosen, cost = (
            f"{draft.atom(index)} % len({table})",
            "an index out of range is taken round, not refused",
        )
    parts = [chosen, table, *(draft.text(arg.value) for arg in call.args)]
    draft.replace(call, f"{draft.lax('switch')}({', '.join(parts)})")
    return draft.fix(f"Choose the function with lax.switch{FROM_THE_END * from_the_end}", cost=cost)


def switch_from_the_end(event: HostIndex) -> Fix | None:
    """The same for a list or tuple, whose negative indices count from its end."""
    return switch(event, from_the_end=True) if event.how in SEQUENCES else None


def look_up(event: HostIndex) -> Fix | None:
    """`{0: a, 1: b}[i]` and `TABLE.get(i, c)`: an array of the values, or a choice among them."""
    node = event.node
    if event.how != "dict key":
        return None
    default: str | None = None
    draft = Draft(event.source, node)
    if isinstance(node, cst.Subscript) and not _is_called(event.source, node):
        holder, index = node.value, _index(node)
    elif (
        isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "get"
    ):
        if len(node.args) != 2 or any(a.keyword or a.star for a in node.args):
            return None
        holder, index, default = node.func.value, node.args[0].value, draft.text(node.args[1].value)
    else:
        return None
    entries = _entries(event.source, holder)
    if entries is None or index is None or not all(_is_number(event.source, value) for _, value in entries):
        return None
    values = [draft.text(value) for _, value in entries]
    key = draft.atom(index)
    if default is None and _counts(entries, draft):
        written = f"{draft.jnp('array')}([{', '.join(values)}])[{draft.text(index)}]"
    else:
        last = default if default is not None else values.pop()
        tests = ", ".join(f"{key} == {draft.text(k)}" for k, _ in entries[: len(values)])
        written = f"{draft.jnp('select')}([{tests}], [{', '.join(values)}], {last})"
    draft.replace(node, written)
    return draft.fix("Look the value up in an array", cost=MISSING if default is None else "")


def _is_no_array(item: Value) -> bool:
    """Whether an array surely cannot hold what a table holds."""
    return any(
        (isinstance(member, Const) and isinstance(member.value, str | bytes))
        or (isinstance(member, Static) and member.kind in ("str", "bytes"))
        or isinstance(member, FunctionValue | ExternalValue | ClassValue | InstanceValue | DictValue)
        for member in members(item)
    )


def _is_number(source: SourceFile, value: cst.BaseExpression) -> bool:
    """Whether an entry may be an array or a number: neither a function of the file nor one of a module."""
    if isinstance(value, cst.Name) and definition_of(source, value.value) is not None:
        return False
    if isinstance(value, cst.Attribute) and dotted(value).split(".")[0] in imported(source):
        return value.attr.value in _CONSTANTS
    return is_numeric(value)


def _is_called(source: SourceFile, node: cst.CSTNode) -> bool:
    above = parents(source).get(node)
    return isinstance(above, cst.Call) and above.func is node


def _index(node: cst.Subscript) -> cst.BaseExpression | None:
    part = node.slice[0].slice
    return part.value if len(node.slice) == 1 and isinstance(part, cst.Index) else None


Entries = Sequence[tuple[cst.BaseExpression, cst.BaseExpression]]


def _entries(source: SourceFile, holder: cst.BaseExpression) -> Entries | None:
    """The keys, which must be numbers, and values of a dict display, written here or bound to a name just once."""
    if isinstance(holder, cst.Name):
        bound: list[cst.BaseExpression] = []
        pending: list[cst.CSTNode] = [source.module]
        while pending:
            node = pending.pop()
            if isinstance(node, cst.Assign) and any(holder.value in targets(t.target) for t in node.targets):
                bound.append(node.value)
            pending.extend(children(node))
        holder = bound[0] if len(bound) == 1 else holder
    if not isinstance(holder, cst.Dict) or not holder.elements:
        return None
    found: list[tuple[cst.BaseExpression, cst.BaseExpression]] = []
    for element in holder.elements:
        if not isinstance(element, cst.DictElement) or not isinstance(
            element.key, cst.BaseNumber | cst.UnaryOperation
        ):
            return None
        found.append((element.key, element.value))
    return found


def _counts(entries: Entries, draft: Draft) -> bool:
    """Whether the keys are 0, 1, 2, ... in order."""
    return [draft.text(key) for key, _ in entries] == [str(number) for number in range(len(entries))]


def _position(entries: Entries, key: str, draft: Draft) -> str:
    """The position of an entry as a chain of choices."""
    written = str(len(entries) - 1)
    for number, (value, _) in reversed(list(enumerate(entries[:-1]))):
        written = f"{draft.jnp('where')}({key} == {draft.text(value)}, {number}, {written})"
    return written
