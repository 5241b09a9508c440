"""Several workers at once, each busy with one file at a time; the answer is that of a single one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import TypeVar

from .process import Limits, Runtime, Worker

Item = TypeVar("Item")
Result = TypeVar("Result")

FILES_PER_WORKER = 8
"""Fewer files than this are not worth another worker, whose start takes longer than most of them."""


class Workers:
    """Up to `number` workers (0: one a core), started as they are needed; use as a context manager.

    The first starts at once, while the caller still does other work, and is there for whatever needs only one.
    """

    def __init__(self, runtime: Runtime = "bundled", number: int = 1, limits: Limits | None = None) -> None:
        self._runtime, self._limits = runtime, limits
        self._number = number or os.cpu_count() or 1
        self.first = Worker(runtime, limits)
        self._started = [self.first]
        self._idle: SimpleQueue[Worker] = SimpleQueue()
        self._idle.put(self.first)

    def __enter__(self) -> Workers:  # noqa: PYI034 (Self is newer than Python 3.10)
        return self

    def __exit__(self, *_error: object) -> None:
        for worker in self._started:
            worker.close()

    def results(self, function: Callable[[Worker, Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """What a function makes of the items with a worker, in their order.

        Raises:
            RuntimeMissing: the runtime asked for cannot be imported.
        """
        self.first.wait_ready()
        number = min(self._number, -(-len(items) // FILES_PER_WORKER))
        if number <= 1:
            yield from (function(self.first, item) for item in items)
            return
        threads = ThreadPoolExecutor(number, thread_name_prefix="tracetrap verification")
        try:
            futures = [threads.submit(self._lent, function, item) for item in items]
            for future in futures:
                yield future.result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)

    def _lent(self, function: Callable[[Worker, Item], Result], item: Item) -> Result:
        """The same for one item, with a worker that has nothing to do, or a new one."""
        try:
            worker = self._idle.get_nowait()
        except Empty:
            worker = Worker(self._runtime, self._limits)
            self._started.append(worker)
        try:
            worker.wait_ready()
            return function(worker, item)
        finally:
            self._idle.put(worker)
