"""Attribute look-up on every kind of value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    TAINTED,
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
    Static,
    TransformedValue,
    Tree,
    TupleValue,
    Unknown,
    Value,
)
from ...events import HostCall
from ...knowledge.catalogue import is_module
from ..arrays import shapes
from ..arrays.operators import array_result
from ..imports import module_attribute
from .binding import bind_member
from .classes import ancestors, find_member, has_base
from .containers import SETS
from .enumerations import EnumMember, member_attribute
from .inheritance import super_attribute
from .members import class_attribute, instance_attribute

if TYPE_CHECKING:
    from ..machine import Interpreter


DICTS = ("builtins.dict", "collections.OrderedDict", "collections.defaultdict", "collections.UserDict")
DATA = frozenset((Const, Static, Array))
"""What a class holds for its instances that is no part of its code."""


def _note_read(interp: Interpreter, cls: Value, name: str, found: Value, node: cst.CSTNode) -> None:
    """A trace reads what stands in the body of a class, or was assigned to the class."""
    for one in ancestors(cls):
        if isinstance(one, ClassValue) and one.box.slots.get(name) is found:
            interp.lifetimes.frozen.read(interp, one.box, name, found, node, "attribute")
            return


def attribute(interp: Interpreter, value: Value, name: str, node: cst.CSTNode, called: bool = True) -> Value:
    """`value.name`, which is or is not `called` at once."""
    return interp.each(value, lambda member: _attribute(interp, member, name, node, called))


def _attribute(interp: Interpreter, value: Value, name: str, node: cst.CSTNode, called: bool) -> Value:
    match value:
        case Array():
            return array_attribute(interp, value, name, node)
        case Tree():
            return tree_attribute(interp, value, name, node, called)
        case ExternalValue() if name == "__name__" and is_module(value.name):
            return Const(value.name)
        case ExternalValue():
            full = interp.catalogue.canonical(f"{value.name}.{name}")
            return external(interp, full)
        case ModuleValue():
            found = module_attribute(interp, value, name)
            if found is not None and interp.trace is not None and name in value.box.slots:
                interp.lifetimes.frozen.read(interp, value.box, name, found, node, "attribute")
            return found if found is not None else UNKNOWN
        case InstanceValue():
            found = instance_attribute(interp, value, name, node)
            if not called and isinstance(found, MethodValue) and has_base(value.cls, DICTS):
                return UNKNOWN  # a dict whose keys are attributes may hold any name, as `pop`
            if interp.trace is not None and type(found) in DATA and name not in value.box.slots:
                _note_read(interp, value.cls, name, found, node)
            return found
        case ClassValue():
            found = class_attribute(interp, value, name)
            if interp.trace is not None and type(found) in DATA:
                _note_read(interp, value, name, found, node)
            return found
        case TupleValue() if name in value.fields:
            return value.items[value.fields.index(name)]
        case TupleValue() if value.cls is not None and isinstance(value.cls, ClassValue):
            method = find_member(interp, value.cls, name)
            if method is not None:
                return bind_member(interp, method, value, node)
            return MethodValue(ExternalValue(f"tuple.{name}"), value)
        case TupleValue() | ListValue() | DictValue() | RangeValue():
            return MethodValue(ExternalValue(f"{container_kind(value)}.{name}"), value)
        case Const(value=EnumMember()):
            return member_attribute(interp, value, name, node)
        case Const() | Static():
            return static_attribute(interp, value, name)
        case FunctionValue():
            stored = interp.state.read(value.scope, (value.node, name))
            return (
                stored
                if stored is not None
                else (
                    Static("str")
                    if name in ("__name__", "__qualname__", "__doc__", "__module__")
                    else UNKNOWN
                )
            )
        case TransformedValue():
            return MethodValue(ExternalValue(f"transformed.{name}"), value)
        case PartialValue():
            if name == "func":
                return value.function
            return TupleValue(value.args) if name == "args" else UNKNOWN
        case MethodValue(function=ExternalValue(name="descriptor.property")):
            return MethodValue(ExternalValue(f"property.{name}"), value)
        case MethodValue(function=ExternalValue(name="super")):
            return super_attribute(interp, value.receiver, name, node)
        case MethodValue(function=ExternalValue(name="At")):
            return MethodValue(ExternalValue(f"At.{name}"), value.receiver)
        case MethodValue(function=ExternalValue(name="numpyro.sampler")):
            return MethodValue(ExternalValue(f"numpyro.{name}"), value.receiver)
        case MethodValue():
            return value.receiver if name == "__self__" else value.function if name == "__func__" else UNKNOWN
        case Unknown():
            return value
        case _:
            return UNKNOWN


def container_kind(value: Value) -> str:
    """The type name of a container value."""
    if isinstance(value, ListValue):
        return "set" if value.kind in SETS else "list"
    return "dict" if isinstance(value, DictValue) else "range" if isinstance(value, RangeValue) else "tuple"


NUMBERS = {"pi": math.pi, "e": math.e, "tau": math.tau, "inf": math.inf}


def external(interp: Interpreter, name: str) -> Value:
    """A library's object: a constant where the tables say so, else its name."""
    known = interp.externals.get(name)
    if known is None:
        known = interp.externals[name] = _external(interp, name)
    return known


def _external(interp: Interpreter, name: str) -> Value:
    word = interp.catalogue.object(name)
    if word is not None:
        kind, _, detail = word.partition(":")
        if kind == "constant":
            number = NUMBERS.get(name.rsplit(".", 1)[-1])
            if detail == "None":
                return NONE
            return Const(number) if number is not None else Static(detail or None, settled=True)
        if kind == "static":
            return Static(detail or None)
    return ExternalValue(name)


def array_attribute(interp: Interpreter, value: Array, name: str, node: cst.CSTNode) -> Value:
    """An attribute of a jax array: its metadata is static, its methods are the tables'."""
    if name == "shape":
        if value.shape is not None:
            return TupleValue(tuple(Static("int") if n is None else Const(n) for n in value.shape))
        return TupleValue((), Static("int"))
    if name == "ndim":
        return Static("int") if value.shape is None else Const(len(value.shape))
    if name == "size":
        if value.shape is not None and None not in value.shape:
            total = 1
            for n in value.shape:
                total *= n or 0
            return Const(total)
        return Static("int")
    if name == "dtype":
        return Static("dtype", Const(value.dtype) if value.dtype else None)
    word = interp.catalogue.attribute("Array", name)
    if word is not None:
        kind, _, detail = word.partition(":")
        if kind in ("static", "constant"):
            return Static(detail or None)
        if kind == "concrete":
            error, _, own = detail.partition(",")
            if value.traced:
                interp.tell(HostCall, node, value.sure, value=value, function=f"Array.{name}", error=error)
                return TAINTED
            return Static(own)
        if kind == "at":
            return MethodValue(ExternalValue("Array.at"), value)
        if name in ("T", "mT"):
            shape = (
                None
                if value.shape is None
                else value.shape[::-1]
                if name == "T"
                else (*value.shape[:-2], *value.shape[-2:][::-1])
            )
            return array_result(interp, (value,), node, shape, value.dtype, value.weak, name, (value,))
        same = value.shape if kind in ("same", "array") else None
        dtype = shapes.dtype_of(value)[0] if kind == "same" else None
        return array_result(interp, (value,), node, same, dtype, False, name, (value,))
    if interp.catalogue.method("Array", name) is not None:
        return MethodValue(ExternalValue(f"Array.{name}"), value)
    return TAINTED if value.traced else UNKNOWN


def tree_attribute(interp: Interpreter, value: Tree, name: str, node: cst.CSTNode, called: bool) -> Value:
    """An attribute of an argument whose structure is not known: an array's metadata, a method that is called, or a field."""
    if name in ("shape", "ndim", "size", "dtype"):
        return array_attribute(interp, Array(value.level), name, node)
    if called and name in ("items", "keys", "values", "get", "pop", "copy", "_asdict", "_replace", "replace"):
        return MethodValue(ExternalValue(f"tree.{name}"), value)
    is_method = called and interp.catalogue.method("Array", name) is not None
    if is_method or interp.catalogue.attribute("Array", name) is not None:
        sure = value.sure and not interp.catalogue.is_common("Array", name)
        return array_attribute(
            interp, Array(value.level, None, None, False, sure, value.roots, value.trail), name, node
        )
    return Tree(value.level, False, value.roots, value.trail)


def static_attribute(interp: Interpreter, value: Const | Static, name: str) -> Value:
    """An attribute of a Python or NumPy object."""
    kind = value.kind
    if (
        kind == "ShapeDtypeStruct"
        and name in ("shape", "ndim", "size", "dtype")
        and isinstance(value, Static)
    ):
        dtype = str(value.likely.value) if value.likely is not None else None
        return array_attribute(interp, Array(Level.CONCRETE, value.shape, dtype), name, cst.Name("x"))
    if kind == "ndarray":
        shape = value.shape if isinstance(value, Static) else None
        if name in ("shape", "ndim", "size", "dtype"):
            return array_attribute(interp, Array(level=0, shape=shape), name, cst.Name("x"))  # type: ignore[arg-type]
        if name in ("T", "real", "imag", "flat"):
            return Static("ndarray", None, shape if name != "T" or shape is None else shape[::-1])
        return MethodValue(ExternalValue(f"ndarray.{name}"), value)
    if kind in ("str", "bytes", "int", "float", "bool", "complex"):
        return MethodValue(ExternalValue(f"{kind}.{name}"), value)
    if kind == "dtype":
        return Static("str") if name in ("kind", "name", "char", "str") else Static()
    if kind is not None and interp.catalogue.method(kind, name) is not None:
        return MethodValue(ExternalValue(f"{kind}.{name}"), value)
    return Static() if kind is not None else UNKNOWN if isinstance(value, Const) else Static()
