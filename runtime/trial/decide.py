"""From evidence to verdicts: was the predicted error raised at its place, or the place passed without it?"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from .evidence import Evidence, Raised, TraceKey
from .instrument import Place

LEAK = "TRC401"
REVERSE_LOOP = "TRC705"  # raised where the loop is transposed, not where it stands
_LAMBDA_ROWS = 20  # so far below the start of a call its lambda may stand


@dataclass(frozen=True, slots=True)
class Claim:
    """A finding as the worker sees it: what will be raised, where, by which entry point."""

    number: int
    code: str
    error: str | None
    filename: str
    place: Place
    entry_name: str
    entry_transform: str
    entry_row: int
    entry_filename: str
    at_top: bool  # stands outside all functions

    @classmethod
    def from_wire(cls, data: dict[str, Any]) -> Claim:
        """Read a claim from a request."""
        place = Place(data["number"], tuple(data["start"]), tuple(data["end"]))
        return cls(
            data["number"],
            data["code"],
            data["error"],
            data["filename"],
            place,
            data["entry_name"],
            data["entry_transform"],
            data["entry_row"],
            data["entry_filename"],
            data["at_top"],
        )

    @property
    def is_silent(self) -> bool:
        """True for a pitfall that shows itself by what it does; a leak does both."""
        return self.error is None or self.code == LEAK

    def covers(self, filename: str, line: int) -> bool:
        """True if the line is one of the finding's."""
        return filename == self.filename and self.place.start[0] <= line <= self.place.end[0]

    def traced_by(self, key: TraceKey) -> bool:
        """True if `key` is the entry point of the finding."""
        if self.entry_transform and key.transform != self.entry_transform:
            return False
        if self.entry_name and self.entry_name != "<lambda>":
            return key.name == self.entry_name or key.name.endswith("." + self.entry_name)
        return key.holds(self.entry_filename, self.entry_row) or (
            key.name == self.entry_name and 0 <= key.first_line - self.entry_row <= _LAMBDA_ROWS
        )


Verdict = dict[str, Any]


def confirmed(claim: Claim, raised: Raised, evidence: Evidence, reason: str = "") -> Verdict:
    """The verdict of a finding whose error was seen; `row` is of the finding's own file, others are named."""
    places = [place for place in (raised.origin, raised.place) if place is not None]
    own = next((place for place in places if place.filename == claim.filename), None)
    reason = reason or raised.message or raised.name
    if own is None and places:
        reason = f"raised at {evidence.where(places[0], claim.filename)}: {reason}"
    return {
        "status": "confirmed",
        "reason": reason,
        "error": raised.name,
        "inputs": raised.inputs,
        "row": own.line if own else None,
    }


def verdict(status: str, reason: str, inputs: str = "") -> Verdict:
    """A verdict without an error of its own."""
    return {"status": status, "reason": reason, "error": None, "inputs": inputs, "row": None}


def judge(claim: Claim, evidence: Evidence) -> Verdict | None:
    """What the evidence says of a finding that predicts an error; None if it says nothing."""
    other: Raised | None = None
    for raised in evidence.raised:
        if raised.is_at(claim.filename, claim.place.start[0], claim.place.end[0]):
            if related(claim.error, raised):
                return confirmed(claim, raised, evidence)
            if raised.traces or raised.tracing_error:
                other = other or raised
    if other is not None:
        found = confirmed(claim, other, evidence, f"tracing raises {other.brief()} here instead")
        return found | {"status": "unverified"}
    keys = [key for key in evidence.traced if claim.traced_by(key)]
    stacks = evidence.passed.get(claim.place.number, ())
    if claim.at_top and stacks:
        return verdict("refuted", "this line ran and nothing was raised")
    if claim.code == REVERSE_LOOP and (late := _transposed(claim, evidence)) is not None:
        return confirmed(claim, late, evidence)
    if stacks and (late := _deferred(claim, evidence)) is not None:
        return verdict("unverified", f"this line passed, and tracing then raises {late.brief()}", late.inputs)
    if any(claim.traced_by(key) for stack in stacks for key in stack):
        if claim.error == "UnexpectedTracerError":
            return verdict("unverified", "this line was traced; a leak shows only where it is used again")
        inputs = _shown(evidence, keys)
        return verdict("refuted", "this line was traced and nothing was raised", inputs)
    stopped = _stop(evidence, keys)
    if stopped is not None and stopped.place is not None:
        place = evidence.where(stopped.place, claim.filename)
        reason = f"tracing stops earlier, at {place} ({stopped.name})"
        return verdict("unreached", reason, stopped.inputs)
    if keys:
        inputs = _shown(evidence, keys)
        return verdict("unreached", "tracing does not come to this line with these inputs", inputs)
    return None


def _transposed(claim: Claim, evidence: Evidence) -> Raised | None:
    """The error of a loop that was traced, and then transposed: outside of all traces, or in one around the loop's."""
    stacks = evidence.passed.get(claim.place.number, ())
    for raised in evidence.raised:
        if "everse-mode" not in raised.message or not related(claim.error, raised):
            continue
        if any(not raised.traces or set(raised.traces).intersection(stack) for stack in stacks):
            return raised
    return None


def _deferred(claim: Claim, evidence: Evidence) -> Raised | None:
    """An error of the predicted class that came after the function was traced."""
    for raised in evidence.raised:
        keys = [key for key in raised.traces if key.name == claim.entry_name]
        place = raised.place
        outside = place is None or not any(key.holds(place.filename, place.line) for key in keys)
        if keys and outside and related(claim.error, raised):
            return raised
    return None


def _shown(evidence: Evidence, keys: list[TraceKey]) -> str:
    for key in keys:
        if evidence.inputs.get(key):
            return evidence.inputs[key][-1]
    return ""


def _stop(evidence: Evidence, keys: list[TraceKey]) -> Raised | None:
    for raised in evidence.raised:
        if any(key in raised.traces for key in keys):
            return raised
    return None


def related(predicted: str | None, raised: Raised) -> bool:
    """True if the raised class is the predicted one, or a tracing error that either derives from."""
    if predicted is None:
        return raised.tracing_error
    if predicted in raised.classes:
        return True
    cls = getattr(getattr(sys.modules.get("jax"), "errors", None), predicted, None)
    ancestors = {parent.__name__ for parent in getattr(cls, "__mro__", ())}
    return raised.tracing_error and raised.name in ancestors
