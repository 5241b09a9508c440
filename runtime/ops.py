"""`jax.ops`: reductions of segments."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from . import lax
from .core import Array
from .lax import types
from .numpy.promotion import asarray, check_arraylike, concrete


def _segment(name: str, kind: str, neutral: Callable[[Any], Any]) -> Callable[..., Array]:
    def reduce(
        data: Any,
        segment_ids: Any,
        num_segments: int | None = None,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        bucket_size: int | None = None,
        mode: Any = None,
        out_sharding: Any = None,
    ) -> Array:
        check_arraylike(name, data, segment_ids)
        x, ids = asarray(data), asarray(segment_ids)
        if num_segments is None:
            import numpy as np

            host = np.asarray(concrete(ids, f"{name}() `num_segments` argument."))
            num_segments = int(host.max()) + 1 if host.size else 0
        count = operator.index(concrete(num_segments, f"{name}() `num_segments` argument."))
        if count < 0:
            raise ValueError("num_segments must be non-negative.")
        start: Any = lax.full((count, *x.shape[ids.ndim :]), neutral(x.dtype), x.dtype)
        update = getattr(start.at[ids], kind)
        return update(
            x,
            indices_are_sorted=indices_are_sorted,
            unique_indices=unique_indices,
            mode=mode,
            wrap_negative_indices=False,
        )

    reduce.__name__ = reduce.__qualname__ = name
    return reduce


def _lowest(dtype: Any) -> Any:
    if dtype.kind in "iu":
        return types.iinfo(dtype).min
    return False if dtype.kind == "b" else -float("inf")


def _highest(dtype: Any) -> Any:
    if dtype.kind in "iu":
        return types.iinfo(dtype).max
    return True if dtype.kind == "b" else float("inf")


segment_sum = _segment("segment_sum", "add", lambda dtype: 0)
segment_prod = _segment("segment_prod", "multiply", lambda dtype: 1)
segment_max = _segment("segment_max", "max", _lowest)
segment_min = _segment("segment_min", "min", _highest)
