"""JUnit XML, which most CI servers read: a suite a file, a failure a finding."""

from __future__ import annotations

from itertools import groupby
from xml.etree import ElementTree

from ..findings import Finding
from .contents import Report


def render(report: Report) -> str:
    """One `testsuite` for each file with findings; a single passed test where there are none."""
    report = report.without_refuted()
    root = ElementTree.Element("testsuites", name="tracetrap")
    for filename, findings in groupby(report.findings, key=lambda finding: finding.filename):
        _suite(root, filename, list(findings))
    if not report.findings:
        suite = ElementTree.SubElement(
            root, "testsuite", name="tracetrap", tests="1", failures="0", errors="0"
        )
        ElementTree.SubElement(suite, "testcase", name="nothing found", classname="tracetrap")
    root.set("tests", str(max(len(report.findings), 1)))
    root.set("failures", str(len(report.findings)))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _suite(root: ElementTree.Element, filename: str, findings: list[Finding]) -> None:
    number = str(len(findings))
    suite = ElementTree.SubElement(
        root, "testsuite", name=_legal(filename), tests=number, failures=number, errors="0"
    )
    for finding in findings:
        start = finding.span.start
        case = ElementTree.SubElement(
            suite,
            "testcase",
            name=f"{finding.code} {finding.name} at {start.row}:{start.column}",
            classname=_legal(filename),
            file=_legal(filename),
            line=str(start.row),
        )
        failure = ElementTree.SubElement(case, "failure", type=finding.code, message=_legal(finding.message))
        failure.text = _legal(f"{filename}:{start.row}:{start.column}: {finding.code} {finding.message}")


def _legal(text: str) -> str:
    """XML has no place for control characters, not even escaped."""
    return "".join(
        c if c in "\t\n\r" or " " <= c < "\ud800" or "\ue000" <= c < "\ufffe" or c > "\uffff" else "?"
        for c in text
    )
