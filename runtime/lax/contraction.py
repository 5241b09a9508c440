"""`jax.lax` products of arrays."""

from __future__ import annotations

import operator
from typing import Any

from ..core import Array
from ..primitives import apply
from . import types
from .elementwise import Precision, as_array, as_shaped, convert_element_type


def dot_general(
    lhs: Any,
    rhs: Any,
    dimension_numbers: Any,
    precision: Any = None,
    preferred_element_type: Any = None,
    *,
    out_sharding: Any = None,
) -> Array:
    """Contract and batch given axes of two arrays."""
    x, y = as_array(lhs), as_array(rhs)
    (contract_x, contract_y), (batch_x, batch_y) = dimension_numbers
    numbers = (
        (tuple(map(operator.index, contract_x)), tuple(map(operator.index, contract_y))),
        (tuple(map(operator.index, batch_x)), tuple(map(operator.index, batch_y))),
    )
    element = None if preferred_element_type is None else types.canonical(preferred_element_type)
    chosen = canonical_precision(precision)
    if not (chosen is None or (isinstance(chosen, tuple) and isinstance(chosen[0], Precision))):
        from .algorithms import operands

        x, y, result_type = operands(chosen, x, y)
        if result_type is not None:
            product = dot_general(x, y, dimension_numbers, None, None)
            return convert_element_type(product, element or result_type)
    return apply.dot_general(
        x,
        y,
        dimension_numbers=numbers,
        precision=chosen,
        preferred_element_type=element,
        out_sharding=None,
    )


def canonical_precision(precision: Any) -> Any:
    """A precision as JAX stores it: None, or one for each operand. Raises ValueError for unknown names."""
    if precision is None:
        return None
    if type(precision) is tuple and len(precision) == 2:
        first, second = (canonical_precision(p) for p in precision)
        return None if first is None else (first[0], second[0])
    if isinstance(precision, Precision):
        return (precision, precision)
    names = {
        "default": Precision.DEFAULT,
        "fastest": Precision.DEFAULT,
        "bfloat16": Precision.DEFAULT,
        "high": Precision.HIGH,
        "bfloat16_3x": Precision.HIGH,
        "tensorfloat32": Precision.HIGH,
        "highest": Precision.HIGHEST,
        "float32": Precision.HIGHEST,
    }
    if precision not in names:
        from .algorithms import algorithm

        named = algorithm(precision)
        if named is not None:
            return named
        raise ValueError(
            f"Precision argument must be None, a string in {sorted(names)}, or a lax.Precision; got {precision}."
        )
    return (names[precision], names[precision])


def dot(
    lhs: Any,
    rhs: Any,
    *,
    dimension_numbers: Any = None,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Array:
    """Vector and matrix products of arrays of one or two axes."""
    x, y = as_array(lhs), as_array(rhs)
    if dimension_numbers is None:
        if not (1 <= x.ndim <= 2 and 1 <= y.ndim <= 2 and x.shape[-1] == y.shape[0]):
            raise ValueError(
                f"jax.lax.dot: dimension_numbers must be specified unless both are vectors or matrices that fit: {x.shape} "
                f"and {y.shape}."
            )
        dimension_numbers = (((x.ndim - 1,), (0,)), ((), ()))
    return dot_general(x, y, dimension_numbers, precision, preferred_element_type)


def batch_matmul(lhs: Any, rhs: Any, precision: Any = None) -> Array:
    """Matrix products over equal leading axes."""
    x, y = as_shaped(lhs), as_shaped(rhs)
    if x.ndim < 2 or y.ndim < 2:
        raise ValueError(f"Arguments to batch_matmul must be at least 2D, got {x.ndim}, {y.ndim}")
    if x.ndim != y.ndim:
        raise ValueError(f"Arguments to batch_matmul must have same ndim, got {x.ndim}, {y.ndim}")
    lead = tuple(range(x.ndim - 2))
    return dot_general(x, y, (((x.ndim - 1,), (y.ndim - 2,)), (lead, lead)), precision)
