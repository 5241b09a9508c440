"""How much of one file is looked into: nodes take up many times the memory of the text that they stand for."""

from __future__ import annotations

import re
from collections.abc import Callable

MAX_CODE = 1_200_000
"""Characters of one file that the analysis looks into."""

MAX_LAID_OUT = 500_000
"""Characters of one file that libcst parses for a rewrite: its nodes take up to 700 bytes for each."""

_LONG_STRING = re.compile(r'"""(?:[^"\\]|\\.|"(?!""))*"""|' + r"'''(?:[^'\\]|\\.|'(?!''))*'''", re.DOTALL)


def size_of_code(text: str) -> int:
    """Characters of a text without its strings in triple quotes: however long, one is one node."""
    return len(_LONG_STRING.sub("", text))


class TooMuchCode(ValueError):
    """More of a file would have to be looked into than memory allows."""

    def __init__(self) -> None:
        super().__init__(f"it has more than {MAX_CODE:,} characters of code that matter")


class Allowance:
    """How much of a file may still be looked into."""

    def __init__(self) -> None:
        self._left = MAX_CODE

    def take(self, size: int, text: Callable[[], str]) -> None:
        """Counts a text that is about to be looked into; raises TooMuchCode."""
        if size > self._left:
            size = size_of_code(text())
        if size > self._left:
            raise TooMuchCode
        self._left -= size
