"""The next version of a text: statements of the module whose text is the same keep their nodes.

What has been looked into of a function, and whatever the analysis remembers of its nodes by identity, is good for the
next keystroke too.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from ..source import SourceFile

if TYPE_CHECKING:
    from ..syntax.units import Unit


class EditedSource(SourceFile):
    """A text in the editor; `before` is the version of it that was there until now."""

    def __init__(
        self, text: str, filename: str, path: Path | None, before: EditedSource | None = None
    ) -> None:
        super().__init__(text, filename, path)
        self._before: EditedSource | None = before
        if before is not None and "module" not in before.__dict__:
            self._before = before._before  # that version was never looked into

    def _known_units(self) -> dict[str, list[Unit]]:
        known: dict[str, list[Unit]] = defaultdict(list)
        before, self._before = self._before, None
        if before is not None and "module" in before.__dict__:
            for _, unit in before.units:
                known[unit.text].append(unit)
        return known
