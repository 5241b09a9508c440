"""Runs a program under JAX, and compares what it raised with what the linter says of it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

from tracetrap.linter.analysis import analyze
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.settings.config import Settings

NAME = "random_program.py"
Place = tuple[int, str]  # a line, and the exception there


@dataclass(frozen=True)
class Verdict:
    """What JAX raised (None: nothing), and what the linter found that raises."""

    raised: Place | None
    definite: tuple[Place, ...]
    possible: tuple[Place, ...]

    @property
    def right(self) -> bool:
        """Nothing definite where nothing raises; what raises is found, definite or possible, with its exception."""
        if self.raised is None:
            return not self.definite
        return self.raised in self.definite or self.raised in self.possible


def judge(text: str) -> Verdict:
    """Runs the program and the linter; a finding counts for the line that was raised from if it covers it."""
    raised = run(text)
    line = raised[0] if raised is not None else 0
    places: dict[str, list[Place]] = {"definite": [], "possible": []}
    for finding in analyze(SourceFile(text, NAME), Settings()):
        if finding.error is not None:
            start, end = finding.span.start.row, finding.span.end.row
            places[finding.confidence].append((line if start <= line <= end else start, finding.error))
    return Verdict(raised, tuple(places["definite"]), tuple(places["possible"]))


def run(text: str) -> Place | None:
    """The line of the program that an exception was raised from, and the exception's class; None where it ran."""
    namespace: dict[str, Any] = {"__name__": "random_program"}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, NAME, "exec", dont_inherit=True), namespace)
    except Exception as error:
        line, step = 0, error.__traceback__
        while step is not None:
            if step.tb_frame.f_code.co_filename == NAME:
                line = step.tb_lineno
            step = step.tb_next
        return line, type(error).__name__
    return None
