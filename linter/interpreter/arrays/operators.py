"""Operators on values: Python's on constants, JAX's on arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    MAX_ITEMS,
    TAINTED,
    UNKNOWN,
    Array,
    Arrays,
    Const,
    DictValue,
    ExternalValue,
    InstanceValue,
    Level,
    ListValue,
    Mapping,
    MethodValue,
    RangeValue,
    Root,
    SequenceValue,
    Shape,
    Static,
    Trail,
    Tree,
    TupleValue,
    Union,
    Unknown,
    Value,
    is_settled,
    members,
    roots_of,
    surely_traced,
    traced_parts,
    trail_of,
)
from ...events import HostIndex, Truth
from ...joins import join
from ..calls import call
from ..libraries.variables import content_of_variable
from ..python.classes import find_member, open_ended
from ..python.containers import (
    SETS,
    content_of,
    held_by,
    items_of,
    mapping_of,
    needs_hash,
    new_dict,
    new_list,
)
from ..python.equality import compared_fields
from ..python.folding import COMPARISONS, DUNDERS, SIGNS, SYMBOLS, fold
from ..python.identity import identical
from ..python.keys import compared_by_name, known_key
from ..python.texts import note_percent
from ..tracing.donation import METADATA
from ..tracing.traces import level_of, made_inside, staged_by
from ..truth import truth
from . import shapes
from .precision import default_dtype

if TYPE_CHECKING:
    from ..machine import Interpreter


LARGE = 10**6
COPYING = METADATA | {"jnp.array", "jnp.copy"}
"""Functions that have read an array of NumPy when they return, as far as their documentation goes."""


def array_result(
    interp: Interpreter,
    inputs: Iterable[Value],
    node: cst.CSTNode,
    shape: Shape = None,
    dtype: str | None = None,
    weak: bool = False,
    name: str = "",
    operands: Iterable[Value] | None = None,
) -> Array:
    """The result of a jax operation on these inputs: staged inside a trace, else as traced as they are.

    An operator or a method is JAX's only where one of its `operands` is surely an array.
    """
    parts = list(inputs)
    if name not in METADATA:
        interp.lifetimes.used(interp, parts, node)
    if interp.trace is None:
        if name not in COPYING:
            interp.lifetimes.memory.hand_over(interp, parts, node)
        known = operands is None or any(surely_traced(operand, Level.CONCRETE) for operand in operands)
        if operands is not None and any(isinstance(part, ExternalValue) for part in parts):
            known = False  # an object of a library may answer in the place of the array, as units do
        return Array(Level.CONCRETE, shape, dtype, weak, known)
    level = max((level_of(part) for part in parts), default=Level.CONCRETE)
    roots = roots_of(parts)
    trail = trail_of(parts)
    if interp.staging:
        interp.staged_operations += 1
        if interp.lifetimes.frozen.large and name != "jnp.result_type":
            interp.lifetimes.frozen.baked(interp, parts)
    stage = staged_by(interp.trace)
    if stage is not None:
        level = Level.ABSTRACT
        if not roots:
            text = name or "an operation on a concrete array"
            constant = any(isinstance(m, Array) for part in parts for m in members(part))
            roots = (Root("constant" if constant else "operation", text, stage.entry, node, interp.source),)
            trail = Trail(f"staged by {stage.entry.transform}", node, interp.source)
        elif stage.parent is not None and not made_inside(roots, interp.trace, stage):
            roots = (*roots, interp.lifetimes.leaks.stage(stage.entry, name, node, interp.source))
    if level is Level.ABSTRACT and stage is not None:
        sure = operands is None or any(surely_traced(operand, Level.CONCRETE) for operand in operands)
    else:
        sure = not any(
            isinstance(m, Arrays) and not m.sure and m.level >= level for part in parts for m in members(part)
        )
    if (
        level is Level.DUAL
        and dtype is not None
        and shapes.kind_of(dtype) in "bui"
        and not _within(roots, "shard_map")
    ):
        return Array(Level.CONCRETE, shape, dtype, weak)  # it has no derivative, so that it is no tracer
    return Array(level, shape, dtype, weak, sure or level is Level.CONCRETE, roots, trail)


def _within(roots: tuple[Root, ...], transform: str) -> bool:
    return any(root.entry is not None and root.entry.transform == transform for root in roots)


def is_arrayish(value: Value) -> bool:
    """Whether an operator on this value is JAX's."""
    return isinstance(value, Arrays)


def binary(interp: Interpreter, name: str, left: Value, right: Value, node: cst.CSTNode) -> Value:
    """`left OP right`, `name` being the operator's class name in libcst."""
    if isinstance(left, Union) or isinstance(right, Union):
        return interp.each(left, lambda a: interp.each(right, lambda b: _binary(interp, name, a, b, node)))
    return _binary(interp, name, left, right, node)


def _binary(interp: Interpreter, name: str, left: Value, right: Value, node: cst.CSTNode) -> Value:
    if isinstance(left, Const) and isinstance(right, Const):
        return fold(name, left.value, right.value)
    if isinstance(left, InstanceValue) or isinstance(right, InstanceValue):
        held = [content_of_variable(interp, value) for value in (left, right)]
        if held != [None, None]:
            return binary(interp, name, held[0] or left, held[1] or right, node)
        return _overloaded(interp, name, left, right, node)
    if name == "Modulo" and _is_text(left):
        note_percent(interp, left, right, node)
        return Static("str")
    if is_arrayish(left) or is_arrayish(right):
        return _arrays(interp, name, left, right, node)
    if name in ("Equal", "NotEqual") and isinstance(left, SequenceValue) and type(left) is type(right):
        return _sequences_equal(interp, left, right, node, name == "Equal")
    if (
        name in COMPARISONS
        and isinstance(left, SequenceValue)
        and isinstance(right, SequenceValue)
        and left.kind == right.kind in ("tuple", "list")
        and note_order(interp, left, right, node, "items")
    ):
        return TAINTED
    if isinstance(left, TupleValue) and isinstance(right, TupleValue) and name == "Add":
        return concatenated(left, right)
    if isinstance(left, ListValue) and not _is_buffer(right):
        content = content_of(interp, left)
        if name == "Add" and isinstance(right, ListValue):
            return new_list(interp, concatenated(content, content_of(interp, right)), node)
        if name == "Multiply":
            return new_list(interp, _repeated(content, right), node)
        return new_list(interp, content, node, left.kind)
    if isinstance(left, TupleValue) and name == "Multiply" and not _is_buffer(right):
        return _repeated(left, right)
    if name == "Multiply" and isinstance(left, Const | Static) and not _is_buffer(left):
        if isinstance(right, TupleValue):
            return _repeated(right, left)
        if isinstance(right, ListValue):
            return new_list(interp, _repeated(content_of(interp, right), left), node)
    if isinstance(left, DictValue) and isinstance(right, DictValue) and name == "BitOr":
        merged = {(type(k), k): (k, v) for d in (left, right) for k, v in mapping_of(interp, d).items}
        return new_dict(interp, Mapping(tuple(merged.values())), node)
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        tainted = any(isinstance(v, Unknown) and v.may_trace for v in (left, right))
        return TAINTED if tainted else UNKNOWN
    return _statics(name, left, right)


def _is_buffer(value: Value) -> bool:
    """Whether a value is a NumPy array, whose product with a list is one."""
    return isinstance(value, Static) and value.kind == "ndarray"


def _sequences_equal(
    interp: Interpreter, left: Value, right: Value, node: cst.CSTNode, positive: bool
) -> Value:
    """`==` of two sequences asks each pair that is not the same object for the truth of its `==`."""
    a, b = items_of(interp, left), items_of(interp, right)
    if a is None or b is None:
        return Static("bool")
    if len(a) != len(b):
        return Const(not positive)
    known = True
    for x, y in zip(a, b, strict=True):
        if x is y:
            continue
        one = binary(interp, "Equal", x, y, node)
        answer = truth(interp, one, node, "items")
        if answer is False:
            return Const(not positive)
        known = known and answer is True
        if answer is None and any(isinstance(m, Array) and m.level is Level.ABSTRACT for m in members(one)):
            return TAINTED
    return Const(positive) if known else Static("bool")


def note_order(
    interp: Interpreter, left: Value, right: Value, node: cst.CSTNode, place: str, function: str = ""
) -> bool:
    """`<` of two values: of tuples, the first pair that differs decides.  Tells whether a tracer was asked."""
    a, b = items_of(interp, left), items_of(interp, right)
    if not (isinstance(left, SequenceValue) and a is not None and b is not None):
        if any(isinstance(v, Array) and (v.level is Level.ABSTRACT or interp.staging) for v in (left, right)):
            truth(interp, binary(interp, "LessThan", left, right, node), node, place, function)
            return True
        return False
    for x, y in zip(a, b, strict=False):
        if x is y:
            continue
        if isinstance(x, Const) and isinstance(y, Const):
            if x == y:
                continue
            return False
        return note_order(interp, x, y, node, place, function)
    return False


def _statics(name: str, left: Value, right: Value) -> Value:
    result = _plain_statics(name, left, right)
    if not isinstance(result, Static):
        return result
    varies = any(isinstance(v, Static) and v.varies for v in (left, right))
    return replace(result, varies=varies, settled=is_settled(left) and is_settled(right))


def _are_siblings(left: Value, right: Value) -> bool:
    """Whether two values are attributes of one module or class of a library, most likely members of an enumeration."""
    names = [value.name for value in (left, right) if isinstance(value, ExternalValue)]
    return len(names) == 2 and len({name.rpartition(".")[0] for name in names}) == 1


def _plain_statics(name: str, left: Value, right: Value) -> Value:
    if name in ("Equal", "NotEqual") and _are_siblings(left, right):
        return Static("bool", Const((left == right) is (name == "Equal")))
    if name in COMPARISONS:
        if not any(isinstance(v, Static) and v.kind == "ndarray" for v in (left, right)):
            return Static("bool")
        return Static(
            "ndarray", None, shapes.broadcast([shapes.shape_of(left), shapes.shape_of(right)]), mask=True
        )
    kinds = {getattr(v, "kind", None) for v in (left, right)}
    if "ndarray" in kinds:
        shape = shapes.broadcast([shapes.shape_of(left), shapes.shape_of(right)])
        return Static("ndarray", None, shape)
    if None in kinds:
        return Static()
    if "str" in kinds:
        return Static("str")
    if name == "Divide" and kinds <= {"int", "float", "bool"}:
        return Static("float")
    if "float" in kinds and kinds <= {"int", "float", "bool"}:
        return Static("float")
    return Static("int") if kinds <= {"int", "bool"} else Static()


def concatenated(left: TupleValue, right: TupleValue) -> TupleValue:
    """The content of two sequences, one after the other."""
    if left.rest is None and len(left.items) + len(right.items) <= MAX_ITEMS:
        return TupleValue((*left.items, *right.items), right.rest)
    rest = left.rest
    for item in (*left.items[MAX_ITEMS:], *right.items, *((right.rest,) if right.rest is not None else ())):
        rest = item if rest is None else join(rest, item)
    return TupleValue(left.items[:MAX_ITEMS], rest)


def _repeated(content: TupleValue, count: Value) -> TupleValue:
    if isinstance(count, Const) and isinstance(count.value, int) and content.rest is None:
        if len(content.items) * max(count.value, 0) <= MAX_ITEMS:
            return TupleValue(content.items * count.value)
    rest: Value | None = content.rest
    for item in content.items:
        rest = item if rest is None else join(rest, item)
    return TupleValue((), rest if rest is not None else UNKNOWN)


def _overloaded(interp: Interpreter, name: str, left: Value, right: Value, node: cst.CSTNode) -> Value:
    from ..libraries.objects import object_method

    word = DUNDERS[name]
    if name in COMPARISONS:
        equal = name in ("Equal", "NotEqual")
        pair = compared_fields(interp, left, right, "__eq__" if equal else f"__{word}__")
        if pair is not None and equal:
            return _sequences_equal(interp, *pair, node, name == "Equal")
        if pair is not None:
            return binary(interp, name, *pair, node)
    if isinstance(left, InstanceValue):
        method = find_member(interp, left.cls, f"__{word}__")
        if method is not None:
            return call(interp, MethodValue(method, left), [right], {}, node)
        if name == "NotEqual" and (equal_to := find_member(interp, left.cls, "__eq__")) is not None:
            known = truth(interp, call(interp, MethodValue(equal_to, left), [right], {}, node), node, "not")
            return Static("bool") if known is None else Const(not known)
    if isinstance(right, InstanceValue):
        mirrored = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}.get(
            word, f"r{word}"
        )
        method = find_member(interp, right.cls, f"__{mirrored}__")
        if method is not None:
            return call(interp, MethodValue(method, right), [left], {}, node)
    for operand, other, prefix in ((left, right, ""), (right, left, "r")):
        if isinstance(operand, InstanceValue):
            method = object_method(interp, operand, f"__{prefix}{word}__")
            if method is not None:
                return call(interp, method, [other], {}, node)
    if name in ("Equal", "NotEqual") and not any(
        isinstance(v, InstanceValue) and open_ended(interp, v.cls) for v in (left, right)
    ):
        return Static("bool")
    return TAINTED if any(level_of(v) for v in (left, right)) else UNKNOWN


def _arrays(interp: Interpreter, name: str, left: Value, right: Value, node: cst.CSTNode) -> Value:
    array, other = (left, right) if is_arrayish(left) else (right, left)
    assert isinstance(array, Arrays)
    if name == "Multiply" and _is_text(other) and array.traced:
        if shapes.kind_of(getattr(array, "dtype", None) or "f") in "iu":
            interp.emit(HostIndex, node, array, how="repeat", error="TracerIntegerConversionError")
        return TAINTED
    if name == "Multiply" and isinstance(other, SequenceValue) and array.traced:
        scalar = isinstance(array, Array) and array.shape in (None, ())
        interp.emit(HostIndex, node, array, scalar, how="repeat", error="TypeError")
        return TAINTED
    if name in ("Equal", "NotEqual") and (_is_text(other) or other == Const(None)):
        return Const(name == "NotEqual") if isinstance(array, Array) else Static("bool")
    alike = isinstance(other, SequenceValue) or other == Static("PyTreeDef")
    if isinstance(array, Tree) and name in ("Equal", "NotEqual") and alike:
        return Static("bool")  # it may be such a container or structure itself
    if isinstance(other, DictValue | RangeValue):
        return TAINTED
    shape = _operator_shape(name, left, right)
    if name in COMPARISONS:
        return array_result(interp, (left, right), node, shape, "bool", False, SYMBOLS[name], (left, right))
    dtype, weak = shapes.promote(shapes.dtype_of(left), shapes.dtype_of(right))
    if name == "Divide" and dtype is not None and shapes.kind_of(dtype) in "bui":
        dtype = default_dtype("float32")
    return array_result(interp, (left, right), node, shape, dtype, weak, SYMBOLS[name], (left, right))


def _operator_shape(name: str, left: Value, right: Value) -> Shape:
    if isinstance(left, Tree) or isinstance(right, Tree):
        return None
    if name == "MatrixMultiply":
        return shapes.matmul(shapes.shape_of(left), shapes.shape_of(right))
    return shapes.broadcast([shapes.shape_of(left), shapes.shape_of(right)])


def _is_text(value: Value) -> bool:
    return (isinstance(value, Const) and isinstance(value.value, str | bytes)) or (
        isinstance(value, Static) and value.kind in ("str", "bytes")
    )


def unary(interp: Interpreter, name: str, value: Value, node: cst.CSTNode) -> Value:
    """`-x`, `+x`, `~x`."""

    def one(member: Value) -> Value:
        if isinstance(member, Const):
            try:
                return Const(SIGNS[name](member.value))
            except TypeError:
                return UNKNOWN
        if isinstance(member, Array):
            return array_result(
                interp, (member,), node, member.shape, member.dtype, member.weak, name, (member,)
            )
        if isinstance(member, Tree):
            return array_result(interp, (member,), node, operands=(member,))
        held = content_of_variable(interp, member)
        if held is not None:
            return unary(interp, name, held, node)
        if isinstance(member, InstanceValue):
            method = find_member(
                interp, member.cls, {"Minus": "__neg__", "Plus": "__pos__"}.get(name, "__invert__")
            )
            return call(interp, MethodValue(method, member), [], {}, node) if method is not None else UNKNOWN
        return Static(member.kind, None, member.shape) if isinstance(member, Static) else member

    return interp.each(value, one)


def compare(
    interp: Interpreter,
    name: str,
    left: Value,
    right: Value,
    node: cst.CSTNode,
    left_node: cst.CSTNode,
    right_node: cst.CSTNode,
) -> Value:
    """One comparison; `is` and most of `in` are Python's own."""
    if name in ("Is", "IsNot"):
        same = identical(left, right)
        if same is not None:
            return Const(same is (name == "Is"))
        # where the analysis has merged ways on which the answer differs, neither branch is sure to be taken
        return TAINTED if isinstance(left, Union) or isinstance(right, Union) else Static("bool")
    if name in ("In", "NotIn"):
        return _contains(interp, left, right, node, left_node, name == "In")
    return binary(interp, name, left, right, node)


def _contains(
    interp: Interpreter,
    item: Value,
    container: Value,
    node: cst.CSTNode,
    item_node: cst.CSTNode,
    positive: bool,
) -> Value:
    for holder in members(container):
        if isinstance(holder, ExternalValue) and interp.catalogue.function(f"{holder.name}.__contains__"):
            call(interp, ExternalValue(f"{holder.name}.__contains__"), [item], {}, node)
        method = (
            find_member(interp, holder.cls, "__contains__") if isinstance(holder, InstanceValue) else None
        )
        if method is not None:
            inside_it = call(interp, MethodValue(method, holder), [item], {}, node)
            answer = truth(interp, inside_it, node, "in")
            if not isinstance(container, Union):
                return Static("bool") if answer is None else Const(answer is positive)
            continue
        holder = held_by(interp, holder) or holder
        if isinstance(holder, DictValue) or (isinstance(holder, ListValue) and holder.kind in SETS):
            needs_hash(interp, item, item_node, "dict key" if isinstance(holder, DictValue) else "set member")
            continue
        if isinstance(holder, Tree) and _is_text(item):
            continue  # its keys are asked for
        if isinstance(holder, Arrays):
            staged = array_result(interp, (holder, item), node, None, "bool", name="in", operands=(holder,))
            if staged.level is Level.ABSTRACT:
                interp.emit(Truth, node, staged, isinstance(holder, Array), place="in")
            continue
        items = items_of(interp, holder)
        if isinstance(item, TupleValue) and items is not None and any(True for _ in traced_parts(item)):
            same = next((k for k, other in enumerate(items) if other is item), len(items))
            for other in items[:same]:
                if isinstance(other, TupleValue):
                    _sequences_equal(interp, other, item, node, True)
        others = items if items is not None else []
        traced = [
            m for m in members(item) if isinstance(m, Array) and (m.level is Level.ABSTRACT or interp.staging)
        ]
        before = others[: next((k for k, o in enumerate(others) if o is item), len(others))]
        if traced and item is traced[0] and not traced[0].traced and not isinstance(holder, Const | Static):
            item = array_result(
                interp, (item,), node, name="in", operands=(item,)
            )  # its comparisons are staged
        if traced and isinstance(holder, ListValue | TupleValue | RangeValue):
            compared = [o for o in before if not _is_text(o) and o != Const(None)]
            if compared or items is None:  # the same object is found without being compared
                interp.emit(Truth, node, item, items is not None, place="in")
        elif items is not None and not traced:
            inside = [o for o in items if isinstance(o, Array) and o.level is Level.ABSTRACT]
            if inside and isinstance(item, Const) and isinstance(item.value, int | float):
                interp.emit(Truth, node, inside[0], place="in")
    wanted = known_key(item)
    if wanted is not None:
        holder = container
        known = items_of(interp, holder) if not isinstance(holder, Union) else None
        if isinstance(holder, Const) and isinstance(holder.value, str) and isinstance(wanted.value, str):
            return Const((wanted.value in holder.value) is positive)
        if isinstance(holder, ListValue) and holder.kind in SETS:
            content = content_of(interp, holder)
            known = list(content.items) if content.rest is None else None
        keys = [known_key(other) for other in known] if known is not None else [None]
        found = any(key.value == wanted.value for key in keys if key is not None)
        if found or (None not in keys and not compared_by_name(wanted.value)):
            return Const(found is positive)
    return Static("bool")
