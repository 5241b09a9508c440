"""One thread beside the event loop, for whatever takes longer than a keystroke."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable
from functools import partial
from queue import Empty, SimpleQueue
from typing import TypeVar

Result = TypeVar("Result")
_Job = Callable[[], None]

QUIET = 0.5
"""Seconds without work after which the garbage of the work before is collected: analyses hold the collector back."""
MOST_JOBS = 16
"""After so many jobs garbage is collected even if there is no such quiet."""


class Worker:
    """Runs functions one after another; the process may end while one is under way."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[_Job] = SimpleQueue()
        self._thread: threading.Thread | None = None

    async def run(self, function: Callable[[], Result]) -> Result:
        """The result of a function that is run in the thread; raises what it raises.

        Cancelled while it waits, the function is not run at all; cancelled later, its result is dropped.
        """
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[Result] = loop.create_future()

        def job() -> None:
            if waiting.cancelled():
                return
            try:
                result = function()
            except Exception as error:  # noqa: BLE001 (raised again by whoever waits)
                _tell(loop, waiting, partial(waiting.set_exception, error))
            else:
                _tell(loop, waiting, partial(waiting.set_result, result))

        self._jobs.put(job)
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="tracetrap worker", daemon=True)
            self._thread.start()
        return await waiting

    def _serve(self) -> None:
        done = 0
        while True:
            try:
                job = self._jobs.get(timeout=QUIET if done else None)
            except Empty:
                done = MOST_JOBS
            else:
                job()
                del job  # and with it all that it worked on
                done += 1
            if done >= MOST_JOBS:
                gc.collect()
                done = 0


def _tell(
    loop: asyncio.AbstractEventLoop, waiting: asyncio.Future[Result], settle: Callable[[], None]
) -> None:
    def unless_cancelled() -> None:
        if not waiting.done():
            settle()

    try:
        loop.call_soon_threadsafe(unless_cancelled)
    except RuntimeError:
        return  # the loop is closed: nobody waits any more
