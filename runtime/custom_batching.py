"""``jax.custom_batching``: functions with rules for ``vmap`` that the user writes."""

from __future__ import annotations

from .transforms.custom_vmap import custom_vmap, sequential_vmap

__all__ = ["custom_vmap", "sequential_vmap"]
