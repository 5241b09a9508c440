"""`jax.scipy.optimize`: minimisation of smooth functions. Names are imported when first used."""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {"OptimizeResults": "minimization", "minimize": "minimization"}


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_HOME)
