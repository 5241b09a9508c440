"""What is known of the expressions of one text, and which of them are marked in it."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from ..domain import ClassValue, ExternalValue, FunctionValue, MethodValue, ModuleValue, TransformedValue
from ..files.source import SourceFile
from ..observation import Observation, Observations
from .moved import Move

_NO_DATA = (ClassValue, ExternalValue, FunctionValue, MethodValue, ModuleValue, TransformedValue)


@dataclass(frozen=True)
class Known:
    """The observations of a text; `marked` are those of names that hints and tokens tell of.

    Only functions that receive tracers are marked: everywhere else all is static, and saying so would be noise.
    `outdated`: something that the text imports has changed since.
    """

    source: SourceFile
    observations: Observations
    marked: tuple[Observation, ...] = ()
    outdated: bool = False

    @classmethod
    def of(cls, source: SourceFile, observations: Observations) -> Known:
        """What observing a text has told."""
        return cls(source, observations, tuple(_marked(source, observations)))

    def moved_to(self, source: SourceFile) -> Known:
        """As much of it as still stands in a later text."""
        move = Move.between(self.source, source)
        found = Observations([*move.observations(self.observations)], self.observations.reason)
        return Known(source, found, tuple(move.observations(self.marked)))


def _marked(source: SourceFile, observations: Observations) -> Iterator[Observation]:
    """The names of which a binding time is known, each once, in order, inside of functions that receive tracers."""
    rows = _traced_rows(source, observations)
    last = None
    for one in observations:
        if (
            one.binding != "unknown"
            and one.span.start.row in rows
            and one.span != last
            and source.segment(one.span).isidentifier()
            and not isinstance(one.value, _NO_DATA)
        ):
            last = one.span
            yield one


def _traced_rows(source: SourceFile, observations: Observations) -> set[int]:
    """The rows of all functions one of whose parameters is traced."""
    parameters = {
        one.span.start.row for one in observations if one.role == "parameter" and one.binding == "traced"
    }
    if not parameters:
        return set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source.text)
    rows: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            own = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            args = node.args
            named = [*args.posonlyargs, *args.args, *args.kwonlyargs]
            named += [star for star in (args.vararg, args.kwarg) if star is not None]
            if any(argument.lineno in parameters for argument in named):
                rows.update(own)
    return rows
