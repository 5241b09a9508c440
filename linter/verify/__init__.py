"""Verification: what tracing says of each finding, from a worker process that runs the user's code.

Only this part of the linter runs code, and only when asked to.  The parent imports neither NumPy nor the
runtime.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..findings import Finding, Location, Verdict
from .file import better, origin, verify_file
from .process import Limits, Runtime, RuntimeMissing, Worker, WorkerError

__all__ = ["Limits", "Runtime", "RuntimeMissing", "Worker", "WorkerError", "verify"]

Progress = Callable[[str, int, int], None]


def verify(
    findings: Sequence[Finding],
    files: Iterable[str],
    *,
    runtime: Runtime = "bundled",
    inputs: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    worker: Worker | None = None,
    on_progress: Progress | None = None,
) -> list[Finding]:
    """The findings with verdicts, and TRC901 for errors that no rule foresaw.

    Every entry point of `files` is traced, those without findings too.  `inputs` is the table of the settings
    (qualified function name to arguments).  A `worker` that was started earlier, while the analysis ran,
    saves the time of its start; otherwise one is started and ended here.  `on_progress` hears
    file, number, total.  Raises RuntimeMissing when the runtime asked for cannot be imported.
    """
    own = worker is None
    worker = worker or Worker(runtime, limits)
    try:
        worker.wait_ready()
        names = list(dict.fromkeys([*files, *(finding.filename for finding in findings)]))
        verdicts = [Verdict("unverified", "its entry point was not traced") for _ in findings]
        unforeseen: dict[tuple[str, Location, str | None], Finding] = {}
        for number, filename in enumerate(names, 1):
            if on_progress is not None:
                on_progress(filename, number, len(names))
            claims = {index: f for index, f in enumerate(findings) if filename in (f.filename, origin(f))}
            found, others = verify_file(worker, filename, claims, inputs)
            for index, verdict in found.items():
                verdicts[index] = better(verdicts[index], verdict)
            unforeseen |= {(other.filename, other.span.start, other.error): other for other in others}
        known = {(finding.filename, finding.span.start.row) for finding in findings}
        result = [finding.with_verdict(verdict) for finding, verdict in zip(findings, verdicts, strict=True)]
        result += [f for f in unforeseen.values() if (f.filename, f.span.start.row) not in known]
        return sorted(result, key=lambda finding: finding.sort_key)
    finally:
        if own:
            worker.close()
