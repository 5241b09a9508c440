"""What may cross the border of a trace: arrays, numbers, and pytrees of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import (
    NONE,
    UNKNOWN,
    Array,
    ClassValue,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Level,
    ListValue,
    MethodValue,
    ModuleValue,
    PartialValue,
    RangeValue,
    SequenceValue,
    Static,
    TransformedValue,
    TupleValue,
    Value,
)
from ..events import ControlFlow, TracedCall
from . import shapes
from .classes import NO_PYTREES, find_member, has_base, pytree_fields
from .containers import items_of, mapping_of
from .enumerations import EnumMember
from .traces import number_dtype

if TYPE_CHECKING:
    from .machine import Interpreter

TEXTUAL = frozenset(
    "EnumMember str bytes dtype type PyTreeDef object datetime Path Pattern Logger Random Generator RandomState Namespace "
    "Device aval Sharding file Decimal Fraction".split()
) | {"array of strings"}


def refused(interp: Interpreter, value: Value) -> bool:
    """Whether a leaf is surely no array and no number, so that no trace takes or gives it."""
    match value:
        case Const():
            return isinstance(value.value, str | bytes | slice | EnumMember) or value.value is ...
        case Static():
            return value.kind in TEXTUAL
        case PartialValue():
            return not value.pytree
        case InstanceValue():
            return (
                pytree_fields(interp, value.cls) is None
                and find_member(interp, value.cls, "__jax_array__") is None
            )
        case ExternalValue():
            word = interp.catalogue.object(value.name) or ""
            known = interp.catalogue.function(value.name) is not None or word.startswith("dtype")
            return known or value.name.startswith("builtins.")
        case ListValue():
            return value.kind != "list"
        case FunctionValue() | TransformedValue() | RangeValue() | ClassValue() | ModuleValue():
            return True
        case MethodValue():
            function = value.function
            return isinstance(function, FunctionValue) or (
                isinstance(function, ExternalValue) and function.name.startswith("Array.")
            )
        case _:
            return False


def misfit(interp: Interpreter, value: Value, depth: int = 0) -> Value | None:
    """The first part of a tree that no trace takes; None where there is none, or none is known for sure."""
    if depth > 6:
        return None
    parts: list[Value] = []
    if isinstance(value, TupleValue):
        parts = list(value.items)
    elif isinstance(value, ListValue) and value.kind == "list":
        parts = items_of(interp, value) or []
    elif isinstance(value, DictValue):
        parts = [item for _, item in mapping_of(interp, value).items]
    elif refused(interp, value):
        # What lifts a function hands modules in and out
        lifted = isinstance(value, InstanceValue) and has_base(value.cls, NO_PYTREES)
        return None if lifted else value
    for part in parts:
        found = misfit(interp, part, depth + 1)
        if found is not None:
            return found
    return None


def check_result(interp: Interpreter, value: Value, transform: str, node: cst.CSTNode) -> None:
    """Tells of a traced function that returns what is no array."""
    found = misfit(interp, value)
    if found is not None:
        interp.tell(
            ControlFlow, node, function=transform, problem="result", error="TypeError", value=found,
            detail="is returned, which is no array and no pytree of arrays",
        )  # fmt: skip


def check_operand(interp: Interpreter, value: Value, transform: str, node: cst.CSTNode) -> bool:
    """Tells of an argument of a control-flow function that is no array; whether there is one."""
    found = misfit(interp, value)
    if found is None:
        return False
    interp.tell(
        ControlFlow, node, function=transform, problem="operand", error="TypeError", value=found,
        detail="is passed, which is no array and no pytree of arrays",
    )  # fmt: skip
    return True


def first_of_pair(value: Value) -> Value:
    """What is differentiated where a function returns auxiliary data too."""
    return value.items[0] if isinstance(value, TupleValue) and len(value.items) == 2 else UNKNOWN


def check_scalar(interp: Interpreter, value: Value, transform: str, aux: bool, node: cst.CSTNode) -> None:
    """Tells of a differentiated function that returns no scalar."""
    if aux:
        value = first_of_pair(value)
    shaped = isinstance(value, Array) and value.sure and bool(value.shape)
    if check_inexact(interp, value, transform, node):
        return
    container = isinstance(value, ListValue | DictValue) or (
        isinstance(value, TupleValue) and value.rest is None
    )
    if shaped or container or value == NONE or refused(interp, value):
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
    if dtype is None or dtype == "key" or shapes.kind_of(dtype) not in "biuc":
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
    for part, leaf in parts_of(interp, value, name):
        dtype = leaf.dtype if isinstance(leaf, Array) and leaf.sure else number_dtype(leaf)
        if dtype is not None and (dtype == "key" or shapes.kind_of(dtype) in "bui"):
            name, value = part, leaf
            break
    else:
        return False
    interp.tell(
        TracedCall, node, transformed=transformed, problem="not-differentiable", parameter=name, value=value,
        detail=f"{name} is of dtype {dtype}, and {transform} needs a floating-point argument", error="TypeError",
    )  # fmt: skip
    return True


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
