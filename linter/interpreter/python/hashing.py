"""Which values Python can hash."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    Array,
    ClassValue,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    MethodValue,
    Static,
    TupleValue,
    Value,
)
from ...syntax.memo import NodeMemo
from ...syntax.walk import in_order
from ..imports import dotted
from .classes import ancestors, fields_of, find_member, has_base
from .fields import as_field

if TYPE_CHECKING:
    from ..machine import Interpreter

FIELDS_HASH = ExternalValue("dataclasses.dataclass.__hash__")
"""The `__hash__` that a frozen dataclass gets: that of the tuple of its fields."""
HASHED_BY_FIELDS = ("equinox.Module",)
"""Classes of libraries whose objects have the hash of the tuple of their fields."""
UNHASHABLE = frozenset(
    f"{module}.{name}"
    for module, names in {
        "argparse": "Namespace",
        "builtins": "bytearray dict list set",
        "collections": "ChainMap Counter OrderedDict UserDict UserList defaultdict deque",
        "types": "SimpleNamespace",
    }.items()
    for name in names.split()
)
"""Classes of Python whose objects can change and be equal, so that they and what derives from them have no hash."""
DEPTH = 4  # how far inside tuples and fields is looked


def without_hash(interp: Interpreter, value: Value, depth: int = DEPTH) -> Value | None:
    """The value, or what stands inside it, that has no hash; None where everything may have one."""
    match value:
        case ListValue():
            return None if value.kind == "frozenset" else value
        case DictValue():
            return value
        case Array():
            return value if value.sure else None
        case Static():
            lacking = value.kind == "Namespace" or (value.kind == "ndarray" and value.shape not in (None, ()))
            return value if lacking else None
        case TupleValue(kind="dict_keys" | "dict_items"):
            return value
        case TupleValue(kind="tuple"):
            parts = list(value.items)
        case InstanceValue():
            method = _hash_of(interp, value.cls)
            if method == NONE:
                return value
            names: Iterable[str] = ()
            if method == FIELDS_HASH:
                names = [name for name in fields_of(value.cls) if _is_hashed(interp, value.cls, name)]
            if isinstance(method, FunctionValue) and isinstance(method.node, cst.FunctionDef):
                names = _hashed(method.node)
            read = (interp.state.read(value.box, name) for name in names)
            parts = [part for part in read if part is not None]
        case MethodValue(receiver=InstanceValue() as receiver) if has_base(receiver.cls, HASHED_BY_FIELDS):
            parts = [receiver]  # its methods are bound by objects of the same kind
        case _:
            return None
    found = (without_hash(interp, part, depth - 1) for part in parts if depth > 0)
    return next((part for part in found if part is not None), None)


def _is_hashed(interp: Interpreter, cls: Value, name: str) -> bool:
    """Whether a field may take part in the hash."""
    given = as_field(find_member(interp, cls, name))
    if given is None:
        return True
    return (given.compared if given.hashed == NONE else given.hashed) == Const(True)


@NodeMemo
def _hashed(method: cst.FunctionDef) -> tuple[str, ...]:
    """The attributes whose hash a `__hash__` asks for: `a` and `b` of `return hash((self.a, self.b))`."""
    names: list[str] = []
    for node in in_order(method.body):
        if type(node) is cst.Return and type(node.value) is cst.Call and dotted(node.value.func) == "hash":
            whole = node.value.args[0].value if len(node.value.args) == 1 else None
            parts = [element.value for element in whole.elements] if type(whole) is cst.Tuple else [whole]
            names += [
                part.attr.value
                for part in parts
                if type(part) is cst.Attribute and dotted(part.value) == method.params.params[0].name.value
            ]
    return tuple(names)


def _hash_of(interp: Interpreter, cls: Value) -> Value | None:
    """The `__hash__` of a class: its own, or that of the first base that says something of it."""
    for one in ancestors(cls):
        if isinstance(one, ClassValue):
            method = interp.state.read(one.box, "__hash__")
            if method is not None:
                return method
        elif isinstance(one, ExternalValue) and one.name in HASHED_BY_FIELDS:
            return FIELDS_HASH
        elif isinstance(one, ExternalValue) and one.name in UNHASHABLE:
            return NONE
    return None
