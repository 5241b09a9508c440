"""How many findings each rule has, the most frequent first."""

from __future__ import annotations

from .contents import Report


def render(report: Report) -> str:
    """One line a rule: number, code, name."""
    names = {finding.code: finding.name for finding in report.findings}
    width = len(str(max(report.counts.values(), default=0)))
    ordered = sorted(report.counts.items(), key=lambda item: (-item[1], item[0]))
    return "".join(f"{number:>{width}}  {code}  {names[code]}\n" for code, number in ordered)
