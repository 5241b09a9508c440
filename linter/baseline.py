"""A baseline: the findings that a project knows of already and does not want to hear of again.

A finding is recognised by its file, its code and the text of its line, so that it stays known when lines move, and is
news when its line changes.  Of several equal ones as many are known as were written down.  Files are named relative to
the folder of the baseline.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .findings import Finding

VERSION = 1
Lines = Callable[[str], Sequence[str]]


class BaselineError(Exception):
    """A baseline that cannot be read or written; the message is one line."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """What a finding is recognised by: `line` is the text of its line, white space evened out."""

    file: str
    code: str
    line: str


@dataclass
class Baseline:
    """The entries of one file, with how often each counts."""

    path: Path
    entries: Counter[Entry] = field(default_factory=Counter)

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """The baseline in a file.

        Raises:
            BaselineError: there is none, or it is damaged, or of another version.
        """
        try:
            held = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise BaselineError(f"{path}: no such file; --write-baseline makes it") from None
        except OSError as error:
            raise BaselineError(f"{path}: cannot be read ({error.strerror})") from None
        except ValueError:
            raise BaselineError(
                f"{path}: is damaged, or no baseline; --write-baseline makes it anew"
            ) from None
        version = held.get("tracetrap-baseline") if isinstance(held, dict) else None
        if isinstance(version, int) and version != VERSION:
            raise BaselineError(
                f"{path}: has version {version}, and this Tracetrap reads {VERSION}; --write-baseline makes it anew"
            )
        entries = _entries(held) if version == VERSION else None
        if entries is None:
            raise BaselineError(f"{path}: is damaged, or no baseline; --write-baseline makes it anew")
        return cls(path, entries)

    def write(self) -> None:
        """Write it, all at once; raises BaselineError."""
        files: dict[str, list[dict[str, object]]] = {}
        for entry in sorted(self.entries):
            item: dict[str, object] = {"code": entry.code, "line": entry.line}
            if self.entries[entry] > 1:
                item["count"] = self.entries[entry]
            files.setdefault(entry.file, []).append(item)
        text = json.dumps({"tracetrap-baseline": VERSION, "files": files}, indent=2, ensure_ascii=False)
        try:
            handle, temporary = tempfile.mkstemp(dir=self.path.absolute().parent)
            try:
                with os.fdopen(
                    handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n"
                ) as file:
                    file.write(text + "\n")
                os.chmod(temporary, 0o644)
                os.replace(temporary, self.path)
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary)
                raise
        except OSError as error:
            raise BaselineError(f"{self.path}: cannot be written ({error.strerror})") from None

    def learn(self, findings: Iterable[Finding], lines: Lines) -> None:
        """Take these findings, and no others, for known."""
        self.entries = Counter(self._entry(finding, lines) for finding in findings)

    def news(self, findings: Iterable[Finding], lines: Lines) -> tuple[list[Finding], Counter[Entry]]:
        """The findings that are not known, and the entries that nothing matched."""
        left = self.entries.copy()
        new = []
        for finding in findings:
            entry = self._entry(finding, lines)
            if left[entry] > 0:
                left[entry] -= 1
            else:
                new.append(finding)
        return new, +left

    def stale(self, unmatched: Counter[Entry], files: Iterable[str]) -> Counter[Entry]:
        """Those of the entries that are gone for sure: their file was checked, or exists no more."""
        checked = {self._relative(name) for name in files}
        folder = self.path.absolute().parent
        gone = {entry.file for entry in unmatched if not (folder / entry.file).exists()}
        return Counter({e: number for e, number in unmatched.items() if e.file in checked or e.file in gone})

    def _entry(self, finding: Finding, lines: Lines) -> Entry:
        row, text = finding.span.start.row, lines(finding.filename)
        line = " ".join(text[row - 1].split()) if 0 < row <= len(text) else ""
        return Entry(self._relative(finding.filename), finding.code, line)

    def _relative(self, filename: str) -> str:
        return os.path.relpath(Path(filename).absolute(), self.path.absolute().parent).replace(os.sep, "/")


def _entries(held: dict[str, Any]) -> Counter[Entry] | None:
    """The entries of a file that says it is a baseline; None where it is not made as one is."""
    entries: Counter[Entry] = Counter()
    try:
        for file, items in held["files"].items():
            for item in items:
                number = item.get("count", 1)
                if not (isinstance(item["code"], str) and isinstance(item["line"], str) and number > 0):
                    return None
                entries[Entry(file, item["code"], item["line"])] += number
    except (KeyError, TypeError, AttributeError):
        return None
    return entries
