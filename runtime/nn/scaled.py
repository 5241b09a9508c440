"""Products of arrays whose elements are scaled in blocks. A CPU has them without scales only, in JAX too."""

from __future__ import annotations

from typing import Any

from .. import lax
from ..core import Array
from ..dtypes import FLOAT32
from ..numpy.promotion import asarray

__all__ = ["scaled_dot_general", "scaled_matmul"]


def scaled_matmul(
    lhs: Any, rhs: Any, lhs_scales: Any, rhs_scales: Any, preferred_element_type: Any = FLOAT32.type
) -> Array:
    """Raises ValueError for shapes that do not fit, and NotImplementedError: as in JAX, a CPU has no such product."""
    a, b, scales_a, scales_b = (asarray(x) for x in (lhs, rhs, lhs_scales, rhs_scales))
    if any(x.ndim != 3 for x in (a, b, scales_a, scales_b)):
        raise ValueError("scaled_matmul requires all inputs to be 3-dimensional arrays")
    for what, x, y in (("inputs a and b", a, b), ("scales", scales_a, scales_b)):
        if (x.shape[0], x.shape[2]) != (y.shape[0], y.shape[2]):
            raise ValueError(
                f"scaled_matmul requires {what} to have matching batch (B) and contract (K) dimensions, but got shapes "
                f"{x.shape} and {y.shape}"
            )
    if a.shape[:2] != scales_a.shape[:2] or b.shape[:2] != scales_b.shape[:2]:
        raise ValueError(
            f"scaled_matmul requires scales to match non-contract dimensions of inputs, but got shapes a: {a.shape}, "
            f"b: {b.shape}, a_scales: {scales_a.shape}, b_scales: {scales_b.shape}"
        )
    raise NotImplementedError(
        "MLIR translation rule for primitive 'scaled_matmul' not found for platform cpu"
    )


def scaled_dot_general(
    lhs: Any,
    rhs: Any,
    dimension_numbers: Any,
    preferred_element_type: Any = FLOAT32.type,
    configs: Any = None,
    implementation: Any = None,
) -> Array:
    """`lax.dot_general`. Raises NotImplementedError for configurations of blocks, which no CPU has."""
    if configs is not None:
        raise NotImplementedError(
            "jax.nn.scaled_dot_general with configs: a CPU has no products of scaled blocks"
        )
    return lax.dot_general(lhs, rhs, dimension_numbers, preferred_element_type=preferred_element_type)
