"""`jax.scipy.signal`: convolution, trends and spectra. Names are imported when first used."""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "convolving": "convolve convolve2d correlate correlate2d fftconvolve",
    "trends": "detrend",
    "spectra": "csd istft stft welch",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_HOME)
