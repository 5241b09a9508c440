"""What the editor takes for a document, as a part of the text that is checked.

A file is all of its text; a cell of a notebook is a stretch of the text that all its Python cells make together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..files.source import SourceFile
from ..findings import Edit, Finding, Location
from ..observation import Observation, Observations
from .checking import Checked
from .documents import Document, Documents, Files

Changes = Sequence[tuple[Document, SourceFile, Sequence[Edit]]]
"""Documents, their texts as they were checked, and what changes in them."""


class Part(Protocol):
    """One document of the editor."""

    @property
    def shown(self) -> Document:
        """The document that the editor shows."""

    @property
    def whole(self) -> Document:
        """The document that is checked."""

    @property
    def rows(self) -> range:
        """The rows of the checked text that are shown, counted from 0."""

    @property
    def runs(self) -> bool:
        """Whether verification can run it."""

    def files(self, opened: Documents) -> Files:
        """Where the steps of provenances stand."""

    def findings(self, checked: Checked) -> list[tuple[Finding, Finding]]:
        """The findings of this part: as they are of the checked text, and as they are shown here."""

    def at(self, place: Location, found: Observations) -> Observation | None:
        """What is known at a place of the shown document, as it is told there."""

    def changes(self, source: SourceFile, edits: Iterable[Edit]) -> Changes:
        """Edits of the checked text as edits of documents; none where they cannot be made there."""


@dataclass(frozen=True)
class WholeFile:
    """A document that is checked as it is."""

    shown: Document

    @property
    def whole(self) -> Document:
        """The document itself."""
        return self.shown

    @property
    def rows(self) -> range:
        """All rows."""
        return range(len(self.shown.lines) + 1)

    @property
    def runs(self) -> bool:
        """Whether there is a file to run."""
        return self.shown.path is not None

    def files(self, opened: Documents) -> Files:
        """Steps stand in files."""
        return opened

    def findings(self, checked: Checked) -> list[tuple[Finding, Finding]]:
        """All findings, as they are."""
        return [(finding, finding) for finding in checked.findings]

    def at(self, place: Location, found: Observations) -> Observation | None:
        """What is known at a place."""
        return found.at(place)

    def changes(self, source: SourceFile, edits: Iterable[Edit]) -> Changes:
        """The edits, as they are."""
        return [(self.shown, source, list(edits))]
