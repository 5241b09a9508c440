"""`jax.scipy.spatial`. The subpackage is imported when first used."""

from __future__ import annotations

from ...lazy import lazy_names

__getattr__, __dir__ = lazy_names(__name__, {}, ["transform"])
