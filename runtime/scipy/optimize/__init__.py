"""`jax.scipy.optimize`: minimisation of smooth functions. Names are imported when first used."""

from __future__ import annotations

from ...lazy import lazy_names

_HOMES = {"minimization": "OptimizeResults minimize"}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
