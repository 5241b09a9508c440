"""Trial tracing: calls a target with candidate after candidate until it traces or fails as predicted."""

from __future__ import annotations

import functools
import inspect
import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .arguments import Call, parse_arguments
from .call_sites import UNKNOWN, call_site_arguments
from .candidates import OMIT, Maker, build, candidates, hints_of
from .decide import Verdict
from .describe import describe_call
from .evidence import Evidence, Raised
from .execution import Execution
from .sandbox import TimeLimit, time_limit
from .seam import Seam
from .targets import FunctionNode, Target, node_of, resolve, signature_of
from .usage import Usage, usages

MAX_TRIALS = 80


@dataclass(slots=True)
class Outcome:
    """How one trial ended: it traced, or `raised` says what stopped it."""

    inputs: str
    raised: Raised | None = None
    reason: str = ""
    trusted: bool = False

    @property
    def traced(self) -> bool:
        return self.raised is None and not self.reason


@dataclass(slots=True)
class Trials:
    """Everything that trials of one module share."""

    execution: Execution
    seam: Seam
    evidence: Evidence
    trial_seconds: float = 3.0
    search_seconds: float = 5.0
    used: list[Call] = field(default_factory=list)

    def run(self, target: Target, call: Call, trusted: bool, times: int = 1) -> Outcome:
        """Trace the target once with these arguments; all that is seen goes into the evidence."""
        arguments, keywords = call
        outcome = Outcome(describe_call(target.function, arguments, keywords), trusted=trusted)
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

    def attempts(self, target: Target, hints: list[str]) -> Iterator[tuple[Call, bool]]:
        """Arguments to try, the most trustworthy first; True for those that the user's own text gives."""
        for hint in hints:
            arguments, keywords = parse_arguments(hint, self.execution.module.__dict__)
            if target.owner is not None and self._takes_self(target):
                arguments = (self._instance(target.owner), *arguments)
            yield (arguments, keywords), True
        makers = self._makers(target)
        for positional, named in call_site_arguments(self.execution, self._names(target)):
            call, complete = self._from_site(target, positional, named, makers)
            if call is not None:
                yield call, complete
        yield from ((call, False) for call in self._lattice(target, makers))

    def _names(self, target: Target) -> set[str]:
        names = {target.name.rpartition(".")[2]}
        if target.record is not None:
            made = target.record.made
            names |= {name for name, value in self.execution.module.__dict__.items() if value is made}
        return names - {"<lambda>", "__init__"}

    def _takes_self(self, target: Target) -> bool:
        parameters = signature_of(target.function)
        return bool(parameters) and parameters[0].name in ("self", "cls")

    def _makers(self, target: Target) -> dict[str, list[Maker]]:
        """For each parameter its candidates, in the order of the signature."""
        node = node_of(self.execution, target.function)
        found = usages(node, self._lookup) if node is not None else {}
        hints = hints_of(
            inspect.unwrap(target.function) if inspect.isfunction(target.function) else target.function
        )
        static = target.static_names
        dims: dict[str, int] = {}
        makers: dict[str, list[Maker]] = {}
        for parameter in signature_of(target.function):
            if parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
                continue
            if not makers and parameter.name == "self" and target.owner is not None:
                makers["self"] = [functools.partial(self._instance, target.owner)]
                continue
            annotation = hints.get(parameter.name, inspect.Parameter.empty)
            usage = found.get(parameter.name, Usage())
            makers[parameter.name] = candidates(parameter, annotation, usage, parameter.name in static, dims)
        return makers

    def _instance(self, owner: type) -> Any:
        """An instance of the class: one that the module made, or a new one."""
        for value in self.execution.module.__dict__.values():
            if type(value) is owner:
                return value
        names = {owner.__name__}
        for positional, named in call_site_arguments(self.execution, names):
            if UNKNOWN not in positional and UNKNOWN not in named.values():
                return owner(*positional, **named)
        constructor = owner.__dict__.get("__init__")
        node = node_of(self.execution, constructor) if constructor is not None else None
        return build(owner, {}, usage=usages(node, self._lookup) if node is not None else {})

    def _lookup(self, name: str) -> FunctionNode | None:
        value = resolve(self.execution.module, name)
        return node_of(self.execution, value) if callable(value) else None

    def _from_site(
        self,
        target: Target,
        positional: list[Any],
        named: Mapping[str, Any],
        makers: Mapping[str, list[Maker]],
    ) -> tuple[Call | None, bool]:
        """A call with a site's arguments, those that it does not tell filled with the first candidate."""
        names = list(makers)
        try:
            arguments: list[Any] = []
            if "self" in makers:
                arguments.append(makers["self"][0]())
            complete = True
            for value in positional:
                if value is UNKNOWN:
                    complete = False
                    value = _made(makers[names[len(arguments)]])
                arguments.append(value)
            keywords = dict(named)
            for name, value in named.items():
                if value is UNKNOWN:
                    complete = False
                    keywords[name] = _made(makers[name])
        except Exception:  # noqa: BLE001 (more arguments than parameters, or a constructor that raises)
            return None, False
        return (tuple(arguments), keywords), complete

    def _lattice(self, target: Target, makers: Mapping[str, list[Maker]]) -> Iterator[Call]:
        """All first choices, then one parameter changed, then the same lattice step for all, then pairs."""
        counts = [len(choice) for choice in makers.values()]
        by_name = {p.name for p in signature_of(target.function) if p.kind is inspect.Parameter.KEYWORD_ONLY}
        seen: set[tuple[int, ...]] = set()
        for indices in itertools.islice(_orders(counts), 4 * MAX_TRIALS):
            if indices in seen:
                continue
            seen.add(indices)
            try:
                call = _call(makers, indices, by_name)
            except Exception:  # noqa: BLE001 (a user's constructor refuses the candidate)
                call = None
            if call is not None:
                yield call


def _call(makers: Mapping[str, list[Maker]], indices: tuple[int, ...], by_name: set[str]) -> Call:
    """The call with one candidate for each parameter; by keyword from the first that is left out."""
    arguments: list[Any] = []
    keywords: dict[str, Any] = {}
    omitted = False
    for (name, choice), index in zip(makers.items(), indices):
        value = choice[index]()
        if value is OMIT:
            omitted = True
        elif omitted or name in by_name:
            keywords[name] = value
        else:
            arguments.append(value)
    return tuple(arguments), keywords


def _made(choice: list[Maker]) -> Any:
    for maker in choice:
        value = maker()
        if value is not OMIT:
            return value
    return None


def _orders(counts: list[int]) -> Iterator[tuple[int, ...]]:
    first = (0,) * len(counts)
    yield first
    longest = max(counts, default=0)
    for step in range(1, min(longest, 6)):
        yield tuple(min(step, count - 1) for count in counts)
        for position, count in enumerate(counts):
            if step < count:
                yield first[:position] + (step,) + first[position + 1 :]
    for step in range(6, longest):
        for position, count in enumerate(counts):
            if step < count:
                yield first[:position] + (step,) + first[position + 1 :]
    for one, other in itertools.combinations(range(len(counts)), 2):
        for first_step, second_step in itertools.product(range(1, 4), repeat=2):
            if first_step < counts[one] and second_step < counts[other]:
                changed = list(first)
                changed[one], changed[other] = first_step, second_step
                yield tuple(changed)


def explore(
    trials: Trials,
    target: Target,
    hints: list[str],
    judge: Callable[[], dict[int, Verdict]],
    verdicts: dict[int, Verdict],
) -> tuple[Outcome | None, Outcome | None]:
    """Try until a finding is confirmed or the target traces; writes what `judge` then says into `verdicts`.

    The trial that ended the search, if one did, and else the most telling of those that failed.
    """
    failed: Outcome | None = None
    deadline = time.monotonic() + trials.search_seconds
    for number, (call, trusted) in enumerate(trials.attempts(target, hints)):
        if number >= MAX_TRIALS or time.monotonic() > deadline:
            break
        trials.evidence.clear()
        outcome = trials.run(target, call, trusted)
        found = judge()
        if outcome.traced or any(verdict["status"] == "confirmed" for verdict in found.values()):
            verdicts.update(found)
            return outcome, failed
        if failed is None or (outcome.trusted and not failed.trusted):
            failed = outcome
        if outcome.reason:
            break
    return None, failed
