"""What a piece of code prints, so that it counts as one of its results."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any


@contextmanager
def recording(code: CodeType | None) -> Iterator[list[Any]]:
    """The arguments of each `print` that this code calls itself (None: code of a module)."""
    printed: list[Any] = []
    original = builtins.print

    def record(*values: Any, **_options: Any) -> None:
        caller = sys._getframe(1).f_code
        if caller is code or (code is None and caller.co_name == "<module>"):
            printed.append(values)

    builtins.print = record
    try:
        yield printed
    finally:
        builtins.print = original
