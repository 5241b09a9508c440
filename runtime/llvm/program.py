"""A jaxpr as a callable over NumPy arrays: native functions, with matrix products and what is left to NumPy between."""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core import ShapedArray
from .cache import default_cache
from .engine import Code, load
from .flat import Atom, Const, Eqn, Flat, Var
from .host import HostStep, host_step, storage
from .kernel import PART_SYMBOL, SYMBOL, Kernel, build
from .partition import Segment, partition
from .types import NotLowered

if TYPE_CHECKING:
    from ..threads import Divided
    from .dispatch import Avals, Bound

Arrays = list[Any]
Call = Callable[[Sequence[Any]], Arrays]


@lru_cache(maxsize=1)
def data_offset() -> int:
    """Where an array object keeps the pointer to its data: right after the object header, in every NumPy so far."""
    probe = np.zeros(3)
    offset = object.__basicsize__
    found = ctypes.c_void_p.from_address(id(probe) + offset).value
    if found != probe.ctypes.data:
        raise RuntimeError("this version of NumPy lays out its arrays in a way that is not known")
    return offset


def compile_jaxpr(closed: Any) -> Call:
    """Native code for a closed jaxpr: a function from C-contiguous arrays to a list of new arrays.

    Equations that have no native code run by their NumPy evaluation, between native functions. Raises NotLowered,
    with the name of the primitive, where they have none either.
    """
    if os.environ.get("TRACETRAP_DEBUG"):
        from .inspect import report

        report(closed)
    try:
        with _no_collection():
            return compile_flat(Flat(closed))
    except RecursionError:
        raise NotLowered("jaxpr", "nested too deeply") from None


@contextmanager
def _no_collection() -> Iterator[None]:
    """Plans are many objects that all stay until the code is there: looking for garbage among them is wasted time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def compile_flat(flat: Flat) -> Call:
    refused: set[str] = set()
    while True:
        try:
            segments = partition(flat, refused)
            if len(segments) == 1 and isinstance(segments[0], Segment) and segments[0].flat is flat:
                return Native(flat)
            return _sequence(flat, segments)
        except NotLowered as error:
            if error.primitive in refused:
                raise
            refused.add(error.primitive)


class Native:
    """A flat jaxpr compiled to one function: maps C-contiguous arrays to new ones.

    Programs that do little are compiled quickly, and compiled well once they have run often enough. The first call goes
    through ctypes, all others through a builtin function, which takes a moment to make.
    """

    def __init__(self, flat: Flat) -> None:
        kernel = build(flat, data_offset(), quick=True)
        self._flat = flat
        self.trials = kernel.trials
        symbols = (SYMBOL,) if kernel.division is None else (SYMBOL, PART_SYMBOL)
        self.codes = [load(kernel.ir, *symbols, quick=self.trials > 0, cache=default_cache())]
        self._divided = None if kernel.division is None else _divided(self.codes[0], kernel)
        self.constants = tuple(
            np.asarray(flat.constants[v], order="C") for v in kernel.constants if v in flat.constants
        )
        self.inputs = len(flat.inputs)
        self.outputs = [(a.shape, storage(a.dtype)) for a in flat.outputs]
        self.scratch_bytes, self.is_long = kernel.scratch_bytes, kernel.is_long
        count = len(flat.inputs) + len(self.constants) + len(flat.outputs) + 1
        # Long calls let other threads run; short ones would pay more for that than they take.
        prototype = ctypes.CFUNCTYPE if kernel.is_long else ctypes.PYFUNCTYPE
        self._table: Any = ctypes.py_object * count
        self._entry = prototype(None, self._table)(self.codes[0].address)
        self._empty = np.empty
        self._called = False
        self._builtin: Bound | None = None

    def __call__(self, arrays: Sequence[Any]) -> Arrays:
        if self._divided is not None:
            return self._call_divided(self._divided, arrays)
        if self._called and (self._builtin is None or self._builtin.is_spent):
            self._builtin = self._bound(None, better=self._builtin is not None)
        self._called = True
        if self._builtin is not None:
            results = self._builtin.call(*arrays)
            if results is not NotImplemented:
                return results if len(self.outputs) != 1 else [results]
        empty = self._empty
        outputs = [empty(shape, dtype) for shape, dtype in self.outputs]
        self._entry(self._table(*arrays, *self.constants, *outputs, empty(self.scratch_bytes, np.uint8)))
        return outputs

    def _call_divided(self, divided: Divided, arrays: Sequence[Any]) -> Arrays:
        empty = self._empty
        outputs = [empty(shape, dtype) for shape, dtype in self.outputs]
        divided.run(
            lambda: self._table(*arrays, *self.constants, *outputs, empty(self.scratch_bytes, np.uint8))
        )
        return outputs

    def bind(
        self, in_avals: Sequence[ShapedArray], out_avals: Sequence[ShapedArray], *, better: bool = False
    ) -> Bound | None:
        """A builtin function from Arrays to Arrays, where the interpreter allows it.

        When it is spent, it is time for a `better` one.
        """
        from .dispatch import Avals

        if self._divided is not None:
            return None
        return self._bound(Avals(in_avals, out_avals), better=better)

    def _bound(self, avals: Avals | None, *, better: bool) -> Bound | None:
        if better and self.codes[-1].quick:
            ir = build(self._flat, data_offset()).ir
            self.codes.append(load(ir, SYMBOL, cache=default_cache()))  # The other may be running.
        from .dispatch import bind

        return bind(self, avals, limit=self.trials if self.codes[-1].quick else None)


def _divided(code: Code, kernel: Kernel) -> Divided | None:
    """The program's code as several threads run it, if it is large and there are several cores."""
    from ..threads import Divided, threads_for

    division = kernel.division
    if division is None or (threads := threads_for(division.effort)).number == 1:
        return None
    return Divided(code.addresses[1], division.iterations, division.grain, threads)


class _Step:
    """Where a step finds its operands and puts its results: positions in the list of a call's values."""

    __slots__ = ("inputs", "outputs", "run")

    def __init__(self, run: Call, inputs: list[int], outputs: list[int]) -> None:
        self.run, self.inputs, self.outputs = run, inputs, outputs


def _sequence(flat: Flat, segments: Sequence[Segment | Eqn]) -> Call:
    """Several steps, which hand each other arrays."""
    slots: dict[Var, int] = {}
    literals: list[Any] = []  # at the end of the values, where negative positions find them

    def slot(atom: Atom) -> int:
        if isinstance(atom, Const):
            literals.insert(0, np.asarray(atom.value, storage(atom.dtype)))
            return -len(literals)
        if atom not in slots:
            slots[atom] = len(slots)
        return slots[atom]

    for v in flat.inputs:
        slot(v)
    steps: list[_Step] = []
    for part in segments:
        if isinstance(part, Segment):
            steps.append(
                _Step(
                    Native(part.flat),
                    [slot(v) for v in part.flat.inputs],
                    [slot(v) for v in part.flat.outputs],
                )
            )
        else:
            run: HostStep = host_step(part, compile_flat)
            steps.append(_Step(run, [slot(a) for a in part.inputs], [slot(v) for v in part.outputs]))
    results = [slot(a) for a in flat.outputs]
    held = [
        (slots[v], np.asarray(array, storage(v.dtype), order="C"))
        for v, array in flat.constants.items()
        if v in slots
    ]
    count = len(slots)
    inputs = len(flat.inputs)
    borrowed = {*range(inputs), *(k for k, _ in held)}
    owned = [k not in borrowed and k >= 0 and results.count(k) == 1 for k in results]

    def call(arrays: Sequence[Any]) -> Arrays:
        values: list[Any] = [None] * count + literals
        values[:inputs] = arrays
        for k, array in held:
            values[k] = array
        for step in steps:
            produced = step.run([values[k] for k in step.inputs])
            for k, array in zip(step.outputs, produced):
                values[k] = array
        return [values[k] if own else values[k].copy() for k, own in zip(results, owned, strict=True)]

    return call
