"""A jaxpr as a callable over NumPy arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from .cache import default_cache
from .engine import load
from .flat import Flat
from .kernel import SYMBOL, build

Arrays = list[Any]


@lru_cache(maxsize=1)
def data_offset() -> int:
    """Where an array object keeps the pointer to its data: right after the object header, in every NumPy so far."""
    probe = np.zeros(3)
    offset = object.__basicsize__
    found = ctypes.c_void_p.from_address(id(probe) + offset).value
    if found != probe.ctypes.data:
        raise RuntimeError("this version of NumPy lays out its arrays in a way that is not known")
    return offset


def compile_jaxpr(closed: Any) -> Callable[[Sequence[Any]], Arrays]:
    """Native code for a closed jaxpr: a function from C-contiguous arrays to arrays; NotLowered if there is none."""
    flat = Flat(closed)
    kernel = build(flat, data_offset())
    code = load(kernel.ir, SYMBOL, cache=default_cache())
    constants = tuple(np.ascontiguousarray(flat.constants[v]) for v in kernel.constants)
    count = len(flat.inputs) + len(constants) + len(flat.outputs) + 1
    entry = ctypes.PYFUNCTYPE(None, *[ctypes.py_object] * count)(code.address)
    empty = np.empty
    specs = [(a.shape, np.dtype(str(a.dtype))) for a in flat.outputs]
    pool: list[Any] = []
    size = kernel.scratch_bytes

    def call(arrays: Sequence[Any]) -> Arrays:
        outputs = [empty(shape, dtype) for shape, dtype in specs]
        scratch = pool.pop() if pool else empty(size, np.uint8)
        entry(*arrays, *constants, *outputs, scratch)
        pool.append(scratch)
        return outputs

    call.code = code  # type: ignore[attr-defined]
    return call
