"""Verification of a whole run: what tracing says of each finding, and of each fix; here, or by a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from .cluster import in_shares
from .edits.mending import checker
from .files.notebook import cells_of
from .findings import Finding, Verdict
from .gate import Gate
from .report.progress import ProgressBar
from .run import Sources, reported
from .settings.config import RuntimeName, Settings
from .settings.files import SettingsFinder

if TYPE_CHECKING:
    from .verify import Worker, Workers

MAX_PROOFS, MAX_PROOFS_OF_A_FILE = 240, 12
"""How many proofs are tried of fixes that are only shown.  Counted, not timed: the answer must not depend on the machine."""

_OfFile: TypeAlias = "tuple[str, Sequence[Finding], int]"
"""A file, its findings, and how many proofs it may take."""


@dataclass(frozen=True)
class Verifier:
    """What verification needs: settings, the texts of the run, and what traces.

    `workers` trace; where there are none, the cluster that `executor` names starts its own.
    """

    settings: Settings
    finder: SettingsFinder
    sources: Sources
    workers: Workers | None
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
                workers=self.workers,
                executor=self.executor,
                on_progress=progress,
            )
        unrun = Verdict("unverified", "notebooks are not run")
        told = [*self._with_proofs(found), *(f.with_verdict(unrun) for f in in_notebooks)]
        return reported(told, self.finder, self.sources)

    def _with_proofs(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings with what tracing says of their fixes, in the order that they had."""
        files = _rationed(findings)
        if self.workers is not None:
            marked = self.workers.results(partial(_marked, finder=self.finder, sources=self.sources), files)
        else:
            from .verify import FILES_PER_WORKER

            share = partial(_share, finder=self.finder, runtime=self.settings.runtime)
            marked = in_shares(self.executor or "", share, files, FILES_PER_WORKER)
        return [finding for of_file in marked for finding in of_file]


def _rationed(findings: Sequence[Finding]) -> list[_OfFile]:
    """The findings of each file with the number of proofs that it may take; the first files are served first."""
    files: list[_OfFile] = []
    left = MAX_PROOFS
    for name, group in groupby(findings, key=lambda finding: finding.filename):
        of_file = list(group)
        wanted = sum(2 for finding in of_file if not finding.is_refuted for fix in finding.fixes if fix.edits)
        granted = min(wanted, MAX_PROOFS_OF_A_FILE, left)
        left -= granted
        files.append((name, of_file, granted))
    return files


def _marked(worker: Worker, of_file: _OfFile, finder: SettingsFinder, sources: Sources) -> list[Finding]:
    """The findings of a file with what tracing says of their fixes."""
    from .verify.rewriting import mark_fixes

    filename, findings, proofs = of_file
    source = sources.get(filename)
    if source is None or not any(finding.fixes for finding in findings):
        return [*findings]
    return mark_fixes(source, findings, checker(findings, finder, sources), worker, proofs)


def _share(files: Sequence[_OfFile], finder: SettingsFinder, runtime: RuntimeName) -> list[list[Finding]]:
    """The same for a cluster's share of the files, with a worker process of its own."""
    from .verify import Workers

    with Workers(runtime) as workers:
        return [*workers.results(partial(_marked, finder=finder, sources=Sources()), files)]
