"""From jaxprs to machine code through LLVM."""

from __future__ import annotations

from .program import compile_jaxpr
from .types import NotLowered

__all__ = ["NotLowered", "compile_jaxpr"]
