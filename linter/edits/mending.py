"""Fixes for all files of a run: which to write or show, and what is left to find afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

from ..check_file import raw_findings
from ..files.cells import CellError
from ..files.discovery import display_name
from ..files.notebook import cells_of, diff_of_cells
from ..files.project import Project
from ..files.source import SourceFile
from ..findings import Finding
from ..importers import importers_of
from ..run import Sources, reported
from ..settings.files import SettingsFinder
from .apply import Fixed, FixError, diff, fix_text, write

Check: TypeAlias = "Callable[[SourceFile], Sequence[Finding]]"
Fixer: TypeAlias = "Callable[[SourceFile, Sequence[Finding], Check], Fixed]"
"""Fixes one text, given its findings and what finds those of a changed text."""


@dataclass
class Mended:
    """What became of a run's findings: those that are left, the diff of all files, and what went wrong."""

    findings: list[Finding] = field(default_factory=list)
    diffs: list[str] = field(default_factory=list)
    applied: int = 0
    problems: list[str] = field(default_factory=list)


def mend(
    findings: Sequence[Finding],
    finder: SettingsFinder,
    sources: Sources,
    *,
    unsafe: bool,
    to_disk: bool,
    fixer: Fixer | None = None,
) -> Mended:
    """Fix the files that findings (sorted by file) point to; `to_disk` writes them.

    A `fixer` chooses the fixes in its own way; without one all go in that are safe, or `unsafe` and allowed.
    """
    fixer = fixer or partial(fix_text, unsafe=unsafe)
    mended = Mended()
    for filename, group in groupby(findings, key=lambda finding: finding.filename):
        of_file = list(group)
        source = sources.get(filename)
        if source is None or not any(fix.edits for finding in of_file for fix in finding.fixes):
            mended.findings += of_file
            continue
        mended.findings += _mend_file(source, of_file, finder, sources, mended, fixer, to_disk=to_disk)
    return mended


def checker(
    findings: Iterable[Finding], finder: SettingsFinder, sources: Sources
) -> Callable[[SourceFile], list[Finding]]:
    """What finds the findings of a changed text, settings and `noqa` heeded.

    `findings` are those of the text before.  Importers that gave rise to some of them, by what these or the cache tell,
    are analysed again, as they see the changed text.
    """
    origins = {finding.origin for finding in findings}

    def check(changed: SourceFile) -> list[Finding]:
        project = Project()
        project.hold(changed)
        settings = finder.for_file(Path(changed.filename))
        raw = [*raw_findings(changed, settings, project)]
        noted = importers_of(project.cache, changed) if settings.cache else ()
        for name in sorted((origins | set(map(display_name, noted))) - {changed.filename}):
            importer = sources.get(name)
            if importer is not None:
                settings = replace(finder.for_file(Path(name)), cache=False)  # it holds for the text on disk
                raw += raw_findings(importer, settings, project)
        return reported(raw, finder, Sources({changed.filename: changed}), [changed.filename])

    return check


def _mend_file(
    source: SourceFile,
    findings: list[Finding],
    finder: SettingsFinder,
    sources: Sources,
    mended: Mended,
    fixer: Fixer,
    *,
    to_disk: bool,
) -> list[Finding]:
    """Fix one file; returns what there is left to find in it."""
    check = checker(findings, finder, sources)
    fixed = fixer(source, findings, check)
    mended.problems += fixed.unproven
    for code in fixed.refused:
        mended.problems.append(
            f"{source.filename}: a fix for {code} was refused, as its result would not parse, or has new findings"
        )
    if not fixed.applied:
        return findings
    cells = cells_of(source)
    if cells is not None:
        try:
            cells.split(fixed.text)
        except CellError as error:
            mended.problems.append(f"{source.filename}: its fixes were not applied: {error}")
            return findings
    if to_disk:
        try:
            write(source, fixed.text)
        except FixError as error:
            mended.problems.append(str(error))
            return findings
    mended.applied += fixed.applied
    mended.diffs.append(diff(source, fixed.text) if cells is None else diff_of_cells(source, fixed.text))
    after = SourceFile(fixed.text, source.filename, source.path, source.encoding)
    sources.known[source.filename] = after
    return list(check(after))
