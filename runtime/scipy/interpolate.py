"""`jax.scipy.interpolate`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from .. import numpy as jnp
from ..core import Array
from ..numpy.promotion import ArrayLike, asarray, check_arraylike, promote_dtypes_inexact
from ..tree_util import register_pytree_node_class

_METHODS = ("linear", "nearest")


def _check_method(method: str) -> str:
    if method not in _METHODS:
        raise ValueError(f"method {method!r} is not defined")
    return method


@register_pytree_node_class
class RegularGridInterpolator:
    """Values between the points of a grid with ascending coordinates `points` along its axes.

    `method` is ``linear`` or ``nearest``; what lies outside becomes `fill_value`, or is extrapolated where it is None.
    Raises ValueError for other methods and for values of too few axes, NotImplementedError for `bounds_error`.
    """

    def __init__(
        self,
        points: Sequence[ArrayLike],
        values: ArrayLike,
        method: str = "linear",
        bounds_error: bool = False,
        fill_value: ArrayLike | None = math.nan,
    ) -> None:
        self.method = _check_method(method)
        if bounds_error:
            raise NotImplementedError("`bounds_error` takes no effect under JIT")
        self.bounds_error: bool = bounds_error
        check_arraylike("RegularGridInterpolator", values)
        if len(points) > jnp.ndim(values):
            raise ValueError(
                f"there are {len(points)} point arrays, but values has {jnp.ndim(values)} dimensions"
            )
        (self.values,) = promote_dtypes_inexact(values)
        self.fill_value: Any = fill_value
        if fill_value is not None:
            check_arraylike("RegularGridInterpolator", fill_value)
            self.fill_value = asarray(fill_value)
            if not jnp.can_cast(self.fill_value.dtype, self.values.dtype, casting="same_kind"):
                raise ValueError("fill_value must be either 'None' or of a type compatible with values")
        check_arraylike("RegularGridInterpolator", *points)
        self.grid = tuple(asarray(p) for p in points)

    def tree_flatten(self) -> tuple[tuple[Any, ...], tuple[str, bool]]:
        return (self.grid, self.values, self.fill_value), (self.method, self.bounds_error)

    @classmethod
    def tree_unflatten(cls, aux_data: tuple[str, bool], children: tuple[Any, ...]) -> RegularGridInterpolator:
        made = cls.__new__(cls)
        made.grid, made.values, made.fill_value = children
        made.method, made.bounds_error = aux_data
        return made

    def __call__(self, xi: Any, method: str | None = None) -> Array:
        """The values at points, whose coordinates are the last axis of `xi` (or the arrays of a tuple)."""
        method = self.method if method is None else _check_method(method)
        rank = len(self.grid)
        at = _coordinates(xi, rank)
        if at.shape[-1] != rank:
            raise ValueError(
                f"the requested sample points xi have dimension {at.shape[-1]}, but this RegularGridInterpolator has "
                f"dimension {rank}"
            )
        flat = at.reshape(-1, rank)
        cells, fractions = [], []
        outside = jnp.zeros(flat.shape[0], bool)
        for x, ticks in zip(flat.T, self.grid):
            cell = jnp.clip(jnp.searchsorted(ticks, x) - 1, 0, ticks.size - 2)
            cells.append(cell)
            fractions.append((x - ticks[cell]) / (ticks[cell + 1] - ticks[cell]))
            outside = outside | (x < ticks[0]) | (x > ticks[-1])
        trailing = (1,) * (self.values.ndim - rank)
        if method == "nearest":
            result = self.values[tuple(jnp.where(f <= 0.5, i, i + 1) for i, f in zip(cells, fractions))]
        else:
            result = jnp.zeros(())
            for corner in itertools.product((0, 1), repeat=rank):
                weight: Any = 1.0
                for upper, f in zip(corner, fractions):
                    weight = weight * (f if upper else 1 - f)
                places = tuple(i + upper for i, upper in zip(cells, corner))
                result = result + self.values[places] * weight.reshape(-1, *trailing)
        if self.fill_value is not None:
            result = jnp.where(outside.reshape(-1, *trailing), self.fill_value, result)
        return result.reshape(at.shape[:-1] + self.values.shape[rank:])


def _coordinates(xi: Any, rank: int) -> Array:
    if isinstance(xi, tuple):
        check_arraylike("RegularGridInterpolator", *xi)
        return jnp.stack(jnp.broadcast_arrays(*xi), axis=-1)
    check_arraylike("RegularGridInterpolator", xi)
    at = asarray(xi)
    return (at[:, None] if rank == 1 else at.reshape(-1, rank)) if at.ndim == 1 else at
