"""SARIF 2.1.0 (OASIS, 2020), which code-scanning services read; the provenance becomes the code flow of a result."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .. import __version__
from ..addresses import DOCUMENTATION, page_of
from ..findings import Finding, Fix, Location, Span
from .contents import Report
from .fingerprint import fingerprints

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(report: Report) -> str:
    """One run with all findings."""
    codes = sorted(report.counts)
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver(codes, report)},
                "columnKind": "unicodeCodePoints",
                "results": [
                    _result(finding, codes.index(finding.code), fingerprint)
                    for finding, fingerprint in zip(
                        report.findings, fingerprints(report.findings, report.lines_around), strict=True
                    )
                ],
            }
        ],
    }
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _driver(codes: list[str], report: Report) -> dict[str, Any]:
    names = {finding.code: finding.name for finding in report.findings}
    return {
        "name": "tracetrap",
        "version": __version__,
        "informationUri": DOCUMENTATION,
        "rules": [
            {
                "id": code,
                "name": names[code],
                "helpUri": page_of(code),
                "shortDescription": {"text": _summary(code, names[code])},
            }
            for code in codes
        ],
    }


def _summary(code: str, name: str) -> str:
    from ..rules import rule
    from ..rules.docs import summary

    found = rule(code)
    return summary(found) if found is not None else name.replace("-", " ")


def _result(finding: Finding, index: int, fingerprint: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": _place(finding.filename, finding.span)}],
        "partialFingerprints": {"tracetrap/v1": fingerprint},
        "properties": {"confidence": finding.confidence},
    }
    if finding.provenance:
        result["codeFlows"] = [{"threadFlows": [{"locations": _flow(finding)}]}]
    if finding.fixes and finding.fixes[0].edits:
        result["fixes"] = [_fix(finding.filename, fix) for fix in finding.fixes if fix.edits]
    if finding.error:
        result["properties"]["error"] = finding.error
    if finding.verdict:
        result["properties"]["verdict"] = {"status": finding.verdict.status, "reason": finding.verdict.reason}
    return result


def _flow(finding: Finding) -> list[dict[str, Any]]:
    steps = [(step.message, step.filename, Span(step.location, step.location)) for step in finding.provenance]
    steps.append((finding.message, finding.filename, finding.span))
    return [
        {"location": {"physicalLocation": _place(filename, span), "message": {"text": message}}}
        for message, filename, span in steps
    ]


def _fix(filename: str, fix: Fix) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.content}} for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(filename), "replacements": replacements}
    return {"description": {"text": fix.message}, "artifactChanges": [change]}


def _place(filename: str, span: Span) -> dict[str, Any]:
    return {"artifactLocation": _artifact(filename), "region": _region(span)}


def _artifact(filename: str) -> dict[str, str]:
    path = Path(filename)
    return {"uri": path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))}


def _region(span: Span) -> dict[str, int]:
    start, end = span.start, max(span.end, span.start, key=_order)
    return {
        "startLine": start.row,
        "startColumn": start.column,
        "endLine": end.row,
        "endColumn": end.column,
    }


def _order(location: Location) -> tuple[int, int]:
    return (location.row, location.column)
