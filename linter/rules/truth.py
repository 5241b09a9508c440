"""What the rules that ask for the truth of a value share."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import is_shaped, static_advice, why
from ..domain import Value
from ..events import Truth
from ..fixes import DECLARED_STATIC, HOST_CONSTANTS, PLAUSIBLE_STATIC, Rewrite
from .registry import Report


def truth_error(value: Value) -> str:
    """The exception that `bool(value)` raises: a tracer that is no scalar is refused as an array would be."""
    return "ValueError" if is_shaped(value) else "TracerBoolConversionError"


def report_truth(event: Truth, what: str, otherwise: str, *rewrites: Rewrite) -> Iterator[Report]:
    """The one report of an event of this kind; making arguments static goes before and after the rewrites.

    None is for objects: it is their own `__bool__` that returns an array.
    """
    yield Report(
        event.node,
        f"{what} on a traced value",
        why(event, event.value),
        static_advice(event, event.value, otherwise),
        event.error or truth_error(event.value),
        event.sure,
        (DECLARED_STATIC, HOST_CONSTANTS, *rewrites, PLAUSIBLE_STATIC) if event.error is None else (),
    )
