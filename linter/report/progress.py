"""A progress bar for runs that take long, on terminals alone."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

_PATIENCE = 1.0  # seconds before a bar is worth showing


class ProgressBar:
    """Hears which file of how many is at work; shows that on stderr, once the run has taken a second."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._began = time.monotonic()
        self._bar: Progress | None = None
        self._silent = not sys.stderr.isatty()

    def __enter__(self) -> ProgressBar:  # noqa: PYI034 (Self is newer than Python 3.10)
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, filename: str, number: int, total: int) -> None:
        """File `number` of `total` begins."""
        if self._silent or time.monotonic() - self._began < _PATIENCE:
            return
        if self._bar is None:
            self._bar = self._start(total)
        self._bar.update(self._bar.task_ids[0], completed=number - 1, description=f"{self._title} {filename}")

    def _start(self, total: int) -> Progress:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        bar.add_task(self._title, total=total)
        bar.start()
        return bar
