"""64-bit types, which JAX makes 32 bits wide unless `jax_enable_x64` is set."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..machine import Interpreter


def may_be_wide(interp: Interpreter) -> bool:
    """Whether the files at hand speak of 64 bits, so that these may be enabled."""
    return any("x64" in source.text for source in {interp.source, interp.frames[0].source})
