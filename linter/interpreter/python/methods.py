"""Calls of methods: of arrays, containers, texts, and what the models of libraries have made."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    UNKNOWN,
    DictValue,
    ExternalValue,
    InstanceValue,
    ListValue,
    Mapping,
    MethodValue,
    Static,
    TransformedValue,
    Tree,
    TupleValue,
    Value,
)
from ...joins import join
from ...knowledge import Result, Signature
from ..calls import callee, opaque
from ..libraries.frameworks import FRAMEWORKS
from ..libraries.library import Call, apply
from ..tracing.buffers import note_filling
from ..tracing.derivatives import call_linear
from ..tracing.transforms import transformed_method
from . import python_models
from .containers import new_dict
from .descriptors import note_property_setter
from .dict_methods import dict_method
from .indexing import apply_at
from .list_methods import list_method
from .text_methods import text_method

if TYPE_CHECKING:
    from ..machine import Interpreter

CHANGING = frozenset("fill sort put partition resize itemset setfield byteswap".split())
"""Methods of NumPy arrays that change them in place."""

_PYTHON_TYPES = ("list", "dict", "set", "tuple", "range", "int", "float", "bool", "complex")


@callee(ExternalValue, of_method=True)
def call_method(
    interp: Interpreter,
    method: MethodValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    """The result of calling a method of an array, a container or another known object."""
    assert isinstance(method.function, ExternalValue)
    kind, _, name = method.function.name.partition(".")
    receiver = method.receiver
    if kind == "At" and isinstance(receiver, TupleValue):
        return apply_at(interp, receiver, name, args, node)
    if kind in ("property", "constant"):
        if name == "setter" and args:
            note_property_setter(interp, args[0])
        return receiver
    if kind in ("getter", "cached", "namedtuple"):
        return _made_callable(interp, kind, name, receiver, args, kwargs, node)
    if kind == "linear":
        return call_linear(interp, name, receiver, args, node)
    if kind in ("haiku", "flax"):
        return FRAMEWORKS[kind](interp, name, receiver, args, kwargs, node)
    if kind == "instance" and isinstance(receiver, InstanceValue):
        return _replaced(interp, receiver, kwargs)
    if kind == "transformed":
        assert isinstance(receiver, TransformedValue)
        if name == "clear_cache":
            interp.lifetimes.frozen.forget(receiver.serial)
        return transformed_method(interp, receiver, name, args, kwargs, node)
    if isinstance(receiver, ListValue):
        return list_method(interp, receiver, name, args, node, kwargs)
    if isinstance(receiver, DictValue):
        return dict_method(interp, receiver, name, args, kwargs, node)
    if kind == "tree":
        return _tree_method(interp, receiver, name)
    if kind == "tuple" and isinstance(receiver, TupleValue):
        return tuple_method(interp, receiver, name, args, kwargs, node)
    if kind in ("str", "bytes"):
        return text_method(interp, name, receiver, args, kwargs, node)
    if kind in _PYTHON_TYPES:
        return _number_method(name)
    if kind == "ndarray" and name in CHANGING and isinstance(receiver, Static):
        interp.lifetimes.memory.changed(interp, receiver.buffer, node)
    if kind == "ndarray" and name in ("fill", "sort", "put", "resize", "itemset", "partition"):
        if name in ("fill", "put") and args:
            note_filling(interp, args[-1], node, element=name == "fill")
        return NONE
    signature = interp.catalogue.method(kind, name)
    # What is given a parameter that arrays' method has not is another object's
    if signature is None or (kind == "Array" and None in signature.bind(len(args), tuple(kwargs))[1]):
        return opaque(interp, [receiver, *args], kwargs, spread)
    return apply(interp, signature, f"{kind}.{name}", args, kwargs, node, spread, receiver)


def _made_callable(
    interp: Interpreter,
    kind: str,
    name: str,
    receiver: Value,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
) -> Value:
    """Calls what a model of the standard library has made: a getter, a cached function, a namedtuple class."""
    place = Call(
        interp, f"{kind}.{name}", {}, args, kwargs, node, None, Signature(name, (), Result("unknown"))
    )
    if kind == "cached":
        return python_models.call_cached(place, receiver, args, kwargs)
    if kind == "namedtuple" and isinstance(receiver, InstanceValue):
        return python_models.call_named_tuple(receiver, args, kwargs)
    assert isinstance(receiver, TupleValue)
    return python_models.call_getter(place, name, receiver, args[0] if args else UNKNOWN)


def _replaced(interp: Interpreter, receiver: InstanceValue, kwargs: dict[str, Value]) -> Value:
    """A copy of an instance with some fields replaced."""
    box = interp.new_box(receiver.box.name, site=receiver.box.site)
    box.slots.update(receiver.box.slots)
    box.slots.update(kwargs)
    return InstanceValue(receiver.cls, box)


def tuple_method(
    interp: Interpreter,
    receiver: TupleValue,
    name: str,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
) -> Value:
    """A method of a tuple or NamedTuple."""
    if name == "_replace" and receiver.fields:
        items = zip(receiver.fields, receiver.items, strict=False)
        return replace(receiver, items=tuple(kwargs.get(field, item) for field, item in items))
    if name == "_asdict" and receiver.fields:
        return new_dict(interp, Mapping(tuple(zip(receiver.fields, receiver.items, strict=False))), node)
    return Static("int") if name in ("index", "count") else opaque(interp, [receiver, *args], kwargs)


def _tree_method(interp: Interpreter, receiver: Value, name: str) -> Value:
    assert isinstance(receiver, Tree)
    if name == "keys":
        return TupleValue((), Static())
    if name == "values":
        return TupleValue((), receiver)
    if name == "items":
        return TupleValue((), TupleValue((Static(), receiver)))
    if name in ("get", "pop"):
        return join(receiver, NONE) if name == "get" else receiver
    return receiver


def _number_method(name: str) -> Value:
    """A method of a Python number, or of a container that is not known further."""
    if name in ("bit_length", "bit_count"):
        return Static("int")
    return Static("bool") if name == "is_integer" else Static()
