"""Stands in for what an expression would have given, so that tracing goes on behind a confirmed error.

Without this the first error of a function would hide all later ones.  Only the evidence for those later
findings is taken from such a run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from .evidence import Evidence

BOOLEAN_ERRORS = frozenset({"TracerBoolConversionError"})


def mender(evidence: Evidence, mended: Mapping[int, str | None], choice: bool) -> Callable[[int, Any], Any]:
    """The function that a rewritten module calls with the number of a place and its expression as a thunk.

    `mended` gives the error that was confirmed at each place; `choice` is the truth value that a traced
    condition is taken to have.
    """
    tracer: Any = sys.modules["jax"].core.Tracer

    def mend(number: int, thunk: Callable[[], Any]) -> Any:
        try:
            value = thunk()
        except Exception as error:
            names = {cls.__name__ for cls in type(error).__mro__}
            if not evidence.stack or (mended.get(number) in BOOLEAN_ERRORS and not names & BOOLEAN_ERRORS):
                raise  # no fault of the place: these inputs do not fit
            return stand_in(error, choice)
        if isinstance(value, tracer) and mended.get(number) in BOOLEAN_ERRORS:
            return choice
        return value

    return mend


def stand_in(error: Exception, choice: bool) -> Any:
    """A concrete value of the kind that the failing expression asks a tracer for."""
    names = {cls.__name__ for cls in type(error).__mro__}
    if names & BOOLEAN_ERRORS:
        return choice
    text = str(error)
    if "TracerIntegerConversionError" in names and "range" not in text:
        return 1
    if "0-d" in text or "iterat" in text:
        return ()
    if "ConcretizationTypeError" in names:
        return 1
    return sys.modules["jax.numpy"].ones(())
