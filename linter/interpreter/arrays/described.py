"""Objects of any class that stand for an array by their `shape` and `dtype`.

Measured on JAX 0.10.2: what traces without running takes them: `eval_shape`, `make_jaxpr`, `linear_transpose`, and
the methods `lower`, `trace` and `eval_shape` of a jitted function.  A call takes arrays alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import DictValue, InstanceValue, ListValue, Mapping, Static, TupleValue, Value
from ..python.classes import find_member
from ..python.containers import items_of, mapping_of, new_dict, new_list
from ..python.flattening import pytree_fields

if TYPE_CHECKING:
    from ..machine import Interpreter

_DEPTH = 6  # containers inside each other


def described(interp: Interpreter, value: Value, node: cst.CSTNode, depth: int = 0) -> Value:
    """The argument, with a `ShapeDtypeStruct` for each object in it that stands for an array."""

    def inside(item: Value) -> Value:
        return described(interp, item, node, depth + 1)

    if depth > _DEPTH:
        return value
    if isinstance(value, InstanceValue):
        return Static("ShapeDtypeStruct") if _describes(interp, value) else value
    if isinstance(value, TupleValue):
        return replace(value, items=tuple(map(inside, value.items)))
    if isinstance(value, ListValue) and (items := items_of(interp, value)) is not None:
        made = list(map(inside, items))
        return value if made == items else new_list(interp, TupleValue(tuple(made)), node)
    if isinstance(value, DictValue):
        mapping = mapping_of(interp, value)
        pairs = tuple((key, inside(item)) for key, item in mapping.items)
        changed = pairs != mapping.items
        return new_dict(interp, Mapping(pairs, mapping.rest), node, value.kind) if changed else value
    return value


def _describes(interp: Interpreter, value: InstanceValue) -> bool:
    """Whether an object that is no pytree has a shape and a dtype."""
    return pytree_fields(interp, value.cls) is None and all(
        name in value.box.slots or find_member(interp, value.cls, name) is not None
        for name in ("shape", "dtype")
    )
