"""Sparse arrays without elements, with ones on a diagonal, and of random elements."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

from ... import numpy as jnp
from ... import random
from .bcoo import BCOO, refuse_layout


def empty(
    shape: Any, dtype: Any = None, index_dtype: Any = "int32", sparse_format: str = "bcoo", **options: Any
) -> BCOO:
    """A sparse array without elements."""
    full = (shape,) if isinstance(shape, int) else shape
    return BCOO._empty(full, dtype=dtype, index_dtype=index_dtype, **options)


def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: Any = None,
    index_dtype: Any = "int32",
    sparse_format: str = "bcoo",
    **layout: int,
) -> BCOO:
    """Ones on a diagonal."""
    columns = N if M is None else M
    if layout.get("n_batch") or layout.get("n_dense"):
        return BCOO.fromdense(jnp.eye(N, columns, k, dtype), index_dtype=index_dtype, **layout)
    count = max(0, min(N, columns - k) if k >= 0 else min(N + k, columns))
    along = jnp.arange(count, dtype=index_dtype)
    indices = jnp.stack([along + max(0, -k), along + max(0, k)], 1)
    return BCOO(
        (jnp.ones(count, dtype), indices), shape=(N, columns), indices_sorted=True, unique_indices=True
    )


def random_bcoo(
    key: Any,
    shape: Sequence[int],
    *,
    dtype: Any = float,
    indices_dtype: Any = None,
    nse: float = 0.2,
    n_batch: int = 0,
    n_dense: int = 0,
    unique_indices: bool = True,
    sorted_indices: bool = False,
    generator: Any = random.uniform,
    **kwds: Any,
) -> BCOO:
    """A sparse array of random elements; `nse` is their number or their share. Raises ValueError for too many."""
    refuse_layout("random_bcoo", n_batch, n_dense)
    full = tuple(map(operator.index, shape))
    size = math.prod(full)
    if not 0 <= nse < size:
        raise ValueError(f"got nse={nse}, expected to be between 0 and {size}")
    count = math.ceil(nse * size) if 0 < nse < 1 else operator.index(nse)  # type: ignore[arg-type]
    data_key, index_key = random.split(key)
    flat = random.choice(index_key, size, (count,), replace=not unique_indices).astype(indices_dtype or int)
    indices = jnp.column_stack(jnp.unravel_index(flat, full))
    made = BCOO((generator(data_key, shape=(count,), dtype=dtype, **kwds), indices), shape=full)
    return made.sort_indices() if sorted_indices else made
