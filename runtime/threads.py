"""Threads for large loops and products, whose iterations are divided between them."""

from __future__ import annotations

import ctypes
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

#: From which iteration to which.
Part: TypeAlias = tuple[int, int]

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


class Threads(NamedTuple):
    """How many threads to use; only as many as there are idle cores at the time, if they are `modest`."""

    number: int
    modest: bool


def threads_for(effort: int) -> Threads:
    """The threads for so many additions: at most ``TRACETRAP_THREADS``, or the cores that there are."""
    chosen = os.environ.get("TRACETRAP_THREADS", "")
    most = int(chosen) if chosen.isdigit() else _cores()
    return Threads(max(1, min(most, effort // _PER_THREAD)), modest=not chosen.isdigit())


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@lru_cache(maxsize=1)
def _load() -> int | None:
    """The file in which Linux tells how much is running."""
    try:
        return os.open("/proc/loadavg", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None


def running() -> int:
    """How many threads of the whole system run or could run now, this one among them; 1 where it does not say."""
    file = _load()
    if file is None:
        return 1
    return int(os.pread(file, 64, 0).split()[3].partition(b"/")[0])


def idle_cores() -> int:
    """How many cores nothing runs on."""
    return max(0, _cores() - running())


def together(work: Callable[[deque[Part]], None], parts: Iterable[Part], threads: Threads) -> None:
    """Let several threads `work`, each of which takes the next part off the queue when it has done one.

    So a thread whose core is busy with something else holds up nobody by more than a part.
    """
    global _pool
    if _pool is None:
        _pool = ThreadPoolExecutor(max(1, (os.cpu_count() or 2) - 1), "tracetrap")
    waiting = deque(parts)
    helpers: list[Future[None]] = []
    # A thread that has to wait for a core would be waited for.
    count = threads.number - 1
    if threads.modest:
        count = min(count, idle_cores())
    try:
        for _ in range(count):
            helpers.append(_pool.submit(work, waiting))
    except RuntimeError:
        pass  # The interpreter is shutting down, and starts no threads any more.
    work(waiting)
    for helper in helpers:
        if not helper.cancel():
            helper.result()


def taken(waiting: deque[Part]) -> Iterator[Part]:
    """The parts that this thread can still have."""
    while waiting:
        try:
            yield waiting.popleft()
        except IndexError:  # Another thread was faster.
            return


def shares(count: int, parts: int, grain: int = 1) -> list[Part]:
    """So many iterations in at most so many parts, each but the last a multiple of `grain`."""
    share = -(-count // parts // grain) * grain
    return [(begin, min(begin + share, count)) for begin in range(0, count, share)]


class Divided:
    """Code that does a part of a program's iterations, run by several threads."""

    def __init__(self, address: int, count: int, grain: int, threads: Threads) -> None:
        self._entry = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(address)
        self._threads, self._parts = threads, shares(count, threads.number * _PARTS, grain)

    def run(self, table: Callable[[], Any]) -> None:
        """Run all parts. Each thread has a table of arrays of its own, which differ in the scratch memory."""

        def work(waiting: deque[Part]) -> None:
            own = table()
            for begin, end in taken(waiting):
                self._entry(ctypes.addressof(own), begin, end)

        together(work, self._parts, self._threads)
