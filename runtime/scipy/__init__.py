"""`jax.scipy`. Subpackages are imported when first used."""

from __future__ import annotations

from ..lazy import lazy_names

_MODULES = (
    "cluster",
    "fft",
    "integrate",
    "interpolate",
    "linalg",
    "ndimage",
    "optimize",
    "signal",
    "sparse",
    "spatial",
    "special",
    "stats",
)

__getattr__, __dir__ = lazy_names(__name__, {}, _MODULES)
