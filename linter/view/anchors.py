"""The ids of a page: which element a step of provenance leads to."""

from __future__ import annotations

from collections.abc import Sequence

from ..findings import Location, Step
from ..observation import Observation
from .contents import ViewedFile


class Anchors:
    """Every file has the id `f0`, its lines `f0L8`; an expression has one, `f0e12`, only if some step leads to it."""

    def __init__(self, files: Sequence[ViewedFile]) -> None:
        self._numbers = {file.name: number for number, file in enumerate(files)}
        self._lines = {file.name: len(file.source.lines) for file in files}
        self._places = {file.name: _by_place(file.observations) for file in files}
        self._used: dict[tuple[str, int], str] = {}
        for file in files:
            for observation in file.observations:
                for step in observation.provenance:
                    self.of_step(step)
            for finding in file.findings:
                for step in finding.provenance:
                    self.of_step(step)

    def of_file(self, filename: str) -> str:
        """The id of a file's part of the page."""
        return f"f{self._numbers[filename]}"

    def of_line(self, filename: str, row: int) -> str:
        """The id of a line."""
        return f"{self.of_file(filename)}L{row}"

    def of_finding(self, filename: str, number: int) -> str:
        """The id of a file's finding."""
        return f"{self.of_file(filename)}x{number}"

    def of_expression(self, filename: str, number: int) -> str | None:
        """The id of an observation, if some step leads to it."""
        return self._used.get((filename, number))

    def of_step(self, step: Step) -> str:
        """The id of the expression that a step names, or of its line; empty if the page does not show it."""
        if step.filename not in self._numbers:
            return ""
        number = self._places[step.filename].get(step.location)
        if number is not None:
            name = f"{self.of_file(step.filename)}e{number}"
            return self._used.setdefault((step.filename, number), name)
        if not 0 < step.location.row <= self._lines[step.filename]:
            return ""
        return self.of_line(step.filename, step.location.row)


def place_text(step: Step, filename: str) -> str:
    """Where a step is, as seen from a file: `line 8`, or `other.py:8`."""
    elsewhere = step.filename != filename
    return f"{step.filename}:{step.location.row}" if elsewhere else f"line {step.location.row}"


def _by_place(observations: Sequence[Observation]) -> dict[Location, int]:
    """The innermost observation that starts at each place: the last, in their order."""
    return {observation.span.start: number for number, observation in enumerate(observations)}
