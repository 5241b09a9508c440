"""``jax.custom_derivatives``: functions with derivatives that the user writes."""

from __future__ import annotations

from .transforms.custom_derivatives import closure_convert, custom_gradient
from .transforms.custom_jvp import SymbolicZero, custom_jvp
from .transforms.custom_vjp import CustomVJPPrimal, custom_vjp

__all__ = [
    "CustomVJPPrimal",
    "SymbolicZero",
    "closure_convert",
    "custom_gradient",
    "custom_jvp",
    "custom_vjp",
]
