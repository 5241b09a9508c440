"""Output formats: one module each, found by its name; `render` in it turns a `Report` into text."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import replace
from functools import cache

from .contents import Report

__all__ = ["Report", "formats", "render"]

_FOR_SERVICES = ("github", "gitlab", "junit")
"""Services that take each entry for a failure: they never hear of what tracing refuted."""


@cache
def formats() -> tuple[str, ...]:
    """The names of all formats."""
    names = (info.name for info in pkgutil.iter_modules(__path__))
    return tuple(sorted(name.removesuffix("_format") for name in names if name.endswith("_format")))


def render(name: str, report: Report) -> str:
    """A report in one of the `formats`; ends with a newline unless it is empty."""
    if name in _FOR_SERVICES:
        report = replace(report, findings=[f for f in report.findings if not f.is_refuted])
    text: str = importlib.import_module(f".{name}_format", __package__).render(report)
    return text
