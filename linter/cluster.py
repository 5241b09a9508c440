"""The files of a run checked, or verified, by a Dask cluster, with the answer that one process would give.

Its workers must see the files at the same paths, and have Tracetrap installed.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

from .settings.config import SettingsError

SCHEME = "dask"
SECONDS = 10.0
"""How long a scheduler may take to answer."""

Item = TypeVar("Item")
Result = TypeVar("Result")
_moving = threading.Lock()


def address_of(executor: str) -> str:
    """The address of the scheduler in `dask://HOST:PORT`; raises SettingsError."""
    parts = urlsplit(executor)
    try:
        found = parts.scheme == SCHEME and parts.hostname is not None and parts.port is not None
    except ValueError:
        found = False
    if not found:
        raise SettingsError(f"--executor must be dask://HOST:PORT, not {executor!r}")
    return f"tcp://{parts.netloc}"


def mapped(
    executor: str,
    function: Callable[[Item], Result],
    items: Sequence[Item],
    alone: Callable[[Item], Result],
) -> Iterator[Result]:
    """The results of a function for the items, in their order; `alone` makes that of an item that ends its worker.

    Raises:
        SettingsError: Dask is not installed, or nobody answers at the address.
    """
    address = address_of(executor)
    try:
        from distributed import Client, KilledWorker
    except ModuleNotFoundError as error:
        raise SettingsError(f"--executor needs {error.name}: pip install 'tracetrap[dask]'") from None
    try:
        connect: Any = Client
        client = connect(address, timeout=SECONDS, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise SettingsError(
            f"--executor {executor}: no scheduler answers there ({type(error).__name__})"
        ) from None
    with client:
        folder = os.getcwd()
        futures = [client.submit(_in_folder, folder, function, item, pure=False) for item in items]
        for item, future in zip(items, futures, strict=True):
            try:
                yield future.result()
            except KilledWorker:
                yield alone(item)


def in_shares(
    executor: str,
    function: Callable[[Sequence[Item]], Sequence[Result]],
    items: Sequence[Item],
    size: int,
    alone: Callable[[Sequence[Item]], Sequence[Result]] | None = None,
) -> Iterator[Result]:
    """As `mapped`, with a function that works through `size` items at a time."""
    shares = [items[start : start + size] for start in range(0, len(items), size)]
    for results in mapped(executor, function, shares, alone or function):
        yield from results


def _in_folder(folder: str, function: Callable[[Item], Result], item: Item) -> Result:
    """Runs a function in the folder that the command was given in: names of files are relative to it."""
    with _moving:
        if os.getcwd() != folder:
            os.chdir(folder)
    return function(item)
