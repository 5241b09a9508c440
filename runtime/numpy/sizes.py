"""Shape, rank and size of arrays, as static numbers."""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Sequence
from typing import Any

from ..arrays.promotion import is_arraylike
from ..lax import types as dtypes
from .promotion import canonical_axis


def _measurable(name: str, a: Any) -> Any:
    """An argument of `shape`, `ndim` or `size`: JAX still takes lists, with a warning."""
    if is_arraylike(a):
        return a
    import numpy as np

    warnings.warn(
        f"{name} requires ndarray or scalar arguments, got {type(a)} at position 0. In a future JAX release this will "
        "be an error.",
        DeprecationWarning,
        stacklevel=3,
    )
    return np.asarray(a)


def shape(a: Any) -> tuple[int, ...]:
    """The shape of an array, as static integers."""
    a = _measurable("shape", a)
    return dtypes.shape(a)


def ndim(a: Any) -> int:
    """The number of axes of an array."""
    a = _measurable("ndim", a)
    return len(dtypes.shape(a))


def size(a: Any, axis: int | Sequence[int] | None = None) -> int:
    """The number of elements, or that along some axes."""
    a = _measurable("size", a)
    sizes = dtypes.shape(a)
    if axis is None:
        return math.prod(sizes)
    axes = axis if isinstance(axis, (tuple, list, range)) else (axis,)
    return math.prod(sizes[canonical_axis(operator.index(d), len(sizes))] for d in axes)
