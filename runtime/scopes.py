"""Contexts in which tracing behaves differently, or only remembers a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .config import override
from .core import eval_trace, set_current_trace


@contextmanager
def ensure_compile_time_eval() -> Iterator[None]:
    """Compute at once, also while tracing: operations on values that are known need not be staged."""
    with set_current_trace(eval_trace):
        yield


def checking_leaks() -> Any:
    """Context manager: find tracers that outlive their trace when the trace ends (``jax.checking_leaks``)."""
    return override("jax_check_tracer_leaks", True)


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
