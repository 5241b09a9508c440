"""Subscripts: of arrays by JAX's rules, of containers by Python's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    UNKNOWN,
    Array,
    Arrays,
    ClassValue,
    Const,
    DictValue,
    ExternalValue,
    InstanceValue,
    Level,
    ListValue,
    MethodValue,
    RangeValue,
    Shape,
    Static,
    Tree,
    TupleValue,
    Union,
    Unknown,
    Value,
    members,
    surely_traced,
)
from ...events import HostIndex, MaskIndex, SliceBound
from ..arrays.operators import array_result
from ..calls import call
from ..libraries.variables import content_of_variable
from .classes import ENUMS, find_member, has_base, open_ended
from .containers import content_of, held_by, index_mapping, index_sequence, integer_error, new_list

if TYPE_CHECKING:
    from ..machine import Interpreter


class SliceValue(TupleValue):
    """A slice whose bounds are not all constant: `items` are start, stop and step."""


def evaluate_subscript(interp: Interpreter, node: cst.Subscript) -> Value:
    """`value[index]`."""
    container = interp.evaluate(node.value)
    return subscript(interp, container, index_value(interp, node), node)


def subscript(interp: Interpreter, container: Value, index: Value, node: cst.CSTNode) -> Value:
    """`container[index]`."""
    return interp.each(container, lambda member: _subscript(interp, member, index, node))


def index_value(interp: Interpreter, node: cst.Subscript) -> Value:
    """What stands between the brackets."""
    parts: list[Value] = []
    for element in node.slice:
        inner = element.slice
        if type(inner) is cst.Slice:
            bounds = [
                interp.evaluate(bound) if bound is not None else Const(None)
                for bound in (inner.lower, inner.upper, inner.step)
            ]
            if all(isinstance(bound, Const) for bound in bounds):
                parts.append(Const(slice(*(bound.value for bound in bounds if isinstance(bound, Const)))))
            else:
                parts.append(SliceValue(tuple(bounds)))
        elif type(inner) is cst.Index:
            parts.append(interp.evaluate(inner.value))
    trailing = len(node.slice) == 1 and type(node.slice[0].comma) is cst.Comma
    return parts[0] if len(parts) == 1 and not trailing else TupleValue(tuple(parts))


def _subscript(interp: Interpreter, container: Value, index: Value, node: cst.CSTNode) -> Value:
    match container:
        case Array():
            return index_array(interp, container, index, node)
        case Tree():
            if not isinstance(index, Const | Static | Tree | Unknown | Union | InstanceValue | MethodValue):
                return index_array(
                    interp,
                    Array(
                        container.level, None, None, False, container.sure, container.roots, container.trail
                    ),
                    index,
                    node,
                )
            return container
        case TupleValue():
            how = "tuple index"
            return interp.each(
                index, lambda i: index_sequence(interp, container, _as_slice(interp, i, node), node, how)
            )
        case ListValue():
            return _index_list(interp, container, index, node)
        case DictValue():
            found = interp.each(index, lambda i: index_mapping(interp, container, i, node))
            if isinstance(index, Const) and interp.trace is not None:
                interp.lifetimes.frozen.read(interp, container.box, f"[{index.value!r}]", found, node, "item")
            return found
        case MethodValue(function=ExternalValue(name="Array.at")):
            assert isinstance(container.receiver, Arrays)
            return _at(interp, container.receiver, index, node)
        case Const() if isinstance(container.value, str | bytes):
            return _index_text(interp, container.value, index, node)
        case Static(kind="ndarray"):
            return _index_ndarray(interp, container, index, node)
        case RangeValue():
            if isinstance(index, Array) and index.level is Level.ABSTRACT:
                interp.emit(HostIndex, node, index, how="range index", error=integer_error(index))
            return Static("int")
        case InstanceValue():
            held = content_of_variable(interp, container)
            if held is not None:
                return held if index == Const(...) else subscript(interp, held, index, node)
            method = find_member(interp, container.cls, "__getitem__")
            if method is not None:
                return call(interp, MethodValue(method, container), [index], {}, node)
            inside = held_by(interp, container)
            return UNKNOWN if inside is None else subscript(interp, inside, index, node)
        case ExternalValue() if interp.catalogue.function(f"{container.name}.__getitem__"):
            return call(interp, ExternalValue(f"{container.name}.__getitem__"), [index], {}, node)
        case ExternalValue() | ClassValue() if _is_generic(interp, container):
            return container  # `Base[int]` is `Base` with a note on its types
        case Static():
            return Static("str") if container.kind == "str" else Static()
        case Unknown():
            return container if container.may_trace else UNKNOWN
        case _:
            return UNKNOWN


def _is_generic(interp: Interpreter, cls: ExternalValue | ClassValue) -> bool:
    """Whether a class may take a subscript as one derived from `typing.Generic` does, and not in a way of its own."""
    if isinstance(cls, ExternalValue):
        return (interp.catalogue.object(cls.name) or "").startswith("class:")
    if find_member(interp, cls, "__class_getitem__") is not None or has_base(cls, ENUMS):
        return False
    return cls.node.type_parameters is not None or open_ended(interp, cls)


def _index_list(interp: Interpreter, container: ListValue, index: Value, node: cst.CSTNode) -> Value:
    content = content_of(interp, container)
    item = interp.each(
        index, lambda i: index_sequence(interp, content, _as_slice(interp, i, node), node, "list index")
    )
    if isinstance(index, SliceValue) or (isinstance(index, Const) and isinstance(index.value, slice)):
        return new_list(interp, item if isinstance(item, TupleValue) else TupleValue((), UNKNOWN), node)
    return item


def _index_text(interp: Interpreter, text: str | bytes, index: Value, node: cst.CSTNode) -> Value:
    if isinstance(index, SliceValue):
        _as_slice(interp, index, node)
        return Static(type(text).__name__)
    if isinstance(index, Const):
        try:
            return Const(text[index.value])
        except (IndexError, TypeError):
            return UNKNOWN
    if isinstance(index, Array) and index.level is Level.ABSTRACT:
        interp.emit(HostIndex, node, index, how="string index", error=integer_error(index))
    return Static("str")


def _as_slice(interp: Interpreter, index: Value, node: cst.CSTNode) -> Value:
    """A slice of a Python sequence asks its bounds for integers."""
    if isinstance(index, SliceValue):
        for bound in index.items:
            if isinstance(bound, Array) and bound.level is Level.ABSTRACT:
                interp.emit(HostIndex, node, bound, how="list index", error=integer_error(bound))
        return Static("slice")
    return index


def _index_ndarray(interp: Interpreter, container: Static, index: Value, node: cst.CSTNode) -> Value:
    parts = index.items if isinstance(index, TupleValue) and not isinstance(index, SliceValue) else (index,)
    for part in parts:
        for member in members(part):
            if isinstance(member, Array) and member.level is not Level.CONCRETE:
                if member.level is Level.ABSTRACT or member.shape not in (None, ()):
                    error = "TracerArrayConversionError"
                    sure = surely_traced(part, Level.DUAL)
                    interp.emit(HostIndex, node, member, sure, how="ndarray index", error=error)
        if isinstance(part, SliceValue):
            _as_slice(interp, part, node)
    shape = index_shape(interp, container.shape, index)
    buffer = container.buffer
    if buffer and any(map(_has_bounds, parts)):
        buffer = interp.lifetimes.memory.part(buffer)
    return Static("ndarray", None, shape, mask=container.mask, buffer=buffer)


def _has_bounds(index: Value) -> bool:
    """Whether an index is a slice from or to somewhere."""
    if isinstance(index, Const) and isinstance(index.value, slice):
        return index.value.start is not None or index.value.stop is not None
    return isinstance(index, SliceValue)


def index_array(interp: Interpreter, array: Array, index: Value, node: cst.CSTNode) -> Value:
    """`array[index]`: traced slice bounds and traced masks are refused, traced integers gather."""
    check_index(interp, array, index, node)
    parts = index.items if isinstance(index, TupleValue) and not isinstance(index, SliceValue) else (index,)
    inputs: list[Value] = [array]
    for part in parts:
        if not isinstance(part, SliceValue):
            inputs.append(part)
    shape = index_shape(interp, array.shape, index)
    return array_result(interp, inputs, node, shape, array.dtype, array.weak, "indexing", (array,))


def check_index(
    interp: Interpreter, array: Value, index: Value, node: cst.CSTNode, update: bool = False
) -> None:
    """Tells of slice bounds and masks in an index that must be concrete."""
    parts = index.items if isinstance(index, TupleValue) and not isinstance(index, SliceValue) else (index,)
    for part in parts:
        if isinstance(part, SliceValue):
            for bound in part.items:
                for member in members(bound):
                    if isinstance(member, Arrays) and member.level is Level.ABSTRACT:
                        interp.emit(SliceBound, node, bound, array=array)
                        break
                else:
                    continue
                break
        else:
            for member in members(part):
                if isinstance(member, Array) and member.dtype == "bool" and member.level is Level.ABSTRACT:
                    interp.tell(
                        MaskIndex,
                        node,
                        member.sure and len(members(part)) == 1,
                        mask=member,
                        array=array,
                        update=update,
                    )


def index_shape(interp: Interpreter, shape: Shape, index: Value) -> Shape:
    """The shape of an indexed array, where it follows from what is known."""
    if shape is None:
        return None
    parts = (
        list(index.items) if isinstance(index, TupleValue) and not isinstance(index, SliceValue) else [index]
    )
    consuming = [p for p in parts if not (isinstance(p, Const) and p.value in (None, ...))]
    if len(consuming) > len(shape):
        return None
    result: list[int | None] = []
    position = 0
    for part in parts:
        if isinstance(part, Const) and part.value is None:
            result.append(1)
        elif isinstance(part, Const) and part.value is ...:
            skipped = len(shape) - len(consuming)
            result.extend(shape[position : position + skipped])
            position += skipped
        elif isinstance(part, Const) and isinstance(part.value, slice):
            length = shape[position]
            result.append(len(range(*part.value.indices(length))) if length is not None else None)
            position += 1
        elif isinstance(part, SliceValue):
            result.append(None)
            position += 1
        elif (isinstance(part, Const) and isinstance(part.value, int)) or (
            isinstance(part, Static) and part.kind == "int"
        ):
            position += 1
        elif isinstance(part, Array) and part.dtype != "bool" and part.shape is not None:
            if part.shape != () and len(consuming) > 1:
                return None
            result.extend(part.shape)
            position += 1
        else:
            return None
    return (*result, *shape[position:])


def _at(interp: Interpreter, array: Array | Tree, index: Value, node: cst.CSTNode) -> Value:
    """`x.at[index]`, whose methods give updated copies."""
    check_index(interp, array, index, node, update=True)
    receiver = (
        array
        if isinstance(array, Array)
        else Array(array.level, None, None, False, array.sure, array.roots, array.trail)
    )
    return MethodValue(ExternalValue("At"), TupleValue((receiver, index)))


def apply_at(
    interp: Interpreter, receiver: TupleValue, name: str, args: list[Value], node: cst.CSTNode
) -> Value:
    """`x.at[index].set(v)` and its like: the shape of `x`; a traced mask works only with a scalar value."""
    array, index = receiver.items
    assert isinstance(array, Array)
    inputs = [array, *args, *([index] if not isinstance(index, SliceValue) else [])]
    if name == "get":
        return index_array(interp, array, index, node)
    return array_result(interp, inputs, node, array.shape, array.dtype, False, f"at.{name}", (array,))
