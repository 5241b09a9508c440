"""Checks documents beside the event loop: the latest text wins, and an older result is never shown after it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..check_file import raw_findings
from ..failures import is_failure
from ..files.project import Project
from ..files.source import SourceFile
from ..findings import Finding, Location
from ..observation import Observations, observe
from ..run import reported_in
from ..settings.config import Settings
from .documents import Document, Documents
from .drafts import Drafts
from .known import Known
from .memory import Memory
from .moved import Move
from .warm_up import warm_up
from .worker import Worker

DEBOUNCE = 0.02
"""Seconds of quiet after an edit, before an analysis begins in the place of one that was under way."""


@dataclass(frozen=True)
class Checked:
    """The findings of one document as it stood at one moment."""

    source: SourceFile
    settings: Settings
    findings: tuple[Finding, ...]
    drafts: Drafts | None = None
    """What the fixes of the findings can be made of; None once they are made."""
    sound: bool = True
    """Whether the text could be analysed; what is known of one that could not is what was found before."""

    def with_fixes(self) -> Checked:
        """The same findings with their fixes, which are made only when somebody asks for them."""
        if self.drafts is None:
            return self
        fixes = self.drafts.fixes()
        found = (replace(f, fixes=fixes.get((f.span, f.code), ())) for f in self.findings)
        return replace(self, findings=tuple(found), drafts=None)


@dataclass
class _Task:
    """A check that is waiting or under way."""

    source: SourceFile
    future: asyncio.Task[Checked]
    project: Project | None = None
    waiting: int = 0
    """How many ask for its result."""

    def abandon(self) -> None:
        """Nobody wants its result any more: it ends at its next step."""
        self.future.cancel()
        if self.project is not None and self.project.budget is not None:
            self.project.budget.steps = 0


@dataclass(eq=False)
class _Look:
    """A run that observes expressions, for all who ask for them."""

    source: SourceFile
    future: asyncio.Task[None] | None = None
    project: Project | None = None
    stopped: bool = False

    def stop(self) -> None:
        """Its text is gone: it ends at its next step, as checks of the new one wait behind it."""
        self.stopped = True
        if self.project is not None and self.project.budget is not None:
            self.project.budget.steps = 0


class Checker:
    """The findings, and on demand the observations, of every open document."""

    def __init__(self, documents: Documents, settings_for: Callable[[Document], Settings]) -> None:
        self._documents = documents
        self._settings_for = settings_for
        self._worker = Worker()
        self._memory = Memory()
        self._tasks: dict[str, _Task] = {}
        self._done: dict[str, Checked] = {}
        self._sound: dict[str, Checked] = {}
        """The last findings in a text that could be analysed."""
        self._observed: dict[str, Known] = {}
        self._looks: dict[str, _Look] = {}

    async def warm_up(self) -> None:
        """Loads what the analysis needs, before the first document asks for it."""
        await self._worker.run(warm_up)

    async def findings(self, document: Document, *, quiet: float = 0.0) -> Checked:
        """The findings of a document as it stands when this returns.

        Where they take the place of a check that was under way, `quiet` seconds pass before the work begins.
        """
        while True:
            known = self._done.get(document.uri)
            if known is not None and known.source is document.source:
                return known
            task = self._task(document, quiet)
            task.waiting += 1
            try:
                checked = await asyncio.shield(task.future)
            except asyncio.CancelledError:
                if task.future.cancelled():
                    running = self._tasks.get(document.uri)
                    if running is not None and running.source is not document.source:
                        raise  # it was opened anew: two documents would take turns in giving up each other's work
                    continue  # the text has changed meanwhile
                if task.waiting == 1:
                    self._drop(document, task)
                raise  # whoever asked has gone
            finally:
                task.waiting -= 1
            if checked.source is document.source:
                return checked

    async def with_fixes(self, document: Document) -> Checked:
        """The findings of a document with their fixes; a check of a new text need not wait until all are made."""
        checked = await self.findings(document)
        if checked.drafts is None or not checked.findings:
            return checked
        for step in checked.drafts.steps():
            await self._worker.run(step)
            if checked.source is not document.source:
                return await self.with_fixes(document)
        complete = checked.with_fixes()
        if self._done.get(document.uri) is checked:
            self._done[document.uri] = complete
        return complete

    async def observations(self, document: Document) -> Known:
        """What is known of the expressions of a document; of one that is no Python at the moment, what was known before."""
        while True:
            known = self._observed.get(document.uri)
            if known is not None and known.source is document.source and not known.outdated:
                return known
            look = self._looks.get(document.uri)
            if look is None or look.source is not document.source:
                look = self._looks[document.uri] = _Look(document.source)
                look.future = asyncio.ensure_future(self._look(document, look))
            assert look.future is not None
            await asyncio.shield(look.future)

    def latest(self, document: Document) -> Checked | None:
        """What is known already of the document's present text."""
        known = self._done.get(document.uri)
        return known if known is not None and known.source is document.source else None

    def learn(self, document: Document, checked: Checked) -> None:
        """Takes findings that know more: those with verdicts."""
        if checked.source is document.source:
            self._done[document.uri] = checked

    def outdate(self, document: Document) -> None:
        """The document must be checked again though its text is the same."""
        self._done.pop(document.uri, None)
        known = self._observed.get(document.uri)
        if known is not None:
            self._observed[document.uri] = replace(known, outdated=True)
        self._stop_looking(document)
        task = self._tasks.pop(document.uri, None)
        if task is not None:
            task.abandon()

    def forget(self, document: Document) -> None:
        """The document is closed."""
        self.outdate(document)
        self._sound.pop(document.uri, None)
        self._observed.pop(document.uri, None)
        self._memory.forget(document.name)

    def dependents(self, document: Document) -> list[Document]:
        """The other open documents whose findings depend on this one."""
        path = document.path
        return [
            other
            for other in self._documents
            if path is not None and other is not document and self._memory.depends(other.name, path)
        ]

    def _drop(self, document: Document, task: _Task) -> None:
        """Nobody asks for a check any more."""
        task.abandon()
        if self._tasks.get(document.uri) is task:
            del self._tasks[document.uri]

    def _task(self, document: Document, quiet: float) -> _Task:
        running = self._tasks.get(document.uri)
        if running is not None:
            if running.source is document.source and not running.future.cancelled():
                return running
            running.abandon()
        look = self._looks.get(document.uri)
        if look is not None and look.source is not document.source:
            self._stop_looking(document)
        wait = quiet if running is not None else 0.0
        task = _Task(document.source, asyncio.ensure_future(self._check(document, wait)))
        self._tasks[document.uri] = task
        task.future.add_done_callback(_look_at)
        return task

    async def _check(self, document: Document, quiet: float) -> Checked:
        if quiet:
            await asyncio.sleep(quiet)
        task, source = self._tasks[document.uri], document.source
        settings = self._settings_for(document)
        opened = [other.source for other in self._documents]
        sound = self._sound.get(document.uri)
        checked = await self._worker.run(lambda: self._run(task, source, settings, opened, sound))
        if self._tasks.get(document.uri) is task:
            if checked.sound:
                self._sound[document.uri] = checked
            self._done[document.uri] = checked
            del self._tasks[document.uri]
        return checked

    def _run(
        self,
        task: _Task,
        source: SourceFile,
        settings: Settings,
        opened: Sequence[SourceFile],
        sound: Checked | None,
    ) -> Checked:
        task.project = project = self._memory.project_for(source, opened)
        drafts = Drafts()
        found = raw_findings(source, replace(settings, cache=False), project, drafts.analyze)
        self._memory.keep(project, source, opened)
        findings = reported_in(source, found, settings)
        failed = any(is_failure(finding) for finding in found)
        if failed and sound is not None and sound.settings == settings:
            still = Move.between(sound.source, source).findings(sound.findings)
            findings = sorted([*findings, *still], key=_place)
        left = (finding for finding in findings if not source.suppressions.suppresses(finding))
        return Checked(source, settings, tuple(left), drafts, not failed)

    def _stop_looking(self, document: Document) -> None:
        look = self._looks.pop(document.uri, None)
        if look is not None:
            look.stop()

    async def _look(self, document: Document, look: _Look) -> None:
        settings = self._settings_for(document)
        opened = [other.source for other in self._documents]
        before = self._observed.get(document.uri)
        try:
            known = await self._worker.run(lambda: self._observe(look, settings, opened, before))
            if not look.stopped:
                self._observed[document.uri] = known
        finally:
            if self._looks.get(document.uri) is look:
                del self._looks[document.uri]

    def _observe(
        self, look: _Look, settings: Settings, opened: Sequence[SourceFile], before: Known | None
    ) -> Known:
        if look.stopped:
            return Known(look.source, Observations([]))
        look.project = project = self._memory.project_for(look.source, opened)
        found = observe(look.source, settings, project)
        self._memory.keep(project, look.source, opened)
        if before is not None and not found.complete and not len(found):
            return before.moved_to(look.source)
        return Known.of(look.source, found)


def _place(finding: Finding) -> tuple[str, Location, str]:
    return finding.sort_key


def _look_at(future: asyncio.Task[Checked]) -> None:
    """Takes note of an exception that nobody waits for, so that it is not reported as lost."""
    if not future.cancelled():
        future.exception()
