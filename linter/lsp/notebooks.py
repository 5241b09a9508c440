"""Notebooks that are open in the editor: their cells are documents of their own, and are checked as one program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lsprotocol import types

from ..cells import Cells, joined, python_of
from ..findings import Finding
from ..notebook import NotebookEncoding, located
from .checking import Checked
from .diagnostics import diagnostic
from .documents import Document, Documents
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
        code = [(number, python_of(number, text)[0]) for number, text in texts.items()]
        self.whole.replace(joined(code), version)
        self.whole.source.encoding = NotebookEncoding(cells=Cells(tuple(texts), tuple(texts.values())))

    def diagnostics(
        self, checked: Checked, positions: Positions, files: Documents
    ) -> dict[str, list[types.Diagnostic]]:
        """The diagnostics of each cell, by its document."""
        cells = self.cells
        found: dict[str, list[types.Diagnostic]] = {document.uri: [] for document in cells.values()}
        for finding in checked.findings:
            told = located(finding, checked.source)
            cell = cells.get(told.cell or 0)
            if cell is not None:
                of_cell = replace(checked, source=cell.source)
                known = _Files(files, {document.uri: document for document in cells.values()})
                found[cell.uri].append(diagnostic(_with_uris(told, cells), of_cell, positions, known))
        return found


@dataclass(frozen=True)
class _Files:
    """Where the steps of a provenance stand: in cells, which are named by their documents, or in other files."""

    files: Documents
    cells: dict[str, Document]

    def uri(self, name: str) -> str:
        return name if name in self.cells else self.files.uri(name)

    def lines(self, name: str) -> Sequence[str]:
        return self.cells[name].lines if name in self.cells else self.files.lines(name)


def _with_uris(finding: Finding, cells: dict[int, Document]) -> Finding:
    """The finding with the cells of its steps named by their documents."""
    steps = (
        replace(step, filename=cells[step.cell].uri) if step.cell is not None and step.cell in cells else step
        for step in finding.provenance
    )
    return replace(finding, provenance=tuple(steps))
