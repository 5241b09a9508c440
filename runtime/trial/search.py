"""Trial tracing: calls a target with one input after the other until it traces or fails as predicted."""

from __future__ import annotations

import linecache
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .arguments import Call
from .decide import Verdict, verdict
from .describe import describe_call
from .evidence import Evidence, Raised
from .execution import Execution
from .inputs import InputFinder, Inputs
from .lattice import Lattice, progress_of
from .sandbox import TimeLimit, time_limit
from .seam import Seam, code_of
from .targets import Target

MAX_TRIALS = 90
_AGREEING = 6  # so many guessed inputs have to trace without the error before it counts as refuted


@dataclass(slots=True)
class Outcome:
    """How one trial ended: it traced, or `raised` says what stopped it, or `reason` why it was ended."""

    call: Call
    inputs: str
    trusted: bool
    raised: Raised | None = None
    reason: str = ""

    @property
    def traced(self) -> bool:
        """True if nothing was raised."""
        return self.raised is None and not self.reason


@dataclass(slots=True)
class Trials:
    """Everything that trials of one module share."""

    execution: Execution
    seam: Seam
    evidence: Evidence
    trial_seconds: float
    search_seconds: float

    def run(self, target: Target, call: Call, trusted: bool, times: int = 1) -> Outcome:
        """Trace the target with these arguments; all that is seen goes into the evidence."""
        arguments, keywords = call
        outcome = Outcome(call, describe_call(target.function, arguments, keywords), trusted)
        try:
            with time_limit(self.trial_seconds):
                function = target.fresh(self.seam)
                only_trace = getattr(function, "trace", None) if target.record and times == 1 else None
                for _ in range(times):
                    (only_trace or function)(*arguments, **keywords)
        except TimeLimit as error:
            outcome.reason = f"tracing {error}"
        except SystemExit:
            outcome.reason = "the code exits"
        except BaseException as error:  # noqa: BLE001 (whatever user code raises is recorded)
            outcome.raised = self.evidence.record(error, outcome.inputs)
        finally:
            self.evidence.stack.clear()
        return outcome

    def outcomes(self, target: Target, hints: list[str]) -> Iterator[Outcome]:
        """Trial after trial, first the inputs that the user's text gives; within the limits of a search."""
        inputs = InputFinder(self.execution).find(target, hints)
        deadline = time.monotonic() + self.search_seconds
        for call in inputs.given:
            self.evidence.clear()
            yield self.run(target, call, trusted=True)
        code = code_of(target.function)
        key = self.seam.key_of(target.function, "")
        first, last = (code.co_firstlineno, key.last_line) if code and key else (0, 0)
        lattice = Lattice({name: len(makers) for name, makers in inputs.makers.items()})
        for _ in range(MAX_TRIALS):
            point = lattice.next()
            if point is None or time.monotonic() > deadline:
                return
            guess = self._guess(inputs, point)
            if guess is None:
                lattice.tell(0, " ".join(inputs.makers))
                continue
            self.evidence.clear()
            outcome = self.run(target, guess, trusted=False)
            yield outcome
            if outcome.raised is not None:
                lattice.tell(progress_of(outcome.raised, first, last), self._failing_text(outcome.raised))

    def _guess(self, inputs: Inputs, point: tuple[int, ...]) -> Call | None:
        try:
            return inputs.call(point)
        except Exception:  # noqa: BLE001 (a user's constructor refuses the candidate)
            return None

    def _failing_text(self, raised: Raised) -> str:
        return " ".join(linecache.getline(frame.filename, frame.line) for frame in raised.frames)


def explore(
    trials: Trials,
    target: Target,
    hints: list[str],
    judge: Callable[[], dict[int, Verdict]],
    verdicts: dict[int, Verdict],
) -> tuple[Outcome | None, Outcome | None]:
    """Try until a finding is confirmed, or the target traces and that settles it; writes into `verdicts`.

    Returns the trial that ended the search, if one did, and the most telling of those that failed.
    """
    failed: Outcome | None = None
    traced: Outcome | None = None
    agreeing = 0
    for outcome in trials.outcomes(target, hints):
        found = judge()
        if any(one["status"] == "confirmed" for one in found.values()):
            verdicts.update(found)
            return outcome, failed
        if outcome.traced:
            traced = traced or outcome
            agreeing += 1
            if outcome.trusted or agreeing == _AGREEING or not _open(found):
                verdicts.update(found)
                return outcome, failed
            verdicts.update({number: _doubtful(one) for number, one in found.items()})
        elif failed is None or (outcome.trusted and not failed.trusted):
            failed = outcome
        if outcome.reason:
            break
    return traced, failed


def _open(found: dict[int, Verdict]) -> bool:
    """True if other inputs may say something else: of a line that was not reached, or that passed."""
    return any(one["status"] in ("refuted", "unreached") for one in found.values())


def _doubtful(found: Verdict) -> Verdict:
    """A refutation by inputs that were only guessed is none."""
    if found["status"] != "refuted":
        return found
    return verdict(
        "unverified", "this line was traced with guessed inputs and nothing was raised", found["inputs"]
    )
