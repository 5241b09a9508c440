"""NumPy evaluation of `dot_general`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..blas import matmul
from ..dtypes import as_dtype

Values = np.ndarray[Any, Any]


def are_vectors(x_shape: tuple[int, ...], y_shape: tuple[int, ...], dimension_numbers: Any) -> bool:
    """Whether vectors, or batches of them, are multiplied element by element."""
    (xc, yc), (xb, yb) = dimension_numbers
    alike = x_shape == y_shape and tuple(xc) == tuple(yc) and tuple(xb) == tuple(yb)
    return alike and len(xc) + len(xb) == len(x_shape)


def _selected(x: Values, y: Values, dimension_numbers: Any, wanted: Any) -> tuple[Values, Values]:
    """The factors of a product of vectors, one of which is a mask: it selects, so that 0 * inf is 0."""
    dtype = None if wanted is None else as_dtype(wanted)
    half = dtype is not None and (dtype.narrow or dtype.itemsize < 4)
    if half or not are_vectors(x.shape, y.shape, dimension_numbers):
        return x, y
    if x.dtype.kind == "b":
        return x, np.where(x, y, y.dtype.type(0))
    return np.where(y, x, x.dtype.type(0)), y


def dot_general(
    x: Values,
    y: Values,
    *,
    dimension_numbers: Any,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Any:
    """One (batched) matrix product: each side is arranged as batch, rows, columns."""
    (xc, yc), (xb, yb) = dimension_numbers
    if x.dtype.kind == "b" or y.dtype.kind == "b":
        x, y = _selected(x, y, dimension_numbers, preferred_element_type)
    if preferred_element_type is not None:
        wanted = as_dtype(preferred_element_type).storage
        x, y = (
            x.astype(np.result_type(wanted, x.dtype), copy=False),
            y.astype(np.result_type(wanted, y.dtype), copy=False),
        )
    if not xb and y.ndim < 3 and xc == (x.ndim - 1,) and yc == (0,):
        return matmul(x, y) if x.ndim == 2 and y.ndim == 2 else np.dot(x, y)
    x_kept = [d for d in range(x.ndim) if d not in xc and d not in xb]
    y_kept = [d for d in range(y.ndim) if d not in yc and d not in yb]
    batch = [x.shape[d] for d in xb]
    inner = math.prod(x.shape[d] for d in xc)
    rows = math.prod(x.shape[d] for d in x_kept)
    columns = math.prod(y.shape[d] for d in y_kept)
    left = x.transpose([*xb, *x_kept, *xc]).reshape([*batch, rows, inner])
    right = y.transpose([*yb, *yc, *y_kept]).reshape([*batch, inner, columns])
    shape = [*batch, *[x.shape[d] for d in x_kept], *[y.shape[d] for d in y_kept]]
    return matmul(left, right).reshape(shape)
