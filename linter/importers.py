"""What the analysis of one file finds in another that it imports, for whoever asks about that other file alone.

A helper's pitfall often arises only from its callers: the files that import it.  The cache notes for each file which
importers had findings in it; as long as an importer's entry is still true, its findings hold wherever the file is asked
about: on the command line, in flake8, in the editor.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from .cache import Cache, digest, write
from .files.discovery import display_name
from .files.notebook import read_source
from .findings import Finding

if TYPE_CHECKING:
    from .files.source import SourceFile
    from .settings.config import Settings

FOLDER = "importers"


def note(cache: Cache, source: SourceFile, findings: Iterable[Finding]) -> None:
    """Notes this file as an importer of those that its analysis has found something in."""
    if cache.folder is None or source.path is None:
        return
    importer = os.path.abspath(source.path)
    for filename in {finding.filename for finding in findings} - {source.filename}:
        place = _place(cache.folder, Path(filename))
        known = set(_noted(place))
        if importer not in known:
            with suppress(OSError):  # an unwritable cache is no reason not to check
                write(place, json.dumps(sorted(known | {importer})).encode())


def findings_from(cache: Cache, source: SourceFile, settings: Settings) -> Iterator[Finding]:
    """The findings in a file that the analysis of its importers gave rise to, as far as they are known and still true.

    The importers were analysed with the file as it is on disk: of another text of it nothing is known.
    """
    noted = importers_of(cache, source)
    if not noted or not _is_on_disk(source):
        return
    for path in noted:
        try:
            importer = read_source(path, display_name(path))
        except (OSError, ValueError):
            continue
        for finding in cache.get(importer, settings) or ():
            if finding.filename == source.filename:
                yield finding


def importers_of(cache: Cache, source: SourceFile) -> list[Path]:
    """The importers whose analysis has found something in a file, now or some time ago."""
    if cache.folder is None or source.path is None:
        return []
    return [Path(name) for name in _noted(_place(cache.folder, source.path))]


def _is_on_disk(source: SourceFile) -> bool:
    if source.digest is not None:
        return True
    try:
        return source.path is not None and read_source(source.path).text == source.text
    except (OSError, ValueError):
        return False


def _place(folder: Path, path: Path) -> Path:
    return folder / FOLDER / f"{digest(os.fsencode(os.path.abspath(path)))}.json"


def _noted(place: Path) -> list[str]:
    try:
        noted = json.loads(place.read_bytes())
    except (OSError, ValueError):
        return []
    return [name for name in noted if isinstance(name, str)] if isinstance(noted, list) else []
