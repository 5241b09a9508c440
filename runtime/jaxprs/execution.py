"""Running closed jaxprs on concrete arrays: compiled through LLVM, or evaluated with NumPy.

``TRACETRAP_BACKEND=numpy`` asks for the evaluation, which is also the fallback for what the compiler does not lower.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from ..arrays.array import ArrayImpl
from ..config import state
from ..core import ClosedJaxpr, Jaxpr, Value
from ..errors import refuse_out_of_memory
from .evaluate import eval_closed_jaxpr, to_numpy

if TYPE_CHECKING:
    from ..llvm.dispatch import Bound

Runner = Callable[[list[Any]], list[Any]]


class Executable:
    """A jaxpr ready to run: `call` maps NumPy arrays to NumPy arrays. `backend` is ``llvm`` or ``numpy``.

    Its `builtin`, if it has one, is a faster way for Arrays of exactly the kinds that it was made for.
    """

    __slots__ = (
        "__weakref__",
        "backend",
        "call",
        "direct_calls",
        "in_avals",
        "out_avals",
        "seconds",
        "storage",
    )

    def __init__(self, closed: ClosedJaxpr) -> None:
        begin = time.perf_counter()
        closed = without_own_references(closed)
        self.in_avals, self.out_avals = closed.in_avals, closed.out_avals
        self.storage = [aval.dtype.storage for aval in self.in_avals]
        self.backend, self.call = _compile(closed)
        if state.checks_values:
            from ..tracing.checks import checked

            self.call = checked(self.call, closed)
        self.seconds = time.perf_counter() - begin
        self.direct_calls = 0

    def __call__(self, args: Sequence[Value]) -> list[Value]:
        try:
            # A deleted array has no `_value`.
            operands = [
                arg._value if type(arg) is ArrayImpl else _operand(arg, dtype)
                for arg, dtype in zip(args, self.storage)
            ]
        except AttributeError:
            for position, arg in enumerate(args):
                if isinstance(arg, ArrayImpl):
                    arg._check_alive_for_call(position)
            raise
        try:
            results = self.call(operands)
        except (MemoryError, ValueError) as error:
            refuse_out_of_memory(error, self.out_avals)
            raise
        return [ArrayImpl(value, aval) for value, aval in zip(results, self.out_avals)]

    def arrays(self, args: Sequence[Value]) -> list[Any]:
        """Arguments as Arrays of the kinds that the jaxpr takes."""
        arrays = list(args)
        for k, arg in enumerate(args):
            if type(arg) is not ArrayImpl:
                arrays[k] = ArrayImpl(_operand(arg, self.storage[k]), self.in_avals[k])
        return arrays

    def direct(self, *args: Value) -> Any:
        """What stands in for `builtin` where there is none, and does the same in Python."""
        if len(args) != len(self.in_avals):
            return NotImplemented
        operands = []
        for arg, aval in zip(args, self.in_avals):
            if type(arg) is not ArrayImpl or arg.aval is not aval or arg.is_deleted():
                return NotImplemented
            operands.append(arg._value)
        self.direct_calls += 1
        results = [ArrayImpl(value, aval) for value, aval in zip(self.call(operands), self.out_avals)]
        return results[0] if len(results) == 1 else results

    def builtin(self, *, better: bool = False) -> Bound | None:
        """A builtin function of Arrays that returns one Array, or a list of them; NotImplemented for other arguments.

        Once it is spent it returns nothing else, and it is time for a `better` one.
        """
        bind = getattr(self.call, "bind", None)
        return bind(self.in_avals, self.out_avals, better=better) if bind is not None else None


def _operand(value: Value, dtype: Any) -> Any:
    if type(value) is float or isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value, dtype, order="C")
    return to_numpy(value)


def _compile(closed: ClosedJaxpr) -> tuple[str, Runner]:
    _refuse(closed.jaxpr)
    if os.environ.get("TRACETRAP_BACKEND", "llvm") != "numpy":
        try:
            from ..llvm import NotLowered, compile_jaxpr
        except ImportError:
            pass
        else:
            try:
                return "llvm", compile_jaxpr(closed)
            except NotLowered:
                pass
    return "numpy", lambda args: eval_closed_jaxpr(closed, *args)


def _refuse(jaxpr: Jaxpr) -> None:
    """Raises the error of what can be traced but not compiled, even in a branch that is not taken, as JAX does."""
    from .jaxpr import sub_jaxprs

    pending = [jaxpr]
    while pending:
        current = pending.pop()
        read = {*current.outvars}
        for eqn in reversed(current.eqns):
            refuse = eqn.primitive.refuse
            if refuse is not None and read.intersection(eqn.outvars):
                refuse(*[atom.aval for atom in eqn.invars], **eqn.params)
            read.update(eqn.invars)
            if eqn.params.get("length") != 0:  # A scan of no steps.
                pending.extend(sub_jaxprs(eqn))


def without_own_references(closed: ClosedJaxpr) -> ClosedJaxpr:
    from .discharge import without_own_references

    return without_own_references(closed)


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
