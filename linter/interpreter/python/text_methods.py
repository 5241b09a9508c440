"""Methods of strings and bytes, computed where everything is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from ...domain import UNKNOWN, Const, Static, TupleValue, Value
from .containers import needs_integer
from .folding import MAX_LENGTH
from .texts import note_template

if TYPE_CHECKING:
    from ..machine import Interpreter

COUNTING = frozenset(
    "split rsplit replace ljust rjust center zfill expandtabs find rfind index rindex count".split()
)
"""Methods of strings that take numbers."""


def text_method(
    interp: Interpreter,
    name: str,
    receiver: Value,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
) -> Value:
    """The result of a method of a string or of bytes."""
    if name in COUNTING:
        for value in (*args, *kwargs.values()):
            needs_integer(interp, value, node, "number for a string")
    if name == "format":
        note_template(interp, receiver, args, kwargs, node)
    constants: list[Any] = [arg.value for arg in args if isinstance(arg, Const)]
    known = len(constants) == len(args) and not kwargs
    if isinstance(receiver, Const) and known and _is_short(name, receiver.value, constants):
        try:
            result = getattr(receiver.value, name)(*constants)
        except (AttributeError, LookupError, OverflowError, TypeError, ValueError):
            return UNKNOWN
        if isinstance(result, str | bytes | int | bool):
            return Const(result)
        if isinstance(result, list | tuple) and len(result) <= 32:
            return TupleValue(tuple(Const(item) for item in result))
    if name in ("startswith", "endswith", "isdigit", "isalpha", "isupper", "islower", "isidentifier"):
        return Static("bool")
    if name in ("split", "rsplit", "splitlines", "partition"):
        return TupleValue((), Static("str"))
    return Static("int") if name in ("find", "index", "count", "rfind") else Static("str")


def _is_short(name: str, text: Any, arguments: list[Any]) -> bool:
    """Whether what a string's method gives is short enough to be worth computing."""
    if name in ("expandtabs", "format") and any(
        sign in text for sign in ("\t", ":") if isinstance(text, str)
    ):
        return False  # widths may be anything
    sizes = [
        len(v) if isinstance(v, str | bytes) else abs(v)
        for v in arguments
        if isinstance(v, int | str | bytes)
    ]
    return max(sizes, default=0) * max(len(text), 1) <= MAX_LENGTH
