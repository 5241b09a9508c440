"""Changes of NumPy arrays in place: a buffer takes no tracer, and jax arrays may share its memory."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import NONE, Array, Const, ExternalValue, Static, TupleValue, Value, members
from ...events import HostCall, HostIndex

if TYPE_CHECKING:
    from ..machine import Interpreter


_numbers = count(1)


def new_buffer() -> int:
    """The number of a buffer that has just been made."""
    return next(_numbers)


# What makes arrays of 64-bit floats where no dtype is given.
_MAKES_DOUBLES = frozenset("zeros ones empty linspace logspace geomspace eye identity".split())
_DRAWS_DOUBLES = frozenset("rand randn random uniform normal standard_normal exponential".split())
_WIDE = ("64", "128", "float", "int", "complex", "double")


def holds_wide(name: str, dtype: Value) -> bool:
    """Whether a NumPy function makes an array of 64-bit elements, of which JAX makes 32-bit ones before a call returns."""
    module, _, function = name.rpartition(".")
    drawn = module.endswith(("random", "Generator", "RandomState"))
    if function not in (_DRAWS_DOUBLES if drawn else _MAKES_DOUBLES):
        return False
    if isinstance(dtype, ExternalValue):
        return dtype.name.endswith(_WIDE)
    if isinstance(dtype, Const) and isinstance(dtype.value, str):
        return dtype.value.endswith(_WIDE)
    return dtype == NONE


def store_in_buffer(
    interp: Interpreter, buffer: Static, index: Value, value: Value, target: cst.Subscript, node: cst.CSTNode
) -> None:
    """`buffer[index] = value`: NumPy waits for the numbers of a jax array that it stores."""
    interp.lifetimes.memory.waited([value])
    interp.lifetimes.memory.changed(interp, buffer.buffer, target)
    for part in _parts(index):
        if isinstance(part, Array) and part.traced:
            interp.emit(HostIndex, target, part, how="ndarray index", error="TracerArrayConversionError")
    note_filling(interp, value, node, _is_element(buffer, index))


WRITTEN = frozenset(
    f"numpy.{name}"
    for name in ("copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis", "random.shuffle")
) | {"random.shuffle", "Generator.shuffle", "RandomState.shuffle"}
"""Functions that change their first argument."""


def note_written(
    interp: Interpreter, name: str, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode
) -> None:
    """A function of NumPy writes into one of its arguments: `np.add(a, b, out=buffer)`, `np.copyto(buffer, a)`."""
    out = kwargs.get("out")
    if out is not None and name.startswith(("numpy.", "Generator.")):
        for value in out.items if isinstance(out, TupleValue) else (out,):
            _written(interp, value, node, "out")
    if args and (name in WRITTEN or (name.startswith("numpy.") and name.endswith(".at"))):
        _written(interp, args[0], node, 0)


def _written(interp: Interpreter, value: Value, node: cst.CSTNode, which: int | str) -> None:
    if not isinstance(value, Static) or not value.buffer or type(node) is not cst.Call:
        return
    for position, argument in enumerate(node.args):
        if which in (position, argument.keyword.value if argument.keyword is not None else None):
            interp.lifetimes.memory.changed(interp, value.buffer, node, argument.value)


def note_filling(interp: Interpreter, value: Value, node: cst.CSTNode, element: bool) -> None:
    """Tells of a tracer put into a buffer: one element is asked for its number, a part of the buffer for an array."""
    from ..libraries.library import holds_tracer

    tracer = holds_tracer(value)
    if tracer is not None:
        interp.tell(
            HostCall, node, tracer.sure and len(members(value)) == 1, value=tracer,
            function="numpy.ndarray.__setitem__", replacement=".at[].set",
            error="ValueError" if element else "TracerArrayConversionError",
        )  # fmt: skip


def augmented(interp: Interpreter, before: Value, operand: Value, target: cst.BaseExpression) -> Value | None:
    """What a name holds after `name += operand`: the same buffer, changed; None where that makes a new object.

    NumPy lets a jax array have the operation: the name then holds a jax array, and the buffer is as it was.
    """
    if not (isinstance(before, Static) and before.kind == "ndarray" and before.buffer):
        return None
    if not isinstance(operand, Const | Static):
        return None
    interp.lifetimes.memory.changed(interp, before.buffer, target)
    return before


def _parts(index: Value) -> tuple[Value, ...]:
    return index.items if type(index) is TupleValue else (index,)


def _is_element(buffer: Static, index: Value) -> bool:
    """Whether an index selects one element: an integer for each axis."""
    parts = _parts(index)
    if buffer.shape is not None and len(parts) != len(buffer.shape):
        return False
    return all(
        (isinstance(part, Const) and isinstance(part.value, int))
        or (isinstance(part, Static) and part.kind in ("int", None))
        for part in parts
    )
