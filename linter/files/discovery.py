"""From the paths that the user names to the files to check."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..settings.files import SettingsFinder

SUFFIXES = (".py", ".pyi", ".ipynb")


class PathError(Exception):
    """A path that leads to nothing; the message is one line."""


def discover(paths: Iterable[Path], finder: SettingsFinder) -> list[Path]:
    """The files that the paths name or contain, each once, in a stable order.

    A file that is named outright is taken whatever its name and the exclusions; folders are searched without the
    excluded parts.  Raises PathError for a path that does not exist.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            found.update(dict.fromkeys(_search(path, finder)))
        elif (reason := mistake(path)) is None:
            found[path] = None
        else:
            raise PathError(reason)
    return list(found)


def mistake(path: Path) -> str | None:
    """Why a path leads neither to a file nor to a folder, on one line; None if it does."""
    if path.is_dir() or path.is_file():
        return None
    return f"{path}: {'is no regular file' if path.exists() else 'no such file or folder'}"


def _search(folder: Path, finder: SettingsFinder) -> Iterator[Path]:
    """The Python files below a folder; what cannot be listed (or is gone by now) is left out."""
    base = Path.cwd()
    for top, folders, names in os.walk(folder):
        place = Path(top)
        settings = finder.for_folder(base / place)
        folders[:] = sorted(name for name in folders if not settings.excludes(place / name, folder=True))
        for name in sorted(names):
            path = place / name
            if name.endswith(SUFFIXES) and not settings.excludes(path) and not _special(path):
                yield path


def _special(path: Path) -> bool:
    """Whether this is a pipe, socket or device, from which reading may never end."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False  # the finding that it cannot be read says more than silence
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def display_name(path: Path) -> str:
    """How a file is called in findings, whichever way led to it: relative to the current folder where it lies below it."""
    place, here = os.path.abspath(path), os.path.join(os.getcwd(), "")
    return place.removeprefix(here)
