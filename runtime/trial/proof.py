"""Proof of a rewrite: compiled, it computes what the original computes as plain Python, wherever that branches.

The original is executed with its transforms taken away (`eager`), and called with ever other inputs until every
branch of the rewritten lines was taken both ways (`coverage`).  The rewritten module is executed as it is and has to
give the same results for those inputs, and the same derivatives where they are defined.
"""

from __future__ import annotations

import difflib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from .agreement import Agreement
from .arguments import Call
from .coverage import Coverage, Goal
from .derivatives import Derivatives
from .describe import describe_call
from .eager import EagerSeam, uninstall
from .evidence import Evidence
from .execution import Execution, execute
from .inputs import InputFinder
from .lattice import Lattice
from .sandbox import TimeLimit, time_limit
from .seam import Record, Seam
from .targets import Target, find_targets, same_function
from .transport import carried
from .variants import Variants, constants

Pairs = list[tuple[Target, Target]]
_RUN_SECONDS = 0.5
_COMPARED = 28  # so many inputs are compared at most, those first that took a new branch
_ENOUGH = 14  # so many suffice, once every branch was taken
_BASES = 60
_RUNS = 320


@dataclass(slots=True)
class Proof:
    """What came of it; `row` is the line of the rewritten text at which tracing stopped, if it did."""

    proven: bool
    reason: str
    row: int | None = None


@dataclass(slots=True)
class Sample:
    """One input, what the original made of it, and whether it lies where a derivative may not exist."""

    call: Call
    result: Any
    at_a_kink: bool
    seen: set[Goal] = field(default_factory=set)


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
        blocks = matcher.get_opcodes()
        changed = {
            row + 1 for tag, first, last, _, _ in blocks if tag != "equal" for row in range(first, last)
        }
        coverage = Coverage(frozenset(changed | set(request["rows"])))
        eager = EagerSeam(self.evidence)
        original = self._execute(request, before, eager, coverage)
        uninstall(eager, sys.modules["jax"])
        self._forget_project()
        seam = Seam(self.evidence)
        rewritten = self._execute(request, after, seam, None)
        self.covered.clear()
        compared = 0
        for entry in request["entries"]:
            name, transform, row = entry["name"], entry["transform"], entry["row"]
            moved = _moved(row, blocks)

            def find(
                name: str = name, transform: str = transform, row: int = row, moved: int = moved
            ) -> Pairs:
                return list(
                    _pairs(
                        find_targets(original, eager, name, transform, row),
                        find_targets(rewritten, seam, name, transform, moved),
                    )
                )

            pairs = find()
            if pairs and all(one.record is None for one, _ in pairs):
                self._make(original, rewritten, *pairs[0], entry["hints"])
                pairs = find()
            if not pairs and not name:
                pairs = list(_changed_records(eager, seam, changed))
            if not pairs:
                reason = original.failures[0][1] if original.failures else "the module did not make it"
                return Proof(False, f"{name or 'the entry point'} could not be called: {reason}")
            outcome = Proof(False, "")
            for one, other in pairs:
                plain = bool(name) and other.record is None and same_function(name, other.name)
                traced = seam.originals["jit"] if plain else None
                outcome = self._compare(original, rewritten, one, other, coverage, entry["hints"], traced)
                if outcome.proven or outcome.row is not None or not outcome.reason.startswith(_NO_INPUTS):
                    break
            if not outcome.proven:
                return outcome
            compared += int(outcome.reason)
        missing = coverage.missing(self.covered)
        if missing:
            return Proof(False, missing)
        return Proof(True, f"equal to the undecorated function on {compared} inputs")

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

    def _make(
        self, original: Execution, rewritten: Execution, one: Target, other: Target, hints: list[str]
    ) -> None:
        """Call the functions in which the entry point stands, in case they return it."""
        for call in self._bases(original, one, hints):
            own, theirs = carried(call, original.module), carried(call, rewritten.module)
            try:
                with time_limit(_RUN_SECONDS):
                    one.function(*own[0], **own[1])
                    other.function(*theirs[0], **theirs[1])
            except (Exception, TimeLimit, SystemExit):  # noqa: BLE001, S112 (the next call may do)
                continue
            return

    def _compare(
        self,
        original: Execution,
        rewritten: Execution,
        one: Target,
        other: Target,
        coverage: Coverage,
        hints: list[str],
        traced: Callable[..., Any] | None,
    ) -> Proof:
        """The original beside the rewritten function; `traced` traces one that a `scan`, say, is given."""
        samples = self._samples(original, one, coverage, hints)
        if not samples:
            return Proof(False, f"{_NO_INPUTS} on which {one.name} runs without tracing")
        agreement = Agreement()
        for sample in samples:
            agreement.learn(sample.result)
        derivatives = Derivatives()
        made = other.record.made if other.record is not None else other.function
        if traced is not None:
            made = traced(made)
        plain = one.record.made if one.record is not None else one.function
        for sample in samples:
            call: Call = carried(sample.call, rewritten.module)
            shown = describe_call(other.function, *call)
            try:
                with time_limit(20.0):
                    result = made(*call[0], **call[1])
            except (Exception, TimeLimit) as error:  # noqa: BLE001 (whatever it is, it refuses the rewrite)
                raised = self.evidence.record(error)
                place = raised.place
                where = f"line {place.line}" if place else "it"
                row = place.line if place and raised.tracing_error else None
                return Proof(False, f"rewritten, {where} raises {raised.brief()} with {shown}", row)
            reason = agreement.difference(sample.result, result)
            if reason:
                return Proof(False, f"rewritten, {one.name} gives {reason} with {shown}")
            if not sample.at_a_kink:
                own: Call = carried(sample.call, original.module)
                reason = derivatives.difference(plain, own, made, call)
                if reason:
                    return Proof(
                        False, f"the derivative of the rewritten {one.name} is {reason} with {shown}"
                    )
        if traced is None and not self.evidence.traced:
            return Proof(False, f"{one.name} is not traced any more")
        return Proof(True, str(len(samples)))

    def _samples(
        self, execution: Execution, target: Target, coverage: Coverage, hints: list[str]
    ) -> list[Sample]:
        """Inputs on which the original runs, chosen for the branches that they take."""
        function = target.record.made if target.record is not None else target.function
        numbers, words = constants(execution.tree)
        deadline = time.monotonic() + self.search_seconds
        kept: list[Sample] = []
        others: list[Sample] = []
        goals = coverage.needed | coverage.wanted
        bases: set[str] = set()
        for base in self._bases(execution, target, hints):
            if time.monotonic() > deadline or (kept and not goals - self.covered):
                break
            first = self._run(execution, function, base, coverage)
            shown = describe_call(function, *base)
            if first is None or shown in bases:
                continue
            bases.add(shown)
            variants = Variants(base, numbers, words)
            seen = 0
            for number, call in enumerate(self._aimed(variants, coverage, goals)):
                if number > _RUNS or time.monotonic() > deadline:
                    break
                sample = self._run(execution, function, call, coverage)
                if sample is None:
                    continue
                seen += 1
                (kept if sample.seen & goals - self.covered or seen == 1 else others).append(sample)
                self.covered |= sample.seen
                if seen >= 4 * _ENOUGH and not coverage.needed - self.covered and number > _RUNS // 3:
                    break
                if seen >= 2 * _ENOUGH and not goals - self.covered:
                    break
            if len(bases) == 2 and not coverage.needed - self.covered:
                break
        step = max(1, len(others) // _ENOUGH)
        return (kept + others[::step])[:_COMPARED]

    def _aimed(self, variants: Variants, coverage: Coverage, goals: set[Goal]) -> Iterator[Call]:
        """The variants, and after each what makes the sides of a comparison equal, if nothing yet did."""
        for call in variants:
            yield call
            distances = {
                number: difference
                for number, difference in coverage.differences.items()
                if difference and (number, "equal") in goals - self.covered
            }
            for number, difference in list(distances.items())[:2]:
                for position in variants.positions(call):
                    yield from self._secant(variants, call, position, number, difference, coverage)

    def _secant(
        self,
        variants: Variants,
        call: Call,
        position: int,
        number: int,
        difference: float,
        coverage: Coverage,
    ) -> Iterator[Call]:
        """Two steps towards equality along one leaf, by adding to it or scaling it."""
        for by_factor, start, step in ((False, 0.0, 0.25), (True, 1.0, 0.5)):
            probe = variants.shifted(call, position, start + step, by_factor)
            if probe is None:
                return
            yield probe
            moved = coverage.differences.get(number)
            if moved is None or moved == difference:
                continue
            nearer = variants.shifted(
                call, position, start - difference * step / (moved - difference), by_factor
            )
            if nearer is not None:
                yield nearer
            if (number, "equal") in self.covered:
                return

    def _bases(self, execution: Execution, target: Target, hints: list[str]) -> Iterator[Call]:
        """Calls to begin with: those of the user's text, then the lattice of candidates."""
        inputs = InputFinder(execution).find(target, hints)
        yield from inputs.given
        lattice = Lattice({name: len(makers) for name, makers in inputs.makers.items()})
        for number in range(_BASES):
            point = lattice.next()
            if point is None:
                return
            try:
                call = inputs.call(point)
            except Exception:  # noqa: BLE001, S112 (a user's constructor refuses the candidate)
                continue
            yield call
            lattice.tell(number == 0, " ".join(inputs.makers))

    def _run(self, execution: Execution, function: Any, call: Call, coverage: Coverage) -> Sample | None:
        """What the original makes of a call; None if it raises."""
        own = carried(call, execution.module)
        coverage.begin()
        try:
            with time_limit(_RUN_SECONDS):
                result = function(*own[0], **own[1])
        except (Exception, TimeLimit, SystemExit):  # noqa: BLE001 (user code; such inputs prove nothing)
            self.covered |= coverage.end()
            return None
        seen = set(coverage.end())
        return Sample(call, result, coverage.at_a_kink, seen)


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


def _moved(row: int, blocks: Sequence[tuple[str, int, int, int, int]]) -> int:
    """Where a row of the original stands in the rewritten text."""
    for _, first, last, start, end in blocks:
        if first < row <= last:
            return min(start + (row - first), max(end, start + 1))
    return row
