"""Notebooks that are open in the editor: their cells are documents of their own, and are checked as one program."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from lsprotocol import types

from ..edits.apply import edited
from ..files.cells import CellError, Cells, joined, python_of
from ..files.notebook import NotebookEncoding, cells_of, located, step_in_cell
from ..files.source import SourceFile
from ..findings import Edit, Finding, Fix, Location, Span, Step
from ..observation import Observation, Observations
from .actions import changes_between
from .checking import Checked
from .documents import Document, Documents, Files
from .parts import Changes
from .positions import Positions


class Notebook:
    """One open notebook; `whole` is the document that its Python cells make together."""

    def __init__(self, notebook: types.NotebookDocument, texts: Sequence[types.TextDocumentItem]) -> None:
        self.uri = notebook.uri
        self._cells = list(notebook.cells)
        self._documents: dict[str, Document] = {}
        self._take(texts)
        self.whole = Document(notebook.uri, "", notebook.version, "python")
        self._join(notebook.version)

    @property
    def cells(self) -> dict[int, Document]:
        """The Python cells by their numbers among all cells, from 1."""
        return {
            number: self._documents[cell.document]
            for number, cell in enumerate(self._cells, 1)
            if cell.kind is types.NotebookCellKind.Code
            and cell.document in self._documents
            and self._documents[cell.document].is_python
        }

    def holds(self, uri: str) -> bool:
        """Whether a document is one of the cells."""
        return uri in self._documents

    def change(
        self, event: types.NotebookDocumentChangeEvent, version: int, positions: Positions
    ) -> list[str]:
        """Applies what has changed; returns the documents of cells that are gone."""
        changed, gone = event.cells, []
        if changed is not None:
            if changed.structure is not None:
                array = changed.structure.array
                self._cells[array.start : array.start + array.delete_count] = array.cells or ()
                self._take(changed.structure.did_open or ())
                for closed in changed.structure.did_close or ():
                    gone.append(closed.uri)
                    self._documents.pop(closed.uri, None)
            for content in changed.text_content or ():
                document = self._documents.get(content.document.uri)
                if document is not None:
                    document.change(content.changes, content.document.version, positions)
        self._join(version)
        return gone

    def _take(self, texts: Sequence[types.TextDocumentItem]) -> None:
        for item in texts:
            self._documents[item.uri] = Document(item.uri, item.text, item.version, item.language_id)

    def _join(self, version: int) -> None:
        texts = {number: document.source.text for number, document in self.cells.items()}
        made = {number: python_of(number, text) for number, text in texts.items()}
        magics = {name: line for _, names in made.values() for name, line in names.items()}
        self.whole.replace(joined((number, code) for number, (code, _) in made.items()), version)
        self.whole.source.encoding = NotebookEncoding(
            cells=Cells(tuple(texts), tuple(texts.values()), magics)
        )

    def part(self, uri: str) -> Cell | None:
        """The Python cell that is this document."""
        number = next((number for number, cell in self.cells.items() if cell.uri == uri), None)
        return None if number is None else Cell(self, number)

    def parts(self) -> list[Cell]:
        """All Python cells."""
        return [Cell(self, number) for number in self.cells]


@dataclass(frozen=True)
class Cell:
    """One cell, as a part of its notebook's text."""

    notebook: Notebook
    number: int
    runs: bool = False

    @property
    def shown(self) -> Document:
        """The cell's own document."""
        return self.notebook.cells[self.number]

    @property
    def whole(self) -> Document:
        """The document that all cells make together."""
        return self.notebook.whole

    @property
    def rows(self) -> range:
        """The rows of the notebook's text that are this cell's."""
        heads = Cells.heads(self.whole.source.lines)
        start = heads.pop(self.number)
        return range(start, min((head - 1 for head in heads.values() if head > start), default=sys.maxsize))

    def files(self, opened: Documents) -> Files:
        """Steps stand in cells, or in files."""
        return _Files(opened, {document.uri: document for document in self.notebook.cells.values()})

    def findings(self, checked: Checked) -> list[tuple[Finding, Finding]]:
        """The findings in this cell, with their places in it."""
        told = ((finding, located(finding, checked.source)) for finding in checked.findings)
        return [
            (finding, replace(shown, provenance=self._told(shown.provenance)))
            for finding, shown in told
            if shown.cell == self.number
        ]

    def at(self, place: Location, found: Observations) -> Observation | None:
        """What is known at a place of the cell, with its places in the cells."""
        above = self.rows.start
        one = found.at(Location(place.row + above, place.column))
        if one is None:
            return None
        start, end = one.span.start, one.span.end
        span = Span(Location(start.row - above, start.column), Location(end.row - above, end.column))
        steps = tuple(step_in_cell(step, self.whole.source) for step in one.provenance)
        return replace(one, span=span, provenance=self._told(steps))

    def changes(self, source: SourceFile, edits: Iterable[Edit]) -> Changes:
        """What edits of the notebook's text change in its cells; nothing where they lose a cell or a magic."""
        cells, documents = cells_of(source), self.notebook.cells
        if cells is None or source is not self.whole.source:
            return []
        try:
            texts = cells.split(edited(source, [Fix("", tuple(edits))]))
        except CellError:
            return []
        before = map(SourceFile, cells.sources)
        return [
            (documents[number], old, changes_between(old, new))
            for number, old, new in zip(cells.numbers, before, texts, strict=True)
        ]

    def _told(self, steps: Iterable[Step]) -> tuple[Step, ...]:
        """Steps with the cells that they stand in named by their documents."""
        cells = self.notebook.cells
        return tuple(
            replace(step, filename=cells[step.cell].uri)
            if step.cell is not None and step.cell in cells
            else step
            for step in steps
        )


@dataclass(frozen=True)
class _Files:
    """Where the steps of a provenance stand: in cells, which are named by their documents, or in other files."""

    files: Documents
    cells: dict[str, Document]

    def uri(self, name: str) -> str:
        return name if name in self.cells else self.files.uri(name)

    def lines(self, name: str) -> Sequence[str]:
        return self.cells[name].lines if name in self.cells else self.files.lines(name)
