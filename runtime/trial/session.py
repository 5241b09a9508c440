"""One user's file in one forked process: load it, tell what that showed, then try its entry points."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .arguments import ArgumentError
from .decide import LEAK, REVERSE_LOOP, Claim, Verdict, judge, verdict
from .evidence import Evidence, Raised
from .execution import Execution, execute
from .proof import Prover
from .sandbox import confine
from .seam import Seam
from .search import Outcome, Trials, explore
from .show import CannotShow, NoSuchFunction, show
from .silent import judge_silent, observe_silent
from .targets import find_targets, holders

_MAX_LATER_TARGETS = 2
# Errors that come of where and how the code is tried, not of tracing it.
_CIRCUMSTANCES = {
    "OSError",
    "NameError",
    "MemoryError",
    "ImportError",
    "NotImplementedError",
    "SystemExit",
    "JaxRuntimeError",
}


@dataclass(slots=True)
class Settings:
    """The limits of a worker."""

    runtime: str
    scratch: str
    memory: int = 4 * 2**30
    load_seconds: float = 6.0
    trial_seconds: float = 3.0
    search_seconds: float = 5.0
    cpu_seconds: int = 120


@dataclass(slots=True)
class Entry:
    """An entry point that loading did not settle."""

    name: str
    transform: str
    row: int
    claims: list[Claim] = field(default_factory=list)

    def to_wire(self) -> dict[str, Any]:
        """As it goes to the parent, which asks for it again with a `try` request."""
        numbers = [claim.number for claim in self.claims]
        return {"name": self.name, "transform": self.transform, "row": self.row, "claims": numbers}


class Session:
    """What one fork knows of the file that it tries."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.evidence = Evidence()
        self.seam = Seam(self.evidence)
        self.execution: Execution | None = None
        self.claims: list[Claim] = []

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Do what a request asks; an error of the worker's own becomes part of the answer."""
        operations: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "load": self.load,
            "try": self.try_entry,
            "show": self.show,
            "prove": self.prove,
        }
        try:
            return operations[request["op"]](request)
        except (SyntaxError, OSError, ArgumentError, CannotShow) as error:
            return {"failed": f"{error}", "absent": isinstance(error, NoSuchFunction)}
        except Exception as error:  # noqa: BLE001 (the parent hears of it)
            return {"failed": f"the worker failed: {type(error).__name__}: {error}", "absent": False}

    def load(self, request: dict[str, Any]) -> dict[str, Any]:
        """Execute the file under observation; verdicts so far, and the entry points that are left."""
        path = request["path"]
        self.evidence.files = frozenset((path,))
        self.evidence.root, self.evidence.here = request["root"], request["here"]
        self.claims = [Claim.from_wire(data) for data in request["claims"]]
        self._enter(request)
        self.seam.install(sys.modules["jax"])
        places = [claim.place for claim in self.claims if claim.filename == path]
        self.execution = execute(
            path,
            request["module"],
            request["package"],
            self.evidence,
            places,
            request["names"],
            self.settings.load_seconds,
            {claim.number: claim.error for claim in self.claims if claim.number in request["mended"]},
            request["choice"],
        )
        verdicts = self._judge(self.claims)
        settled = {
            number for number, found in verdicts.items() if found["status"] in ("confirmed", "refuted")
        }
        entries = self._open_entries([claim for claim in self.claims if claim.number not in settled])
        return {
            "verdicts": verdicts,
            "entries": [entry.to_wire() for entry in entries],
            "failures": self.execution.failures,
            "unforeseen": self._unforeseen(self.evidence.raised, trusted=True),
            "traced": sorted({key.name for key in self.evidence.traced}),
        }

    def _enter(self, request: dict[str, Any]) -> None:
        """Close the doors: output, input, working directory, and all that `confine` limits."""
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        sys.path[:0] = [entry for entry in request["paths"] if entry not in sys.path]
        sys.argv = [request["path"]]
        os.chdir(request["directory"])
        confine(self.settings.scratch, self.settings.memory, self.settings.cpu_seconds)

    def _open_entries(self, claims: list[Claim]) -> list[Entry]:
        entries: dict[tuple[str, str, int], Entry] = {}
        for claim in claims:
            key = (claim.entry_name, claim.entry_transform, claim.entry_row)
            entries.setdefault(key, Entry(*key)).claims.append(claim)
        covered = {(entry.name, entry.transform) for entry in entries.values()}
        for record in self.seam.records.values():
            key = (record.key.name, record.key.transform, record.key.first_line)
            if record.key not in self.evidence.traced and key[:2] not in covered:
                entries.setdefault(key, Entry(*key))
        assert self.execution is not None
        for name, first, last in holders(self.execution.tree):
            rows = [row for _, _, row in entries]
            rows += [key.first_line for key in self.evidence.traced if key.filename in self.evidence.files]
            if not any(first <= row <= last for row in rows):
                entries[(name, "", first)] = Entry(name, "", first)
        # Claims without an entry point come last: the others may have settled them by then.
        return sorted(entries.values(), key=lambda entry: not entry.name)

    def _judge(self, claims: list[Claim]) -> dict[int, Verdict]:
        verdicts: dict[int, Verdict] = {}
        for claim in claims:
            found = judge(claim, self.evidence) if claim.error else None
            if found is None or found["status"] != "confirmed":
                found = judge_silent(claim, self.evidence) or found
            if found is not None:
                verdicts[claim.number] = found
        return verdicts

    def try_entry(self, request: dict[str, Any]) -> dict[str, Any]:
        """Trace one entry point with inputs found for it; the verdicts of its findings."""
        assert self.execution is not None
        wire = request["entry"]
        numbers = set(wire["claims"])
        entry = Entry(
            wire["name"], wire["transform"], wire["row"], [c for c in self.claims if c.number in numbers]
        )
        others = [c for c in self.claims if c.number in request["open"] and c.number not in numbers]
        trials = self._trials()
        targets = find_targets(self.execution, self.seam, entry.name, entry.transform, entry.row)
        tried = 0
        verdicts: dict[int, Verdict] = {}
        unforeseen: list[dict[str, Any]] = []
        failure: Outcome | str = ""
        while tried < len(targets):
            target = targets[tried]
            tried += 1
            left = [c for c in entry.claims if verdicts.get(c.number, {}).get("status") != "confirmed"]
            if entry.claims and not left:
                break
            loud = [claim for claim in (*left, *others) if claim.error]
            traced, failed = explore(
                trials, target, request["hints"], functools.partial(self._judge, loud), verdicts
            )
            # What ran may have made the function that is looked for.
            known = {id(target.record) for target in targets}
            more = find_targets(self.execution, self.seam, entry.name, entry.transform, entry.row)
            targets += [t for t in more if t.record is not None and id(t.record) not in known][
                :_MAX_LATER_TARGETS
            ]
            silent = [claim for claim in left if claim.is_silent]
            if silent and traced is not None:
                verdicts.update(observe_silent(silent, trials, target, traced))
            if traced is None and failed is None:
                failure = failure or f"no arguments could be made for {target.name}"
            if traced is None and failed is not None:
                failure = failure or failed
                unforeseen += self._unforeseen([failed.raised] if failed.raised else [], failed.trusted)
        if not targets:
            failure = self._missing(entry)
        for claim in entry.claims:
            reason = self._why(failure, claim.filename) or "its entry point was not traced"
            if not targets and claim.filename != self.execution.path:
                reason += f", in {self.evidence.name_of(self.execution.path)}"
            verdicts.setdefault(claim.number, verdict("unverified", reason))
        return {
            "verdicts": verdicts,
            "unforeseen": unforeseen,
            "reason": self._why(failure, self.execution.path),
        }

    def show(self, request: dict[str, Any]) -> dict[str, Any]:
        """What a function becomes, as text."""
        assert self.execution is not None
        if request["name"].partition(".")[0] not in self.execution.module.__dict__ and not request["final"]:
            return {"missing": True}
        bundled = self.settings.runtime == "bundled"
        return show(self._trials(), request["name"], request["arguments"], request["emit"], bundled)

    def prove(self, request: dict[str, Any]) -> dict[str, Any]:
        """Whether a rewritten text computes what the original does, undecorated."""
        self.evidence.files = frozenset((request["path"],))
        self.evidence.root, self.evidence.here = request["root"], request["here"]
        self._enter(request)
        proof = Prover(self.evidence, self.settings.load_seconds, self.settings.search_seconds).prove(request)
        return {"proven": proof.proven, "reason": proof.reason, "row": proof.row}

    def _trials(self) -> Trials:
        assert self.execution is not None
        limits = self.settings
        return Trials(self.execution, self.seam, self.evidence, limits.trial_seconds, limits.search_seconds)

    def _why(self, failure: Outcome | str, filename: str) -> str:
        """Why nothing was seen of an entry point, for a reader of `filename`."""
        if isinstance(failure, str) or failure.reason:
            return failure if isinstance(failure, str) else failure.reason
        assert failure.raised is not None
        place = failure.raised.place
        where = f"{self.evidence.where(place, filename)} raises " if place is not None else ""
        inputs = failure.inputs or "no arguments"
        return f"no inputs found that trace; with {inputs} {where}{failure.raised.brief()}"

    def _missing(self, entry: Entry) -> str:
        assert self.execution is not None
        if self.execution.failures:
            return self.execution.failures[0][1]
        return f"{entry.name or 'the entry point'} could not be located when the module ran"

    def _unforeseen(self, raised: list[Raised], trusted: bool) -> list[dict[str, Any]]:
        """Errors of tracing that no finding of the file predicts."""
        found: list[dict[str, Any]] = []
        for error in raised:
            place = error.place
            if place is None or error.caught or not (error.tracing_error or (trusted and error.traces)):
                continue
            if not error.tracing_error and _CIRCUMSTANCES & set(error.classes):
                continue
            if (
                "ValueError" in error.classes
                and "everse-mode" in error.message
                and any(claim.code == REVERSE_LOOP for claim in self.claims)
            ):
                continue  # stands at the call; the finding stands at the loop
            if "UnexpectedTracerError" in error.classes and any(claim.code == LEAK for claim in self.claims):
                continue  # what comes of a leak that is a finding already
            if any(
                claim.covers(frame.filename, frame.line) for claim in self.claims for frame in error.frames
            ):
                continue
            key = error.traces[-1] if error.traces else None
            found.append(
                {
                    "filename": place.filename,
                    "row": place.line,
                    "error": error.name,
                    "message": error.message,
                    "inputs": error.inputs,
                    "entry": [key.name, key.transform, key.first_line] if key else None,
                }
            )
        return found
