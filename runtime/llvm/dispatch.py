"""Compiled programs as builtin functions of CPython: a call takes well under a microsecond.

`bind` makes such a function of a program. It answers calls with exactly the arguments that the program was compiled for,
and declines all others with NotImplemented. Where the interpreter is not one whose objects are laid out as expected
(CPython with a global lock), there is none, and programs are called through ctypes.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..arrays.array import ArrayImpl
from ..core import ShapedArray
from .cache import default_cache
from .dispatch_ir import SYMBOL, Field, Layout, dispatch_ir
from .engine import attributes, load

if TYPE_CHECKING:
    from .program import Native

_METH_FASTCALL = 0x0080
#: Where an object keeps its type: after its reference count.
_TYPE_OFFSET = 8

Call = Callable[..., Any]


class Avals(NamedTuple):
    """The kinds of Arrays that a function takes and returns."""

    inputs: Sequence[ShapedArray]
    outputs: Sequence[ShapedArray]


class _MethodDefinition(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("documentation", ctypes.c_char_p),
    )


class Bound(NamedTuple):
    """A builtin function, and the words that it shares with the compiled code."""

    call: Call
    record: Any

    @property
    def calls(self) -> int:
        """How often the function has run its program."""
        return int(self.record[Field.CALLS])

    @property
    def is_spent(self) -> bool:
        """Whether the function has reached its limit and declines all calls."""
        return bool(self.record[Field.CALLS] >= self.record[Field.LIMIT])


def _slot_offset(type_: type, name: str) -> int:
    """Where an object of a type keeps a slot, found by looking. Raises RuntimeError if it cannot be told."""
    probe: Any = object.__new__(type_)
    mark = object()
    words = range(object.__basicsize__, type_.__basicsize__, ctypes.sizeof(ctypes.c_void_p))
    before = {at for at in words if ctypes.c_void_p.from_address(id(probe) + at).value == id(mark)}
    setattr(probe, name, mark)
    found = {at for at in words if ctypes.c_void_p.from_address(id(probe) + at).value == id(mark)} - before
    if len(found) != 1:
        raise RuntimeError(f"objects of {type_} keep {name} in an unknown place")
    return found.pop()


def _supported() -> bool:
    return (
        sys.implementation.name == "cpython"
        and ctypes.sizeof(ctypes.c_void_p) == 8
        and object.__basicsize__ == 2 * _TYPE_OFFSET  # Without the global lock it is more.
        and ctypes.c_void_p.from_address(id(_TYPE_OFFSET) + _TYPE_OFFSET).value == id(int)
    )


@lru_cache(maxsize=1)
def _definition() -> tuple[_MethodDefinition, Any] | None:
    """The function that all programs share, as CPython wants it described; None where there can be none."""
    if not _supported():
        return None
    try:
        layout = Layout(_TYPE_OFFSET, _slot_offset(ArrayImpl, "_value"), _slot_offset(ArrayImpl, "aval"))
        ir = dispatch_ir(layout, attributes())
        code = load(ir, SYMBOL, cache=default_cache())
    except RuntimeError:
        return None
    return _MethodDefinition(b"program", code.address, _METH_FASTCALL, None), code


def bind(program: Native, avals: Avals | None = None, *, limit: int | None = None) -> Bound | None:
    """The program's newest code as a builtin function; None where there can be none.

    It declines all calls after the first `limit`. It takes and returns NumPy arrays or, with `avals`, Arrays: one if
    there is one result, else a list of them.
    """
    definition = _definition()
    if definition is None:
        return None
    empty, scratch = np.empty, np.empty(program.scratch_bytes, np.uint8)
    objects = [
        *(avals.inputs if avals else (None,) * program.inputs),
        *program.constants,
        *(shape for shape, _ in program.outputs),
        *(np.dtype(dtype) for _, dtype in program.outputs),
        *(avals.outputs if avals else ()),
    ]
    head = {
        Field.ENTRY: program.codes[-1].address,
        Field.INPUTS: program.inputs,
        Field.CONSTANTS: len(program.constants),
        Field.OUTPUTS: len(program.outputs),
        Field.SCRATCH: id(scratch),
        Field.BUSY: 0,
        Field.CALLS: 0,
        Field.LIMIT: sys.maxsize if limit is None else limit,
        Field.LONG: int(program.is_long),
        Field.WRAPPED: id(ArrayImpl) if avals else 0,
        Field.EMPTY: id(empty),
        Field.DECLINED: id(NotImplemented),
    }
    words = [head[Field(k)] for k in range(Field.OBJECTS)] + [id(each) for each in objects]
    record = (ctypes.c_int64 * len(words))(*words)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    kept = (ctypes.addressof(record), record, objects, scratch, empty, definition, program, program.codes[-1])
    return Bound(make(ctypes.addressof(definition[0]), kept, None), record)
