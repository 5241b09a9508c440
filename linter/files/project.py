"""The files of one project: which file a module's name stands for, each read and parsed once."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from ..cache import Cache
from ..syntax.memo import forget_nodes
from .discovery import display_name
from .source import SourceFile

if TYPE_CHECKING:
    from ..domain import ModuleValue
    from ..interpreter import Budget

MAX_KEPT = 7_000_000
"""Characters of files whose text and trees are kept for the next file that imports them."""

FAR = 2
"""Imports followed one after the other: to a package, and from there to the module that it takes a name from."""

_PACKAGE = "__init__.py"
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]*)|import[ \t]+([^\n#;]*))",
    re.MULTILINE,
)
_ALIAS = re.compile(r"([.\w]+)(?:[ \t]+as[ \t]+\w+)?")


class Project:
    """Finds the files that imports lead to, from the importing file's own folders alone; nothing is executed.

    `consulted` lists every path that was looked at since it was last cleared, with whether a file was there: what a
    result depended on.
    """

    def __init__(self) -> None:
        self.consulted: dict[str, bool] = {}
        self.cache = Cache.default()
        self.budget: Budget | None = None
        """What the analysis under way may still spend; whoever does not want its result any more takes that away."""
        self.modules: dict[SourceFile, ModuleValue] = {}
        """What the analysis has made of the files that others import."""
        self.shared: dict[str, object] = {}
        """What else is kept of them, by who keeps it."""
        self.lookups: dict[tuple[str, str], tuple[SourceFile | None, dict[str, bool]]] = {}
        self.links: dict[SourceFile, dict[str, bool]] = {}
        self.imports: dict[SourceFile, set[SourceFile]] = {}
        self._located: dict[SourceFile, dict[str, SourceFile | None]] = {}
        self._sources: dict[str, SourceFile | None] = {}
        self._held: dict[str, SourceFile] = {}
        self._kept = 0
        self._leading: dict[tuple[SourceFile, int, object], bool] = {}
        self._packages: dict[str, bool] = {}
        self._entries: dict[str, frozenset[str]] = {}

    def add(self, source: SourceFile) -> SourceFile:
        """Makes a file known, so that it is not read again when another imports it.

        Gives the file as it is known: what an import has led to before, and parsed, if that has the same text.
        """
        if source.path is None:
            return source
        path = os.path.abspath(source.path)
        known = self._sources.get(path)
        if known is not None and known.text == source.text and known.filename == source.filename:
            return known
        if self._kept > MAX_KEPT:
            self._forget()
        self._keep(path, source)
        return source

    def hold(self, source: SourceFile) -> None:
        """Makes a text known that stands for its file as long as the project lives: one that is open in an editor."""
        if source.path is not None:
            path = os.path.abspath(source.path)
            self._keep(path, None)
            self._held[path] = self._sources[path] = source

    def drop(self, source: SourceFile) -> None:
        """Lets go of all that is known of a file's text, which another one follows."""
        for kept in (self.modules, self.links, self.imports, self._located):
            kept.pop(source, None)
        self.shared.clear()
        self._leading.clear()

    def _forget(self) -> None:
        """Lets go of all files: between two analyses, as places in them may be asked for until the end of one."""
        for kept in (
            self._sources,
            self.modules,
            self.shared,
            self.lookups,
            self.links,
            self.imports,
            self._located,
            self._leading,
            self._entries,
            self._packages,
        ):
            kept.clear()
        self._sources.update(self._held)
        self._kept = 0
        forget_nodes()
        gc.collect()  # analyses hold the collector back

    def find(self, name: str, importer: SourceFile) -> SourceFile | None:
        """The file of a module: an absolute name, or a relative one with leading dots; None if it is not ours."""
        if importer.path is None:
            return None
        folder = os.path.dirname(os.path.abspath(importer.path))
        if name.startswith("."):
            relative = name.lstrip(".")
            for _ in range(len(name) - len(relative) - 1):
                folder = os.path.dirname(folder)
            return self._module(folder, relative)
        for root in dict.fromkeys((self._import_root(folder), folder)):
            found = self._module(root, name) if self._has(root, name.partition(".")[0]) else None
            if found is not None:
                return found
        return None

    def _has(self, folder: str, name: str) -> bool:
        """Whether a folder has a module or a folder of this name; most that is imported is of other places."""
        entries = self._entries_of(folder)
        if name in entries or f"{name}.py" in entries:
            return True
        path = os.path.join(folder, name)
        self.consulted[path] = self.consulted[f"{path}.py"] = False
        return False

    def _entries_of(self, folder: str) -> frozenset[str]:
        """The names in a folder; none where it is no folder."""
        entries = self._entries.get(folder)
        if entries is None:
            try:
                entries = frozenset(os.listdir(folder))
            except OSError:
                entries = frozenset()
            self._entries[folder] = entries
        return entries

    def locate(self, name: str, importer: SourceFile) -> SourceFile | None:
        """As `find`, each file looked up once for an importing folder; notes what the importer depends on."""
        if importer.path is None:
            return None
        located = self._located.setdefault(importer, {})
        if name not in located:
            located[name] = self._locate(name, importer, os.path.dirname(importer.path))
        return located[name]

    def _locate(self, name: str, importer: SourceFile, folder: str) -> SourceFile | None:
        key = (name, folder)
        known = self.lookups.get(key)
        if known is None:
            before, self.consulted = self.consulted, {}
            found = self.find(name, importer)
            known = self.lookups[key] = (found, dict(self.consulted))
            self.consulted = before
        source, consulted = known
        self.links.setdefault(importer, {}).update(consulted)
        if source is not None:
            self.imports.setdefault(importer, set()).add(source)
        return source

    def leads_to(self, source: SourceFile, wanted: Callable[[str], bool], far: int = FAR) -> bool:
        """Whether a file that this one imports, be it by way of others, has a text that is wanted; the file itself, if not far."""
        known = self._leading.get((source, far, wanted))
        if known is None:
            known = self._imports_lead_to(source, wanted, far) if far else wanted(source.text)
            self._leading[source, far, wanted] = known
        return known

    def _imports_lead_to(self, source: SourceFile, wanted: Callable[[str], bool], far: int) -> bool:
        return any(
            self.leads_to(one, wanted, 0) or (far > 1 and self.leads_to(one, wanted, far - 1))
            for one in dict.fromkeys(self.locate(name, source) for name in imported_modules(source.text))
            if one is not None and one is not source
        )

    def note_dependencies(self, source: SourceFile, far: int | None = None) -> None:
        """Puts into `consulted` every path that the file's result depends on, through all that it imports, or only so far."""
        distances, waiting = {source: 0}, [source]
        for importer in waiting:
            self.consulted.update(self.links.get(importer, {}))
            if distances[importer] + 1 == far:
                continue
            for imported in self.imports.get(importer, ()):
                if imported not in distances:
                    distances[imported] = distances[importer] + 1
                    waiting.append(imported)

    def _module(self, folder: str, name: str) -> SourceFile | None:
        target = os.path.join(folder, *name.split(".")) if name else folder
        above, last = os.path.split(target)
        beside = self._entries_of(above)
        source = self._read(os.path.join(target, _PACKAGE), is_there=last in beside)
        if source is not None or not name:
            return source
        return self._read(f"{target}.py", is_there=f"{last}.py" in beside)

    def _read(self, path: str, *, is_there: bool) -> SourceFile | None:
        source = self._sources.get(path)
        if source is None and is_there and path not in self._sources:
            try:
                source = SourceFile.read(path, display_name(Path(path)))
            except (OSError, ValueError):
                source = None
            self._keep(path, source)
        self.consulted[path] = source is not None
        return source

    def _keep(self, path: str, source: SourceFile | None) -> None:
        before, self._sources[path] = self._sources.get(path), source
        if source is not None and source.digest is not None:
            self.cache.learn(path, source.digest)
        if before is not self._held.get(path):
            self._kept -= len(before.text) if before is not None else 0
        self._kept += len(source.text) if source is not None else 0

    def _import_root(self, folder: str) -> str:
        """The folder that absolute imports start from: the first one up that is no package."""
        root = folder
        while self._is_package(root) and os.path.dirname(root) != root:
            root = os.path.dirname(root)
        return root

    def _is_package(self, folder: str) -> bool:
        path = os.path.join(folder, _PACKAGE)
        known = self._packages.get(folder)
        if known is None:
            known = self._packages[folder] = os.path.isfile(path)
        self.consulted[path] = known
        return known


def imported_modules(text: str) -> Iterator[str]:
    """What a text may import: modules, the packages that they are in, and members of packages that may be modules."""
    for package, members, modules in _IMPORT.findall(text):
        if package:
            yield from accumulate(package.split("."), "{}.{}".format) if package[0] != "." else (package,)
        separator = "" if not package or package.endswith(".") else "."
        for name in _ALIAS.findall(members or modules):
            yield f"{package}{separator}{name}"
