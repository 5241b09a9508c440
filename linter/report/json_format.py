"""A list, one object a finding, with the names of ruff's fields for all that ruff has too."""

from __future__ import annotations

import json
from typing import Any

from ..addresses import page_of
from ..findings import EntryPoint, Finding, Fix, Location, Step, Verdict
from .contents import Report


def render(report: Report) -> str:
    """The findings as a JSON list."""
    return (
        json.dumps([as_object(finding) for finding in report.findings], indent=2, ensure_ascii=False) + "\n"
    )


def as_object(finding: Finding) -> dict[str, Any]:
    """One finding as JSON knows it."""
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "filename": finding.filename,
        "cell": finding.cell,
        "location": place(finding.span.start),
        "end_location": place(finding.span.end),
        "severity": finding.severity,
        "url": page_of(finding.code),
        "fix": _fix(finding.fixes[0]) if finding.fixes else None,
        "fixes": [_fix(fix) | _fix_details(fix) for fix in finding.fixes],
        "confidence": finding.confidence,
        "entry_point": _entry_point(finding.entry_point) if finding.entry_point else None,
        "provenance": [_step(step) for step in finding.provenance],
        "error": finding.error,
        "verdict": _verdict(finding.verdict) if finding.verdict else None,
    }


def place(location: Location) -> dict[str, int]:
    """1-based row and column."""
    return {"row": location.row, "column": location.column}


def _fix(fix: Fix) -> dict[str, Any]:
    edits = [
        {"content": edit.content, "location": place(edit.span.start), "end_location": place(edit.span.end)}
        for edit in fix.edits
    ]
    return {"applicability": fix.applicability, "message": fix.message, "edits": edits}


def _fix_details(fix: Fix) -> dict[str, Any]:
    """What ruff's objects have no place for: the cost, and whether tracing has proven the fix."""
    proof = {"status": fix.proof.status, "reason": fix.proof.reason} if fix.proof else None
    return {"cost": fix.cost, "proof": proof}


def _entry_point(entry: EntryPoint) -> dict[str, Any]:
    return {"name": entry.name, "transform": entry.transform, "location": place(entry.location)}


def _step(step: Step) -> dict[str, Any]:
    return {"message": step.message, "filename": step.filename, "location": place(step.location)}


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "status": verdict.status,
        "reason": verdict.reason,
        "error": verdict.error,
        "location": place(verdict.location) if verdict.location else None,
        "inputs": verdict.inputs,
    }
