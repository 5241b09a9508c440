"""Products of matrices by NumPy, with its BLAS kept to the thread that calls it.

The threads of OpenBLAS wait for one another by spinning. Where something else runs on their cores, a product that takes
a tenth of a millisecond then takes tens of them. Large products are divided here, between cores that are idle.
"""

from __future__ import annotations

import ctypes
import os
from collections import deque
from collections.abc import Callable
from functools import lru_cache, wraps
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import numpy as np

from .threads import Part, idle_cores, shares, taken, threads_for, together

T = TypeVar("T")

#: Up to so many multiplications BLAS uses one thread anyway.
_ALONE = 1 << 18
#: From so many multiplications on LAPACK may use several.
_LARGE = 1 << 24
#: So many multiplications are worth as much of a thread as an addition in a loop, which also waits for memory.
_TERMS = 2


def matmul(left: Any, right: Any, out: Any = None) -> Any:
    """``np.matmul`` of (batch, m, k) and (batch, k, n), the same batch dimensions on both sides, if any.

    As in JAX, nothing is said of overflow.
    """
    *batch, rows, inner = left.shape
    columns = right.shape[-1]
    work = rows * inner * columns
    if work <= _ALONE:
        with np.errstate(all="ignore"):
            return np.matmul(left, right, out=out)
    count = batch[0] if batch else rows
    for size in batch:
        work *= size
    threads = threads_for(work // _TERMS)
    with _one_thread:
        if threads.number == 1 or count < threads.number:
            with np.errstate(all="ignore"):
                return np.matmul(left, right, out=out)
        if out is None:
            out = np.empty((*batch, rows, columns), np.result_type(left, right))

        def multiply(waiting: deque[Part]) -> None:
            for begin, end in taken(waiting):
                some = slice(begin, end)
                with np.errstate(all="ignore"):
                    np.matmul(left[some], right[some] if batch else right, out=out[some])

        together(multiply, shares(count, threads.number), threads)
    return out


def on_idle_cores(kernel: Callable[..., T]) -> Callable[..., T]:
    """A kernel that calls LAPACK, which uses the threads of BLAS where a matrix is large and there are cores for them."""

    @wraps(kernel)
    def run(a: Any, *args: Any, **params: Any) -> T:
        large = a.size * min(a.shape[-2:]) > _LARGE
        if large and idle_cores():
            return kernel(a, *args, **params)
        with _one_thread:
            return kernel(a, *args, **params)

    return run


class _Setting(NamedTuple):
    """How many threads BLAS uses, in this process."""

    read: Callable[[], int]
    write: Callable[[int], Any]


@lru_cache(maxsize=1)
def _setting() -> _Setting | None:
    """None where NumPy has another BLAS than OpenBLAS, or the system does not say where its functions are."""
    from numpy.linalg import _umath_linalg

    try:
        library = ctypes.PyDLL(_umath_linalg.__file__)
    except OSError:
        return None
    for prefix, suffix in (("scipy_", "64_"), ("scipy_", ""), ("", "64_"), ("", "")):
        read, write = (
            getattr(library, f"{prefix}openblas_{verb}_num_threads{suffix}", None) for verb in ("get", "set")
        )
        if read is not None and write is not None:
            return _Setting(read, write)
    return None


class _OneThread:
    """While any thread is inside, BLAS uses no threads of its own."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """As in a process in which no thread is inside."""
        self._lock, self._inside, self._before = Lock(), 0, 1

    def __enter__(self) -> None:
        setting = _setting()
        if setting is None:
            return
        with self._lock:
            if self._inside == 0:
                self._before = setting.read()
                if self._before > 1:
                    setting.write(1)
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        setting = _setting()
        if setting is None:
            return
        with self._lock:
            self._inside -= 1
            if self._inside == 0 and self._before > 1:
                setting.write(self._before)


_one_thread = _OneThread()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_one_thread.reset)  # Threads that were inside are not in the child.
