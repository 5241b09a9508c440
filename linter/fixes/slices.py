"""Slices with traced bounds: of a static length → indices; of any length, reduced → a mask."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..domain import roots_of
from .draft import Draft
from .masks import REDUCTIONS
from .names import read
from .place import parents

if TYPE_CHECKING:
    from ..events import SliceBound
    from ..findings import Fix


def dynamic_slice(event: SliceBound) -> Fix | None:
    """`x[i : i + n]` → `lax.dynamic_slice_in_dim(x, i, n)`, `x.at[i : i + n]` → `x.at[i + jnp.arange(n)]`."""
    node = event.node
    if not isinstance(node, cst.Subscript):
        return None
    draft = Draft(event.source, node)
    axis = _only_slice(node)
    if axis is None:
        return None
    part = node.slice[axis].slice
    assert isinstance(part, cst.Slice)
    length = _length(part, event, draft)
    if length is None or part.lower is None:
        return None
    start = draft.text(part.lower)
    if isinstance(node.value, cst.Attribute) and node.value.attr.value == "at":
        draft.replace(part, f"{draft.atom(part.lower)} + {draft.jnp('arange')}({length})")
        return draft.fix("Index with a range of static length", cost="an index beyond the end is dropped")
    where = f", axis={axis}" if axis else ""
    draft.replace(
        node, f"{draft.lax('dynamic_slice_in_dim')}({draft.text(node.value)}, {start}, {length}{where})"
    )
    return draft.fix(
        "Slice with lax.dynamic_slice_in_dim", cost="a slice beyond the end is moved back inside"
    )


def mask(event: SliceBound) -> Fix | None:
    """`x[:n].sum()` of a vector: the reduction takes a mask with `where=`."""
    node, above = event.node, parents(event.source)
    if (
        not isinstance(node, cst.Subscript)
        or len(node.slice) != 1
        or not isinstance(node.slice[0].slice, cst.Slice)
    ):
        return None
    if getattr(event.array, "shape", None) is None or len(event.array.shape) != 1:  # type: ignore[attr-defined]
        return None
    part, outer = node.slice[0].slice, above.get(node)
    call = above.get(outer) if outer is not None else None
    if part.step is not None or not isinstance(call, cst.Call):
        return None
    draft = Draft(event.source, node)
    array = draft.text(node.value)
    if isinstance(outer, cst.Attribute) and call.func is outer and not call.args:
        name, head = outer.attr.value, f"{array}.{outer.attr.value}("
    elif isinstance(outer, cst.Arg) and len(call.args) == 1 and isinstance(call.func, cst.Attribute):
        name, head = call.func.attr.value, f"{draft.text(call.func)}({array}, "
    else:
        return None
    if name not in REDUCTIONS:
        return None
    positions = f"{draft.jnp('arange')}({array}.shape[0])"
    tests = [f"{positions} >= {draft.atom(part.lower)}"] if part.lower is not None else []
    tests += [f"{positions} < {draft.atom(part.upper)}"] if part.upper is not None else []
    initial = REDUCTIONS[name].format(inf=draft.jnp("inf")) if REDUCTIONS[name] else ""
    written = tests[0] if len(tests) == 1 else " & ".join(f"({test})" for test in tests)
    draft.replace(call, f"{head}where={written}{', initial=' + initial if initial else ''})")
    return draft.fix(
        "Give the reduction a mask", cost="every element is computed; negative bounds count differently"
    )


def _only_slice(node: cst.Subscript) -> int | None:
    """The axis of the one slice that is not `:`, where all others are."""
    found = [
        axis
        for axis, element in enumerate(node.slice)
        if not (
            isinstance(element.slice, cst.Slice)
            and element.slice.lower is element.slice.upper is element.slice.step is None
        )
    ]
    return found[0] if len(found) == 1 and isinstance(node.slice[found[0]].slice, cst.Slice) else None


def _length(part: cst.Slice, event: SliceBound, draft: Draft) -> str | None:
    """`n` of `i : i + n`, where nothing traced is seen in it."""
    upper = part.upper
    if part.step is not None or part.lower is None or not isinstance(upper, cst.BinaryOperation):
        return None
    if not isinstance(upper.operator, cst.Add):
        return None
    start = draft.text(part.lower)
    for one, other in ((upper.left, upper.right), (upper.right, upper.left)):
        if draft.text(one) == start:
            traced = {root.name for root in roots_of([event.value])}
            return None if read(other) & (traced | read(part.lower)) else draft.text(other)
    return None
