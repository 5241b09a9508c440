"""Proof of a rewrite: compiled, it computes what the original computes as plain Python, wherever that branches.

The original is executed with its transforms taken away (`eager`), and called with ever other inputs until every
branch of the rewritten lines was taken both ways (`sampling`, `coverage`).  The rewritten module is executed as it is
and has to give the same results for those inputs, and the same derivatives where they are defined.  What stands
outside all functions is proven by what the module binds and prints (`module_proof`).
"""

from __future__ import annotations

import difflib
import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .agreement import Agreement, has_numbers
from .arguments import Call
from .coverage import Coverage, Goal
from .derivatives import Derivatives
from .describe import describe_call
from .eager import EagerSeam
from .evidence import Evidence, Raised
from .execution import Execution, execute
from .module_proof import module_difference
from .printed import recording
from .sampling import Sampler, result_of
from .sandbox import TimeLimit, time_limit
from .seam import Record, Seam
from .targets import Target, find_targets, root_of, same_function
from .transport import carried

Pairs = list[tuple[Target, Target]]
Block = tuple[str, int, int, int, int]
_MAKE_SECONDS = 0.5
_TRACE_SECONDS = 20.0


@dataclass(slots=True)
class Proof:
    """What came of it: whether tracing stopped, and at which `row` of the rewritten text if it was there."""

    proven: bool
    reason: str
    row: int | None = None
    stopped: bool = False
    absent: bool = False  # there was no entry point to compare at
    compared: int = 0


class Prover:
    """Both executions of one module."""

    def __init__(self, evidence: Evidence, load_seconds: float, search_seconds: float) -> None:
        self.evidence = evidence
        self.load_seconds, self.search_seconds = load_seconds, search_seconds
        self.covered: set[Goal] = set()

    def prove(self, request: dict[str, Any]) -> Proof:
        """Compare the entry points named in the request; raises SyntaxError for a text that does not compile."""
        before, after = request["before"], request["after"]
        matcher = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
        self.blocks: Sequence[Block] = matcher.get_opcodes()
        self.changed = {
            row + 1 for tag, first, last, _, _ in self.blocks if tag != "equal" for row in range(first, last)
        }
        self.coverage = Coverage(frozenset(self.changed | set(request["rows"])))
        self.eager = EagerSeam(self.evidence)
        with recording(None) as printed_before:
            self.original = self._execute(request, before, self.eager, self.coverage)
        self.eager.uninstall()
        self._forget_project()
        self.active = self.seam = Seam(self.evidence)
        self.evidence.clear()
        with recording(None) as printed_after:
            self.rewritten = self._execute(request, after, self.seam, None)
        at_module_level = set(self.coverage.seen)
        self.covered.clear()
        compared = 0
        for entry in request["entries"]:
            outcome = self._entry(entry)
            if not outcome.proven and not outcome.stopped and self._stands_outside(entry):
                reason = module_difference(self.original, self.rewritten, (printed_before, printed_after))
                if not reason:
                    self.covered |= at_module_level
                    outcome = Proof(True, "", compared=1)
                elif outcome.absent:
                    stopped = next((r for r in self.evidence.raised if r.tracing_error), None)
                    outcome = self._stopped(reason, stopped)
            if not outcome.proven:
                return outcome
            compared += outcome.compared
        missing = self.coverage.missing(self.covered)
        if missing:
            return Proof(False, missing)
        return Proof(True, "equal to the undecorated function on every branch", compared=compared)

    def _stands_outside(self, entry: dict[str, Any]) -> bool:
        """True for a finding in no function, whose own calls are then all that there is to compare."""
        return not entry["name"] and root_of(self.original, entry["row"]) is None

    def _entry(self, entry: dict[str, Any]) -> Proof:
        """Compare one entry point, at the first pair of its targets for which there are inputs."""
        if entry["filename"] != self.original.path:
            # A function that is traced from another file is compared as if it were jitted itself.
            holder = root_of(self.original, entry["row"])
            if holder is None:
                return Proof(False, self._absence(entry), absent=True)
            entry = {**entry, "name": holder, "transform": "jit", "filename": self.original.path}
        name = entry["name"]
        pairs = self._find(entry)
        if pairs and all(one.record is None for one, _ in pairs):
            self._make(*pairs[0], entry["hints"])
            pairs = self._find(entry)
        if not pairs and not name:
            pairs = list(_changed_records(self.eager, self.seam, self.changed))
        outcome = Proof(False, "")
        for one, other in pairs:
            plain = bool(name) and other.record is None and same_function(name, other.name)
            traced = self.seam.originals["jit"] if plain else None
            outcome = self._compare(one, other, entry["hints"], traced, must_trace=bool(name))
            if outcome.proven or outcome.stopped or not outcome.reason.startswith(_NO_INPUTS):
                return outcome
        if pairs:
            return outcome
        return Proof(False, self._absence(entry), absent=True)

    def _absence(self, entry: dict[str, Any]) -> str:
        """Why there is no entry point to compare at, and what would help."""
        name, path = entry["name"] or "the traced function", self.original.path
        if entry["filename"] != path:
            own, other = self.evidence.name_of(path), self.evidence.name_of(entry["filename"])
            return (
                f"it is traced from {name} in {other}, and proofs run {own} alone; "
                f"compare what {name} gives before and after the fix"
            )
        if self.original.failures:
            return f"{name} was not made, as {self.original.failures[0][1]}"
        return f"{name} was not made when the file ran; call what makes it at the end of the file"

    def _stopped(self, reason: str, raised: Raised | None) -> Proof:
        """No proof, as tracing has stopped; the row is told where it is one of the rewritten file."""
        place = raised.place if raised is not None else None
        own = place is not None and place.filename == self.rewritten.path
        return Proof(False, reason, place.line if place and own else None, stopped=place is not None)

    def _find(self, entry: dict[str, Any]) -> Pairs:
        name, transform, row = entry["name"], entry["transform"], entry["row"]
        moved = _moved(row, self.blocks)
        originals = find_targets(self.original, self.eager, name, transform, row)
        return list(_pairs(originals, find_targets(self.rewritten, self.seam, name, transform, moved)))

    def _execute(
        self, request: dict[str, Any], text: str, seam: Seam, coverage: Coverage | None
    ) -> Execution:
        seam.install(sys.modules["jax"])
        arguments = (request["path"], request["module"], request["package"], self.evidence, (), None)
        return execute(*arguments, self.load_seconds, {}, True, text, coverage)

    def _forget_project(self) -> None:
        """Modules of the user's project hold transforms of the first execution: import them anew."""
        for name, module in list(sys.modules.items()):
            filename = getattr(module, "__file__", None)
            if filename and name != "__main__" and self.evidence.owns(filename):
                del sys.modules[name]

    def _under(self, seam: Seam, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that is called while `jax` has the transforms of this seam."""

        @functools.wraps(function)
        def called(*arguments: Any, **keywords: Any) -> Any:
            if self.active is not seam:
                seam.install(sys.modules["jax"])
                self.active = seam
            return function(*arguments, **keywords)

        return called

    def _sampler(self, target: Target, hints: list[str]) -> Sampler:
        function = target.record.made if target.record is not None else target.function
        return Sampler(
            self.original,
            target,
            self._under(self.eager, function),
            self.coverage,
            hints,
            self.covered,
            self.search_seconds,
        )

    def _make(self, one: Target, other: Target, hints: list[str]) -> None:
        """Call the functions in which the entry point stands, in case they return it."""
        for call in self._sampler(one, hints).bases():
            own, theirs = carried(call, self.original.module), carried(call, self.rewritten.module)
            try:
                with time_limit(_MAKE_SECONDS):
                    self._under(self.eager, one.function)(*own[0], **own[1])
                    self._under(self.seam, other.function)(*theirs[0], **theirs[1])
            except (Exception, TimeLimit, SystemExit):  # noqa: BLE001, S112 (the next call may do)
                continue
            return

    def _compare(
        self,
        one: Target,
        other: Target,
        hints: list[str],
        traced: Callable[..., Any] | None,
        *,
        must_trace: bool,
    ) -> Proof:
        """The original beside the rewritten function; `traced` traces one that a `scan`, say, is given."""
        sampler = self._sampler(one, hints)
        samples = sampler.samples()
        if not samples:
            advice = "" if hints else f"; write them above {one.name}, as `# tracetrap: f32[3]`"
            return Proof(False, f"{_NO_INPUTS} on which {one.name} runs without tracing{advice}")
        if not any(has_numbers(sample.result) for sample in samples):
            return Proof(False, f"{_NO_INPUTS} for which {one.name} gives numbers to compare")
        agreement = Agreement()
        for sample in samples:
            agreement.learn(sample.result)
        derivatives = Derivatives()
        made = other.record.made if other.record is not None else other.function
        made = self._under(self.seam, made if traced is None else traced(made))
        plain = sampler.function
        for sample in samples:
            call: Call = carried(sample.call, self.rewritten.module)
            shown = describe_call(other.function, *call)
            try:
                with time_limit(_TRACE_SECONDS):
                    result = result_of(other, made, call)
            except (Exception, TimeLimit) as error:  # noqa: BLE001 (whatever it is, it refuses the rewrite)
                raised = self.evidence.record(error)
                where = self.evidence.where(raised.place, self.rewritten.path) if raised.place else "it"
                return self._stopped(f"rewritten, {where} raises {raised.brief()} with {shown}", raised)
            reason = agreement.difference(sample.result, result)
            if reason:
                return Proof(False, f"rewritten, {one.name} gives {reason} with {shown}")
            if not sample.at_a_kink:
                own: Call = carried(sample.call, self.original.module)
                reason = derivatives.difference(plain, own, made, call)
                if reason:
                    return Proof(
                        False, f"the derivative of the rewritten {one.name} is {reason} with {shown}"
                    )
        if must_trace and traced is None and not self.evidence.traced:
            return Proof(False, f"{one.name} is not traced any more")
        return Proof(True, "", compared=len(samples))


_NO_INPUTS = "no inputs found"


def _pairs(originals: list[Target], rewritten: list[Target]) -> Iterator[tuple[Target, Target]]:
    """The same function in both modules, with the static arguments of the rewritten one."""
    for other in rewritten:
        for one in originals:
            same = one.name == other.name and (one.record is None) == (other.record is None)
            if not same or (
                one.record and other.record and one.record.key.transform != other.record.key.transform
            ):
                continue
            if one.record is not None and other.record is not None:
                record = Record(
                    one.record.key, one.function, one.record.made, one.record.arguments, other.record.options
                )
                one = Target(one.name, one.function, one.owner, record)
            yield one, other
            break


def _changed_records(originals: Seam, rewritten: Seam, changed: set[int]) -> Iterator[tuple[Target, Target]]:
    """The transformed functions whose text or options a rewrite changes, where a finding names none."""
    known = {(record.key.name, record.key.transform): record for record in originals.records.values()}
    for other in rewritten.records.values():
        one = known.get((other.key.name, other.key.transform))
        if one is None:
            continue
        key = one.key
        if one.options != other.options or any(key.holds(key.filename, row) for row in changed):
            record = Record(key, one.function, one.made, one.arguments, other.options)
            yield Target(key.name, one.function, None, record), Target(key.name, other.function, None, other)


def _moved(row: int, blocks: Sequence[Block]) -> int:
    """Where a row of the original stands in the rewritten text."""
    for _, first, last, start, end in blocks:
        if first < row <= last:
            return min(start + (row - first), max(end, start + 1))
    return row
