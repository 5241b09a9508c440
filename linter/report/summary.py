"""The last line of the texts for people."""

from __future__ import annotations

from collections import Counter

from .contents import Report
from .style import Painter

_ORDER = ("confirmed", "unreached", "unverified")


def summary(report: Report, paint: Painter) -> str:
    """How many findings, in how many files, and what tracing said of them."""
    files = _count(report.files, "file")
    findings = [finding for finding in report.findings if not finding.is_refuted]
    refuted = len(report.findings) - len(findings)
    apart = f"; {refuted} refuted" if refuted else ""
    if not findings:
        return f"{paint('Nothing found', 'good')} in {files}{apart}."
    verdicts: Counter[str] = Counter(finding.verdict.status for finding in findings if finding.verdict)
    said = ", ".join(f"{verdicts[status]} {status}" for status in _ORDER if verdicts[status])
    fixable = sum(1 for finding in findings if finding.fixes and finding.fixes[0].applicability != "display")
    parts = [f"{_count(len(findings), 'finding')} in {files}"]
    if said:
        parts.append(f": {said}")
    parts.append(apart)
    if fixable:
        parts.append(f"; {fixable} can be fixed with --fix --unsafe-fixes")
    return "".join(parts) + "."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
