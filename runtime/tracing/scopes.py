"""Contexts in which tracing behaves differently, or only remembers a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..core import (
    Params,
    Primitive,
    Trace,
    Tracer,
    Value,
    current_trace,
    eval_trace,
    make_current,
    set_current_trace,
)


class CompileTimeTrace(Trace):
    """Computes what depends on no tracer; hands everything else to the trace around it."""

    __slots__ = ("parent",)

    def __init__(self, parent: Trace) -> None:
        self.parent = parent

    def process_primitive(self, primitive: Primitive, args: Sequence[Value], params: Params) -> Any:
        trace = self.chosen(args)
        with set_current_trace(trace):
            return trace.process_primitive(primitive, args, params)

    def chosen(self, args: Sequence[Value]) -> Trace:
        """The trace that an operation on these values belongs to."""
        return self.parent if any(isinstance(arg, Tracer) for arg in args) else eval_trace

    def stage_value(self, value: Value) -> Value:
        return value if isinstance(value, Tracer) else eval_trace.stage_value(value)


@contextmanager
def ensure_compile_time_eval() -> Iterator[None]:
    """Compute at once, also while tracing: operations on values that are known are not staged."""
    outer = current_trace()
    with set_current_trace(outer if outer is eval_trace else CompileTimeTrace(outer)):
        yield


@contextmanager
def named_scope(name: str) -> Iterator[None]:
    """``jax.named_scope``: a name for the operations inside, which this runtime does not keep.

    Raises TypeError when `name` is no string.
    """
    if not isinstance(name, str):
        raise TypeError("named_scope name argument must be a string.")
    yield


def named_call(fun: Callable[..., Any], *, name: str | None = None) -> Callable[..., Any]:
    """``jax.named_call``: the function itself, since names of scopes are not kept."""
    return fun


def trace_state_clean() -> bool:
    """Whether nothing is being traced."""
    return current_trace() is eval_trace


class _TraceContext:
    """The current trace as an attribute, as libraries ask for it."""

    @property
    def trace(self) -> Trace:
        return current_trace()

    @staticmethod
    def set_trace(trace: Trace) -> None:
        make_current(trace)

    @staticmethod
    def is_top_level() -> bool:
        """Whether nothing is being traced."""
        return trace_state_clean()


trace_ctx = _TraceContext()


class OpaqueTraceState:
    """The trace of the moment when it was made. Two are equal when nothing was entered or left between them."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpaqueTraceState) and self._trace is other._trace

    def __hash__(self) -> int:
        return id(self._trace)


def get_opaque_trace_state(convention: str | None = None) -> OpaqueTraceState:
    """What tells whether two moments belong to one trace."""
    return OpaqueTraceState(current_trace())
