"""Findings as plain JSON values and back, for the cache."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from .findings import Edit, EntryPoint, Finding, Fix, Location, Span, Step


def to_wire(finding: Finding) -> dict[str, Any]:
    """A finding of the analysis (verdicts are never kept) as JSON values."""
    return asdict(finding)


def from_wire(data: dict[str, Any]) -> Finding:
    """The finding that `to_wire` wrote; raises KeyError or TypeError if it did not."""
    entry = data["entry_point"]
    return Finding(
        code=data["code"],
        name=data["name"],
        message=data["message"],
        filename=data["filename"],
        span=_span(data["span"]),
        severity=data["severity"],
        confidence=data["confidence"],
        error=data["error"],
        entry_point=None
        if entry is None
        else EntryPoint(entry["name"], entry["transform"], Location(**entry["location"])),
        provenance=tuple(
            Step(step["message"], step["filename"], Location(**step["location"]))
            for step in data["provenance"]
        ),
        fixes=tuple(_fix(fix) for fix in data["fixes"]),
    )


def _fix(data: dict[str, Any]) -> Fix:
    edits = tuple(Edit(_span(edit["span"]), edit["content"]) for edit in data["edits"])
    return Fix(data["message"], edits, data["applicability"], data["cost"])


def _span(data: dict[str, Any]) -> Span:
    return Span(Location(**data["start"]), Location(**data["end"]))
