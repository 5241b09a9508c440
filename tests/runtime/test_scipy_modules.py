"""`scipy.signal`, `fft`, `ndimage`, `interpolate`, `integrate`, `cluster`, `optimize`: against SciPy."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax

scipy = pytest.importorskip("scipy")
pytest.importorskip("scipy.cluster.vq")
from tracetrap.runtime import scipy as ours

rng = np.random.default_rng(0)
VALUES = {
    "x": rng.normal(size=40),
    "k": rng.normal(size=7),
    "m": rng.normal(size=(6, 8)),
    "n": rng.normal(size=(3, 4)),
    "at": [np.array([0.5, 1.2, 4.7]), np.array([0.1, 3.3, 6.9])],
    "far": [np.array([-2.25, 9.4, 7.6]), np.array([11.0, 3.3, -4.0])],
    "points": np.array([[0.5, 0.5], [2.0, 3.3], [9.0, 1.0]]),
    "grid": (np.arange(6.0), np.arange(8.0)),
}

SAME_AS_SCIPY = (
    *[f"signal.convolve({a}, {mode!r})" for a in ("x, k", "k, x", "m, n") for mode in ("full", "same", "valid")],
    *[f"signal.fftconvolve(m, n, {mode!r})" for mode in ("full", "same", "valid")],
    *[f"signal.correlate2d({a}, {mode!r})" for a in ("m, n", "n, m") for mode in ("full", "same", "valid")],
    "signal.correlate(x, k)", "signal.convolve2d(m, n, 'same')", "signal.convolve(x, k, method='fft')",
    "signal.fftconvolve(m, m[:, :3], axes=1)", "signal.convolve(x + 1j * x, k)",
    "signal.detrend(x)", "signal.detrend(m, axis=0, type='constant')", "signal.detrend(x, bp=[10, 25])",
    "signal.stft(x, nperseg=16)", "signal.stft(m, nperseg=4, axis=0, boundary=None)",
    "signal.stft(x, nperseg=16, nfft=20, noverlap=4, boundary='even')", "signal.stft(x, nperseg=16, boundary='odd')",
    "signal.stft(x + 1j * x, nperseg=16, return_onesided=False)", "signal.welch(x, nperseg=16)",
    "signal.welch(x, fs=2.0, nperseg=15, average='median', scaling='spectrum')", "signal.welch(x, window='hamming', nperseg=8)",
    "signal.csd(x, x[::-1], nperseg=12)", "signal.csd(x, x[:30], nperseg=8)",
    "signal.istft(signal.stft(x, nperseg=16)[2], nperseg=16)[1]",
    *[f"fft.{f}({a})" for f in ("dct", "idct")
      for a in ("x", "m, axis=0, norm='ortho'", "x, n=10", "x, n=51", "x[:1]", "x[:7]", "x + 1j * x[::-1]")],
    "fft.dctn(m)", "fft.idctn(m, norm='ortho')", "fft.dctn(m, s=(4, 4))", "fft.dctn(m, axes=(0,))",
    *[f"ndimage.map_coordinates(m, at, order={order})" for order in (0, 1)],
    *[f"ndimage.map_coordinates(m, far, order={order}, mode={mode!r})"
      for order in (0, 1) for mode in ("nearest", "mirror", "reflect")],
    "interpolate.RegularGridInterpolator(grid, m, bounds_error=False)(points)",
    "interpolate.RegularGridInterpolator(grid[:1], m, fill_value=None, bounds_error=False)(points[:, :1])",
    "interpolate.RegularGridInterpolator(grid, m, 'nearest', bounds_error=False, fill_value=7.0)(points)",
    "cluster.vq.vq(m, m[:2] + 0.1)", "cluster.vq.vq(x, k)", "integrate.trapezoid(m, dx=0.5, axis=0)",
    "integrate.trapezoid(x, x**2)",
)  # fmt: skip

REFUSED = {
    "signal.convolve(x, m)": ValueError,
    "signal.convolve(x, k, 'some')": ValueError,
    "signal.convolve2d(m, n, boundary='wrap')": NotImplementedError,
    "signal.convolve2d(x, k)": ValueError,
    "signal.fftconvolve(m, n, axes=0)": ValueError,
    "signal.welch(x, nperseg=16, nfft=8)": ValueError,
    "signal.detrend(x, bp=99)": ValueError,
    "fft.dct(x, type=3)": NotImplementedError,
    "fft.dct(x, norm='forward')": ValueError,
    "ndimage.map_coordinates(m, at[:1], 1)": ValueError,
    "ndimage.map_coordinates(m, at, 3)": NotImplementedError,
    "ndimage.map_coordinates(m, at, 1, mode='some')": NotImplementedError,
    "interpolate.RegularGridInterpolator(grid, m, 'cubic')": ValueError,
    "interpolate.RegularGridInterpolator(grid, x)": ValueError,
    "cluster.vq.vq(m, x)": ValueError,
    "optimize.minimize(sum, x, method='CG')": ValueError,
    "optimize.minimize(sum, x, [1], method='BFGS')": TypeError,
}


def names(module: Any) -> dict[str, Any]:
    modules = "signal fft ndimage interpolate integrate cluster optimize".split()
    return {**VALUES, **{word: getattr(module, word) for word in modules}}


@pytest.mark.parametrize("call", SAME_AS_SCIPY)
def test_same_as_scipy(call: str) -> None:
    with warnings.catch_warnings(), jax.enable_x64(True):
        warnings.simplefilter("ignore")
        found, expected = (eval(call, names(module)) for module in (ours, scipy))
    found, expected = ([r] if not isinstance(r, tuple) else r for r in (found, expected))
    for mine, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(np.asarray(mine), other, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("call", REFUSED)
def test_refused(call: str) -> None:
    with pytest.raises(REFUSED[call]):
        eval(call, names(ours))


def test_wrapping_as_on_a_torus() -> None:
    image = np.arange(12.0).reshape(3, 4)
    inside, outside = [np.array([1.5]), np.array([3.5])], [np.array([-4.5]), np.array([11.5])]
    values = [ours.ndimage.map_coordinates(image, at, 1, mode="wrap") for at in (inside, outside)]

    np.testing.assert_allclose(values[0], [(image[1, 3] + image[1, 0] + image[2, 3] + image[2, 0]) / 4])
    np.testing.assert_array_equal(values[0], values[1])


def test_images_of_integers_are_rounded() -> None:
    image = np.array([0, 3, 10], np.int32)
    found = ours.ndimage.map_coordinates(image, [np.array([0.5, 1.1, 5.0])], 1, cval=7)

    assert found.dtype == "int32"
    np.testing.assert_array_equal(found, [2, 4, 7])


def test_interpolation_has_derivatives_and_is_a_tree() -> None:
    image = VALUES["m"].astype(np.float32)

    slope = jax.grad(lambda c: ours.ndimage.map_coordinates(image, [c, 2.0], 1))(1.25)
    assert float(slope) == pytest.approx(float(image[2, 2] - image[1, 2]), rel=1e-4)

    table = ours.interpolate.RegularGridInterpolator(VALUES["grid"], image)
    at = np.array([[1.5, 2.5]])
    np.testing.assert_allclose(jax.jit(lambda t, x: t(x))(table, at), table(at), rtol=1e-6)
