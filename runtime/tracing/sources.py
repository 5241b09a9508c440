"""Where in the user's code an equation came from: recorded in a tuple, resolved to a line when somebody asks."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from ..jaxprs.jaxpr import Source

_HERE = os.path.dirname(os.path.dirname(__file__)) + os.sep


class _Internal(dict[str, bool]):
    """Whether a file belongs to the runtime itself, remembered by name."""

    def __missing__(self, filename: str) -> bool:
        found = self[filename] = filename.startswith(_HERE)
        return found


is_internal = _Internal()


def register_exclusion(path: str) -> None:
    """Count a library's file as internal: its lines are not shown as the user's."""
    is_internal[path] = True


def api_boundary(fun: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """The function itself: no frames are taken out of tracebacks."""
    return fun


def include_frame(frame: FrameType) -> bool:
    """Whether a frame is the user's."""
    return not is_internal[frame.f_code.co_filename]


def current_source(depth: int = 1) -> Source:
    """The user's instruction that is being executed."""
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None and is_internal[frame.f_code.co_filename]:
        frame = frame.f_back
    return None if frame is None else (frame.f_code, frame.f_lasti)


def line_of(source: Source) -> int | None:
    """The line number of a source, or None when it is unknown."""
    if source is None:
        return None
    code, offset = source
    return _line(code, offset)


def _line(code: CodeType, offset: int) -> int | None:
    for start, end, line in code.co_lines():
        if start <= offset < end:
            return line
    return code.co_firstlineno


def summarize(source: Source) -> str:
    """``FILE:LINE (FUNCTION)``, or ``unknown``."""
    if source is None:
        return "unknown"
    code, offset = source
    name = getattr(code, "co_qualname", code.co_name)
    return f"{code.co_filename}:{_line(code, offset)} ({name})"
