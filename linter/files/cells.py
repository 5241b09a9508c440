"""Cells of a notebook joined into one Python text, and such a text split again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..python_tree import parses

_MARK = re.compile(r"# %% \[tracetrap: cell (\d+)\]\r?\n?")
_STAND_IN = re.compile(
    r"^[ \t]*(?:pass|[^\n]*= get_ipython\(\))  # tracetrap: magic (\d+\.\d+)\r?$", re.MULTILINE
)
_MAGIC = re.compile(r"^(?P<indent>[ \t]*)(?:[%!?]|[\w.%]+\?{1,2}\s*$)")
_ASSIGNED = re.compile(r"^(?P<target>[ \t]*[\w, \t.\[\]\"']+?)=\s*[%!](?!=)")
_CODE_MAGICS = ("time", "timeit", "capture", "prun")
"""Magics at the head of a cell behind which Python follows."""


class CellError(Exception):
    """A text that cannot be split into cells again: what names them, or stands for magics, is not as it was."""


@dataclass(frozen=True)
class Cells:
    """The Python cells of a notebook: their numbers among all cells, from 1, their text, and the magics by their names."""

    numbers: tuple[int, ...] = ()
    sources: tuple[str, ...] = ()
    magics: Mapping[str, str] = field(default_factory=dict)

    def split(self, text: str) -> list[str]:
        """The texts of the cells in a joined text, magics restored.

        Raises:
            CellError: a cell, or a magic, was lost, doubled, or moved.
        """
        before, *parts = _MARK.split(text)
        numbers, bodies = [int(number) for number in parts[::2]], parts[1::2]
        if numbers != list(self.numbers):
            raise CellError("the cells are not those of the notebook any more")
        if bodies:
            bodies[0] = before + bodies[0]
        restored, seen = [], []
        for body, source in zip(bodies, self.sources, strict=True):
            seen += _STAND_IN.findall(body)
            body = _STAND_IN.sub(lambda found: self.magics.get(found[1], found[0]), body)
            restored.append(body if source.endswith("\n") else body.removesuffix("\n"))
        if seen != list(self.magics):
            raise CellError("the magics are not those of the notebook any more")
        return restored

    @staticmethod
    def heads(lines: Sequence[str]) -> dict[int, int]:
        """The rows of a joined text that name its cells, by the cells' numbers."""
        marks = ((row, _MARK.match(line)) for row, line in enumerate(lines, 1))
        return {int(mark[1]): row for row, mark in marks if mark}

    @staticmethod
    def place(lines: Sequence[str], row: int) -> tuple[int, int]:
        """The number of the cell that a row stands in, and the row in it; what stands before all cells is cell 0."""
        for above in range(min(row, len(lines)), 0, -1):
            found = _MARK.match(lines[above - 1])
            if found:
                return int(found[1]), max(row - above, 1)
        return 0, row


def cell_lines(lines: Sequence[str], cell: int) -> list[str]:
    """The lines of one cell of a joined text."""
    found, current = [], 0
    for line in lines:
        mark = _MARK.match(line)
        if mark:
            current = int(mark[1])
        elif current == cell:
            found.append(line)
    return found


def joined(cells: Iterable[tuple[int, str]]) -> str:
    """Numbered cells as one text, each behind a comment that names it."""
    return "".join(
        f"# %% [tracetrap: cell {number}]\n{code}{'' if code.endswith(chr(10)) else chr(10)}"
        for number, code in cells
    )


def python_of(number: int, text: str) -> tuple[str, dict[str, str]]:
    """A cell's Python, as many lines as it has, and the lines with magics by the names of their stand-ins."""
    if parses(text):
        return text, {}
    magics: dict[str, str] = {}
    lines = text.split("\n")
    whole = lines[0].startswith("%%") and lines[0][2:].split(" ")[0].strip() not in _CODE_MAGICS
    continued = False
    for index, line in enumerate(lines):
        assigned = _ASSIGNED.match(line)
        if not (whole or continued or assigned or _MAGIC.match(line)):
            continue
        if not line.strip():
            continue
        name = f"{number}.{index + 1}"
        indent = line[: len(line) - len(line.lstrip())] if not whole and not continued else ""
        what = (
            f"{assigned['target']}= get_ipython()"
            if assigned and not whole and not continued
            else f"{indent}pass"
        )
        magics[name] = line
        lines[index] = f"{what}  # tracetrap: magic {name}" + ("\r" if line.endswith("\r") else "")
        continued = line.rstrip().endswith("\\") and not whole
    return "\n".join(lines), magics
