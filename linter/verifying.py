"""Verification of a whole run: what tracing says of each finding, and of each fix; here, or by a cluster."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from .cluster import in_shares
from .config import RuntimeName, Settings
from .findings import Finding, Verdict
from .gate import Gate
from .mending import checker
from .notebook import cells_of
from .report.progress import ProgressBar
from .run import Sources, reported
from .settings_files import SettingsFinder

if TYPE_CHECKING:
    from .verify import Worker

PROOF_SECONDS, PROOF_SECONDS_OF_A_FILE = 20.0, 2.0
"""How long proving fixes that are only shown may take."""

_OfFile: TypeAlias = "tuple[str, Sequence[Finding]]"


@dataclass(frozen=True)
class Verifier:
    """What verification needs: settings, the texts of the run, and what traces.

    `worker` traces; where there is none, the cluster that `executor` names starts its own.
    """

    settings: Settings
    finder: SettingsFinder
    sources: Sources
    worker: Worker | None
    executor: str | None = None

    def verified(self, findings: Sequence[Finding], files: Iterable[str]) -> list[Finding]:
        """The findings with verdicts, and what tracing met besides in those of the files that trace anything.

        Raises:
            RuntimeMissing: the runtime asked for cannot be imported.
            SettingsError: the cluster cannot be reached.
        """
        from .verify import verify

        gate = Gate.of(self.settings.transforms)
        matter = [
            name
            for name in files
            if (source := self.sources.get(name)) is not None
            and cells_of(source) is None
            and gate.matters(source)
        ]
        in_notebooks = [
            f for f in findings if (source := self.sources.get(f.filename)) and cells_of(source) is not None
        ]
        with ProgressBar("tracing") as progress:
            found = verify(
                [finding for finding in findings if finding not in in_notebooks],
                matter,
                runtime=self.settings.runtime,
                inputs=self.settings.inputs,
                worker=self.worker,
                executor=self.executor,
                on_progress=progress,
            )
        unrun = Verdict("unverified", "notebooks are not run")
        told = [*self._with_proofs(found), *(f.with_verdict(unrun) for f in in_notebooks)]
        return reported(told, self.finder, self.sources)

    def _with_proofs(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings with what tracing says of their fixes, in the order that they had."""
        files = [(name, [*group]) for name, group in groupby(findings, key=lambda finding: finding.filename)]
        if self.worker is not None:
            marked = _marked(files, self.finder, self.sources, self.worker)
        elif self.executor is not None:
            from .verify import FILES_PER_WORKER

            share = partial(_share, finder=self.finder, runtime=self.settings.runtime)
            marked = in_shares(self.executor, share, files, FILES_PER_WORKER)
        else:
            marked = iter(_share(files, self.finder, self.settings.runtime))
        return [finding for of_file in marked for finding in of_file]


def _marked(
    files: Iterable[_OfFile], finder: SettingsFinder, sources: Sources, worker: Worker
) -> Iterator[list[Finding]]:
    """The findings of each file with what tracing says of their fixes, as long as the time for that lasts."""
    from .verify.rewriting import mark_fixes

    deadline = time.monotonic() + PROOF_SECONDS
    for filename, findings in files:
        source = sources.get(filename)
        if source is not None and any(finding.fixes for finding in findings):
            seconds = min(PROOF_SECONDS_OF_A_FILE, deadline - time.monotonic())
            yield mark_fixes(source, findings, checker(finder), worker, seconds)
        else:
            yield [*findings]


def _share(files: Sequence[_OfFile], finder: SettingsFinder, runtime: RuntimeName) -> list[list[Finding]]:
    """The same for a cluster's share of the files, with a worker process of its own."""
    from .verify import Worker

    with Worker(runtime) as worker:
        worker.wait_ready()
        return [*_marked(files, finder, Sources(), worker)]
