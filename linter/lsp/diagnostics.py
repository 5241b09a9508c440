"""Findings as the protocol's diagnostics."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from ..addresses import page_of
from ..findings import Finding, Span
from ..report.style import Painter
from ..report.text_format import verdict_line
from .documents import Files
from .positions import Positions

SOURCE = "Tracetrap"

_SEVERITIES = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}
_TAGS = {"TRC406": [types.DiagnosticTag.Unnecessary]}  # a statement whose result is thrown away


def diagnostic(
    finding: Finding, lines: Sequence[str], positions: Positions, files: Files
) -> types.Diagnostic:
    """One finding in a text of these lines, with a related place for each step of its provenance."""
    return types.Diagnostic(
        range=positions.range(lines, finding.span),
        message=_message(finding),
        severity=_severity(finding),
        code=finding.code,
        code_description=types.CodeDescription(href=page_of(finding.code)),
        source=SOURCE,
        tags=_TAGS.get(finding.code),
        related_information=_related(finding, positions, files),
    )


def _message(finding: Finding) -> str:
    unsure = " (possible)" if finding.confidence == "possible" else ""
    verdict = verdict_line(finding, Painter(colour=False))
    return f"{finding.message}{unsure}" + (f"\n{verdict}" if verdict else "")


def _severity(finding: Finding) -> types.DiagnosticSeverity:
    if finding.verdict is not None and finding.verdict.status == "refuted":
        return types.DiagnosticSeverity.Hint
    if finding.confidence == "possible":
        return types.DiagnosticSeverity.Information
    return _SEVERITIES[finding.severity]


def _related(
    finding: Finding, positions: Positions, files: Files
) -> list[types.DiagnosticRelatedInformation]:
    return [
        types.DiagnosticRelatedInformation(
            location=types.Location(
                uri=files.uri(step.filename),
                range=positions.range(files.lines(step.filename), Span(step.location, step.location)),
            ),
            message=step.message,
        )
        for step in finding.provenance
    ]
