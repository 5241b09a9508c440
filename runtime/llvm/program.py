"""A jaxpr as a callable over NumPy arrays: native functions, with matrix products and what is left to NumPy between."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from .cache import default_cache
from .engine import load
from .flat import Atom, Const, Eqn, Flat, Var
from .host import HostStep, host_step, storage
from .inspect import debug_level, report
from .kernel import SYMBOL, build
from .partition import Segment, partition
from .types import NotLowered

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
    if debug_level():
        report(closed)
    try:
        return compile_flat(Flat(closed))
    except RecursionError:
        raise NotLowered("jaxpr", "nested too deeply") from None


def compile_flat(flat: Flat) -> Call:
    refused: set[str] = set()
    while True:
        try:
            segments = partition(flat, refused)
            if len(segments) == 1 and isinstance(segments[0], Segment):
                return _single(flat)
            return _sequence(flat, segments)
        except NotLowered as error:
            if error.primitive in refused:
                raise
            refused.add(error.primitive)


def _single(flat: Flat) -> Call:
    """One native function."""
    kernel = Native(flat)
    constants, entry = kernel.constants, kernel.entry
    empty = np.empty
    specs = [(a.shape, storage(a.dtype)) for a in flat.outputs]
    pool, size = kernel.pool, kernel.scratch_bytes
    if not size:
        nothing = empty(0, np.uint8)

        def call_plain(arrays: Sequence[Any]) -> Arrays:
            outputs = [empty(shape, dtype) for shape, dtype in specs]
            entry(*arrays, *constants, *outputs, nothing)
            return outputs

        call_plain.kernel = kernel  # type: ignore[attr-defined]
        return call_plain

    def call(arrays: Sequence[Any]) -> Arrays:
        outputs = [empty(shape, dtype) for shape, dtype in specs]
        try:
            scratch = pool.pop()  # of its own for each call that runs at the same time
        except IndexError:
            scratch = empty(size, np.uint8)
        entry(*arrays, *constants, *outputs, scratch)
        pool.append(scratch)
        return outputs

    call.kernel = kernel  # type: ignore[attr-defined]
    return call


class Native:
    """A flat jaxpr compiled to one function, which takes arrays: inputs, constants, outputs, scratch memory."""

    def __init__(self, flat: Flat) -> None:
        kernel = build(flat, data_offset())
        self.ir = kernel.ir
        self.code = load(kernel.ir, SYMBOL, optimise=kernel.scalar_loops, cache=default_cache())
        self.scratch_bytes = kernel.scratch_bytes
        self.constants = tuple(np.ascontiguousarray(flat.constants[v]) for v in kernel.constants
                               if v in flat.constants)
        count = len(flat.inputs) + len(self.constants) + len(flat.outputs) + 1
        # Long calls let other threads run; short ones would pay more for that than they take.
        prototype = ctypes.CFUNCTYPE if kernel.is_long else ctypes.PYFUNCTYPE
        self.entry = prototype(None, *[ctypes.py_object] * count)(self.code.address)
        self.pool: list[Any] = []

    def __call__(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        try:
            scratch = self.pool.pop()
        except IndexError:
            scratch = np.empty(self.scratch_bytes, np.uint8)
        self.entry(*inputs, *self.constants, *outputs, scratch)
        self.pool.append(scratch)


class _Step:
    """Where a step finds its operands and puts its results: positions in the list of a call's values."""

    __slots__ = ("inputs", "native", "outputs", "run", "specs")

    def __init__(self, run: Any, native: bool, inputs: list[int], outputs: list[int],
                 specs: list[tuple[tuple[int, ...], Any]]) -> None:
        self.run, self.native = run, native
        self.inputs, self.outputs, self.specs = inputs, outputs, specs


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
            native = Native(part.flat)
            steps.append(_Step(native, True, [slot(v) for v in part.flat.inputs],
                               [slot(v) for v in part.flat.outputs],
                               [(v.shape, storage(v.dtype)) for v in part.flat.outputs]))
        else:
            run: HostStep = host_step(part, compile_flat)
            steps.append(_Step(run, False, [slot(a) for a in part.inputs], [slot(v) for v in part.outputs], []))
    results = [slot(a) for a in flat.outputs]
    held = [(slots[v], np.ascontiguousarray(array, storage(v.dtype)))
            for v, array in flat.constants.items() if v in slots]
    count = len(slots)
    inputs = len(flat.inputs)
    borrowed = {*range(inputs), *(k for k, _ in held)}
    owned = [k not in borrowed and k >= 0 and results.count(k) == 1 for k in results]
    empty = np.empty

    def call(arrays: Sequence[Any]) -> Arrays:
        values: list[Any] = [None] * count + literals
        values[:inputs] = arrays
        for k, array in held:
            values[k] = array
        for step in steps:
            operands = [values[k] for k in step.inputs]
            if step.native:
                produced = [empty(shape, dtype) for shape, dtype in step.specs]
                step.run(operands, produced)
            else:
                produced = step.run(operands)
            for k, array in zip(step.outputs, produced):
                values[k] = array
        return [values[k] if own else values[k].copy() for k, own in zip(results, owned, strict=True)]

    return call
