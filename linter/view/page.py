"""The whole page: template, style and script from this package, the files' parts, the tables."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from html import escape
from importlib.resources import files as resources
from string import Template
from typing import TYPE_CHECKING

from .. import __version__
from ..findings import Finding
from ..observation import Binding, Observation
from .anchors import Anchors, place_text
from .cards import VERDICT_SIGNS, card
from .contents import Tables, ViewedFile
from .markup import Piece, lines, words
from .recompilations import Jitted
from .recompilations import table as recompilations

if TYPE_CHECKING:
    from ..verify.jaxprs import Jaxpr

_CLASSES: dict[Binding, str] = {"traced": "t", "static": "s", "unknown": "u"}


def page(files: Sequence[ViewedFile], title: str, runs: Sequence[Jitted] = ()) -> str:
    """The page of some files as one HTML document that refers to nothing outside itself; `runs` are of a script's run."""
    anchors = Anchors(files)
    tables = Tables()
    several = len(files) > 1
    sections = "".join(
        _section(file, anchors, tables, hidden=number > 0, titled=several)
        for number, file in enumerate(files)
    )
    counts = {binding: f"{sum(file.counts[binding] for file in files):,}" for binding in _CLASSES}
    findings = sum(len(file.findings) for file in files)
    return Template(_asset("page.html")).substitute(
        title=escape(title),
        style=_asset("view.css"),
        script=_asset("view.js"),
        version=__version__,
        navigation=_navigation(files, anchors) if several else "",
        sections=sections,
        findings=_list(files, anchors),
        number=f"{findings} finding{'' if findings == 1 else 's'}" if findings else "Findings",
        jaxprs=_jaxprs(files, anchors),
        runs=recompilations(runs, _linker(files, anchors)),
        data=_json(tables.to_json()),
        **counts,
    )


def _section(file: ViewedFile, anchors: Anchors, tables: Tables, *, hidden: bool, titled: bool) -> str:
    name = anchors.of_file(file.name)
    note = (
        f"<p class=reason>Not all of this file was analysed: {escape(file.reason)}.</p>"
        if file.reason
        else ""
    )
    rows = f"<div class=code>{''.join(_rows(file, anchors, tables))}</div>"
    if (
        hidden
    ):  # mere text to the browser, until the reader wants to see it: no `<` of the file itself is in it
        rows = f"<script type=text/plain>{rows}</script>"
    heading = "" if titled else " class=unseen"
    return (
        f"<section id={name} class=file{' hidden' if hidden else ''} aria-labelledby={name}t>"
        f"<h2 id={name}t{heading}>{escape(file.name)}</h2>{note}{rows}</section>"
    )


def _rows(file: ViewedFile, anchors: Anchors, tables: Tables) -> Iterator[str]:
    """The lines of a file, each finding below the line where it begins."""
    cards: dict[int, list[str]] = defaultdict(list)
    worst: dict[int, str] = {}
    for number, finding in enumerate(file.findings):
        row = min(finding.span.start.row, max(len(file.source.lines), 1))
        cards[row].append(card(finding, number, file.source, anchors))
        worst[row] = "error" if "error" in (finding.severity, worst.get(row)) else "warning"
    entries = {jaxpr.row: number for number, jaxpr in enumerate(file.jaxprs)}
    prefix = anchors.of_file(file.name)
    for row, line in enumerate(lines(file.source, _pieces(file, anchors, tables)), 1):
        mark = f" {worst[row]}" if row in worst else ""
        chip = f'<a class=chip href="#{prefix}j{entries[row]}">jaxpr</a>' if row in entries else ""
        yield f'<div class="l{mark}" id={prefix}L{row}><a class=n href=#{prefix}L{row}>{row}</a><code>{line}\n</code>{chip}</div>'
        yield from cards[row]


def _pieces(file: ViewedFile, anchors: Anchors, tables: Tables) -> Iterator[Piece]:
    source = file.source
    for finding in file.findings:
        span = finding.span
        yield Piece(source.offset(span.start), source.offset(span.end), "mark", f" class={finding.severity}")
    for number, observation in enumerate(file.observations):
        value = _value(observation, file.name, anchors, tables)
        start, end = source.offset(observation.span.start), source.offset(observation.span.end)
        attributes = f" class={_CLASSES[observation.binding]} data-v={value}"
        if observation.span.end.row > observation.span.start.row:
            attributes += f" data-whole={number}"  # so that its lines are shown as one
        yield Piece(start, end, "span", attributes, anchors.of_expression(file.name, number) or "")
    yield from words(source)


def _value(observation: Observation, filename: str, anchors: Anchors, tables: Tables) -> int:
    steps = tuple(
        tables.step(step.message, anchors.of_step(step), place_text(step, filename))
        for step in observation.provenance
    )
    return tables.value(observation.binding, observation.text, steps, observation.sometimes_unknown)


def _list(files: Sequence[ViewedFile], anchors: Anchors) -> str:
    entries = "".join(_entry(file, anchors) for file in files)
    return f"<ul class=findings>{entries}</ul>" if entries else "<p class=hint>Nothing found.</p>"


def _entry(file: ViewedFile, anchors: Anchors) -> str:
    return "".join(
        f'<li><a href="#{anchors.of_finding(file.name, number)}" class={finding.severity}><code>{finding.code}</code> '
        f"{_sign(finding)}<span>{escape(finding.message.partition(':')[0])}</span>"
        f" <small>{escape(file.name.rpartition('/')[2])}:{finding.span.start.row}</small></a>"
        for number, finding in enumerate(file.findings)
    )


def _sign(finding: Finding) -> str:
    status = finding.verdict.status if finding.verdict else ""
    return f"<b class={status} title={status}>{VERDICT_SIGNS[status]}</b> " if status else ""


def _navigation(files: Sequence[ViewedFile], anchors: Anchors) -> str:
    shared = os.path.commonpath([os.path.dirname(file.name) for file in files])
    names = {
        file.name: escape(os.path.relpath(file.name, shared or None)).replace("/", "/<wbr>") for file in files
    }
    rows = "".join(
        f'<li><a href="#{anchors.of_file(file.name)}"><span>{names[file.name]}</span>'
        + (f" <small>{len(file.findings)}</small>" if file.findings else "")
        + "</a>"
        for file in files
    )
    return f"<nav aria-label=Files><h2>Files</h2><ul>{rows}</ul></nav>"


def _jaxprs(files: Sequence[ViewedFile], anchors: Anchors) -> str:
    parts = ""
    for position, file in enumerate(files):
        state = " hidden" if position else ""
        found = "".join(_jaxpr(jaxpr, file.name, number, anchors) for number, jaxpr in enumerate(file.jaxprs))
        parts += f"<div data-of={anchors.of_file(file.name)}{state}>{found}</div>" if found else ""
    return (
        f"<section class=jaxprs aria-labelledby=jaxprs><h2 id=jaxprs>Jaxprs</h2>{parts}</section>"
        if parts
        else ""
    )


def _linker(files: Sequence[ViewedFile], anchors: Anchors) -> Callable[[str, int], str]:
    """What leads from a file's real path and a line to the line on the page."""
    names = {os.path.realpath(file.name): file for file in files}

    def link(path: str, row: int) -> str:
        file = names.get(path)
        return (
            anchors.of_line(file.name, row) if file is not None and 0 < row <= len(file.source.lines) else ""
        )

    return link


def _jaxpr(jaxpr: Jaxpr, filename: str, number: int, anchors: Anchors) -> str:
    name, line = f"{anchors.of_file(filename)}j{number}", anchors.of_line(filename, jaxpr.row)
    inputs = f" <small>{escape(jaxpr.inputs)}</small>" if jaxpr.inputs else ""
    kind = "" if jaxpr.traced else " class=failed"
    state = "" if number else " open"
    return (
        f"<details id={name}{state}><summary><code>{escape(jaxpr.name)}</code>{inputs}</summary>"
        f'<a href="#{line}">line {jaxpr.row}</a><pre{kind} tabindex=0>{escape(jaxpr.text, quote=False)}</pre></details>'
    )


def _json(value: object) -> str:
    """JSON that may stand inside a `script` element: no `<`, which could end it, or begin a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _asset(name: str) -> str:
    return resources(__package__).joinpath("assets", name).read_text(encoding="utf-8")
