"""`jax.scipy.signal`: convolution, trends and spectra. Names are imported when first used."""

from __future__ import annotations

from ...lazy import lazy_names

_HOMES = {
    "convolving": "convolve convolve2d correlate correlate2d fftconvolve",
    "trends": "detrend",
    "spectra": "csd istft stft welch",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
