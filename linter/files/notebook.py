"""Notebooks: the Python cells of an `.ipynb` file as one text, and that text, changed, back into its cells.

Cells are joined in their order, each behind a comment that names it; magics, which are no Python, give way to
placeholders that are turned back when the notebook is written.  Only the `source` of cells that changed is written
anew: every other byte of the file stays.

The format: https://nbformat.readthedocs.io/en/latest/format_description.html
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from json.decoder import scanstring  # type: ignore[attr-defined]
from pathlib import Path
from typing import Any

from ..edits.unified import unified
from ..findings import Edit, Finding, Location, Span, Step
from .cells import Cells, joined, python_of
from .decoding import DecodingError, Encoding, split_lines
from .source import SourceFile

SUFFIX = ".ipynb"
_BLANK = " \t\r\n"
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class NotebookEncoding(Encoding):
    """How the text of a notebook's cells is stored: in the `source` values of a JSON text.

    Args:
        raw: the notebook as it is on disk.
        cells: its Python cells, and what stands for magics in them.
        spans: where in `raw` the `source` of each cell stands.
    """

    raw: str = ""
    cells: Cells = field(default_factory=Cells)
    spans: tuple[tuple[int, int], ...] = ()

    def encode(self, text: str) -> bytes:
        """The notebook with this text in its cells; raises UnicodeEncodeError and CellError."""
        raw = self.raw
        changed = zip(self.spans, self.cells.sources, self.cells.split(text), strict=True)
        for (start, end), before, after in reversed(list(changed)):
            if before != after:
                raw = raw[:start] + _written(after, raw[start:end]) + raw[end:]
        return super().encode(raw)


def read_source(path: str | Path, filename: str | None = None) -> SourceFile:
    """Read a Python file or a notebook; raises OSError and DecodingError."""
    path = Path(path)
    if path.suffix != SUFFIX:
        return SourceFile.read(path, filename)
    text, encoding = _decode(path.read_bytes())
    return SourceFile(text, filename if filename is not None else str(path), path, encoding)


def cells_of(source: SourceFile) -> Cells | None:
    """The cells of a source that is a notebook's."""
    return source.encoding.cells if isinstance(source.encoding, NotebookEncoding) else None


def _decode(data: bytes) -> tuple[str, NotebookEncoding]:
    mark = data.startswith(b"\xef\xbb\xbf")
    try:
        raw = data.decode("utf-8-sig")
        held = json.loads(raw)
    except (ValueError, RecursionError):
        raise DecodingError("it is no notebook: its JSON cannot be read") from None
    if not isinstance(held, dict) or not isinstance(held.get("cells"), list):
        raise DecodingError("it is no notebook of version 4: it has no list of cells")
    cells: list[tuple[int, str]] = []
    spans: list[tuple[int, int]] = []
    if _is_python(held):
        places = list(_source_spans(raw))
        if len(places) != len(held["cells"]):
            raise DecodingError("it is no notebook: it has two lists of cells")
        for number, (cell, span) in enumerate(zip(held["cells"], places, strict=True), 1):
            if isinstance(cell, dict) and cell.get("cell_type") == "code" and span is not None:
                cells.append((number, _text(cell["source"])))
                spans.append(span)
    found = Cells(tuple(number for number, _ in cells), tuple(text for _, text in cells))
    replaced = [python_of(number, text) for number, text in cells]
    found = Cells(
        found.numbers, found.sources, {name: line for _, names in replaced for name, line in names.items()}
    )
    text = joined((number, code) for (number, _), (code, _) in zip(cells, replaced, strict=True))
    return text, NotebookEncoding("utf-8", mark, raw, found, tuple(spans))


def _is_python(notebook: dict[str, Any]) -> bool:
    metadata = notebook.get("metadata")
    for table, key in (("kernelspec", "language"), ("language_info", "name")):
        told = metadata.get(table) if isinstance(metadata, dict) else None
        language = told.get(key) if isinstance(told, dict) else None
        if isinstance(language, str):
            return language.lower() in ("python", "ipython")
    return True


def _text(source: object) -> str:
    if isinstance(source, str):
        return source
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    raise DecodingError("it is no notebook: the source of a cell is no text")


def _source_spans(raw: str) -> Iterator[tuple[int, int] | None]:
    """Where the `source` of each cell stands in the JSON text; None for a cell without one."""
    for key, start, _ in _members(raw, _skip(raw, 0)):
        if key == "cells":
            for item, _ in _items(raw, start):
                span = None
                if raw[item] == "{":
                    span = next(((s, e) for name, s, e in _members(raw, item) if name == "source"), None)
                yield span
            return


def _members(raw: str, start: int) -> Iterator[tuple[str, int, int]]:
    """The keys of the object that begins at `start`, with where their values begin and end."""
    place = _skip(raw, start + 1)
    while raw[place] != "}":
        key, place = scanstring(raw, place + 1)
        value = _skip(raw, _skip(raw, place) + 1)
        _, end = _DECODER.raw_decode(raw, value)
        yield key, value, end
        place = _skip(raw, end)
        if raw[place] == ",":
            place = _skip(raw, place + 1)


def _items(raw: str, start: int) -> Iterator[tuple[int, int]]:
    """Where the items of the list that begins at `start` begin and end."""
    place = _skip(raw, start + 1)
    while raw[place] != "]":
        _, end = _DECODER.raw_decode(raw, place)
        yield place, end
        place = _skip(raw, end)
        if raw[place] == ",":
            place = _skip(raw, place + 1)


def _skip(raw: str, place: int) -> int:
    while raw[place] in _BLANK:
        place += 1
    return place


def _written(text: str, before: str) -> str:
    """A cell's source as JSON, laid out as it was before."""
    ascii_only = before.isascii() and "\\u" in before
    if before.startswith('"'):
        return json.dumps(text, ensure_ascii=ascii_only)
    lines = [json.dumps(line, ensure_ascii=ascii_only) for line in text.splitlines(keepends=True)]
    if not lines:
        return "[]"
    inner = before[1:-1]
    opening = inner[: len(inner) - len(inner.lstrip())]
    closing = inner[len(inner.rstrip()) :] if inner.strip() else ""
    between = f",{opening}" if opening else ", "
    return f"[{opening}{between.join(lines)}{closing}]"


def located(finding: Finding, source: SourceFile | None) -> Finding:
    """A finding of a notebook with all its places in that notebook relative to their cells; others as they are."""
    if source is None or cells_of(source) is None:
        return finding
    cell, _ = Cells.place(source.lines, finding.span.start.row)
    entry, verdict = finding.entry_point, finding.verdict

    def edit_in_cell(edit: Edit) -> Edit:
        return Edit(Span(_moved(source, edit.span.start), _moved(source, edit.span.end)), edit.content)

    return replace(
        finding,
        cell=cell,
        span=Span(_moved(source, finding.span.start), _moved(source, finding.span.end)),
        entry_point=entry and replace(entry, location=_moved(source, entry.location)),
        provenance=tuple(step_in_cell(step, source) for step in finding.provenance),
        fixes=tuple(replace(fix, edits=tuple(map(edit_in_cell, fix.edits))) for fix in finding.fixes),
        verdict=verdict and replace(verdict, location=verdict.location and _moved(source, verdict.location)),
    )


def step_in_cell(step: Step, source: SourceFile) -> Step:
    """A step in a notebook with its place relative to its cell; one in another file as it is."""
    if step.filename != source.filename:
        return step
    cell, row = Cells.place(source.lines, step.location.row)
    return replace(step, location=Location(row, step.location.column), cell=cell)


def _moved(source: SourceFile, location: Location) -> Location:
    return Location(Cells.place(source.lines, location.row)[1], location.column)


def diff_of_cells(before: SourceFile, after: str) -> str:
    """A unified diff of each cell that changed."""
    cells = cells_of(before)
    if cells is None:
        return ""
    parts: list[str] = []
    for number, old, new in zip(cells.numbers, cells.sources, cells.split(after), strict=True):
        name = f"{before.filename.replace(chr(92), '/')}:cell {number}"
        parts.append(unified(split_lines(old), split_lines(new), name, name))
    return "".join(parts)


def in_cells(source: SourceFile, row: int) -> tuple[int, int] | None:
    """The number of the cell that a row of a notebook's text stands in, and the row in it."""
    return None if cells_of(source) is None else Cells.place(source.lines, row)


def name_of_row(source: SourceFile, row: int) -> str:
    """`line 12`, or in a notebook `line 2 of cell 3`."""
    place = in_cells(source, row)
    return f"line {row}" if place is None else f"line {place[1]} of cell {place[0]}"
