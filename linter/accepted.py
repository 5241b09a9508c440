"""What a project has accepted: findings that its baseline holds, and `noqa` comments; each kept true to what is found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .findings import Finding
from .settings.config import OPT_IN
from .settings.files import SettingsFinder
from .streams import warn

if TYPE_CHECKING:
    from .baseline import Baseline
    from .run import Sources


def noqa_findings(
    raw: list[Finding], files: list[str], finder: SettingsFinder, sources: Sources
) -> list[Finding]:
    """What `noqa` comments give rise to: codes that no rule has are named, comments that are not needed are findings."""
    from .unused_noqa import unknown_codes, unused

    by_file: dict[str, list[Finding]] = {name: [] for name in files}
    for finding in raw:
        by_file.setdefault(finding.filename, []).append(finding)
    found: list[Finding] = []
    told: set[str] = set()
    for name in files:
        wanted = any(finder.for_file(Path(name)).selects(code) for code in OPT_IN)
        source = sources.get(name) if wanted or by_file[name] else None
        if source is None:
            continue
        for row, code in unknown_codes(source):
            if code not in told:
                told.add(code)
                warn(
                    f"{name}:{row}: noqa names {code}, and there is no such rule ('tracetrap rule' lists all)"
                )
        if wanted:
            found += unused(source, by_file[name])
    return found


def add_noqa(findings: list[Finding], sources: Sources) -> int:
    """Disable every finding where it stands; tells how many lines were given a comment."""
    from itertools import groupby

    from .edits.apply import FixError, write
    from .edits.disabling import disabled

    lines, failed = 0, False
    for filename, group in groupby(findings, key=lambda finding: finding.filename):
        source = sources.get(filename)
        of_file = [finding for finding in group if finding.code != "TRC900"]
        if source is None or not of_file:
            continue
        text, number = disabled(source, of_file)
        try:
            write(source, text)
            lines += number
        except FixError as error:
            warn(str(error))
            failed = True
    warn(f"{lines} noqa {'comment' if lines == 1 else 'comments'} added")
    return 2 if failed else 0


def write_baseline(baseline: Baseline, findings: list[Finding], sources: Sources) -> int:
    """Take all findings for known; tells how many."""
    baseline.learn(findings, sources.lines)
    baseline.write()
    number = len(findings)
    warn(f"{number:,} {'finding' if number == 1 else 'findings'} written to {baseline.path}")
    return 0


def news(
    baseline: Baseline, findings: list[Finding], files: list[str], sources: Sources, *, prune: bool
) -> list[Finding]:
    """The findings that the baseline does not hold; what it holds and is not found any more is told, or removed."""
    new, unmatched = baseline.news(findings, sources.lines)
    stale = baseline.stale(unmatched, files)
    number = stale.total()
    entries = f"{number:,} {'entry' if number == 1 else 'entries'} of {baseline.path}"
    if prune and number:
        baseline.entries -= stale
        baseline.write()
        warn(f"{entries} removed")
    elif number:
        warn(f"{entries} not found any more; --prune-baseline removes {'it' if number == 1 else 'them'}")
    return new
