"""`jax.typing`."""

from __future__ import annotations

from typing import Any, TypeAlias

from .core import Array

ArrayLike: TypeAlias = Array | bool | int | float | complex
DTypeLike: TypeAlias = Any

__all__ = ["ArrayLike", "DTypeLike"]
