"""A file to verify, with predictions about it that name the text of the place."""

from __future__ import annotations

import textwrap
from pathlib import Path

from tracetrap.linter.findings import EntryPoint, Finding, Location, Span
from tracetrap.linter.verify import Workers, verify


class Case:
    """One file, and predictions about it that name the text of the place."""

    def __init__(self, workers: Workers, path: Path, text: str) -> None:
        self.workers, self.path = workers, path
        self.text = textwrap.dedent(text).lstrip()
        path.write_text(self.text, encoding="utf-8")

    def finding(
        self, place: str, error: str | None, entry: str = "f", transform: str = "jit", code: str = "TRC101"
    ) -> Finding:
        """A finding at the first occurrence of `place`, for the function `entry`."""
        lines = self.text.splitlines()
        row, column = next((n, line.index(place)) for n, line in enumerate(lines, 1) if place in line)
        name = entry.rpartition(".")[2]
        head = next((n for n, line in enumerate(lines, 1) if f"def {name}(" in line), row)
        span = Span(Location(row, column + 1), Location(row, column + 1 + len(place)))
        return Finding(
            code,
            "a-name",
            "a message",
            str(self.path),
            span,
            error=error,
            entry_point=EntryPoint(entry, transform, Location(head, 1)),
        )

    def verify(self, *findings: Finding) -> list[Finding]:
        """The findings with verdicts, and TRC901."""
        return verify(findings, [str(self.path)], workers=self.workers)

    def status(self, finding: Finding) -> str:
        """The verdict of a single finding: `confirmed`, ..."""
        verdict = self.verify(finding)[0].verdict
        assert verdict is not None
        return verdict.status
