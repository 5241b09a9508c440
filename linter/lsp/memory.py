"""What may be kept of the imports of a document from one keystroke to the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..files.project import Project
from ..files.source import SourceFile


@dataclass(frozen=True)
class _Kept:
    """The project of one document's last analysis, and all that it rests on besides the document."""

    project: Project
    source: SourceFile
    stamps: Mapping[Path, tuple[int, int] | None]
    opened: Mapping[Path, SourceFile]


class Memory:
    """Lends each document the project of its last analysis, unless something that it imports has changed.

    Open documents count as they stand in the editor, other files as they are on disk.
    """

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}

    def project_for(self, source: SourceFile, opened: Iterable[SourceFile]) -> Project:
        """A project that knows the text of the document and of all open ones."""
        kept = self._kept.pop(source.filename, None)
        if kept is not None and _still_true(kept, source, opened):
            project = kept.project
            project.drop(kept.source)
        else:
            project = Project()
            for other in opened:
                project.hold(other)
        project.hold(source)
        project.consulted.clear()
        return project

    def keep(self, project: Project, source: SourceFile, opened: Iterable[SourceFile]) -> None:
        """Remembers a project after the analysis of a document, with what that has looked at."""
        consulted = [path for path in map(Path, project.consulted) if path != source.path]
        self._kept[source.filename] = _Kept(
            project, source, {path: _stamp(path) for path in consulted}, _among(consulted, opened)
        )

    def depends(self, name: str, path: Path) -> bool:
        """Whether the last analysis of a document has looked at a file."""
        kept = self._kept.get(name)
        return kept is not None and path in kept.stamps

    def forget(self, name: str) -> None:
        """The document is closed."""
        self._kept.pop(name, None)


def _still_true(kept: _Kept, source: SourceFile, opened: Iterable[SourceFile]) -> bool:
    if any(kept.source in imported for imported in kept.project.imports.values()):
        return False  # something that the document imports imports the document
    if _among(kept.stamps, opened) != kept.opened:
        return False
    return all(_stamp(path) == stamp for path, stamp in kept.stamps.items())


def _among(paths: Iterable[Path], opened: Iterable[SourceFile]) -> dict[Path, SourceFile]:
    wanted = set(paths)
    return {source.path: source for source in opened if source.path is not None and source.path in wanted}


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size)
