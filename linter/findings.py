"""What the linter reports: findings, where they are, why, and what could be done."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

Confidence = Literal["definite", "possible"]
Severity = Literal["error", "warning"]
Applicability = Literal["safe", "unsafe", "display"]
ProofStatus = Literal["proven", "unproven", "untried"]
Status = Literal["confirmed", "refuted", "unreached", "unverified"]


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in a file: 1-based row and column, the column counted in characters."""

    row: int
    column: int


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """From `start` up to, not including, `end`."""

    start: Location
    end: Location


@dataclass(frozen=True, slots=True)
class Step:
    """One link of a provenance chain, outermost cause first."""

    message: str
    filename: str
    location: Location
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the text of `span` with `content`."""

    span: Span
    content: str


@dataclass(frozen=True, slots=True)
class FixProof:
    """Whether tracing has proven a fix, and by what, or why not; `untried` where time or limits kept it from trying."""

    status: ProofStatus
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Fix:
    """One way to mend a finding; `cost` says in a few words what it costs, if anything.

    `proof` is None where nothing was verified.
    """

    message: str
    edits: tuple[Edit, ...]
    applicability: Applicability = "unsafe"
    cost: str = ""
    proof: FixProof | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What tracing said of a finding; `inputs` are the arguments that were traced with."""

    status: Status
    reason: str
    error: str | None = None
    location: Location | None = None
    inputs: str = ""


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """A function as some transform traces it: where the trace that met the finding begins."""

    name: str
    transform: str
    location: Location


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule, one place, one provenance.

    `error` names the class of `jax.errors` (or the builtin exception) that tracing will raise; it is None
    for silent pitfalls.  `fixes` holds the alternatives, the best first.  `cell` is the number of the cell that the
    places are relative to, once the finding is told of a notebook.
    """

    code: str
    name: str
    message: str
    filename: str
    span: Span
    severity: Severity = "error"
    confidence: Confidence = "definite"
    error: str | None = None
    entry_point: EntryPoint | None = None
    provenance: tuple[Step, ...] = ()
    fixes: tuple[Fix, ...] = field(default=(), repr=False)
    verdict: Verdict | None = None
    cell: int | None = None

    @property
    def sort_key(self) -> tuple[str, Location, str]:
        """Findings are reported by file, place and code."""
        return (self.filename, self.span.start, self.code)

    @property
    def origin(self) -> str:
        """The file in which the trace that met the finding begins."""
        return self.provenance[0].filename if self.provenance else self.filename

    @property
    def is_refuted(self) -> bool:
        """Whether tracing passed the place without what the finding predicts: it is shown, and counts for nothing."""
        return self.verdict is not None and self.verdict.status == "refuted"

    def with_verdict(self, verdict: Verdict) -> Finding:
        """The same finding with what tracing said of it."""
        return replace(self, verdict=verdict)
