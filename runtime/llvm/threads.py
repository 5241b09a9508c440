"""Threads for large programs: the iterations of the outermost loop are divided between them."""

from __future__ import annotations

import ctypes
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

_pool: ThreadPoolExecutor | None = None

#: How many additions are worth a thread.
_PER_THREAD = 1 << 24
#: How many parts there are for each thread.
_PARTS = 4


def _forget_pool() -> None:
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)  # Threads do not survive a fork.


def thread_count(effort: int) -> int:
    """How many threads to use for so many additions: at most ``TRACETRAP_THREADS``, or the cores that there are."""
    chosen = os.environ.get("TRACETRAP_THREADS", "")
    if chosen.isdigit():
        most = int(chosen)
    elif hasattr(os, "sched_getaffinity"):
        most = len(os.sched_getaffinity(0))
    else:
        most = os.cpu_count() or 1
    return max(1, min(most, effort // _PER_THREAD))


class Divided:
    """Code that does a part of a program's iterations, run by several threads.

    Each takes the next part when it has done one, so that a thread whose core is busy with something else holds up
    nobody by more than a part.
    """

    def __init__(self, address: int, count: int, grain: int, threads: int) -> None:
        self._entry = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(address)
        self._helpers = threads - 1
        share = -(-count // (threads * _PARTS) // grain) * grain
        self._parts = [(begin, min(begin + share, count)) for begin in range(0, count, share)]

    def run(self, table: Callable[[], Any]) -> None:
        """Run all parts. Each thread has a table of arrays of its own, which differ in the scratch memory."""
        global _pool
        if _pool is None:
            _pool = ThreadPoolExecutor(max(1, (os.cpu_count() or 2) - 1), "tracetrap")
        waiting = deque(self._parts)
        helpers: list[Future[None]] = []
        try:
            for _ in range(self._helpers):
                helpers.append(_pool.submit(self._work, waiting, table))
        except RuntimeError:
            pass  # The interpreter is shutting down, and starts no threads any more.
        self._work(waiting, table)
        for helper in helpers:
            if not helper.cancel():
                helper.result()

    def _work(self, waiting: deque[tuple[int, int]], table: Callable[[], Any]) -> None:
        own = table()
        while waiting:
            try:
                begin, end = waiting.popleft()
            except IndexError:  # Another thread was faster.
                return
            self._entry(ctypes.addressof(own), begin, end)
