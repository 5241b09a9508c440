"""Short-time Fourier transforms, and spectral densities by Welch's method (Welch, 1967)."""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...lax import types
from ...numpy.promotion import (
    ArrayLike,
    asarray,
    canonical_axis,
    check_arraylike,
    concrete,
    promote_dtypes_inexact,
)
from .trends import detrend as remove_trend


class _Frames(NamedTuple):
    """How a signal is cut: a window, the distance of its places, the length of each transform."""

    window: Array
    step: int
    length: int


def _integer(x: Any, what: str) -> int:
    return operator.index(concrete(x, what))


def _window(window: Any, length: int, dtype: Any) -> Array:
    """The window of this name (SciPy knows all but ``hann``), or the window itself."""
    if window == "hann" if isinstance(window, str) else False:
        if length == 1:
            return jnp.ones(1, dtype)
        return (jnp.sin(jnp.linspace(0, math.pi, length, endpoint=False)) ** 2).astype(dtype)
    if isinstance(window, (str, tuple)):
        try:
            from scipy.signal import get_window
        except ImportError as error:
            raise ImportError(f"scipy must be available to use window={window!r}") from error
        return jnp.array(get_window(window, length), dtype)
    given = asarray(window)
    if given.ndim != 1:
        raise ValueError("window must be 1-D")
    return given


def _frames(window: Any, nperseg: Any, noverlap: Any, nfft: Any, size: int, dtype: Any) -> _Frames:
    named = isinstance(window, (str, tuple))
    if nperseg is not None:
        nperseg = _integer(nperseg, "nperseg of windowed-FFT")
        if nperseg < 1:
            raise ValueError("nperseg must be a positive integer")
    elif named:
        nperseg = 256
    if named:
        if nperseg > size:
            warnings.warn(f"nperseg={nperseg} is greater than {size=}, using nperseg={size}", stacklevel=4)
            nperseg = size
        shape = _window(window, nperseg, dtype)
    else:
        shape = _window(window, 0, dtype)
        if shape.shape[0] > size:
            raise ValueError("window is longer than input signal")
        if nperseg is not None and nperseg != shape.shape[0]:
            raise ValueError("value specified for nperseg is different from length of window")
        nperseg = shape.shape[0]
    overlap = nperseg // 2 if noverlap is None else _integer(noverlap, "noverlap of windowed-FFT")
    length = nperseg if nfft is None else _integer(nfft, "nfft of windowed-FFT")
    if length < nperseg:
        raise ValueError("nfft must be greater than or equal to nperseg.")
    if overlap >= nperseg:
        raise ValueError("noverlap must be less than nperseg.")
    return _Frames(shape, nperseg - overlap, length)


def _odd_extension(x: Array, n: int) -> Array:
    """The signal turned by half a turn about each end."""
    if n < 1:
        return x
    if n > x.shape[-1] - 1:
        raise ValueError(f"The extension length n ({n}) is too big. It must not exceed {x.shape[-1] - 1}.")
    left, right = jnp.flip(x[..., 1 : n + 1], -1), jnp.flip(x[..., -n - 1 : -1], -1)
    return jnp.concatenate([2 * x[..., :1] - left, x, 2 * x[..., -1:] - right], axis=-1)


_PADDINGS = {"even": "reflect", "constant": "edge", "zeros": "constant"}


def _extended(x: Array, boundary: str | None, n: int) -> Array:
    if boundary is None:
        return x
    if boundary == "odd":
        return _odd_extension(x, n)
    if boundary not in _PADDINGS:
        raise ValueError(
            f"Unknown boundary option '{boundary}', must be one of: ['even', 'odd', 'constant', 'zeros', None]"
        )
    return jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(n, n)], _PADDINGS[boundary])


def _trend_remover(detrend: Any) -> Callable[[Array], Array]:
    if isinstance(detrend, str):
        return lambda x: remove_trend(x, type=detrend, axis=-1)
    if callable(detrend):
        return detrend
    if not detrend:
        return lambda x: x
    raise ValueError(f"Unsupported detrend type: {detrend}")


def _transform(x: Array, frames: _Frames, detrend: Callable[[Array], Array], onesided: bool) -> Array:
    """Fourier transforms of the windows of a signal: the last axes are window and frequency."""
    size = frames.window.shape[0]
    starts = jnp.arange(0, x.shape[-1] - size + 1, frames.step)
    cut = detrend(x[..., starts[:, None] + jnp.arange(size)[None, :]])
    windowed = frames.window * cut
    transform = jnp.fft.rfft if onesided else jnp.fft.fft
    return transform(windowed, n=frames.length)


def _spectrum(
    x: Array,
    y: ArrayLike | None,
    fs: ArrayLike,
    window: Any,
    nperseg: Any,
    noverlap: Any,
    nfft: Any,
    detrend: Any,
    return_onesided: bool,
    scaling: str,
    axis: int,
    *,
    density: bool,
    boundary: str | None = None,
    padded: bool = False,
) -> tuple[Array, Array, Array]:
    """Frequencies, times, and the transforms (or the products of two, for a density), windows in the last axis."""
    if scaling not in ("density", "spectrum"):
        raise ValueError(f"Unknown scaling: {scaling}")
    operands = (x,) if y is None else (x, y)
    check_arraylike("spectral_helper", *operands)
    signals = [asarray(v) for v in promote_dtypes_inexact(*operands)]
    if signals[0].ndim != signals[-1].ndim:
        raise ValueError(f"two-arguments must have the same rank ({signals[0].ndim} vs {signals[-1].ndim}).")
    axis = canonical_axis(concrete(axis, "axis of windowed-FFT"), signals[0].ndim)
    frames = _frames(window, nperseg, noverlap, nfft, signals[0].shape[axis], signals[0].dtype)
    complex_ = _complex(signals[0].dtype)
    real = types.real_of(complex_)
    outer = [v.shape[:axis] + v.shape[axis + 1 :] for v in signals]
    try:
        shared = lax.broadcast_shapes(*outer)
    except (TypeError, ValueError) as error:
        raise ValueError("x and y cannot be broadcast together.") from error
    if any(v.size == 0 for v in signals):
        shape = (*shared[:axis], min(v.shape[axis] for v in signals), *shared[axis:])
        return jnp.zeros(shape, real), jnp.zeros(shape, real), jnp.zeros(shape, complex_)
    signals = [jnp.moveaxis(v, axis, -1) for v in signals]
    longest = max(v.shape[-1] for v in signals)
    size = frames.window.shape[0]
    signals = [_extended(_longer(v, longest), boundary, size // 2) for v in signals]
    if padded:
        rest = -(signals[0].shape[-1] - size) % frames.step % size
        signals = [_longer(v, v.shape[-1] + rest) for v in signals]
    onesided = return_onesided and all(v.dtype.kind != "c" for v in signals)
    if return_onesided and not onesided:
        warnings.warn("Input data is complex, switching to return_onesided=False", stacklevel=3)
    remover = _trend_remover(detrend)
    parts = [_transform(v, frames, remover, onesided) for v in signals]
    if scaling == "density":
        scale = 1.0 / (fs * (frames.window * frames.window).sum())
    else:
        scale = 1.0 / frames.window.sum() ** 2
    result = lax.conj(parts[0]) * parts[-1] * scale if density else parts[0] * jnp.sqrt(scale)
    if onesided and density:
        last = None if frames.length % 2 else -1
        result = result.at[..., 1:last].mul(2)
    frequencies = (jnp.fft.rfftfreq if onesided else jnp.fft.fftfreq)(frames.length, 1 / fs, dtype=real)
    half = size / 2
    times = jnp.arange(half, signals[0].shape[-1] - half + 1, frames.step, dtype=real) / fs
    if boundary is not None:
        times = times - half / fs
    result = result.astype(complex_)
    if density and y is None:
        result = lax.real(result)
    return frequencies, times, jnp.moveaxis(result, -1, axis)


def _complex(dtype: Any) -> Any:
    return dtype if dtype.kind == "c" else types.complex128 if dtype.itemsize == 8 else types.complex64


def _longer(x: Array, length: int) -> Array:
    """The signal with zeros after it."""
    return jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, length - x.shape[-1])])


def stft(
    x: Array,
    fs: ArrayLike = 1.0,
    window: str = "hann",
    nperseg: int = 256,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: bool = False,
    return_onesided: bool = True,
    boundary: str | None = "zeros",
    padded: bool = True,
    axis: int = -1,
) -> tuple[Array, Array, Array]:
    """Frequencies, times, and the Fourier transform of each window of a signal."""
    return _spectrum(
        x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, "spectrum", axis,
        density=False, boundary=boundary, padded=padded,
    )  # fmt: skip


def _median_bias(count: int) -> float:
    """The mean of the median of `count` exponential variables (Allen et al., 2012, appendix B)."""
    return 1 + sum(1 / (n + 1) - 1 / n for n in range(2, count + 1 - (count % 2 == 0), 2))


def csd(
    x: Array,
    y: ArrayLike | None,
    fs: ArrayLike = 1.0,
    window: str = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: str = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[Array, Array]:
    """Frequencies and the cross spectral density of two signals, averaged over windows."""
    frequencies, _, density = _spectrum(
        x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, density=True
    )
    if density.ndim < 2 or not density.size:
        return frequencies, density
    windows = density.shape[-1]
    if windows == 1:
        return frequencies, density[..., 0]
    if average == "mean":
        return frequencies, density.mean(-1)
    if average != "median":
        raise ValueError(f'average must be "median" or "mean", got {average}')
    middle = jnp.median(lax.real(density) if density.dtype.kind == "c" else density, axis=-1)
    if density.dtype.kind == "c":
        middle = lax.complex(middle, jnp.median(lax.imag(density), axis=-1))
    return frequencies, middle / _median_bias(windows)


def welch(
    x: Array,
    fs: ArrayLike = 1.0,
    window: str = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: str = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[Array, Array]:
    """Frequencies and the power spectral density of a signal."""
    frequencies, density = csd(
        x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average
    )
    return frequencies, jnp.real(density)


def _overlapped(frames: Array, step: int) -> Array:
    """The sum of frames of shape ``(..., frames, length)``, each `step` after the one before."""
    count, length = frames.shape[-2:]
    total = step * (count - 1) + length
    places = (jnp.arange(count)[:, None] * step + jnp.arange(length)[None, :]).reshape(-1)
    flat = frames.reshape((*frames.shape[:-2], count * length))
    return jnp.zeros((*frames.shape[:-2], total), frames.dtype).at[..., places].add(flat)


def istft(
    Zxx: Array,
    fs: ArrayLike = 1.0,
    window: str = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    input_onesided: bool = True,
    boundary: bool = True,
    time_axis: int = -1,
    freq_axis: int = -2,
) -> tuple[Array, Array]:
    """Times and the signal whose short-time Fourier transform is `Zxx`, by weighted overlap-add."""
    check_arraylike("istft", Zxx)
    x = asarray(Zxx)
    if x.ndim < 2:
        raise ValueError("Input stft must be at least 2d!")
    frequency, time = canonical_axis(freq_axis, x.ndim), canonical_axis(time_axis, x.ndim)
    if frequency == time:
        raise ValueError("Must specify differing time and frequency axes!")
    x = x.astype(_complex(x.dtype))
    default = 2 * (x.shape[frequency] - 1) if input_onesided else x.shape[frequency]
    size = _integer(nperseg or default, "nperseg: segment length of STFT")
    if size < 1:
        raise ValueError("nperseg must be a positive integer")
    length = (
        default + (input_onesided and size == default + 1) if nfft is None else _integer(nfft, "nfft of STFT")
    )
    if length < size:
        raise ValueError(f"FFT length ({length}) must be longer than nperseg ({size}).")
    overlap = _integer(noverlap or size // 2, "noverlap of STFT")
    if overlap >= size:
        raise ValueError("noverlap must be less than nperseg.")
    x = jnp.moveaxis(x, (time, frequency), (-2, -1))
    inverse = jnp.fft.irfft if input_onesided else jnp.fft.ifft
    frames = inverse(x, axis=-1, n=nfft)[..., :size]
    shape = _window(window, size, frames.dtype)
    if shape.shape[0] != size:
        raise ValueError(f"window must have length of {size}")
    signal = _overlapped(frames * shape.sum() * shape, size - overlap)
    norm = _overlapped(jnp.broadcast_to(shape * shape, frames.shape[-2:]), size - overlap)
    if boundary:
        signal, norm = signal[..., size // 2 : -(size // 2)], norm[..., size // 2 : -(size // 2)]
    signal = signal / jnp.where(norm > 1e-10, norm, 1.0)
    if signal.ndim > 1 and time != Zxx.ndim - 1:
        signal = jnp.moveaxis(signal, -1, time - (frequency < time))
    return jnp.arange(signal.shape[0], dtype=types.real_of(signal.dtype)) / fs, signal
