"""``jax.custom_derivatives``: functions with derivatives that the user writes."""

from __future__ import annotations

from typing import Any

from .primitives.linear import instantiate, zero_of
from .pytree.mapping import tree_map
from .transforms.custom_derivatives import closure_convert, custom_gradient
from .transforms.custom_jvp import SymbolicZero, custom_jvp
from .transforms.custom_vjp import CustomVJPPrimal, custom_vjp, custom_vjp_primal_tree_values
from .transforms.linear_call import linear_call

__all__ = [
    "CustomVJPPrimal",
    "SymbolicZero",
    "closure_convert",
    "custom_gradient",
    "custom_jvp",
    "custom_vjp",
    "custom_vjp_primal_tree_values",
    "linear_call",
    "zero_from_primal",
]


def zero_from_primal(val: Any, symbolic_zeros: bool = False) -> Any:
    """The zero tangent of each array of a tree: zeros, or a `SymbolicZero` on demand."""
    if symbolic_zeros:
        return tree_map(lambda leaf: SymbolicZero(zero_of(leaf).aval), val)
    return tree_map(lambda leaf: instantiate(zero_of(leaf)), val)
