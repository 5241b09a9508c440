"""From paths to what a page shows: each file analysed, and, where asked for, verified and traced."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from .. import deep_stack
from ..analysis import Gathering
from ..check_file import raw_findings
from ..files.decoding import DecodingError
from ..files.discovery import discover, display_name
from ..files.notebook import read_source
from ..files.project import Project
from ..findings import Finding
from ..gate import Gate
from ..observation import observe
from ..report.progress import ProgressBar
from ..run import Sources, reported
from ..settings.files import SettingsFinder
from ..verifying import Verifier
from .contents import ViewedFile

if TYPE_CHECKING:
    from ..files.source import SourceFile
    from ..settings.config import Settings
    from ..verify import Worker, Workers


def gather(
    paths: Iterable[Path],
    finder: SettingsFinder,
    workers: Workers | None = None,
    *,
    verify: bool = False,
    trace: bool = False,
) -> list[ViewedFile]:
    """What is known of each file below the paths that names a library that traces, or that is named outright.

    `verify` gives findings their verdicts, `trace` entry points their jaxprs; both run the files in `workers`.
    Raises PathError for a path that does not exist, RuntimeMissing when the workers' runtime cannot be imported.
    """
    named = {path for path in paths if not path.is_dir()}
    project = Project()
    files: list[ViewedFile] = []
    findings: list[Finding] = []
    chosen = discover(paths, finder)
    with ProgressBar("checking") as progress:
        for number, path in enumerate(chosen, 1):
            progress(display_name(path), number, len(chosen))
            try:
                source = read_source(path, display_name(path))
            except (OSError, DecodingError):
                continue
            settings = finder.for_file(path)
            if path in named or Gate.of(settings.transforms).names_library(source.text):
                project.add(source)
                file, found = _seen(source, settings, project)
                files.append(file)
                findings += found
    sources = Sources({file.name: file.source for file in files})
    findings = reported(findings, finder, sources, sources.known.keys())
    if workers is not None and verify:
        verifier = Verifier(finder.for_folder(Path.cwd()), finder, sources, workers)
        findings = verifier.verified(findings, [file.name for file in files])
        findings = reported(findings, finder, sources, sources.known.keys())
    if workers is not None and trace:
        files = [*workers.results(partial(_traced, finder=finder), files)]
    by_file: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_file[finding.filename].append(finding)
    return [replace(file, findings=tuple(by_file[file.name])) for file in files]


def _seen(source: SourceFile, settings: Settings, project: Project) -> tuple[ViewedFile, list[Finding]]:
    """What one run of the analysis tells of a file's expressions, and what it finds."""
    heard = Gathering(settings.strict)
    observations = observe(source, settings, project, heard.hear)
    if observations.reason is None:
        found = deep_stack.call(heard.findings, settings.seconds_per_file)
    else:
        found = raw_findings(source, settings, project)
    return ViewedFile(source, tuple(observations), reason=observations.reason), found


def _traced(worker: Worker, file: ViewedFile, finder: SettingsFinder) -> ViewedFile:
    from ..verify.jaxprs import jaxprs_of

    if file.reason is not None and not file.observations:
        return file
    inputs = finder.for_file(Path(file.name)).inputs
    return replace(file, jaxprs=tuple(jaxprs_of(worker, file.name, inputs)))
