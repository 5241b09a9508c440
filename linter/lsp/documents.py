"""The documents that are open in the editor, as they stand there; edits arrive as ranges to be replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from lsprotocol import types
from pygls.uris import to_fs_path

from ..files.discovery import display_name
from ..run import Sources
from .edited_source import EditedSource
from .positions import Positions


class Files(Protocol):
    """Tells of files by the names that findings give them."""

    def uri(self, name: str) -> str:
        """The URI of a file."""

    def lines(self, name: str) -> Sequence[str]:
        """The lines of a file."""


class Document:
    """One open document.  `source` is its present text; every edit makes a new one, so that older ones may be used on."""

    def __init__(self, uri: str, text: str, version: int, language: str) -> None:
        self.uri = uri
        self.version = version
        self.language = language
        self.path = path_of(uri)
        self.name = uri if self.path is None else display_name(self.path)
        self.source = self._source(text, None)

    @property
    def is_python(self) -> bool:
        """Whether the editor says that this is Python; an editor that says nothing is taken to mean it."""
        return self.language in ("python", "")

    @property
    def lines(self) -> Sequence[str]:
        """The lines with their ends."""
        return self.source.lines

    def change(
        self, changes: Sequence[types.TextDocumentContentChangeEvent], version: int, positions: Positions
    ) -> None:
        """Applies the edits of one message, each to what the one before it left."""
        for change in changes:
            text = change.text
            if isinstance(change, types.TextDocumentContentChangePartial):
                text = positions.changed(self.source, change.range, change.text)
            self.source = self._source(text, self.source)
        self.version = version

    def replace(self, text: str, version: int) -> None:
        """Takes a whole new text."""
        self.source = self._source(text, self.source)
        self.version = version

    def _source(self, text: str, before: EditedSource | None) -> EditedSource:
        return EditedSource(text.removeprefix("\ufeff"), self.name, self.path, before)


class Documents:
    """All open documents, by their URI."""

    def __init__(self) -> None:
        self._open: dict[str, Document] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._open.values()))

    def open(self, item: types.TextDocumentItem) -> Document:
        """A document is opened; one of that name that is open already is replaced."""
        document = Document(item.uri, item.text, item.version, item.language_id)
        self._open[item.uri] = document
        return document

    def close(self, uri: str) -> None:
        """A document is closed; one that is not open is no mistake of ours."""
        self._open.pop(uri, None)

    def get(self, uri: str) -> Document | None:
        """The open document of this URI."""
        return self._open.get(uri)

    def uri(self, name: str) -> str:
        """The URI of a file by the name that findings give it; that of an open document as the editor writes it."""
        document = self._named(name)
        return document.uri if document is not None else Path(name).absolute().as_uri()

    def lines(self, name: str) -> Sequence[str]:
        """The lines of a file by the name that findings give it; none where it cannot be read."""
        document = self._named(name)
        return document.lines if document is not None else Sources().lines(name)

    def _named(self, name: str) -> Document | None:
        return next((document for document in self._open.values() if document.name == name), None)


def path_of(uri: str) -> Path | None:
    """The file that a URI stands for; None for a document that is no file, such as one never saved."""
    if not uri.startswith("file:"):
        return None
    path = to_fs_path(uri)
    return Path(path) if path else None
