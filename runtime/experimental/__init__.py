"""`jax.experimental`: the few parts that programs use."""

from __future__ import annotations

from ..config import disable_jit, enable_x64
from ..transforms.callbacks import io_callback

__all__ = ["disable_jit", "enable_x64", "io_callback"]
