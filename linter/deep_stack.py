"""Runs a function with room for deep recursion, and for no longer than it may take."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

_STACK_BYTES = 256 * 2**20  # address space; only what is touched becomes memory
_RECURSION_LIMIT = 15_000
_GRACE = 5.0
_starting = threading.Lock()  # the size of new stacks is set for all threads


def seconds_for(lines: int, seconds: float) -> float:
    """How long a file of so many lines may take: `seconds` for each 10,000 that it begins."""
    return seconds * max(1, -(-lines // 10_000))


class TimeLimitExceeded(BaseException):
    """Raised inside the function when its time is up; no `except Exception` on the way stops it."""


def call(function: Callable[[], Result], seconds: float) -> Result:
    """The result of `function`, run in a thread of its own.

    Raises what it raises, and TimeLimitExceeded after `seconds`.
    """
    outcome: list[Result] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(function())
        except BaseException as error:  # noqa: BLE001 (raised again by the caller)
            failure.append(error)

    thread = _start(run)
    thread.join(seconds)
    if thread.is_alive() and thread.ident is not None:
        raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
        raise_in(ctypes.c_ulong(thread.ident), ctypes.py_object(TimeLimitExceeded))
        thread.join(_GRACE)
        raise TimeLimitExceeded
    if failure:
        raise failure[0]
    return outcome[0]


def _start(run: Callable[[], None]) -> threading.Thread:
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION_LIMIT))
    thread = threading.Thread(target=run, name="tracetrap analysis", daemon=True)
    with _starting:
        before = threading.stack_size(_STACK_BYTES)
        try:
            thread.start()
        finally:
            threading.stack_size(before)
    return thread
