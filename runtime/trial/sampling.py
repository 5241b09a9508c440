"""Inputs on which an original runs as plain Python, chosen for the branches that they take."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .arguments import Call
from .coverage import Coverage, Goal
from .describe import describe_call
from .execution import Execution
from .inputs import InputFinder, Inputs
from .lattice import Lattice
from .printed import recording
from .sandbox import TimeLimit, time_limit
from .seam import code_of
from .targets import Target
from .transport import carried
from .variants import Variants, constants

_RUN_SECONDS = 0.5
_COMPARED = 28  # so many inputs are compared at most, those first that took a new branch
_ENOUGH = 14  # so many suffice, once every branch was taken
_BASES = 60
_RUNS = 320


@dataclass(slots=True)
class Sample:
    """One input, what the original made of it, and whether it lies where a derivative may not exist."""

    call: Call
    result: Any
    at_a_kink: bool
    seen: set[Goal] = field(default_factory=set)


@dataclass(slots=True)
class Sampler:
    """Calls one target of an executed module, by way of `function`, until every branch of interest was taken."""

    execution: Execution
    target: Target
    function: Callable[..., Any]
    coverage: Coverage
    hints: list[str]
    covered: set[Goal]
    seconds: float

    def samples(self) -> list[Sample]:
        """The inputs, those first that took a new branch."""
        coverage = self.coverage
        numbers, words = constants(self.execution.tree)
        deadline = time.monotonic() + self.seconds
        kept: list[Sample] = []
        others: list[Sample] = []
        goals = coverage.needed | coverage.wanted
        bases: set[str] = set()
        inputs = InputFinder(self.execution).find(self.target, self.hints)
        enough = len(inputs.given[:2]) or 2  # what the user's own calls leave open, guesses need not decide
        for base in _bases(inputs):
            if time.monotonic() > deadline or (kept and not goals - self.covered):
                break
            first = self._run(base)
            shown = describe_call(self.target.function, *base)
            if first is None or shown in bases:
                continue
            bases.add(shown)
            variants = Variants(base, numbers, words)
            seen = 0
            for number, call in enumerate(self._aimed(variants, goals)):
                if number > _RUNS or time.monotonic() > deadline:
                    break
                sample = self._run(call)
                if sample is None:
                    continue
                seen += 1
                (kept if sample.seen & goals - self.covered or seen == 1 else others).append(sample)
                self.covered |= sample.seen
                if seen >= 4 * _ENOUGH and not coverage.needed - self.covered and number > _RUNS // 3:
                    break
                if seen >= 2 * _ENOUGH and not goals - self.covered:
                    break
            if len(bases) >= enough and not coverage.needed - self.covered:
                break
        step = max(1, len(others) // _ENOUGH)
        return (kept + others[::step])[:_COMPARED]

    def _aimed(self, variants: Variants, goals: set[Goal]) -> Iterator[Call]:
        """The variants, and after each what makes the sides of a comparison equal, if nothing yet did."""
        for call in variants:
            yield call
            distances = {
                number: difference
                for number, difference in self.coverage.differences.items()
                if difference and (number, "equal") in goals - self.covered
            }
            for number, difference in list(distances.items())[:2]:
                for position in variants.positions(call):
                    yield from self._secant(variants, call, position, number, difference)

    def _secant(
        self,
        variants: Variants,
        call: Call,
        position: int,
        number: int,
        difference: float,
    ) -> Iterator[Call]:
        """Two steps towards equality along one leaf, by adding to it or scaling it."""
        for by_factor, start, step in ((False, 0.0, 0.25), (True, 1.0, 0.5)):
            probe = variants.shifted(call, position, start + step, by_factor)
            if probe is None:
                return
            yield probe
            moved = self.coverage.differences.get(number)
            if moved is None or moved == difference:
                continue
            nearer = variants.shifted(
                call, position, start - difference * step / (moved - difference), by_factor
            )
            if nearer is not None:
                yield nearer
            if (number, "equal") in self.covered:
                return

    def bases(self) -> Iterator[Call]:
        """Calls to begin with: those of the user's text, then the lattice of candidates."""
        return _bases(InputFinder(self.execution).find(self.target, self.hints))

    def _run(self, call: Call) -> Sample | None:
        """What the original makes of a call; None if it raises."""
        own = carried(call, self.execution.module)
        self.coverage.begin()
        try:
            with time_limit(_RUN_SECONDS):
                result = result_of(self.target, self.function, own)
        except (Exception, TimeLimit, SystemExit):  # noqa: BLE001 (user code; such inputs prove nothing)
            self.covered |= self.coverage.end()
            return None
        seen = set(self.coverage.end())
        return Sample(call, result, self.coverage.at_a_kink, seen)


def _bases(inputs: Inputs) -> Iterator[Call]:
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


def result_of(target: Target, function: Any, call: Call) -> Any:
    """What a call gives: of a generator its items, of an ordinary function also what it prints."""
    if target.record is not None:
        result = function(*call[0], **call[1])
        return list(result) if inspect.isgenerator(result) else result
    with recording(code_of(target.function)) as printed:
        result = function(*call[0], **call[1])
    return (result, printed) if printed else result
