"""`tracetrap check`: the main job."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..accepted import add_noqa, news, noqa_findings, write_baseline
from ..collector import held_back
from ..failures import failure
from ..files.decoding import DecodingError
from ..findings import Finding
from ..report import FOR_PEOPLE, Report, render
from ..settings.config import Settings, SettingsError
from ..settings.files import SettingsFinder
from ..settings.keys import READERS
from ..streams import warn, write_bytes, write_document
from .check_arguments import add_arguments

if TYPE_CHECKING:
    from ..baseline import Baseline
    from ..run import Sources
    from ..verify import Workers

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  tracetrap check                          the current folder
  tracetrap check model.py train/          some files and folders
  tracetrap check --verify model.py        and prove each finding by tracing the code
  tracetrap check --diff model.py          show what --fix would change
  tracetrap check --write-baseline FILE    take what is found now for known, ...
  tracetrap check --baseline FILE          ... and report only what is new
  cat model.py | tracetrap check - --stdin-filename model.py

exit status: 0 nothing found, 1 findings, 2 the tool could not do its work
"""

_OPTIONS = (
    "select",
    "ignore",
    "extend_select",
    "strict",
    "verify",
    "runtime",
    "output_format",
    "unsafe_fixes",
    "jobs",
    "cache",
)


def run(options: argparse.Namespace) -> int:
    """Check what the options name; returns the exit code."""
    from ..baseline import BaselineError

    try:
        finder = SettingsFinder(options.config, _overrides(options))
        settings = finder.for_folder(Path.cwd())
        _refuse_contradictions(options)
        complete = _leave_out_what_is_missing(options)
        baseline = _baseline(options)
        code = _check(options, finder, settings, baseline) if options.paths else 2
    except SettingsError as error:
        return _refuse(str(error))
    except BaselineError as error:
        return _refuse(f"{'--write-baseline' if options.write_baseline else '--baseline'} {error}")
    return code if complete else 2


def _refuse_contradictions(options: argparse.Namespace) -> None:
    """Raises SettingsError for options of which one makes no sense beside, or without, the other.

    An option that is only idle is named.
    """
    if options.prune_baseline and options.baseline is None:
        raise SettingsError("--prune-baseline needs --baseline FILE")
    if options.write_baseline and options.baseline:
        raise SettingsError("--write-baseline takes everything for known: leave --baseline out")
    if options.executor is not None:
        from ..cluster import address_of

        address_of(options.executor)
    if options.unsafe_fixes and not (options.fix or options.diff):
        warn("--unsafe-fixes changes nothing without --fix or --diff")
    if options.add_noqa and (options.fix or options.diff or "-" in options.paths):
        raise SettingsError("--add-noqa cannot be combined with --fix, --diff or standard input")


def _baseline(options: argparse.Namespace) -> Baseline | None:
    """The baseline that the options name, read, or empty where it is to be written."""
    from ..baseline import Baseline

    if options.write_baseline is not None:
        return Baseline(options.write_baseline)
    return Baseline.read(options.baseline) if options.baseline is not None else None


def _leave_out_what_is_missing(options: argparse.Namespace) -> bool:
    """Takes the paths that lead to nothing from the options, and names them; tells whether there were none."""
    from ..files.discovery import mistake

    wrong = {path: reason for path in options.paths if path != "-" and (reason := mistake(Path(path)))}
    for reason in wrong.values():
        _refuse(reason)
    options.paths = [path for path in options.paths if path not in wrong]
    return not wrong


def _check(
    options: argparse.Namespace, finder: SettingsFinder, settings: Settings, baseline: Baseline | None
) -> int:
    from ..run import Sources, reported

    sources = Sources()
    with held_back(), ExitStack() as stack:
        # Starts while we analyse
        workers = stack.enter_context(_workers(settings)) if _needs_workers(options, settings) else None
        if "-" in options.paths:
            files, raw = _check_stdin(options, finder, sources)
        else:
            files, raw = _check_files(options, finder, settings)
        raw += noqa_findings(raw, files, finder, sources)
        findings = reported(raw, finder, sources, files)
        if options.add_noqa:
            return add_noqa(findings, sources)
        if options.fix or options.diff:
            findings, changed = _fix(findings, finder, sources, settings, options, workers)
            if options.diff or "-" in options.paths:
                return 1 if (changed if options.diff else findings) and not options.exit_zero else 0
        if settings.verify:
            from ..verifying import Verifier

            verifier = Verifier(settings, finder, sources, workers, options.executor)
            findings = verifier.verified(findings, files)
            if options.note_inputs:
                _note_inputs(findings, sources)
    if baseline is not None:
        if options.write_baseline:
            return write_baseline(baseline, findings, sources)
        findings = news(baseline, findings, files, sources, prune=options.prune_baseline)
    _print(findings, len(files), options, settings, sources)
    open_ = any(not finding.is_refuted for finding in findings)
    return 1 if open_ and not options.exit_zero else 0


def _needs_workers(options: argparse.Namespace, settings: Settings) -> bool:
    """Whether code is traced here: always where fixes are to be proven, else if no cluster does it."""
    return settings.verify and (options.executor is None or options.fix or options.diff)


def _workers(settings: Settings) -> Workers:
    from ..verify import Workers

    return Workers(settings.runtime, settings.jobs)


def _fix(
    findings: list[Finding],
    finder: SettingsFinder,
    sources: Sources,
    settings: Settings,
    options: argparse.Namespace,
    workers: Workers | None,
) -> tuple[list[Finding], bool]:
    """Fix files, or show how, with workers only what they prove; standard input, fixed, goes to standard output."""
    from ..edits.mending import mend

    stdin = "-" in options.paths
    to_disk = not options.diff and not stdin
    fixer = None
    if workers is not None:
        from ..verify.rewriting import fix_proven

        fixer = partial(fix_proven, worker=workers.first)
        workers.first.wait_ready()
    mended = mend(findings, finder, sources, unsafe=settings.unsafe_fixes, to_disk=to_disk, fixer=fixer)
    for problem in mended.problems:
        warn(problem)
    if options.diff:
        write_document("".join(mended.diffs))
    elif stdin:
        for source in filter(None, sources.known.values()):
            write_bytes(source.encoding.encode(source.text))
    verb = "would be applied" if options.diff else "applied"
    unsafe = (
        0 if settings.unsafe_fixes else sum(1 for f in mended.findings if any(fix.edits for fix in f.fixes))
    )
    more = f"; {unsafe} more with --unsafe-fixes" if unsafe else ""
    warn(f"{mended.applied} {'fix' if mended.applied == 1 else 'fixes'} {verb}{more}")
    return mended.findings, bool(mended.diffs)


def _check_files(
    options: argparse.Namespace, finder: SettingsFinder, settings: Settings
) -> tuple[list[str], list[Finding]]:
    from ..files.discovery import discover, display_name
    from ..report.progress import ProgressBar
    from ..run import check_paths

    files = discover(map(Path, options.paths), finder)
    if not files:
        warn(f"no Python files in {', '.join(options.paths)}")
    with ProgressBar("checking") as progress:
        found = check_paths(files, finder, settings.jobs, options.executor, progress)
    return [display_name(path) for path in files], found


def _check_stdin(
    options: argparse.Namespace, finder: SettingsFinder, sources: Sources
) -> tuple[list[str], list[Finding]]:
    from ..check_file import raw_findings
    from ..files.project import Project
    from ..files.source import SourceFile

    if len(options.paths) > 1:
        raise SettingsError("- (standard input) cannot be combined with other paths")
    filename = options.stdin_filename or "<stdin>"
    try:
        data = sys.stdin.buffer.read()
    except OSError as error:
        raise SettingsError(f"- (standard input) cannot be read ({error.strerror})") from None
    try:
        source = SourceFile.from_bytes(data, filename, Path(filename))
    except DecodingError as error:
        sources.known[filename] = None  # what stands on disk under this name is another text
        return [filename], [failure(filename, str(error))]
    sources.known[filename] = source
    project = Project()
    project.add(source)
    return [filename], raw_findings(source, finder.for_file(Path(filename)), project)


def _note_inputs(findings: list[Finding], sources: Sources) -> None:
    """Write the inputs of the verdicts into the files, as comments; the findings stand where they stood."""
    from ..edits.apply import FixError, write
    from ..files.notebook import cells_of
    from ..verify.notes import noted

    total = 0
    for filename, group in groupby(findings, key=lambda finding: finding.filename):
        source = sources.get(filename)
        if source is None or source.path is None or not source.path.exists() or cells_of(source) is not None:
            continue
        text, number = noted(source, list(group))
        try:
            if number:
                write(source, text)
        except FixError as error:
            warn(str(error))
            continue
        total += number
    warn(f"{total} {'comment' if total == 1 else 'comments'} with inputs written")


def _print(
    findings: list[Finding], files: int, options: argparse.Namespace, settings: Settings, sources: Sources
) -> None:
    from ..files.notebook import located
    from ..report.style import wants_colour

    findings = [located(finding, sources.get(finding.filename)) for finding in findings]
    report = Report(findings, files, sources.lines, wants_colour(sys.stdout))
    name = "statistics" if options.statistics else settings.output_format
    write = sys.stdout.write if name in FOR_PEOPLE else write_document
    write(render(name, report))


def _overrides(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that the command line gives; raises SettingsError."""
    values = {}
    for name in _OPTIONS:
        value = getattr(options, name)
        if value is not None:
            try:
                values[name] = READERS[name](value)
            except ValueError as error:
                raise SettingsError(f"--{name.replace('_', '-')} must be {error}") from None
    return values


def _refuse(reason: str) -> int:
    warn(reason)
    return 2
