"""`jax.experimental`: the few parts that programs use."""

from __future__ import annotations

from ..callbacks import io_callback
from ..config import disable_jit, enable_x64

__all__ = ["disable_jit", "enable_x64", "io_callback"]
