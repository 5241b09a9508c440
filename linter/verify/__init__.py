"""Verification: what tracing says of each finding, from a worker process that runs the user's code.

Only this part of the linter runs code, and only when asked to.  The parent imports neither NumPy nor the
runtime.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from ..cluster import in_shares
from ..findings import Finding, Location, Verdict
from .file import better, verify_file
from .process import Limits, Runtime, RuntimeMissing, Worker, WorkerError
from .workers import FILES_PER_WORKER, Workers

__all__ = [
    "FILES_PER_WORKER",
    "Limits",
    "Runtime",
    "RuntimeMissing",
    "Worker",
    "WorkerError",
    "Workers",
    "verify",
]

Progress = Callable[[str, int, int], None]
_Claims = tuple[str, Mapping[int, Finding]]
"""A file that is traced, and the findings, by their numbers, that this may tell something of."""
_Told = tuple[dict[int, Verdict], list[Finding]]


def verify(
    findings: Sequence[Finding],
    files: Iterable[str],
    *,
    runtime: Runtime = "bundled",
    inputs: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    workers: Workers | None = None,
    executor: str | None = None,
    on_progress: Progress | None = None,
) -> list[Finding]:
    """The findings with verdicts, and TRC901 for errors that no rule foresaw.

    Every entry point of `files` is traced, those without findings too.  `inputs` is the table of the settings
    (qualified function name to arguments).  `workers` that were started earlier, while the analysis ran,
    save the time of their start; otherwise one is started and ended here, or by the cluster that `executor` names.
    `on_progress` hears file, number, total.

    Raises:
        RuntimeMissing: the runtime asked for cannot be imported.
        SettingsError: the cluster cannot be reached.
    """
    names = list(dict.fromkeys([*files, *(finding.filename for finding in findings)]))
    tasks: list[_Claims] = [
        (name, {index: f for index, f in enumerate(findings) if name in (f.filename, f.origin)})
        for name in names
    ]
    share = partial(_share, runtime=runtime, limits=limits, inputs=inputs)
    if workers is not None:
        told = workers.results(partial(_of_file, inputs=inputs), tasks)
    elif executor is not None:
        told = in_shares(executor, share, tasks, FILES_PER_WORKER)
    else:
        told = iter(share(tasks))
    verdicts = [Verdict("unverified", "its entry point was not traced") for _ in findings]
    unforeseen: dict[tuple[str, Location, str | None], Finding] = {}
    for number, name in enumerate(names, 1):
        if on_progress is not None:
            on_progress(name, number, len(names))
        found, others = next(told)
        for index, verdict in found.items():
            verdicts[index] = better(verdicts[index], verdict)
        unforeseen |= {(other.filename, other.span.start, other.error): other for other in others}
    known = {(finding.filename, finding.span.start.row) for finding in findings}
    result = [finding.with_verdict(verdict) for finding, verdict in zip(findings, verdicts, strict=True)]
    result += [f for f in unforeseen.values() if (f.filename, f.span.start.row) not in known]
    return sorted(result, key=lambda finding: finding.sort_key)


def _of_file(worker: Worker, task: _Claims, inputs: Mapping[str, str] | None) -> _Told:
    filename, claims = task
    return verify_file(worker, filename, claims, inputs)


def _share(
    tasks: Sequence[_Claims], runtime: Runtime, limits: Limits | None, inputs: Mapping[str, str] | None
) -> list[_Told]:
    """The same for a cluster's share of the files, with a worker of its own."""
    with Workers(runtime, limits=limits) as workers:
        return [*workers.results(partial(_of_file, inputs=inputs), tasks)]
