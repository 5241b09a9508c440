"""`tracetrap check`: the main job."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..config import Settings, SettingsError
from ..decoding import DecodingError
from ..failures import failure
from ..findings import Finding
from ..settings_files import SettingsFinder

if TYPE_CHECKING:
    from ..run import Sources
    from ..verify import Worker

EXAMPLES = """\
examples:
  tracetrap check                          the current folder
  tracetrap check model.py train/          some files and folders
  tracetrap check --verify model.py        and prove each finding by tracing the code
  tracetrap check --diff model.py          show what --fix would change
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """All options of the contract; those that were not given are None, so that the settings decide."""
    add = parser.add_argument
    add(
        "paths",
        nargs="*",
        default=["."],
        metavar="PATH",
        help="files and folders; - reads standard input (default: .)",
    )
    choose = parser.add_argument_group("what is reported")
    choose.add_argument(
        "--select",
        metavar="CODES",
        help="only these rules: codes or beginnings of codes, with commas between",
    )
    choose.add_argument("--ignore", metavar="CODES", help="not these rules")
    choose.add_argument("--extend-select", metavar="CODES", help="these rules as well")
    choose.add_argument(
        "--strict", action="store_true", default=None, help="also what is only possible, not definite"
    )
    choose.add_argument(
        "--output-format",
        metavar="FORMAT",
        help="text (default), concise, json, sarif, github, gitlab or junit",
    )
    choose.add_argument(
        "--statistics",
        action="store_true",
        help="the number of findings of each rule instead of the findings",
    )
    mend = parser.add_argument_group("fixes")
    mend.add_argument("--fix", action="store_true", help="apply safe fixes")
    mend.add_argument(
        "--unsafe-fixes", action="store_true", default=None, help="with --fix or --diff: unsafe fixes as well"
    )
    mend.add_argument("--diff", action="store_true", help="show what --fix would change, and change nothing")
    prove = parser.add_argument_group(
        "verification (runs the code that is checked, confined to a process of its own)"
    )
    prove.add_argument(
        "--verify", action="store_true", default=None, help="prove or refute each finding by tracing"
    )
    prove.add_argument(
        "--runtime", metavar="NAME", help="what traces: bundled (default), or jax, if it is installed"
    )
    run = parser.add_argument_group("how it runs")
    run.add_argument("--config", metavar="FILE", type=Path, help="read the settings from this file")
    run.add_argument("--stdin-filename", metavar="NAME", help="the name of what is read from standard input")
    run.add_argument("--jobs", "-j", metavar="N", help="number of processes (default: one a core)")
    run.add_argument(
        "--no-cache",
        dest="cache",
        action="store_const",
        const=False,
        default=None,
        help="neither read nor write the cache",
    )
    run.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")


def run(options: argparse.Namespace) -> int:
    """Check what the options name; returns the exit code."""
    try:
        finder = SettingsFinder(options.config, _overrides(options))
        settings = finder.for_folder(Path.cwd())
        complete = _leave_out_what_is_missing(options)
        code = _check(options, finder, settings) if options.paths else 2
    except SettingsError as error:
        return _refuse(str(error))
    return code if complete else 2


def _leave_out_what_is_missing(options: argparse.Namespace) -> bool:
    """Takes the paths that lead to nothing from the options, and names them; tells whether there were none."""
    from ..discovery import mistake

    wrong = {path: reason for path in options.paths if path != "-" and (reason := mistake(Path(path)))}
    for reason in wrong.values():
        _refuse(reason)
    options.paths = [path for path in options.paths if path not in wrong]
    return not wrong


def _check(options: argparse.Namespace, finder: SettingsFinder, settings: Settings) -> int:
    from ..run import Sources, reported

    sources = Sources()
    with ExitStack() as stack:
        worker = (
            stack.enter_context(_worker(settings)) if settings.verify else None
        )  # starts while we analyse
        if "-" in options.paths:
            files, raw = _check_stdin(options, finder, sources)
        else:
            files, raw = _check_files(options.paths, finder, settings)
        findings = reported(raw, finder, sources, files)
        if options.fix or options.diff:
            findings, changed = _fix(findings, finder, sources, settings, options, worker)
            if options.diff or "-" in options.paths:
                return 1 if (changed if options.diff else findings) and not options.exit_zero else 0
        if worker is not None:
            findings = _verified(findings, files, settings, finder, sources, worker)
    _print(findings, len(files), options, settings, sources)
    open_ = any(not finding.is_refuted for finding in findings)
    return 1 if open_ and not options.exit_zero else 0


def _worker(settings: Settings) -> Worker:
    from ..verify import Worker

    return Worker(settings.runtime)


def _fix(
    findings: list[Finding],
    finder: SettingsFinder,
    sources: Sources,
    settings: Settings,
    options: argparse.Namespace,
    worker: Worker | None,
) -> tuple[list[Finding], bool]:
    """Fix files, or show how, with a worker only what it proves; standard input, fixed, goes to standard output."""
    from ..mending import mend

    stdin = "-" in options.paths
    to_disk = not options.diff and not stdin
    fixer = None
    if worker is not None:
        from ..verify.rewriting import fix_proven

        fixer = partial(fix_proven, worker=worker)
        worker.wait_ready()
    mended = mend(findings, finder, sources, unsafe=settings.unsafe_fixes, to_disk=to_disk, fixer=fixer)
    for problem in mended.problems:
        print(f"tracetrap: {problem}", file=sys.stderr)
    if options.diff:
        sys.stdout.write("".join(mended.diffs))
    elif stdin:
        sys.stdout.write("".join(source.text for source in sources.known.values() if source is not None))
    verb = "would be applied" if options.diff else "applied"
    print(f"tracetrap: {mended.applied} {'fix' if mended.applied == 1 else 'fixes'} {verb}", file=sys.stderr)
    return mended.findings, bool(mended.diffs)


def _check_files(
    paths: list[str], finder: SettingsFinder, settings: Settings
) -> tuple[list[str], list[Finding]]:
    from ..discovery import discover, display_name
    from ..run import check_paths

    files = discover(map(Path, paths), finder)
    if not files:
        print("tracetrap: no Python files in", ", ".join(paths), file=sys.stderr)
    return [display_name(path) for path in files], check_paths(files, finder, settings.jobs)


def _check_stdin(
    options: argparse.Namespace, finder: SettingsFinder, sources: Sources
) -> tuple[list[str], list[Finding]]:
    from ..check_file import raw_findings
    from ..project import Project
    from ..source import SourceFile

    if len(options.paths) > 1:
        raise SettingsError("- (standard input) cannot be combined with other paths")
    filename = options.stdin_filename or "<stdin>"
    try:
        source = SourceFile.from_bytes(sys.stdin.buffer.read(), filename, Path(filename))
    except DecodingError as error:
        return [filename], [failure(filename, str(error))]
    sources.known[filename] = source
    project = Project()
    project.add(source)
    return [filename], raw_findings(source, finder.for_file(Path(filename)), project)


def _verified(
    findings: list[Finding],
    files: list[str],
    settings: Settings,
    finder: SettingsFinder,
    sources: Sources,
    worker: Worker,
) -> list[Finding]:
    """The findings with verdicts, and what tracing met besides in the files that trace anything."""
    from ..gate import Gate
    from ..report.progress import ProgressBar
    from ..run import reported
    from ..verify import verify

    gate = Gate.of(settings.transforms)
    matter = [name for name in files if (source := sources.get(name)) is not None and gate.matters(source)]
    with ProgressBar("tracing") as progress:
        verified = verify(findings, matter, inputs=settings.inputs, worker=worker, on_progress=progress)
    return reported(verified, finder, sources)


def _print(
    findings: list[Finding], files: int, options: argparse.Namespace, settings: Settings, sources: Sources
) -> None:
    from ..report import Report, render
    from ..report.style import wants_colour

    report = Report(findings, files, sources.lines, wants_colour(sys.stdout))
    sys.stdout.write(render("statistics" if options.statistics else settings.output_format, report))


def _overrides(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that the command line gives; raises SettingsError."""
    from ..keys import READERS

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
    print(f"tracetrap: {reason}", file=sys.stderr)
    return 2
