"""NumPy evaluation of `stack` and `unstack`."""

from __future__ import annotations

from typing import Any

import numpy as np

Values = np.ndarray[Any, Any]


def stack(*operands: Values, axis: int) -> Values:
    return np.stack(operands, axis)


def unstack(x: Values, *, axis: int) -> list[Values]:
    return [np.take(x, i, axis) for i in range(x.shape[axis])]
