"""What tells objects of libraries from instances of the user's classes, and the arrays that some of them hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...domain import Const, InstanceValue, Value

if TYPE_CHECKING:
    from ..machine import Interpreter

KIND = "<kind>"  # the slot that names the type of the tables that has an object's methods
VALUE = "value"  # the slot of what a variable holds
FUNCTION = "<function>"  # the slot of a function that is a leaf of an object beside its arrays


def kind_of_object(value: Value) -> str | None:
    """The type of the tables that has an object's methods; None for what is no object of a library."""
    kind = value.box.slots.get(KIND) if isinstance(value, InstanceValue) else None
    return str(kind.value) if isinstance(kind, Const) else None


def content_of_variable(interp: Interpreter, value: Value) -> Value | None:
    """The array that a variable holds, as which it behaves in operations; None for what is no variable."""
    if isinstance(value, InstanceValue) and kind_of_object(value) == "Variable":
        return interp.state.read(value.box, VALUE)
    return None
