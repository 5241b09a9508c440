"""Colour on terminals; plain text everywhere else."""

from __future__ import annotations

import os
from functools import cache
from typing import TextIO

STYLES = {
    "path": "bold",
    "code": "bold red",
    "warning": "bold yellow",
    "gutter": "blue",
    "mark": "bold red",
    "note": "cyan",
    "confirmed": "bold red",
    "refuted": "green",
    "good": "bold green",
}


def wants_colour(stream: TextIO) -> bool:
    """Whether a stream shows colours: a terminal does, unless NO_COLOR is set (https://no-color.org)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


class Painter:
    """Paints pieces of text with the styles of this module, or leaves them as they are."""

    def __init__(self, *, colour: bool) -> None:
        self._colour = colour

    def __call__(self, text: str, style: str) -> str:
        return _painted(text, style) if self._colour and text else text


@cache
def _painted(text: str, style: str) -> str:
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(STYLES[style]).render(text, color_system=ColorSystem.STANDARD)
