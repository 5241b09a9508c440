"""Workflow commands that GitHub shows as annotations beside the changed lines.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from .contents import Report


def render(report: Report) -> str:
    """One workflow command a finding."""
    report = report.without_refuted()
    lines = []
    for finding in report.findings:
        start, end = finding.span.start, finding.span.end
        properties = {
            "title": f"tracetrap {finding.code}",
            "file": finding.filename,
            "line": start.row,
            "endLine": max(end.row, start.row),
        }
        if end.row == start.row:  # GitHub ignores columns of what spans several lines
            properties |= {"col": start.column, "endColumn": end.column}
        listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
        cell = "" if finding.cell is None else f":cell {finding.cell}"
        message = f"{finding.filename}{cell}:{start.row}:{start.column}: {finding.code} {finding.message}"
        lines.append(f"::{finding.severity} {listed}::{_data(message)}\n")
    return "".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
