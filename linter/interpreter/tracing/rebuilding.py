"""What JAX runs of a registered class when a trace begins: its objects are taken apart, and built again from tracers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ...domain import ClassValue, FunctionValue, InstanceValue, MethodValue, TupleValue, Value
from ..calls import call
from ..python.attributes import attribute
from ..python.classes import find_member
from ..python.containers import items_of, sequence_of
from ..python.copies import Leaf, fresh_copy
from ..python.flattening import pytree_fields
from .traces import Trace

if TYPE_CHECKING:
    from ..machine import Interpreter


def rebuild(interp: Interpreter, value: Value, leaf: Leaf, trace: Trace, node: cst.CSTNode) -> None:
    """Runs `tree_flatten` of an argument, and `tree_unflatten` inside the trace that it is passed to.

    Source: `jax.tree_util.register_pytree_node_class`; a constructor that looks at its arguments meets tracers here.
    """
    if not isinstance(value, InstanceValue) or not isinstance(value.cls, ClassValue):
        return
    flatten = find_member(interp, value.cls, "tree_flatten")
    made = find_member(interp, value.cls, "tree_unflatten")
    registered = pytree_fields(interp, value.cls) is not None
    if not (registered and isinstance(flatten, FunctionValue) and isinstance(made, MethodValue)):
        return
    parts = items_of(interp, call(interp, MethodValue(flatten, value), [], {}, node))
    if parts is None or len(parts) != 2 or items_of(interp, parts[0]) is None:
        return
    children = sequence_of(interp, parts[0], node)
    with interp.tracing(trace):
        inside = TupleValue(tuple(fresh_copy(interp, child, leaf, node) for child in children.items))
        call(interp, attribute(interp, value.cls, "tree_unflatten", node), [parts[1], inside], {}, node)
