"""What may cross the border of a trace: arrays, numbers, and pytrees of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    UNKNOWN,
    Array,
    ClassValue,
    DictValue,
    InstanceValue,
    Level,
    ListValue,
    SequenceValue,
    TransformedValue,
    TupleValue,
    Value,
)
from ...events import ControlFlow, TracedCall
from ..arrays import shapes
from ..python.containers import items_of, mapping_of
from ..python.flattening import pytree_fields
from .traces import number_dtype
from .trees import leaves_of
from .untraceable import Untraceable, untraceable

if TYPE_CHECKING:
    from ..machine import Interpreter


def check_result(interp: Interpreter, value: Value, transform: str, node: cst.CSTNode) -> None:
    """Tells of a traced function that returns what is no array."""
    found = untraceable(interp, value) or (_without_value(interp, value) if transform in COMPUTING else None)
    if found is not None:
        interp.tell(
            ControlFlow, node, function=transform, problem="result", error=found.error, value=found.part,
            detail=f"is returned, {found.detail or 'which is no array and no pytree of arrays'}",
        )  # fmt: skip


COMPUTING = frozenset("jit vmap pmap scan map cond switch while_loop fori_loop".split())
"""The transforms that ask for the value of what a function returns (measured: derivatives and `checkpoint` do not)."""


def _without_value(interp: Interpreter, value: Value) -> Untraceable | None:
    """A `ShapeDtypeStruct` in a result, which is known to stand for one array."""
    leaves = leaves_of(interp, value) or []
    return next(
        (
            Untraceable(leaf)
            for leaf in leaves
            if getattr(leaf, "kind", "") == "ShapeDtypeStruct" and getattr(leaf, "shape", None) is not None
        ),
        None,
    )


def check_operand(interp: Interpreter, value: Value, transform: str, node: cst.CSTNode) -> bool:
    """Tells of an argument of a control-flow function that is no array; whether there is one."""
    found = untraceable(interp, value)
    if found is None:
        return False
    interp.tell(
        ControlFlow, node, function=transform, problem="operand", error=found.error, value=found.part,
        detail=f"is passed, {found.detail or 'which is no array and no pytree of arrays'}",
    )  # fmt: skip
    return True


def first_of_pair(value: Value) -> Value:
    """What is differentiated where a function returns auxiliary data too."""
    return value.items[0] if isinstance(value, TupleValue) and len(value.items) == 2 else UNKNOWN


def check_scalar(interp: Interpreter, value: Value, transform: str, aux: bool, node: cst.CSTNode) -> None:
    """Tells of a differentiated function that returns no scalar."""
    if aux:
        value = first_of_pair(value)
    shaped = bool(shapes.shape_of(value)) and not (isinstance(value, Array) and not value.sure)
    if check_inexact(interp, value, transform, node):
        return
    container = isinstance(value, ListValue | DictValue) or (
        isinstance(value, TupleValue) and value.rest is None
    )
    if isinstance(value, InstanceValue) and isinstance(value.cls, ClassValue):
        container = pytree_fields(interp, value.cls) is not None
    if shaped or container or value == NONE or untraceable(interp, value):
        shape = shapes.shape_of(value) if shaped else None
        outside = (
            TupleValue(()) if isinstance(value, TupleValue) else Array(Level.CONCRETE) if shaped else value
        )
        interp.tell(
            ControlFlow, node, function=transform, problem="scalar", error="TypeError", value=outside,
            detail=f"{f'of rank {len(shape)} ' if shape else ''}is returned, where {transform} differentiates a scalar",
        )  # fmt: skip


def check_inexact(interp: Interpreter, value: Value, transform: str, node: cst.CSTNode) -> bool:
    """Tells of a differentiated function that returns integers, booleans or complex numbers; whether it does."""
    dtype = value.dtype if isinstance(value, Array) and value.sure else number_dtype(value)
    if dtype is None or (dtype != "key" and shapes.kind_of(dtype) not in "biuc"):
        return False
    interp.tell(
        ControlFlow, node, function=transform, problem="scalar", error="TypeError", value=Array(Level.CONCRETE),
        detail=f"of dtype {dtype} is returned, where {transform} differentiates a real number",
    )  # fmt: skip
    return True


def check_differentiable(
    interp: Interpreter,
    value: Value,
    transform: str,
    name: str,
    transformed: TransformedValue,
    node: cst.CSTNode,
) -> bool:
    """Tells of an argument that is an integer or boolean, which has no derivative; whether it is one."""
    found = _without_derivative(interp, value, name)
    if found is None:
        return False
    name, value, dtype = found
    interp.tell(
        TracedCall, node, transformed=transformed, problem="not-differentiable", parameter=name, value=value,
        detail=f"{name} is of dtype {dtype}, and {transform} needs a floating-point argument", error="TypeError",
    )  # fmt: skip
    return True


def may_be_differentiated(interp: Interpreter, value: Value) -> bool:
    """Whether an argument may be one that is picked for its derivative."""
    return _without_derivative(interp, value, "") is None and untraceable(interp, value) is None


def _without_derivative(interp: Interpreter, value: Value, name: str) -> tuple[str, Value, str] | None:
    """A leaf of integers or booleans, with its place and dtype."""
    for part, leaf in parts_of(interp, value, name):
        dtype = leaf.dtype if isinstance(leaf, Array) and leaf.sure else number_dtype(leaf)
        if dtype is not None and (dtype == "key" or shapes.kind_of(dtype) in "bui"):
            return part, leaf, dtype
    return None


def parts_of(interp: Interpreter, value: Value, name: str, depth: int = 0) -> Iterator[tuple[str, Value]]:
    """The leaves of plain containers, each by how one would write it."""
    pairs: list[tuple[str, Value]]
    if depth > 6:
        return
    if isinstance(value, SequenceValue):
        pairs = [(f"{name}[{k}]", item) for k, item in enumerate(items_of(interp, value) or ())]
    elif isinstance(value, DictValue):
        pairs = [(f"{name}[{key!r}]", item) for key, item in mapping_of(interp, value).items]
    else:
        yield name, value
        return
    for part, item in pairs:
        yield from parts_of(interp, item, part, depth + 1)
