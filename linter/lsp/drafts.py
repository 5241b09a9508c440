"""Findings without their fixes, and the fixes later, when somebody asks for them, in steps that others need not wait for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from .. import deep_stack
from ..analysis import Gathering, interpret
from ..failures import cut_short
from ..files.project import Project
from ..files.source import SourceFile
from ..findings import Finding, Fix, Span
from ..settings.config import Settings
from ..syntax.allowance import MAX_LAID_OUT

if TYPE_CHECKING:
    from ..syntax.units import Unit

SECONDS = 60.0
UNITS = 8  # statements of a module that are laid out in one step


class Drafts(Gathering):
    """What the rules report of one text; its fixes are left out until they are asked for."""

    def __init__(self) -> None:
        super().__init__()
        self._made: dict[tuple[str, int], Finding] = {}

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

    def steps(self) -> Iterator[Callable[[], None]]:
        """What is to be done, in this order, for `fixes` to have nothing left to do; each takes milliseconds."""
        sources = dict.fromkeys(event.source for _, event, report in self._kept.values() if report.rewrites)
        for source in sources:
            if len(source.text) <= MAX_LAID_OUT:
                waiting = [unit for _, unit in source.units if not unit.laid_out]
                for start in range(0, len(waiting), UNITS):
                    yield partial(_lay_out, source, waiting[start : start + UNITS])
        yield from (partial(self._make, key) for key in self._kept if key not in self._made)

    def fixes(self) -> dict[tuple[Span, str], tuple[Fix, ...]]:
        """The fixes of each finding, by its place and code."""
        for step in self.steps():
            step()
        found = sorted(self._made.values(), key=lambda finding: finding.sort_key)
        return {(finding.span, finding.code): finding.fixes for finding in reversed(found)}

    def _make(self, key: tuple[str, int]) -> None:
        if key in self._made:
            return
        rule, event, report = self._kept[key]
        try:
            made = deep_stack.call(lambda: self._finding(rule, event, report), SECONDS)
        except deep_stack.TimeLimitExceeded:
            made = self._finding(rule, event, replace(report, rewrites=()))
        self._made[key] = made


def _lay_out(source: SourceFile, units: Sequence[Unit]) -> None:
    """Gives some statements their layout; where that fails, the file tells once more when it is asked for all of them."""
    from libcst import CSTValidationError, ParserSyntaxError

    def run() -> None:
        for unit in units:
            unit.lay_out(source.module.default_newline)

    with suppress(CSTValidationError, ParserSyntaxError, deep_stack.TimeLimitExceeded):
        deep_stack.call(run, SECONDS)
