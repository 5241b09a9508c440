"""The modules of a project as abstract values, each run once for all the files that import it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .domain import Box, ModuleValue
from .interpreter import Budget, Interpreter
from .interpreter.machine import BudgetSpent, Frame

if TYPE_CHECKING:
    from .files.project import Project
    from .files.source import SourceFile
    from .knowledge import Catalogue

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
        source = self._project.locate(name, importer)
        if source is None or source.path is None:
            return None
        known = self._project.modules.get(source)
        if known is None:
            package = source.path.name == "__init__.py"
            box = Box(source.path.parent.name if package else source.path.stem)
            known = self._project.modules[source] = ModuleValue(box.name, box, source, package)
            self._run(source, box)
        return known

    def _run(self, source: SourceFile, box: Box) -> None:
        from .syntax.allowance import TooMuchCode

        interpreter = Interpreter(self._catalogue, lambda event: None, self.find, budget_for(source))
        interpreter.enter_frame(Frame(box, source))
        try:
            interpreter.execute(source.module)
        except (BudgetSpent, SyntaxError, TooMuchCode):
            return  # what it has bound so far is what is known of it
