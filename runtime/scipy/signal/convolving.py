"""Convolution and correlation of arrays of any rank, directly or through Fourier transforms."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...lax import types
from ...numpy.promotion import ArrayLike, asarray, canonical_axis, check_arraylike, promote_dtypes_inexact
from ...transforms.vmap import vmap

_MODES = ("full", "same", "valid")


def _check_mode(mode: str) -> None:
    if mode not in _MODES:
        raise ValueError(f"mode must be one of {list(_MODES)}, got {mode!r}")


def _larger_first(x: Array, y: Array) -> tuple[Array, Array]:
    """The larger array and the smaller one. Raises ValueError when neither is larger in every dimension."""
    if all(m >= n for m, n in zip(x.shape, y.shape)):
        return x, y
    if all(m <= n for m, n in zip(x.shape, y.shape)):
        return y, x
    raise ValueError(
        f"One input must be smaller than the other in every dimension; got {x.shape} and {y.shape}."
    )


def fftconvolve(
    in1: ArrayLike, in2: ArrayLike, mode: str = "full", axes: Sequence[int] | None = None
) -> Array:
    """Convolution along `axes` (all by default), as a product of Fourier transforms.

    Raises ValueError for arrays of different ranks, other modes, and ``valid`` where no array holds the other.
    """
    check_arraylike("fftconvolve", in1, in2)
    x, y = (asarray(v) for v in promote_dtypes_inexact(in1, in2))
    if x.ndim != y.ndim:
        raise ValueError(f"in1 and in2 should have the same dimensionality; got {x.shape} and {y.shape}")
    _check_mode(mode)

    def convolve_all(x: Array, y: Array) -> Array:
        return _fft_convolve(x, y, mode)

    if axes is None:
        return convolve_all(x, y)
    given = axes if isinstance(axes, Sequence) else (axes,)
    used = {canonical_axis(operator.index(axis), x.ndim) for axis in given}
    mapped = [axis for axis in range(x.ndim) if axis not in used]
    if any(x.shape[axis] != y.shape[axis] for axis in mapped):
        raise ValueError(f"mapped axes must have same shape; got {x.shape} and {y.shape}, axes={axes}")
    function: Any = convolve_all
    for axis in mapped:
        function = vmap(function, in_axes=axis, out_axes=axis)
    return function(x, y)


def _fft_convolve(x: Array, y: Array, mode: str) -> Array:
    full = tuple(m + n - 1 for m, n in zip(x.shape, y.shape))
    sizes = {"full": full, "same": x.shape}
    if mode == "valid":
        x, y = _larger_first(x, y)
        sizes["valid"] = tuple(m - n + 1 for m, n in zip(x.shape, y.shape))
    if all(m == 1 or n == 1 for m, n in zip(x.shape, y.shape)):
        out = x * y
    else:
        forward, backward = (
            (jnp.fft.fftn, jnp.fft.ifftn) if x.dtype.kind == "c" else (jnp.fft.rfftn, jnp.fft.irfftn)
        )
        out = backward(forward(x, full) * forward(y, full), full)
    starts = [(m - n) // 2 for m, n in zip(full, sizes[mode])]
    return lax.slice(out, starts, [s + n for s, n in zip(starts, sizes[mode])])


def _convolve(in1: ArrayLike, in2: ArrayLike, mode: str, precision: Any) -> Array:
    _check_mode(mode)
    if jnp.ndim(in1) != jnp.ndim(in2):
        raise ValueError("in1 and in2 must have the same number of dimensions")
    if jnp.size(in1) == 0 or jnp.size(in2) == 0:
        shapes = f"{jnp.shape(in1)} and {jnp.shape(in2)}"
        raise ValueError(f"zero-size arrays not supported in convolutions, got shapes {shapes}.")
    first, second = (asarray(v) for v in promote_dtypes_inexact(in1, in2))
    x, y = _larger_first(first, second)
    if mode == "valid":
        padding = [(0, 0)] * y.ndim
    elif mode == "full":
        padding = [(n - 1, n - 1) for n in y.shape]
    else:  # The middle of the full convolution, of the size of the first array.
        padding = [
            (n - 1 - (wanted - 1) // 2, n - wanted + (wanted - 1) // 2)
            for n, wanted in zip(y.shape, second.shape)
        ]
    strides = (1,) * y.ndim
    out = lax.conv_general_dilated(
        x[None, None], jnp.flip(y)[None, None], strides, padding, precision=precision
    )
    return out[0, 0]


def convolve(
    in1: Array, in2: Array, mode: str = "full", method: str = "auto", precision: Any = None
) -> Array:
    """Convolution; `method` is ``direct`` (``auto``) or ``fft``. Raises ValueError for other words."""
    if method == "fft":
        return fftconvolve(in1, in2, mode=mode)
    if method not in ("direct", "auto"):
        raise ValueError(f"Got method={method!r}; expected 'auto', 'fft', or 'direct'.")
    return _convolve(in1, in2, mode, precision)


def _check_plane(name: str, boundary: str, fillvalue: float, *xs: ArrayLike) -> None:
    if boundary != "fill" or fillvalue != 0:
        raise NotImplementedError(f"{name}() only supports boundary='fill', fillvalue=0")
    if any(jnp.ndim(x) != 2 for x in xs):
        raise ValueError(f"{name}() only supports 2-dimensional inputs.")


def convolve2d(
    in1: Array,
    in2: Array,
    mode: str = "full",
    boundary: str = "fill",
    fillvalue: float = 0,
    precision: Any = None,
) -> Array:
    """Convolution of matrices, with zeros around them."""
    _check_plane("convolve2d", boundary, fillvalue, in1, in2)
    return _convolve(in1, in2, mode, precision)


def _conj(x: Array) -> Array:
    return lax.conj(x) if types.dtype(x).kind == "c" else x


def correlate(
    in1: Array, in2: Array, mode: str = "full", method: str = "auto", precision: Any = None
) -> Array:
    """Cross-correlation: convolution with the second array reversed and conjugated."""
    return convolve(in1, jnp.flip(_conj(in2)), mode, precision=precision, method=method)


def correlate2d(
    in1: Array,
    in2: Array,
    mode: str = "full",
    boundary: str = "fill",
    fillvalue: float = 0,
    precision: Any = None,
) -> Array:
    """Cross-correlation of matrices, with zeros around them; ``same`` is centred as SciPy centres it."""
    _check_plane("correlate2d", boundary, fillvalue, in1, in2)
    in1, in2 = asarray(in1), asarray(in2)
    larger = all(m <= n for m, n in zip(in1.shape, in2.shape))
    swapped = larger and mode != "same" and not (mode == "valid" and in1.shape == in2.shape)
    if swapped:
        out = _convolve(jnp.flip(in2), _conj(in1), mode, precision)
        return out if mode == "valid" else _conj(out)
    return jnp.flip(_convolve(jnp.flip(in1), _conj(in2), mode, precision))
