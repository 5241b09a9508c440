"""Output formats: one module each, found by its name; `render` in it turns a `Report` into text."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from .contents import Report

__all__ = ["FOR_PEOPLE", "Report", "formats", "render"]

FOR_PEOPLE = ("concise", "statistics", "text")
"""The formats that people read, in the encoding of their terminal; programs read the others, in UTF-8."""


@cache
def formats() -> tuple[str, ...]:
    """The names of all formats."""
    names = (info.name for info in pkgutil.iter_modules(__path__))
    return tuple(sorted(name.removesuffix("_format") for name in names if name.endswith("_format")))


def render(name: str, report: Report) -> str:
    """A report in one of the `formats`; ends with a newline unless it is empty."""
    text: str = importlib.import_module(f".{name}_format", __package__).render(report)
    return text
