"""GitLab's code quality report (https://docs.gitlab.com/ci/testing/code_quality/)."""

from __future__ import annotations

import json

from .contents import Report
from .fingerprint import fingerprints

_SEVERITY = {"error": "major", "warning": "minor"}


def render(report: Report) -> str:
    """A JSON list of issues."""
    report = report.without_refuted()
    issues = [
        {
            "description": f"{finding.code}: {finding.message}",
            "check_name": finding.code,
            "fingerprint": fingerprint,
            "severity": _SEVERITY[finding.severity],
            "location": {
                "path": finding.filename.replace("\\", "/"),
                "positions": {
                    "begin": {"line": finding.span.start.row, "column": finding.span.start.column},
                    "end": {"line": finding.span.end.row, "column": finding.span.end.column},
                },
            },
        }
        for finding, fingerprint in zip(
            report.findings, fingerprints(report.findings, report.lines_around), strict=True
        )
    ]
    return json.dumps(issues, indent=2, ensure_ascii=False) + "\n"
