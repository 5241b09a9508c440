"""Compiled objects on disk, found by the hash of what they were compiled from.

An entry is a digest of its payload and the payload. It is written to a file of its own and renamed into place,
so that readers see whole entries or none; what fails its digest is treated as absent and written again.
Of too many entries in a folder the oldest go, and with them what writers have left behind that were killed.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b  # Loads OpenSSL, which takes as long as loading a program.

_FORMAT = "3"
_DIGEST_BYTES = 32
MAX_ENTRIES = 100
"""In each of the 256 folders; most take some ten thousand bytes."""


class ObjectCache:
    """A directory of objects. Failing to read or write it never fails the compilation."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    @staticmethod
    def key(*parts: str) -> str:
        digest = blake2b(_FORMAT.encode(), digest_size=_DIGEST_BYTES)
        for part in parts:
            data = part.encode()
            digest.update(len(data).to_bytes(8, "little"))
            digest.update(data)
        return digest.hexdigest()

    def path(self, key: str) -> Path:
        return self.directory / key[:2] / f"{key[2:]}.o"

    def get(self, key: str) -> bytes | None:
        try:
            entry = self.path(key).read_bytes()
        except OSError:
            return None
        digest, payload = entry[:_DIGEST_BYTES], entry[_DIGEST_BYTES:]
        return payload if payload and _seal(key, payload) == digest else None

    def put(self, key: str, payload: bytes) -> None:
        import tempfile  # Reading, which is far more frequent, does without.

        path = self.path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        except OSError:
            return
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_seal(key, payload) + payload)
            os.replace(name, path)
            _keep_newest(path.parent)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(name)


def _keep_newest(folder: Path) -> None:
    with os.scandir(folder) as entries:
        paths = [entry.path for entry in entries]
    if len(paths) > MAX_ENTRIES:
        for path in sorted(paths, key=_age)[:-MAX_ENTRIES]:
            with contextlib.suppress(OSError):  # another writer removed it
                os.unlink(path)


def _age(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def _seal(key: str, payload: bytes) -> bytes:
    """The digest covers the key, so that an intact object under a wrong name is refused too."""
    return blake2b(key.encode() + payload, digest_size=_DIGEST_BYTES).digest()


def default_cache() -> ObjectCache | None:
    """The user's cache, ``TRACETRAP_CACHE_DIR`` if set; None if that is set and empty."""
    chosen = os.environ.get("TRACETRAP_CACHE_DIR")
    if chosen is None:
        return ObjectCache(_user_cache() / "objects")
    return ObjectCache(Path(chosen) / "objects") if chosen else None


def _user_cache() -> Path:
    if sys.platform == "linux":  # What platformdirs says there, without the time that importing it takes.
        home = os.environ.get("XDG_CACHE_HOME", "").strip()
        return Path(home or os.path.expanduser("~/.cache")) / "tracetrap"
    import platformdirs

    return Path(platformdirs.user_cache_dir("tracetrap"))
