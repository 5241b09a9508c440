"""For people: place, message, the line of source, how the value came to be traced, what tracing said, what helps."""

from __future__ import annotations

from collections.abc import Iterator

from ..findings import Finding
from .contents import Report
from .frame import frame
from .style import Painter
from .summary import summary

PROOFS = {"proven": ", proven", "unproven": ", not proven", "untried": ", not tried"}


def render(report: Report) -> str:
    """Every finding as a block, and a line that sums them up."""
    paint = Painter(colour=report.colour)
    blocks = [
        "\n".join(_block(finding, report, paint)) for finding in report.findings if not finding.is_refuted
    ]
    refuted = [f"{headline(f, paint)}\n  = {verdict_line(f, paint)}" for f in report.findings if f.is_refuted]
    if refuted:
        blocks += [paint("Refuted by tracing, and not counted:", "refuted"), *refuted]
    return "\n\n".join([*blocks, summary(report, paint)]) + "\n"


def headline(finding: Finding, paint: Painter) -> str:
    """`path:row:column: CODE message`, as compilers say it."""
    start = finding.span.start
    style = "code" if finding.severity == "error" else "warning"
    unsure = " (possible)" if finding.confidence == "possible" else ""
    place = f"{paint(finding.filename, 'path')}{_cell(finding.cell)}:{start.row}:{start.column}:"
    return f"{place} {paint(finding.code, style)} {finding.message}{unsure}"


def _cell(number: int | None) -> str:
    return "" if number is None else f":cell {number}"


def verdict_line(finding: Finding, paint: Painter) -> str:
    """What tracing said, in one line."""
    verdict = finding.verdict
    if verdict is None:
        return ""
    style = {"confirmed": "confirmed", "refuted": "refuted"}.get(verdict.status, "note")
    error = f" {verdict.error}" if verdict.error else ""
    row = f" on line {verdict.location.row}" if verdict.location else ""
    inputs = f" with {verdict.inputs}" if verdict.inputs else ""
    what = f"{error}{row}{inputs}"
    return f"{paint(verdict.status, style)}:{what}{' - ' if what else ' '}{verdict.reason}"


def _block(finding: Finding, report: Report, paint: Painter) -> Iterator[str]:
    yield headline(finding, paint)
    lines = list(frame(finding.span, report.lines_around(finding), paint))
    yield from lines
    margin = " " * len(str(finding.span.start.row))
    for note in _notes(finding, paint):
        yield f"{margin} {paint('=', 'gutter')} {note}"


def _notes(finding: Finding, paint: Painter) -> Iterator[str]:
    for step in finding.provenance:
        place = f"line {step.location.row}"
        if (step.filename, step.cell) != (finding.filename, finding.cell):
            place = f"{step.filename}{_cell(step.cell)}:{step.location.row}"
        yield f"{paint(place, 'note')}: {step.message}"
    if finding.verdict is not None:
        yield verdict_line(finding, paint)
    for fix in finding.fixes:
        cost = f" ({fix.cost})" if fix.cost else ""
        proof = PROOFS[fix.proof.status] if fix.proof else ""
        why = f" - {fix.proof.reason}" if fix.proof and fix.proof.reason else ""
        style = "note" if fix.proof and fix.proof.status == "unproven" else "good"
        yield f"{paint(f'{fix.applicability} fix{proof}', style)}: {fix.message}{cost}{why}"
