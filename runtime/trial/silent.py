"""Silent pitfalls are confirmed by what they do: trace again, run once for two calls, leave a tracer."""

from __future__ import annotations

import gc
import sys
from typing import Any

from .decide import LEAK, Claim, Verdict, confirmed, verdict
from .evidence import MOST_PASSES, Evidence, TraceKey
from .instrument import rounds_of
from .search import Outcome, Trials
from .targets import Target

_RETRACES = ("TRC601", "TRC602", "TRC603")
_TRACE_TIME = ("TRC204", "TRC403", "TRC404")
_DISCARDED = "TRC406"
_UNROLLED = "TRC604"
_CAPTURED = "TRC605"
_BUFFER = "TRC407"


def judge_silent(claim: Claim, evidence: Evidence) -> Verdict | None:
    """What a run of the module itself shows of a pitfall that raises nothing; None if it shows nothing."""
    if claim.code in _RETRACES:
        return _retraces(claim, evidence)
    passes = evidence.passed.get(claim.place.number, [])
    traced = [stack for stack in passes if stack]
    keys = [key for key in evidence.traced if claim.traced_by(key)]
    rounds = [stack for stack in evidence.passed.get(rounds_of(claim.place.number), passes) if stack]
    if claim.code == _UNROLLED and keys and len(rounds) > 8:
        per_trace = len(rounds) // max(1, max(evidence.traced[key] for key in keys))
        counted = f"{per_trace} times" if len(rounds) < MOST_PASSES else f"at least {per_trace} times"
        return verdict("confirmed", f"one trace runs the loop's body {counted}", _inputs(evidence, keys))
    if claim.code == _DISCARDED and passes:
        return verdict("confirmed", "ran, and what it gave was thrown away", _inputs(evidence, keys))
    if claim.code == _CAPTURED and evidence.sizes.get(claim.place.number):
        size = evidence.sizes[claim.place.number]
        return verdict(
            "confirmed",
            f"a concrete array of {size:,} elements was read here while tracing, and is part of the program",
            _inputs(evidence, keys),
        )
    if claim.code == _BUFFER and passes:
        times = "once" if len(passes) == 1 else f"{len(passes)} times"
        return verdict("confirmed", f"the buffer was changed here {times} after it was handed over")
    if claim.code in _TRACE_TIME and traced:
        times = "once" if len(traced) == 1 else f"{len(traced)} times"
        return verdict(
            "confirmed",
            f"ran {times}, while tracing, and not when the compiled function runs",
            _inputs(evidence, keys),
        )
    if claim.code == LEAK:
        for raised in evidence.raised:
            if "UnexpectedTracerError" in raised.classes:
                return confirmed(claim, raised, evidence)
        if traced and not evidence.stack and (holder := leaked_tracer()):
            return verdict("confirmed", f"after the trace {holder} holds a tracer", _inputs(evidence, keys))
    return None


def _retraces(claim: Claim, evidence: Evidence) -> Verdict | None:
    counts = {
        key: count
        for key, count in evidence.traced.items()
        if count > 1
        and (
            claim.traced_by(key)
            or key.holds(claim.filename, claim.place.start[0])
            or any(claim.covers(*site) for site in evidence.applied.get(key, ()))
        )
    }
    if not counts:
        return None
    key, count = max(counts.items(), key=lambda item: item[1])
    shapes = evidence.inputs.get(key, [])
    distinct = list(dict.fromkeys(shapes))
    detail = (
        f": {distinct[0]}, then {distinct[1]}"
        if len(distinct) > 1
        else f", each time with {shapes[0]}"
        if shapes
        else ""
    )
    return verdict("confirmed", f"{key.name} was traced {count} times{detail}", shapes[-1] if shapes else "")


def _inputs(evidence: Evidence, keys: list[TraceKey]) -> str:
    for key in keys:
        if evidence.inputs.get(key):
            return evidence.inputs[key][-1]
    return ""


def observe_silent(
    claims: list[Claim], trials: Trials, target: Target, traced: Outcome
) -> dict[int, Verdict]:
    """Call the target twice with the inputs that traced, and look at what happened the second time."""
    verdicts: dict[int, Verdict] = {}
    trials.evidence.clear()
    outcome = trials.run(target, traced.call, traced.trusted, times=2)
    for claim in claims:
        found = judge_silent(claim, trials.evidence)
        if found is None:
            shown = bool(trials.evidence.passed.get(claim.place.number))
            reason = "two calls show no such effect" if shown else "two calls do not come to this line"
            found = verdict("unverified" if shown else "unreached", reason, outcome.inputs)
        verdicts[claim.number] = found
    return verdicts


def leaked_tracer() -> str | None:
    """Where the user's objects hold a tracer after all traces have ended: `STATE['x']`, `Model.cache`."""
    tracer: Any = getattr(getattr(sys.modules.get("jax"), "core", None), "Tracer", None)
    if tracer is None:
        return None
    module = sys.modules["__main__"]
    for name, value in list(module.__dict__.items()):
        if name.startswith("__"):
            continue
        found = _holds(value, tracer, name, 0)
        if found:
            return found
    for candidate in gc.get_objects():
        if type(candidate).__module__ == "__main__" and hasattr(candidate, "__dict__"):
            found = _holds(candidate, tracer, type(candidate).__name__, 0)
            if found:
                return found
    return None


def _holds(value: Any, tracer: type, path: str, depth: int) -> str | None:
    if isinstance(value, tracer):
        return path
    if depth > 3:
        return None
    if isinstance(value, dict):
        pairs = [(f"{path}[{key!r}]", item) for key, item in list(value.items())[:50]]
    elif isinstance(value, (list, tuple)):
        pairs = [(f"{path}[{index}]", item) for index, item in enumerate(value[:50])]
    elif type(value).__module__ == "__main__" and hasattr(value, "__dict__"):
        pairs = [(f"{path}.{key}", item) for key, item in list(vars(value).items())[:50]]
    else:
        return None
    for inner_path, item in pairs:
        if found := _holds(item, tracer, inner_path, depth + 1):
            return found
    return None
