"""Whether a rewrite is proven: traced, it computes what the original does as plain Python."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..findings import Finding
from .inputs import hints_for, read_hints
from .place import Module
from .process import Worker, WorkerError

_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether a rewrite was proven, and by what, or why not; `row` is where its tracing stopped, if it did."""

    proven: bool
    reason: str
    row: int | None = None


def prove(worker: Worker, filename: str, before: str, after: str, findings: Iterable[Finding]) -> Proof:
    """Prove that `after` computes what `before` does, at the entry points of the findings that it mends.

    The file itself is not read: both texts are executed as if they stood in it.  Where an entry point is in another file,
    the function that holds the finding takes its place.
    """
    hints = read_hints(before)
    entries = {}
    rows = set()
    for finding in findings:
        rows |= set(range(finding.span.start.row, finding.span.end.row + 1))
        entry = finding.entry_point
        name = entry.name.replace(".<locals>", "") if entry else ""
        transform = entry.transform.rpartition(".")[2] if entry else ""
        own = finding.origin == finding.filename
        row = entry.location.row if entry and own else finding.span.start.row
        entries[(name, transform, row)] = {
            "name": name,
            "transform": transform,
            "row": row,
            "filename": Module.of(finding.origin).path,
            "hints": hints_for(hints, name if own else "", row),
        }
    request = {
        **Module.of(filename).to_wire(),
        "op": "prove",
        "before": before,
        "after": after,
        "rows": sorted(rows),
        "entries": list(entries.values()),
    }
    try:
        worker.fork()
        answer = worker.ask(request, _SECONDS)
    except WorkerError as error:
        return Proof(False, f"{error} while it was compared")
    if "failed" in answer:
        return Proof(False, answer["failed"])
    return Proof(answer["proven"], answer["reason"], answer["row"])
