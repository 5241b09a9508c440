"""NumPy evaluation of `dot_general`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtypes import as_dtype

Values = np.ndarray[Any, Any]


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
    if preferred_element_type is not None:
        wanted = as_dtype(preferred_element_type).storage
        x, y = (
            x.astype(np.result_type(wanted, x.dtype), copy=False),
            y.astype(np.result_type(wanted, y.dtype), copy=False),
        )
    if not xb and y.ndim < 3 and xc == (x.ndim - 1,) and yc == (0,):
        return np.dot(x, y)
    x_kept = [d for d in range(x.ndim) if d not in xc and d not in xb]
    y_kept = [d for d in range(y.ndim) if d not in yc and d not in yb]
    batch = [x.shape[d] for d in xb]
    inner = math.prod(x.shape[d] for d in xc)
    rows = math.prod(x.shape[d] for d in x_kept)
    columns = math.prod(y.shape[d] for d in y_kept)
    left = x.transpose([*xb, *x_kept, *xc]).reshape([*batch, rows, inner])
    right = y.transpose([*yb, *yc, *y_kept]).reshape([*batch, inner, columns])
    shape = [*batch, *[x.shape[d] for d in x_kept], *[y.shape[d] for d in y_kept]]
    return np.matmul(left, right).reshape(shape)
