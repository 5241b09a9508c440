"""Verifies one file: loads it in a fresh fork, tries what that left open, and goes on after whatever dies."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..findings import EntryPoint, Finding, Location, Span, Verdict
from .inputs import Hint, hints_for, read_hints, top_rows
from .place import Module
from .process import Worker, WorkerError

_RANK = {"confirmed": 3, "refuted": 2, "unreached": 1, "unverified": 0}
_MENDING_SECONDS = 15.0  # for looking behind confirmed errors, a file
_GRACE = 4.0  # seconds beyond the worker's own limits before it is taken for hung


@dataclass(slots=True)
class _Progress:
    """What is known of a file so far."""

    verdicts: dict[int, dict[str, Any]] = field(default_factory=dict)
    unforeseen: list[dict[str, Any]] = field(default_factory=list)
    failures: list[tuple[int, str]] = field(default_factory=list)
    trouble: str = ""

    def open_claims(self, claims: list[dict[str, Any]]) -> list[int]:
        """The numbers of the claims that nothing has confirmed or refuted yet."""
        settled = {n for n, verdict in self.verdicts.items() if verdict["status"] in ("confirmed", "refuted")}
        return [claim["number"] for claim in claims if claim["number"] not in settled]

    def with_status(self, status: str) -> list[int]:
        """The numbers of the claims with this verdict."""
        return [number for number, verdict in self.verdicts.items() if verdict["status"] == status]

    def take(self, answer: dict[str, Any]) -> None:
        for number, verdict in answer.get("verdicts", {}).items():
            self.offer(int(number), verdict)
        self.unforeseen += answer.get("unforeseen", [])

    def offer(self, number: int, verdict: dict[str, Any]) -> None:
        known = self.verdicts.get(number)
        if known is None or _RANK[verdict["status"]] > _RANK[known["status"]]:
            self.verdicts[number] = verdict


def verify_file(
    worker: Worker, filename: str, findings: Mapping[int, Finding], inputs: Mapping[str, str] | None
) -> tuple[dict[int, Verdict], list[Finding]]:
    """What tracing one file says of findings in it, or of those that begin in it; TRC901 for all else it met.

    The verdicts go by the numbers of the findings.
    """
    try:
        with open(filename, encoding="utf-8", errors="replace") as handle:
            text = handle.read()
    except OSError as error:
        reason = f"the file cannot be read: {error.strerror}"
        return {number: Verdict("unverified", reason) for number in findings}, []
    top = top_rows(text)
    claims = [_to_wire(number, finding, top) for number, finding in findings.items()]
    progress = _Trial(worker, Module.of(filename), claims, read_hints(text, inputs)).run()
    verdicts = {}
    for number, finding in findings.items():
        elsewhere = f", in {filename}" if filename != finding.filename else ""
        verdicts[number] = _verdict(progress.verdicts.get(number), progress, elsewhere)
    return verdicts, _unforeseen(filename, text, progress.unforeseen)


def better(known: Verdict, other: Verdict) -> Verdict:
    """The verdict that says more; of two that say nothing the later, which has its reason."""
    return other if _RANK[other.status] >= _RANK[known.status] else known


class _Trial:
    """One file's way through the worker: loaded, its entry points tried, loaded again behind errors."""

    def __init__(
        self, worker: Worker, module: Module, claims: list[dict[str, Any]], hints: list[Hint]
    ) -> None:
        self.worker, self.module, self.claims, self.hints = worker, module, claims, hints
        self.progress = _Progress()

    def run(self) -> _Progress:
        """All verdicts that can be had."""
        self._pass([], True, self.progress)
        deadline = time.monotonic() + _MENDING_SECONDS
        choices = [True, False]
        while choices and time.monotonic() < deadline:
            if not self._look_behind(choices[0]):
                choices.pop(0)
        return self.progress

    def _look_behind(self, choice: bool) -> bool:
        """Trace once more with the failing places mended; True if that showed something that they hid."""
        hidden = self.progress.with_status("unreached")
        stopping = [number for number, verdict in self.progress.verdicts.items() if verdict.get("error")]
        if not hidden or not stopping:
            return False
        behind = _Progress()
        self._pass(stopping, choice, behind)
        found = [number for number in hidden if behind.verdicts.get(number, {}).get("error")]
        for number in found:
            self.progress.verdicts[number] = behind.verdicts[number]
        return bool(found)

    def _pass(self, mended: list[int], choice: bool, progress: _Progress) -> None:
        loaded = self._load(None, mended, choice, progress)
        if loaded is None:
            names = sorted({claim["entry_name"].partition(".")[0] for claim in self.claims} - {""})
            loaded = self._load(names, mended, choice, progress)
        alive = loaded is not None
        for entry in loaded["entries"] if loaded is not None else ():
            if entry["claims"] and not set(entry["claims"]) & set(progress.open_claims(self.claims)):
                continue  # another entry point has settled them
            if not alive:
                alive = self._load([entry["name"].partition(".")[0]], mended, choice, _Progress()) is not None
            if alive:
                alive = self._try(entry, progress)

    def _try(self, entry: dict[str, Any], progress: _Progress) -> bool:
        """Have one entry point traced; False if the fork did not survive it."""
        limits = self.worker.limits
        request = {
            "op": "try",
            "entry": entry,
            "open": progress.open_claims(self.claims),
            "hints": hints_for(self.hints, entry["name"], entry["row"]),
        }
        alive = True
        try:
            answer = self.worker.ask(request, 3 * (limits.search_seconds + limits.trial_seconds) + _GRACE)
        except WorkerError as error:
            alive = False
            answer = {"failed": f"{error} while {entry['name'] or 'it'} was traced"}
        if "failed" in answer:
            lost = {"status": "unverified", "reason": answer["failed"]}
            answer = {"verdicts": dict.fromkeys(entry["claims"], lost)}
        progress.take(answer)
        return alive

    def _load(
        self, names: list[str] | None, mended: list[int], choice: bool, progress: _Progress
    ) -> dict[str, Any] | None:
        """Execute the module in a new fork; None if that fails, the reason in `progress.trouble`."""
        request = {
            **self.module.to_wire(),
            "op": "load",
            "claims": self.claims,
            "names": names,
            "mended": mended,
            "choice": choice,
        }
        try:
            self.worker.fork()
            answer = self.worker.ask(request, self.worker.limits.load_seconds + _GRACE + 6.0)
        except WorkerError as error:
            progress.trouble = f"{error} while the module ran"
            return None
        if "failed" in answer:
            progress.trouble = answer["failed"]
            return None
        progress.take(answer)
        progress.failures = [(row, reason) for row, reason in answer["failures"]]
        return answer


def _to_wire(number: int, finding: Finding, top: frozenset[int]) -> dict[str, Any]:
    entry = finding.entry_point
    start, end = finding.span.start, finding.span.end
    return {
        "number": number,
        "code": finding.code,
        "error": finding.error,
        "filename": Module.of(finding.filename).path,
        "start": (start.row, start.column),
        "end": (end.row, end.column),
        "entry_name": entry.name.replace(".<locals>", "") if entry else "",
        "entry_transform": entry.transform.rpartition(".")[2] if entry else "",
        "entry_filename": Module.of(finding.origin).path,
        "at_top": start.row in top and entry is None,
        "entry_row": entry.location.row if entry else start.row,
    }


def _verdict(found: dict[str, Any] | None, progress: _Progress, elsewhere: str) -> Verdict:
    """What was found; `elsewhere` names the file that ran where the finding is in another."""
    failure = f"{progress.failures[0][1]}{elsewhere}" if progress.failures else ""
    if found is None:
        return Verdict("unverified", progress.trouble or failure or "its entry point was not traced")
    row, reason = found.get("row"), found["reason"]
    if progress.failures and " raises NameError: " in reason:
        reason += f"; {failure}"  # most likely why there is no such name
    return Verdict(
        found["status"],
        reason,
        found.get("error"),
        Location(row, 1) if row else None,
        found.get("inputs", ""),
    )


def _unforeseen(filename: str, text: str, errors: list[dict[str, Any]]) -> list[Finding]:
    lines = text.splitlines()
    path = Module.of(filename).path
    found: dict[tuple[int, str], Finding] = {}
    for error in errors:
        row = error["row"]
        if error["filename"] != path or not 0 < row <= len(lines):
            continue
        line = lines[row - 1]
        indent = len(line) - len(line.lstrip())
        entry = error["entry"]
        inputs = f" (traced with {error['inputs']})" if error["inputs"] else ""
        found[(row, error["error"])] = Finding(
            code="TRC901",
            name="unforeseen-tracing-error",
            message=f"tracing fails here: {error['error']}: {error['message']}{inputs}",
            filename=filename,
            span=Span(Location(row, indent + 1), Location(row, len(line.rstrip()) + 1)),
            error=error["error"],
            entry_point=EntryPoint(entry[0], entry[1], Location(entry[2], 1)) if entry else None,
            verdict=Verdict("confirmed", error["message"], error["error"], Location(row, 1), error["inputs"]),
        )
    return list(found.values())
