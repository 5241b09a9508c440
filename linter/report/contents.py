"""What a reporter has to work with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ..files.cells import cell_lines
from ..findings import Finding


def _no_lines(_filename: str) -> Sequence[str]:
    return ()


@dataclass(frozen=True)
class Report:
    """The findings of one run, in the order in which they are to be shown.

    Args:
        findings: what was found.
        files: how many files were checked.
        lines: the lines of a file by the name that findings give it; empty where it cannot be read.
        colour: whether the text goes to a terminal that shows colours.
    """

    findings: Sequence[Finding]
    files: int = 0
    lines: Callable[[str], Sequence[str]] = field(default=_no_lines)
    colour: bool = False

    def lines_around(self, finding: Finding) -> Sequence[str]:
        """The lines that the rows of a finding count: of its file, or in a notebook of its cell."""
        lines = self.lines(finding.filename)
        return lines if finding.cell is None else cell_lines(lines, finding.cell)

    def without_refuted(self) -> Report:
        """The report for a service that takes each entry for a failure: it never hears of what tracing refuted."""
        return replace(self, findings=[finding for finding in self.findings if not finding.is_refuted])

    @property
    def counts(self) -> Counter[str]:
        """How many findings each code has."""
        return Counter(finding.code for finding in self.findings)
