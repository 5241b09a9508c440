"""One line a finding, for editors and scripts that read what compilers write."""

from __future__ import annotations

from .contents import Report
from .style import Painter
from .text_format import headline


def render(report: Report) -> str:
    """`path:row:column: CODE message`, and the verdict, if there is one, in brackets."""
    paint = Painter(colour=report.colour)
    lines = []
    for finding in report.findings:
        verdict = f" [{finding.verdict.status}]" if finding.verdict else ""
        lines.append(f"{headline(finding, paint)}{verdict}\n")
    return "".join(lines)
