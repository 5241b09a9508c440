"""NumPy evaluation of `select_n` and `clamp`."""

from __future__ import annotations

from typing import Any

import numpy as np

Values = np.ndarray[Any, Any]


def select_n(which: Values, *cases: Values) -> Any:
    """The first case where `which` is False or 0; numbers outside the range choose the nearest case."""
    if len(cases) == 1:
        return cases[0]
    if which.dtype.kind == "b":
        return np.where(which, cases[1], cases[0])
    if not which.shape:
        return cases[int(np.clip(which, 0, len(cases) - 1))]
    return np.choose(which, cases, mode="clip") if len(cases) < 32 else _take(which, cases)


def _take(which: Values, cases: tuple[Values, ...]) -> Any:
    index = np.clip(which, 0, len(cases) - 1)[None]
    return np.take_along_axis(np.stack(cases), index, 0)[0]


def clamp(low: Values, x: Values, high: Values) -> Any:
    return np.minimum(np.maximum(low, x), high)
