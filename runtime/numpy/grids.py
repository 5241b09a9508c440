"""Arrays written as slices: `mgrid`, `ogrid`, `r_`, `c_`, `s_`, `index_exp`."""

from __future__ import annotations

from typing import Any

from ..core import Array
from .constructors import array
from .creation import arange, linspace, meshgrid
from .promotion import asarray, concrete
from .shaping import concatenate, expand_dims, stack, transpose


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
    """`r_` (along the first axis) or `c_` (along the last).

    A text in front says otherwise: the axis, how many axes each part has at least, and which of them its own begin at.
    """

    def __init__(self, name: str, axis: int, ndmin: int, first: int) -> None:
        self._name, self._numbers = name, (axis, ndmin, first)

    def __getitem__(self, key: Any) -> Array:
        parts = list(key) if isinstance(key, tuple) else [key]
        numbers, extra = self._numbers, None
        if parts and isinstance(parts[0], str):
            text = parts.pop(0)
            if text in ("r", "c"):  # A row, or a column, of what would be a vector.
                extra = "rc".index(text)
            else:
                numbers = self._directed(text)
        axis, ndmin, first = numbers
        out = concatenate([self._part(part, ndmin, first) for part in parts], axis)
        return expand_dims(out, extra) if extra is not None and out.ndim == 1 else out

    def _directed(self, text: str) -> tuple[int, int, int]:
        try:
            given = [int(number) for number in text.split(",")][:3]
        except ValueError as error:
            raise ValueError(f"could not understand directive {text!r}") from error
        axis, ndmin, first = (*given, *self._numbers[len(given) :])
        return axis, ndmin, first

    def _part(self, part: Any, ndmin: int, first: int) -> Array:
        if isinstance(part, str):
            raise ValueError("string directive must be placed at the beginning")
        value = _range(part, f"jnp.{self._name}") if isinstance(part, slice) else asarray(part)
        rank = 0 if isinstance(part, slice) else value.ndim
        value = array(value, ndmin=ndmin)
        if first == -1 or rank >= ndmin:
            return value
        shift = ndmin - abs(ndmin + first + 1) % ndmin
        return transpose(value, (*range(shift, ndmin), *range(shift)))


class _IndexExpression:
    """`s_` and `index_exp`: the index itself."""

    def __init__(self, as_tuple: bool) -> None:
        self._as_tuple = as_tuple

    def __getitem__(self, key: Any) -> Any:
        return (key,) if self._as_tuple and not isinstance(key, tuple) else key


mgrid, ogrid = _Grid("mgrid", False), _Grid("ogrid", True)
r_, c_ = _Join("r_", 0, 1, -1), _Join("c_", -1, 2, 0)
s_, index_exp = _IndexExpression(False), _IndexExpression(True)
