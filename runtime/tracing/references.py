"""References to arrays that programs may write to, ``jax.Ref``: who holds them, and how they are read and written.

While a jaxpr is written, reading and writing are equations of it (`StagedRef`). Every other trace has the value of its
references in hand and applies ordinary primitives to it, so that differentiation and batching need no rules
for references: values carry all that there is. A reference of a trace further outside is asked there.
"""

from __future__ import annotations

from typing import Any

from ..arrays.avals import AbstractRef
from ..core import (
    Literal,
    Trace,
    Value,
    Var,
    current_trace,
    escaped_tracer_error,
    eval_trace,
    get_aval,
    primitives,
    set_current_trace,
)

__all__ = ["ForeignStoreError", "Ref", "StagedRef", "is_staging", "read", "write"]


class ForeignStoreError(Exception):
    """A value of a trace was to be stored in a reference of a trace outside of it. JAX raises a plain Exception."""


class Ref:
    """A reference to an array: ``ref[...]`` reads what is there now, ``ref[...] = x`` writes. Made by `ref.new_ref`.

    The value is one of the trace that the reference belongs to: an Array outside of traces.
    """

    __slots__ = ("__weakref__", "_value", "aval", "trace")
    trace: Trace
    aval: AbstractRef

    def __init__(self, trace: Trace, value: Value) -> None:
        self.trace, self.aval, self._value = trace, AbstractRef(get_aval(value)), value

    def _load(self) -> Value:
        return self._value

    def _store(self, value: Value) -> None:
        self._value = value

    @property
    def shape(self) -> tuple[int, ...]:
        return self.aval.shape

    @property
    def dtype(self) -> Any:
        return self.aval.dtype

    @property
    def ndim(self) -> int:
        return self.aval.ndim

    @property
    def size(self) -> int:
        return self.aval.size

    @property
    def sharding(self) -> Any:
        return self.aval.inner_aval.sharding

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, index: Any) -> Any:
        from ..ref import get

        return get(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        from ..ref import set

        set(self, index, value)

    def addupdate(self, x: Any, idx: Any = ()) -> None:
        """Add `x` to what is there."""
        from ..ref import addupdate

        addupdate(self, idx, x)

    def block_until_ready(self) -> Ref:
        return self

    def __deepcopy__(self, memo: Any) -> Ref:
        return Ref(self.trace, self._load())

    def __repr__(self) -> str:
        return (
            f"Ref{repr(self._value).removeprefix('Array')}"
            if self.trace is eval_trace
            else f"Ref({self.aval})"
        )


class StagedRef(Ref):
    """A reference in a jaxpr that is being written: a variable of it."""

    __slots__ = ("atom",)

    def __init__(self, trace: Trace, var: Var) -> None:
        self.trace, self.atom = trace, var
        self.aval = var.aval  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"JitTracer({self.aval})"


def is_staging(trace: Trace) -> bool:
    """Whether a trace writes operations on references down."""
    from .staging import JaxprTrace

    return isinstance(trace, JaxprTrace)


def _outside(ref: Ref) -> Trace:
    """The trace around the current one. Raises UnexpectedTracerError if there is none: `ref` has outlived its trace."""
    parent: Trace | None = getattr(current_trace(), "parent", None)
    if parent is None:
        from .staging import DynamicJaxprTracer

        tracer: Any = DynamicJaxprTracer.__new__(DynamicJaxprTracer)
        tracer._trace, tracer.atom, tracer.aval = ref.trace, getattr(ref, "atom", None), ref.aval
        raise escaped_tracer_error(tracer)
    return parent


def read(ref: Ref) -> Value:
    """All that is in `ref`, under the current trace."""
    trace = current_trace()
    if is_staging(trace):
        return primitives["get"].bind(ref, tree=())
    if ref.trace is trace:
        return ref._load()
    with set_current_trace(_outside(ref)):
        return read(ref)


def write(operation: str, ref: Ref, value: Value) -> None:
    """Replace all that is in `ref`, under the current trace. Raises if `ref` must not see the value; see `check_store`."""
    trace = current_trace()
    if is_staging(trace):
        primitives["swap"].bind(ref, value, tree=())
    elif ref.trace is trace:
        from ..arrays.array import asarray
        from ..primitives.conversion import convert

        stored = convert(value, ref.aval.dtype, ref.aval.weak_type)
        ref._store(asarray(stored) if isinstance(stored, Literal) else stored)
    else:
        outside = _outside(ref)
        trace.check_store(operation, value, ref.aval)
        with set_current_trace(outside):
            write(operation, ref, value)
