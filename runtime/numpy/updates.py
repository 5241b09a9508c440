"""Functional updates: `x.at[key].set(values)` and its relatives give a new array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import lax
from ..core import Array
from .index_keys import canonical_key, resolve_scalar_masks
from .indexer import work_out
from .indexing import gather_at, scatter_at
from .promotion import asarray


class IndexUpdateRef:
    """`x.at[index]`: the update methods, each of which returns a new array.

    `mode` says what happens to places out of bounds: they are dropped by default, or moved inside by "clip".
    """

    __slots__ = ("array", "index")

    def __init__(self, array: Array, index: Any) -> None:
        self.array, self.index = array, index

    def __repr__(self) -> str:
        return f"_IndexUpdateRef({self.array!r}, {self.index!r})"

    def get(
        self,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: Any = None,
        fill_value: Any = None,
        out_sharding: Any = None,
        wrap_negative_indices: bool = True,
    ) -> Array:
        """The elements; places out of bounds are clamped, or give `fill_value` with mode "fill"."""
        if mode is None:
            mode = "promise_in_bounds"
        return gather_at(
            self.array,
            self.index,
            mode=mode,
            fill_value=fill_value,
            unique_indices=unique_indices,
            indices_are_sorted=indices_are_sorted,
            wrap_negative=wrap_negative_indices,
            explicit=True,
        )

    def _update(self, kind: str, values: Any, options: dict[str, Any]) -> Array:
        options.pop("out_sharding", None)
        wrap = options.pop("wrap_negative_indices", True)
        return scatter_at(kind, asarray(self.array), self.index, values, wrap_negative=wrap, **options)

    def set(self, values: Any, **options: Any) -> Array:
        """`x[index] = values`."""
        return self._update("scatter", values, options)

    def add(self, values: Any, **options: Any) -> Array:
        """`x[index] += values`, every occurrence of a place adding."""
        return self._update("scatter_add", values, options)

    def subtract(self, values: Any, **options: Any) -> Array:
        """`x[index] -= values`."""
        return self._update("scatter_sub", values, options)

    def multiply(self, values: Any, **options: Any) -> Array:
        """`x[index] *= values`."""
        return self._update("scatter_mul", values, options)

    mul = multiply

    def _factors(self, values: Any, options: dict[str, Any]) -> Array:
        ones = lax.full_like(self.array, 1)
        return IndexUpdateRef(ones, self.index)._update("scatter_mul", values, options)

    def divide(self, values: Any, **options: Any) -> Array:
        """`x[index] /= values`."""
        from .ufuncs import divide

        return divide(self.array, self._factors(values, options))

    def power(self, values: Any, **options: Any) -> Array:
        """`x[index] **= values`."""
        from .arithmetic import power

        return power(self.array, self._factors(values, options))

    def min(self, values: Any, **options: Any) -> Array:
        """`x[index] = minimum(x[index], values)`."""
        return self._update("scatter_min", values, options)

    def max(self, values: Any, **options: Any) -> Array:
        """`x[index] = maximum(x[index], values)`."""
        return self._update("scatter_max", values, options)

    def apply(self, func: Callable[[Array], Any], **options: Any) -> Array:
        """`x[index] = func(x[index])`, applied once for each occurrence of a place."""
        options.pop("out_sharding", None)
        wrap = options.pop("wrap_negative_indices", True)
        x, key = resolve_scalar_masks(asarray(self.array), self.index)
        work = work_out(x.shape, canonical_key(key, x.shape), wrap)
        numbers = lax.ScatterDimensionNumbers(
            work.numbers.offset_dims, work.numbers.collapsed_slice_dims, work.numbers.start_index_map
        )
        return lax.scatter_apply(
            x,
            work.indices,
            func,
            numbers,
            update_shape=work.slice_shape,
            unique_indices=options.get("unique_indices", False) or work.ascending,
            indices_are_sorted=options.get("indices_are_sorted", False) or work.ascending,
            mode=options.get("mode"),
        )
