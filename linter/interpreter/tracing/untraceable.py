"""What no trace takes or gives: what is no array, no number and no pytree of these, and numbers that no array holds.

Measured on JAX: transforms, control flow and callbacks refuse it alike, as an argument and as a result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...domain import (
    ClassValue,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    MethodValue,
    ModuleValue,
    PartialValue,
    RangeValue,
    Static,
    TransformedValue,
    TupleValue,
    Value,
)
from ...knowledge.catalogue import is_module
from ...records import record
from ..arrays.precision import may_be_wide
from ..libraries.variables import FUNCTION
from ..python.classes import find_member, has_base
from ..python.containers import items_of, mapping_of
from ..python.enumerations import EnumMember
from ..python.flattening import NO_PYTREES, pytree_fields
from ..python.registered import places_of

if TYPE_CHECKING:
    from ..machine import Interpreter

MAY_CROSS = frozenset((None, *"int float bool complex ndarray list tuple dict ShapeDtypeStruct aval".split()))
"""The types of static objects that are arrays, numbers or pytrees, or may be."""
PYTREES = frozenset(("dict", "OrderedDict", "defaultdict"))
"""The kinds of dicts that are pytrees."""
INT32 = range(-(2**31), 2**31)
_DEPTH = 6  # containers inside each other


@record(frozen=True, slots=True)
class Untraceable:
    """A part of a tree that no trace takes, the exception, and why, where its type does not say it."""

    part: Value
    error: str = "TypeError"
    detail: str = ""


def untraceable(interp: Interpreter, value: Value, depth: int = 0) -> Untraceable | None:
    """The first part of a tree that no trace takes; None where there is none, or none is known for sure."""
    if depth > _DEPTH:
        return None
    parts: list[Value] = []
    if isinstance(value, TupleValue) and value.kind == "tuple":
        parts = [value.items[k] for k in places_of(interp, value) or ()]
    elif isinstance(value, ListValue) and value.kind == "list":
        parts = items_of(interp, value) or []
    elif isinstance(value, DictValue) and value.kind in PYTREES:
        if unsortable(interp, value):
            return Untraceable(value, "ValueError", "whose keys cannot be sorted")
        parts = [item for _, item in mapping_of(interp, value).items]
    elif isinstance(value, InstanceValue) and (held := _leaves_of_instance(interp, value)):
        parts = held
    else:
        # What lifts a function hands modules in and out
        lifted = isinstance(value, InstanceValue) and has_base(value.cls, NO_PYTREES)
        return None if lifted else untraceable_leaf(interp, value)
    return next((found for part in parts if (found := untraceable(interp, part, depth + 1))), None)


def _leaves_of_instance(interp: Interpreter, value: InstanceValue) -> list[Value]:
    """What stands in the fields of a registered class, or beside the arrays of a library's object."""
    fields = pytree_fields(interp, value.cls)
    names = {FUNCTION} if FUNCTION in value.box.slots else fields if isinstance(fields, set) else set()
    found = (interp.state.read(value.box, name) for name in value.box.slots if name in names)
    return [item for item in found if item is not None]


def untraceable_leaf(interp: Interpreter, value: Value) -> Untraceable | None:
    """The same of what is no plain container."""
    if isinstance(value, Const) and type(value.value) is int and value.value not in INT32:
        if may_be_wide(interp):
            return None
        return Untraceable(value, "OverflowError", "which does not fit into int32")
    if value == Static("masked array"):
        return Untraceable(value, "ValueError")
    if isinstance(value, InstanceValue) and pytree_fields(interp, value.cls) is None:
        converts = find_member(interp, value.cls, "__jax_array__") is not None
        return Untraceable(value, "ValueError" if converts else "TypeError")
    if not _of_other_type(interp, value):
        return None
    # What an iterator gives may be tracers, which it does not matter here
    return Untraceable(TupleValue((), kind=value.kind) if isinstance(value, TupleValue) else value)


def _of_other_type(interp: Interpreter, value: Value) -> bool:
    """Whether a leaf is surely no array and no number."""
    match value:
        case Const():
            held = value.value
            refused = isinstance(held, str | bytes | slice | EnumMember) and not isinstance(held, int)
            return refused or held is ...
        case Static():
            return value.kind not in MAY_CROSS
        case PartialValue():
            return not value.pytree
        case ExternalValue():
            word = interp.catalogue.object(value.name) or ""
            known = interp.catalogue.function(value.name) is not None or word.startswith("dtype")
            return known or value.name.startswith("builtins.") or is_module(value.name)
        case TupleValue():
            return value.kind != "tuple"
        case ListValue():
            return value.kind != "list"
        case DictValue():
            return value.kind not in PYTREES
        case FunctionValue() | TransformedValue() | RangeValue() | ClassValue() | ModuleValue():
            return True
        case MethodValue():
            function = value.function
            return (isinstance(function, FunctionValue) and not of_module(value)) or (
                isinstance(function, ExternalValue) and function.name.startswith("Array.")
            )
        case _:
            return False


def of_module(method: MethodValue) -> bool:
    """Whether a bound method is a pytree around its object, as equinox binds those of its modules."""
    return isinstance(method.receiver, InstanceValue) and has_base(method.receiver.cls, ("equinox.Module",))


def unsortable(interp: Interpreter, value: DictValue) -> bool:
    """Whether Python surely refuses to sort the keys of a dict, as taking it apart asks: strings and numbers."""
    keys = [key for key, _ in mapping_of(interp, value).items] if value.kind != "OrderedDict" else []
    return any(isinstance(key, str) for key in keys) and any(isinstance(key, int | float) for key in keys)
