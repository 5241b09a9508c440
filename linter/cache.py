"""The findings of files that have not changed, kept on disk between runs.

An entry belongs to the text of a file, its place and name, the settings that the analysis depends on, the tool and the
Python that it runs on; inside, it lists the other files that the analysis looked at, with what they held.  An entry is
written in one step, so that readers and other writers never see half of one, and whatever is damaged counts as absent.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from . import __version__
from .findings import Finding
from .wire import from_wire, to_wire

if TYPE_CHECKING:
    from .files.source import SourceFile
    from .settings.config import Settings

MAX_ENTRIES = 400  # in each of the 256 folders; the oldest go first
VARIABLE = "TRACETRAP_CACHE_DIR"


class Cache:
    """One folder of entries; `folder` None keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._digests: dict[str, str | None] = {}

    @classmethod
    def default(cls) -> Cache:
        """The cache in the user's cache folder, or where TRACETRAP_CACHE_DIR says."""
        chosen = os.environ.get(VARIABLE)
        if chosen:
            return cls(Path(chosen))
        from platformdirs import user_cache_path

        try:
            return cls(user_cache_path("tracetrap") / "findings")
        except (RuntimeError, OSError):  # no home folder
            return cls(None)

    def get(self, source: SourceFile, settings: Settings) -> list[Finding] | None:
        """The raw findings of a file, or None where they are not known any more."""
        if self.folder is None:
            return None
        try:
            check, _, body = self._path(source, settings).read_bytes().partition(b"\n")
            if check.decode() != digest(body):
                return None
            entry = json.loads(body)
            if entry["held"] != self._held(entry["consulted"]):
                return None
            return [from_wire(finding) for finding in entry["findings"]]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def put(
        self,
        source: SourceFile,
        settings: Settings,
        findings: Sequence[Finding],
        consulted: Iterable[str] = (),
    ) -> None:
        """Keep the raw findings of a file; `consulted` are the other files that the analysis looked at or for."""
        if self.folder is None:
            return
        paths = sorted(consulted)
        entry = {
            "findings": [to_wire(finding) for finding in findings],
            "consulted": paths,
            "held": self._held(paths),
        }
        body = json.dumps(entry).encode()
        with suppress(OSError):  # an unwritable cache is no reason not to check
            write(self._path(source, settings), digest(body).encode() + b"\n" + body)

    def learn(self, path: str | Path, content: str) -> None:
        """The digest of a file as it was read: what is found rests on that, whatever stands there afterwards."""
        self._digests[str(path)] = content

    def _path(self, source: SourceFile, settings: Settings) -> Path:
        assert self.folder is not None
        place = os.path.abspath(source.path) if source.path is not None else ""
        parts = (_tool(), repr(settings.analysis_key), place, source.filename, source.text)
        key = digest("\0".join(parts).encode("utf-8", "surrogatepass"))
        return self.folder / key[:2] / f"{key[2:]}.json"

    def _held(self, paths: Iterable[str]) -> str:
        """The digest of what stands at all these paths."""
        return digest(" ".join(self._content(path) or "-" for path in paths).encode())

    def _content(self, path: str) -> str | None:
        """The digest of a file's bytes, or None where there is nothing; asked once a run."""
        if path not in self._digests:
            try:
                self._digests[path] = digest(Path(path).read_bytes())
            except OSError:
                self._digests[path] = "a folder" if os.path.isdir(path) else None
        return self._digests[path]


@cache
def _tool() -> str:
    """What the tool is: its version, its files as they are, and the Python that runs it."""
    here = Path(__file__).parent
    files = ((path, path.stat()) for path in sorted(here.rglob("*.py")))
    stamps = [(str(path.relative_to(here)), stat.st_size, stat.st_mtime_ns) for path, stat in files]
    return f"{__version__} {sys.version} {digest(repr(stamps).encode())}"


def digest(data: bytes) -> str:
    """The name of some content."""
    return sha256(data).hexdigest()


def write(path: Path, data: bytes) -> None:
    """Writes a file in one step; of too many in its folder the oldest go.  Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    entries = list(path.parent.iterdir())
    if len(entries) > MAX_ENTRIES:
        for entry in sorted(entries, key=_age)[:-MAX_ENTRIES]:
            entry.unlink(missing_ok=True)


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # another writer removed it
        return 0.0
