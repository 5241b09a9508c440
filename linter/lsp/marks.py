"""Binding times shown in the text itself: inlay hints behind names, and modifiers of semantic tokens.

Only functions that receive tracers are marked: everywhere else all is static, and saying so would be noise.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from lsprotocol import types

from ..domain import ClassValue, ExternalValue, FunctionValue, MethodValue, ModuleValue, TransformedValue
from ..observation import Observation, Observations
from ..source import SourceFile
from .positions import Positions

LEGEND = types.SemanticTokensLegend(
    token_types=["variable", "parameter"], token_modifiers=["traced", "static"]
)

_MODIFIERS = {"traced": 1, "static": 2}  # bits, in the order of the legend
_NO_DATA = (ClassValue, ExternalValue, FunctionValue, MethodValue, ModuleValue, TransformedValue)


def inlay_hints(
    source: SourceFile, observations: Observations, positions: Positions, wanted: types.Range, rows: range
) -> Iterator[types.InlayHint]:
    """A hint behind each parameter and each name that is assigned, in the rows that are on the screen.

    The editor's document is the text in `rows`, which it counts from 0.
    """
    for one in _marked(source, observations):
        row = one.span.start.row - 1 - rows.start
        if one.role == "expression" or one.span.start.row - 1 not in rows:
            continue
        if not wanted.start.line <= row <= wanted.end.line:
            continue
        yield types.InlayHint(
            position=types.Position(row, positions.position(source.lines, one.span.end).character),
            label=_label(one),
            kind=types.InlayHintKind.Type,
            tooltip=one.text,
            padding_left=True,
        )


def semantic_tokens(
    source: SourceFile, observations: Observations, positions: Positions, rows: range
) -> list[int]:
    """Every name in these rows with its binding time, as the protocol packs tokens: each relative to the one before it."""
    packed: list[int] = []
    last_row, last_column = rows.start, 0
    for one in _marked(source, observations):
        if one.span.start.row - 1 not in rows:
            continue
        start = positions.position(source.lines, one.span.start)
        end = positions.position(source.lines, one.span.end)
        column = start.character - (last_column if start.line == last_row else 0)
        packed += [
            start.line - last_row,
            column,
            end.character - start.character,
            1 if one.role == "parameter" else 0,
            _MODIFIERS[one.binding],
        ]
        last_row, last_column = start.line, start.character
    return packed


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


def _label(one: Observation) -> str:
    if one.binding == "static":
        return "static"
    return one.text if one.text.startswith("traced") else f"traced: {one.text}"


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
