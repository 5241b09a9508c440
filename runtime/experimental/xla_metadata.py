"""`jax.experimental.xla_metadata`: notes for XLA's compiler, which nobody reads here."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

__all__ = ["set_xla_metadata"]


def set_xla_metadata(x: Any = None, **kwargs: Any) -> Any:
    """`x` as it is; without it, a context manager."""
    return nullcontext() if x is None else x
