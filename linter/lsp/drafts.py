"""Findings without their fixes, and the fixes later, when somebody asks for them."""

from __future__ import annotations

from dataclasses import replace

from .. import deep_stack
from ..analysis import Gathering, interpret
from ..config import Settings
from ..failures import cut_short
from ..findings import Finding, Fix, Span
from ..project import Project
from ..source import SourceFile

SECONDS = 60.0


class Drafts(Gathering):
    """What the rules report of one text; its fixes are left out until they are asked for."""

    def analyze(self, source: SourceFile, settings: Settings, project: Project) -> list[Finding]:
        """The findings of a file, without fixes.

        Raises:
            libcst.ParserSyntaxError: the file is no Python that can be parsed.
        """
        reason = interpret(source, settings, project, self.hear)
        kept = self._kept
        self._kept = {
            key: (rule, event, replace(report, rewrites=())) for key, (rule, event, report) in kept.items()
        }
        try:
            found = self.findings()
        finally:
            self._kept = kept
        return ([] if reason is None else [cut_short(source.filename, reason)]) + found

    def fixes(self) -> dict[tuple[Span, str], tuple[Fix, ...]]:
        """The fixes of each finding, by its place and code."""
        found = deep_stack.call(self.findings, SECONDS)
        return {(finding.span, finding.code): finding.fixes for finding in reversed(found)}
