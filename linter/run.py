"""Many files: from paths to the findings to be reported, in one process or several, with the same answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from .check_file import raw_findings
from .cluster import in_shares
from .collector import held_back
from .failures import failure
from .files.decoding import DecodingError
from .files.discovery import display_name
from .files.notebook import read_source
from .files.project import Project
from .files.source import SourceFile
from .findings import Finding
from .settings.config import Settings
from .settings.files import SettingsFinder

FILES_PER_JOB = 24
"""Fewer files than this a job are not worth the start of a process."""


@dataclass
class Sources:
    """The files that findings point to, by the names that findings give them; read when they are first asked for."""

    known: dict[str, SourceFile | None] = field(default_factory=dict)

    def get(self, filename: str) -> SourceFile | None:
        """The file of this name, or None where it cannot be read."""
        if filename not in self.known:
            try:
                self.known[filename] = read_source(filename)
            except (OSError, DecodingError):
                self.known[filename] = None
        return self.known[filename]

    def lines(self, filename: str) -> Sequence[str]:
        """The lines of a file; none where it cannot be read."""
        source = self.get(filename)
        return source.lines if source is not None else ()


@dataclass(frozen=True)
class Task:
    """One file to check, with the settings that hold for it."""

    path: Path
    settings: Settings


def check_paths(
    files: Sequence[Path],
    finder: SettingsFinder,
    jobs: int,
    executor: str | None = None,
    on_progress: Callable[[str, int, int], None] = lambda *_: None,
) -> list[Finding]:
    """The raw findings of files, in the order of the files; `executor` names a cluster that checks them.

    `on_progress` hears which file, of what number, of how many is waited for.

    Raises:
        SettingsError: the cluster cannot be reached.
    """
    tasks = [Task(path, finder.for_file(path)) for path in files]
    jobs = min(jobs or os.cpu_count() or 1, -(-len(tasks) // FILES_PER_JOB))
    if executor is not None:
        results = in_shares(executor, _chunk, tasks, FILES_PER_JOB, lambda share: list(map(_alone, share)))
    elif jobs <= 1:
        results = _one_after_another(tasks)
    else:
        results = _in_parallel(tasks, jobs)
    found: list[Finding] = []
    for number, task in enumerate(tasks, 1):
        on_progress(display_name(task.path), number, len(tasks))
        found += next(results)
    return found


def reported(
    findings: Iterable[Finding], finder: SettingsFinder, sources: Sources, files: Iterable[str] | None = None
) -> list[Finding]:
    """Those findings that the settings, and the `noqa` comments of their file, let through; each once, in order.

    `files` limits them to the files of these names.
    """
    wanted = None if files is None else set(files)
    kept: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        if wanted is not None and finding.filename not in wanted:
            continue
        if not finder.for_file(Path(finding.filename)).reports(finding):
            continue
        source = sources.get(finding.filename)
        if source is None or not source.suppressions.suppresses(finding):
            _keep(kept, (finding.filename, finding.span, finding.code), finding)
    return sorted(kept.values(), key=lambda finding: finding.sort_key)


def _keep(kept: dict[tuple[object, ...], Finding], place: tuple[object, ...], finding: Finding) -> None:
    """Keeps the first finding of a place, or a later one that is surer: another file's analysis may know more."""
    before = kept.get(place)
    if before is None or (finding.confidence == "definite" and before.confidence == "possible"):
        kept[place] = finding


def check_text(text: str, filename: str, finder: SettingsFinder) -> list[Finding]:
    """The findings in one text to be reported, `noqa` comments left to the caller."""
    path = Path(filename)
    name = display_name(path)
    source = SourceFile(text.removeprefix("\ufeff"), name, path)
    project = Project()
    project.add(source)
    settings = finder.for_file(path)
    found = raw_findings(source, settings, project)
    return reported_in(source, found, settings)


def reported_in(source: SourceFile, findings: Sequence[Finding], settings: Settings) -> list[Finding]:
    """Those of the findings that stand in one file and that its settings let through; each once, in order."""
    kept: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        if finding.filename == source.filename and settings.reports(finding):
            _keep(kept, (finding.span, finding.code), finding)
    return sorted(kept.values(), key=lambda finding: finding.sort_key)


def check_path(task: Task, project: Project) -> list[Finding]:
    """The raw findings of one file on disk."""
    filename = display_name(task.path)
    try:
        source = read_source(task.path, filename)
    except OSError as error:
        return [failure(filename, f"it cannot be read ({error.strerror or type(error).__name__})")]
    except DecodingError as error:
        return [failure(filename, str(error))]
    return raw_findings(project.add(source), task.settings, project)


def _one_after_another(tasks: Iterable[Task]) -> Iterator[list[Finding]]:
    project = Project()
    with held_back():
        for task in tasks:
            yield check_path(task, project)


def _chunk(tasks: Sequence[Task]) -> list[list[Finding]]:
    return list(_one_after_another(tasks))


def _in_parallel(tasks: Sequence[Task], jobs: int) -> Iterator[list[Finding]]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    size = max(1, min(FILES_PER_JOB, len(tasks) // (jobs * 4)))
    chunks = [tasks[start : start + size] for start in range(0, len(tasks), size)]
    with ProcessPoolExecutor(jobs) as pool:
        futures = [pool.submit(_chunk, chunk) for chunk in chunks]
        for chunk, future in zip(chunks, futures, strict=True):
            try:
                yield from future.result()
            except BrokenProcessPool:
                yield from map(_alone, chunk)


def _alone(task: Task) -> list[Finding]:
    """One file in a process of its own, for when some file ends the process that checks it."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    with ProcessPoolExecutor(1) as pool:
        try:
            return pool.submit(partial(check_path, task, Project())).result()
        except BrokenProcessPool:
            return [failure(display_name(task.path), "the process that analysed it died")]
