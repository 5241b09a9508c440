"""What a page shows of one file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..findings import Finding
from ..observation import Binding, Observation

if TYPE_CHECKING:
    from ..files.source import SourceFile
    from ..verify.jaxprs import Jaxpr


@dataclass(frozen=True)
class ViewedFile:
    """A file, what is known of its expressions, what was found in it, and what its entry points trace to.

    `reason` says why the observations are not complete, if they are not.
    """

    source: SourceFile
    observations: tuple[Observation, ...] = ()
    findings: tuple[Finding, ...] = ()
    jaxprs: tuple[Jaxpr, ...] = ()
    reason: str | None = None

    @property
    def name(self) -> str:
        """What the file is called."""
        return self.source.filename

    @property
    def counts(self) -> Counter[Binding]:
        """How many expressions have each binding time."""
        return Counter(observation.binding for observation in self.observations)


@dataclass
class Tables:
    """The values and steps of a page, each once; expressions name a value by its number, values name steps by theirs."""

    values: dict[tuple[str, str, tuple[int, ...], bool], int] = field(default_factory=dict)
    steps: dict[tuple[str, str, str], int] = field(default_factory=dict)

    def step(self, message: str, target: str, place: str) -> int:
        """The number of a step that leads to the element `target` (none if it is empty), called `place`."""
        return self.steps.setdefault((message, target, place), len(self.steps))

    def value(self, binding: Binding, text: str, steps: tuple[int, ...], sometimes_unknown: bool) -> int:
        """The number of a value."""
        return self.values.setdefault((binding, text, steps, sometimes_unknown), len(self.values))

    def to_json(self) -> dict[str, list[list[object]]]:
        """Both tables as lists of rows."""
        return {"values": [list(row) for row in self.values], "steps": [list(row) for row in self.steps]}
