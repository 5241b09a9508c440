"""Binding times shown in the text itself: inlay hints behind names, and modifiers of semantic tokens."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from ..observation import Observation
from .known import Known
from .positions import Positions

LEGEND = types.SemanticTokensLegend(
    token_types=["variable", "parameter"], token_modifiers=["traced", "static"]
)

_MODIFIERS = {"traced": 1, "static": 2}  # bits, in the order of the legend


def inlay_hints(
    known: Known, positions: Positions, wanted: types.Range, rows: range
) -> Iterator[types.InlayHint]:
    """A hint behind each parameter and each name that is assigned, in the rows that are on the screen.

    The editor's document is the text in `rows`, which it counts from 0.
    """
    for one in known.marked:
        row = one.span.start.row - 1 - rows.start
        if one.role == "expression" or one.span.start.row - 1 not in rows:
            continue
        if not wanted.start.line <= row <= wanted.end.line:
            continue
        yield types.InlayHint(
            position=types.Position(row, positions.position(known.source.lines, one.span.end).character),
            label=_label(one),
            kind=types.InlayHintKind.Type,
            tooltip=one.text,
            padding_left=True,
        )


def semantic_tokens(known: Known, positions: Positions, rows: range) -> list[int]:
    """Every name in these rows with its binding time, as the protocol packs tokens: each relative to the one before it."""
    packed: list[int] = []
    last_row, last_column = rows.start, 0
    for one in known.marked:
        if one.span.start.row - 1 not in rows:
            continue
        start = positions.position(known.source.lines, one.span.start)
        end = positions.position(known.source.lines, one.span.end)
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


def _label(one: Observation) -> str:
    if one.binding == "static":
        return "static"
    return one.text if one.text.startswith("traced") else f"traced: {one.text}"
