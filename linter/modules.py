"""The modules of a project as abstract values, each run once for all the files that import it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .domain import Box, ModuleValue
from .interpreter import Budget, Interpreter
from .interpreter.machine import BudgetSpent, Frame

if TYPE_CHECKING:
    from .knowledge import Catalogue
    from .project import Project
    from .source import SourceFile

BASE_STEPS = 150_000
STEPS_A_LINE = 200


def budget_for(source: SourceFile) -> Budget:
    """The steps that a file may take: its time grows with its length, whatever its code does."""
    return Budget(BASE_STEPS + STEPS_A_LINE * len(source.lines))


class Modules:
    """Finds what imports mean in a project.

    A module's own findings are not heard when it is run for another file: they arise when it is analysed itself.
    """

    def __init__(self, project: Project, catalogue: Catalogue) -> None:
        self._project = project
        self._catalogue = catalogue

    def find(self, name: str, importer: SourceFile) -> ModuleValue | None:
        """The module of this name, as the importer sees it; None for what is not of the project."""
        source = self._locate(name, importer)
        if source is None or source.path is None:
            return None
        known = self._project.modules.get(source)
        if known is None:
            package = source.path.name == "__init__.py"
            box = Box(source.path.parent.name if package else source.path.stem)
            known = self._project.modules[source] = ModuleValue(box.name, box, source, package)
            self._run(source, box)
        return known

    def _locate(self, name: str, importer: SourceFile) -> SourceFile | None:
        """Looks the file up once for each importing folder, and notes what the importer depends on."""
        if importer.path is None:
            return None
        project = self._project
        key = (name, importer.path.parent)
        known = project.lookups.get(key)
        if known is None:
            before, project.consulted = project.consulted, {}
            found = project.find(name, importer)
            known = project.lookups[key] = (found, dict(project.consulted))
            project.consulted = before
        source, consulted = known
        project.links.setdefault(importer, {}).update(consulted)
        if source is not None:
            project.imports.setdefault(importer, set()).add(source)
        return source

    def note_dependencies(self, source: SourceFile) -> None:
        """Puts into `project.consulted` every path that the file's result depends on, through all that it imports."""
        waiting, seen = [source], {source}
        while waiting:
            importer = waiting.pop()
            self._project.consulted.update(self._project.links.get(importer, {}))
            for imported in self._project.imports.get(importer, ()):
                if imported not in seen:
                    seen.add(imported)
                    waiting.append(imported)

    def _run(self, source: SourceFile, box: Box) -> None:
        from libcst import ParserSyntaxError

        interpreter = Interpreter(self._catalogue, lambda event: None, self.find, budget_for(source))
        interpreter.frames.append(Frame(box, source))
        try:
            interpreter.execute(source.module)
        except (BudgetSpent, ParserSyntaxError):
            return  # what it has bound so far is what is known of it

