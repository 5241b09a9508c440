"""What the cursor rests on: the binding time, abstract value and provenance of an expression, and the rule of a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types

from ..files.source import SourceFile
from ..findings import Finding, Location, Step
from ..observation import Observation
from ..rules import all_rules
from ..rules.docs import page
from .documents import Files
from .positions import Positions


def hover(
    source: SourceFile,
    place: Location,
    findings: Iterable[Finding],
    observation: Observation | None,
    positions: Positions,
    files: Files,
) -> types.Hover | None:
    """The hover text for a place of a text, of which `observation` is known; None where there is nothing to say."""
    marked = [finding for finding in findings if finding.span.start <= place <= finding.span.end]
    parts = [] if observation is None else ["\n".join(_told(observation, source, files))]
    rules = all_rules()
    parts += [page(rules[code]) for code in dict.fromkeys(f.code for f in marked) if code in rules]
    if not parts:
        return None
    span = observation.span if observation is not None else marked[0].span
    return types.Hover(
        contents=types.MarkupContent(types.MarkupKind.Markdown, "\n---\n\n".join(parts)),
        range=positions.range(source.lines, span),
    )


def _told(observation: Observation, source: SourceFile, files: Files) -> Iterator[str]:
    text = " ".join(source.segment(observation.span).split())
    shown = f"`{text}`: " if len(text) <= 40 and "`" not in text else ""
    sometimes = ", in some calls unknown" if observation.sometimes_unknown else ""
    yield f"{shown}**{observation.binding}**{sometimes}\n"
    yield f"```text\n{observation.text}\n```\n"
    for number, step in enumerate(observation.provenance, 1):
        yield f"{number}. {step.message} ({_link(step, files)})"
    if observation.provenance:
        yield ""


def _link(step: Step, files: Files) -> str:
    row = step.location.row
    if step.cell is not None:
        return f"[line {row} of cell {step.cell}]({files.uri(step.filename)})"
    return f"[line {row}]({files.uri(step.filename)}#L{row})"
