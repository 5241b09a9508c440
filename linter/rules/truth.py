"""What the rules that ask for the truth of a value share."""

from __future__ import annotations

from ..causes import is_shaped
from ..domain import Value


def truth_error(value: Value) -> str:
    """The exception that `bool(value)` raises: a tracer that is no scalar is refused as an array would be."""
    return "ValueError" if is_shaped(value) else "TracerBoolConversionError"
