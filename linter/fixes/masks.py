"""Boolean indexing → operations that keep the shape and mask."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from .booleans import condition
from .draft import Draft
from .place import parents

if TYPE_CHECKING:
    from ..domain import Value
    from ..events import MaskIndex
    from ..findings import Fix

# reduction: the value that dropped items count as, where the function needs one
REDUCTIONS = {
    "sum": "",
    "mean": "",
    "prod": "",
    "any": "",
    "all": "",
    "std": "",
    "var": "",
    "max": "-{inf}",
    "min": "{inf}",
}
UPDATES = {
    "set": "{v}", "add": "{x} + {v}", "subtract": "{x} - {v}", "multiply": "{x} * {v}", "divide": "{x} / {v}",
    "power": "{x} ** {v}", "min": "{np}.minimum({x}, {v})", "max": "{np}.maximum({x}, {v})",
}  # fmt: skip


def masked_reduction(event: MaskIndex) -> Fix | None:
    """`x[mask].sum()` and `jnp.sum(x[mask])`: the reduction takes the mask with `where=`."""
    node, above = event.node, parents(event.source)
    if not isinstance(node, cst.Subscript) or event.update or len(node.slice) != 1:
        return None
    index = node.slice[0].slice
    outer = above.get(node)
    call = above.get(outer) if outer is not None else None
    if not isinstance(index, cst.Index) or not isinstance(call, cst.Call):
        return None
    if isinstance(outer, cst.Attribute) and call.func is outer:
        name, options = outer.attr.value, call.args
    elif isinstance(outer, cst.Arg) and call.args[0] is outer and isinstance(call.func, cst.Attribute):
        name, options = call.func.attr.value, call.args[1:]
    else:
        return None
    if name not in REDUCTIONS or any(arg.keyword is None or arg.star for arg in options):
        return None
    draft = Draft(event.source, node)
    mask = _fitted(
        index.value,
        event,
        draft,
        axis=any(arg.keyword is not None and arg.keyword.value == "axis" for arg in options),
    )
    if mask is None:
        return None
    added = [f"where={mask}"]
    if REDUCTIONS[name]:
        added.append("initial=" + REDUCTIONS[name].format(inf=draft.jnp("inf")))
    shown = [f"{arg.keyword.value}={draft.text(arg.value)}" for arg in options if arg.keyword is not None]
    arguments = ", ".join([*shown, *added])
    if isinstance(outer, cst.Attribute):
        draft.replace(call, f"{draft.text(node.value)}.{name}({arguments})")
    else:
        draft.replace(call, f"{draft.text(call.func)}({draft.text(node.value)}, {arguments})")
    return draft.fix("Give the reduction the mask", cost="every element is computed, also those left out")


def masked_update(event: MaskIndex) -> Fix | None:
    """`x.at[mask].set(v)` → `jnp.where(mask, v, x)`."""
    node, above = event.node, parents(event.source)
    method = above.get(node)
    call = above.get(method) if method is not None else None
    if (
        not isinstance(node, cst.Subscript)
        or not isinstance(node.value, cst.Attribute)
        or node.value.attr.value != "at"
    ):
        return None
    if (
        not isinstance(method, cst.Attribute)
        or not isinstance(call, cst.Call)
        or len(node.slice) != 1
        or len(call.args) != 1
    ):
        return None
    index = node.slice[0].slice
    if method.attr.value not in UPDATES or not isinstance(index, cst.Index):
        return None
    draft = Draft(event.source, node)
    mask = _fitted(index.value, event, draft, axis=True)
    if mask is None:
        return None
    array = node.value.value
    plain = method.attr.value in ("set", "min", "max")
    value = draft.text(call.args[0].value) if plain else draft.atom(call.args[0].value)
    new = UPDATES[method.attr.value].format(x=draft.text(array), v=value, np=draft.module("jax.numpy"))
    draft.replace(call, f"{draft.jnp('where')}({mask}, {new}, {draft.text(array)})")
    return draft.fix("Choose with jnp.where", cost="the value must fit the whole array, as a scalar does")


def _rank(value: Value) -> int | None:
    shape = getattr(value, "shape", None)
    return None if shape is None else len(shape)


def _fitted(mask: cst.BaseExpression, event: MaskIndex, draft: Draft, axis: bool) -> str | None:
    """The mask, with the axes added that it lacks; None where the ranks are not known to fit."""
    ranks = _rank(event.mask), _rank(event.array)
    written = condition(mask, draft)
    if written is None:
        return None
    array = event.node.value  # type: ignore[attr-defined]
    array = array.value if isinstance(array, cst.Attribute) and array.attr.value == "at" else array
    of_itself = isinstance(mask, cst.Comparison) and draft.text(array) in (
        draft.text(mask.left),
        draft.text(mask.comparisons[0].comparator),
    )
    if of_itself or (ranks[0] is not None and ranks[0] == ranks[1]):
        return written
    if ranks[0] is not None and ranks[1] is not None and ranks[0] < ranks[1]:
        held = written if isinstance(mask, cst.Name) else f"({written})"
        return f"{held}[{', '.join([*[':'] * ranks[0], *['None'] * (ranks[1] - ranks[0])])}]"
    return None if axis and None in ranks and not event.update else written
