"""Arrays written as slices: `mgrid`, `ogrid`, `r_`, `c_`, `s_`, `index_exp`."""

from __future__ import annotations

from typing import Any

from ..core import Array
from .constructors import array
from .creation import arange, linspace, meshgrid
from .promotion import asarray, concrete
from .shaping import atleast_1d, concatenate, expand_dims, stack


def _range(part: slice, what: str) -> Array:
    """A slice as numbers: a range, or with an imaginary step a linspace. Bounds must be concrete."""
    start = 0 if part.start is None else concrete(part.start, f"slice start of {what}")
    stop = concrete(part.stop, f"slice stop of {what}")
    step = 1 if part.step is None else concrete(part.step, f"slice step of {what}")
    if isinstance(step, complex):
        return linspace(start, stop, int(abs(step)))
    return arange(start, stop, step)


class _Grid:
    """`mgrid` (dense) or `ogrid` (open)."""

    def __init__(self, name: str, sparse: bool) -> None:
        self._name, self._sparse = name, sparse

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return _range(key, f"jnp.{self._name}")
        axes = meshgrid(*(_range(k, f"jnp.{self._name}") for k in key), indexing="ij", sparse=self._sparse)
        if self._sparse:
            return axes
        return stack(axes, 0) if axes else array([])


class _Join:
    """`r_` (along the first axis) or `c_` (along the last)."""

    def __init__(self, name: str, axis: int, ndmin: int) -> None:
        self._name, self._axis, self._ndmin = name, axis, ndmin

    def __getitem__(self, key: Any) -> Array:
        parts = list(key) if isinstance(key, tuple) else [key]
        axis, ndmin = self._axis, self._ndmin
        if parts and isinstance(parts[0], str):
            numbers = parts.pop(0).split(",")
            axis = int(numbers[0])
            ndmin = int(numbers[1]) if len(numbers) > 1 else 1
        arrays = []
        for part in parts:
            value = (
                _range(part, f"jnp.{self._name}") if isinstance(part, slice) else atleast_1d(asarray(part))
            )
            while value.ndim < ndmin:
                value = expand_dims(value, 0 if self._name == "r_" else -1)
            arrays.append(value)
        return concatenate(arrays, axis)


class _IndexExpression:
    """`s_` and `index_exp`: the index itself."""

    def __init__(self, as_tuple: bool) -> None:
        self._as_tuple = as_tuple

    def __getitem__(self, key: Any) -> Any:
        return (key,) if self._as_tuple and not isinstance(key, tuple) else key


mgrid, ogrid = _Grid("mgrid", False), _Grid("ogrid", True)
r_, c_ = _Join("r_", 0, 1), _Join("c_", -1, 2)
s_, index_exp = _IndexExpression(False), _IndexExpression(True)
