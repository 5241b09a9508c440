"""`jax.experimental.pjit`: the older name of `jit`."""

from __future__ import annotations

from ..jitting.jit import jit as pjit

__all__ = ["pjit"]
