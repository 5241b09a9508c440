"""The `==` and `<` that `dataclass` writes: instances of one class are compared as the tuples of their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...domain import ClassValue, Const, ExternalValue, InstanceValue, TupleValue, Value
from ..libraries.variables import kind_of_object
from .classes import fields_of, find_member, open_ended
from .fields import as_field

if TYPE_CHECKING:
    from ..machine import Interpreter

FIELDS_EQUAL = ExternalValue("dataclasses.dataclass.__eq__")
"""The `__eq__` of a dataclass that has none of its own."""


FIELDS_ORDERED = ExternalValue("dataclasses.dataclass.__lt__")
"""The four methods of order of a dataclass that asks for them."""
ORDER = ("__lt__", "__le__", "__gt__", "__ge__")


def mark_comparisons(cls: ClassValue, eq: Value, order: Value) -> None:
    """Notes that instances are compared by their fields, as `dataclass(eq=..., order=...)` has it."""
    if eq == Const(True):
        cls.box.slots.setdefault("__eq__", FIELDS_EQUAL)
    if order == Const(True):
        cls.box.slots.update(dict.fromkeys(ORDER, FIELDS_ORDERED))


def compared_fields(
    interp: Interpreter, left: Value, right: Value, method: str
) -> tuple[TupleValue, TupleValue] | None:
    """The tuples that `left == right`, or another comparison, compares; None where it does something else."""
    if (
        not (isinstance(left, InstanceValue) and isinstance(right, InstanceValue))
        or left.cls is not right.cls
    ):
        return None
    written = FIELDS_EQUAL if method == "__eq__" else FIELDS_ORDERED
    if left.box is right.box or find_member(interp, left.cls, method) != written:
        return None
    columns = []
    for name in fields_of(left.cls):
        pair = interp.state.read(left.box, name), interp.state.read(right.box, name)
        if pair[0] is None or pair[1] is None:
            return None
        if _takes_part(find_member(interp, left.cls, name)):
            columns.append((pair[0], pair[1]))
    return TupleValue(tuple(a for a, _ in columns)), TupleValue(tuple(b for _, b in columns))


def compared_by_identity(interp: Interpreter, value: InstanceValue) -> bool:
    """Whether an instance equals itself alone: no class has an `__eq__`, or it is a record of new functions."""
    if kind_of_object(value) in OF_FUNCTIONS:
        return True
    defined = find_member(interp, value.cls, "__eq__") is not None
    return isinstance(value.cls, ClassValue) and not defined and not open_ended(interp, value.cls)


OF_FUNCTIONS = frozenset(("OptaxChain", "OptaxStateless", "OptaxTransformation"))
"""The types of libraries' objects that are tuples of functions made with them."""


def _takes_part(field: Value | None) -> bool:
    """Whether a field is compared: all are but those with `field(compare=False)`."""
    given = as_field(field)
    return given is None or given.compared != Const(False)
