"""Running closed jaxprs on concrete arrays: compiled through LLVM, or evaluated with NumPy.

``TRACETRAP_BACKEND=numpy`` asks for the evaluation, which is also the fallback for what the compiler does not lower.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from .array import ArrayImpl
from .core import Array, ClosedJaxpr, Value
from .evaluate import eval_closed_jaxpr, to_numpy

Runner = Callable[[list[Any]], list[Any]]


class Executable:
    """A jaxpr ready to run: `call` maps NumPy arrays to NumPy arrays. `backend` is ``llvm`` or ``numpy``."""

    __slots__ = ("backend", "call", "out_avals", "seconds")

    def __init__(self, closed: ClosedJaxpr) -> None:
        begin = time.perf_counter()
        self.out_avals = closed.out_avals
        self.backend, self.call = _compile(closed)
        self.seconds = time.perf_counter() - begin

    def __call__(self, args: Sequence[Value]) -> list[Value]:
        results = self.call([to_numpy(arg) for arg in args])
        return [ArrayImpl(value, aval) for value, aval in zip(results, self.out_avals)]


def _compile(closed: ClosedJaxpr) -> tuple[str, Runner]:
    if os.environ.get("TRACETRAP_BACKEND", "llvm") != "numpy":
        try:
            from .llvm import NotLowered, compile_jaxpr
        except ImportError:
            pass
        else:
            try:
                return "llvm", compile_jaxpr(closed)
            except NotLowered:
                pass
    return "numpy", lambda args: eval_closed_jaxpr(closed, *args)


_executables: WeakKeyDictionary[Any, Executable] = WeakKeyDictionary()


def executable(closed: ClosedJaxpr) -> Executable:
    """The executable of a closed jaxpr, made when first asked for."""
    found = _executables.get(closed)
    if found is None:
        found = _executables[closed] = Executable(closed)
    return found


def run(closed: ClosedJaxpr, args: Sequence[Value]) -> list[Value]:
    """The results of a closed jaxpr on concrete values, as Arrays.

    Raises UnexpectedTracerError when one of them is a tracer that has outlived its trace.
    """
    return executable(closed)(args)


def forget(closed: ClosedJaxpr) -> None:
    """Drop the executable of a jaxpr."""
    _executables.pop(closed, None)


def is_deleted(value: Any) -> bool:
    return isinstance(value, Array) and getattr(value, "_value", value) is None
