"""`jax.scipy.fft`: discrete cosine transforms of type 2 and their inverses, through the FFT (Makhoul, 1980)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from .. import lax
from .. import numpy as jnp
from ..core import Array
from ..numpy.promotion import (
    ArrayLike,
    asarray,
    canonical_axis,
    check_arraylike,
    promote_dtypes_inexact,
    reduced_axes,
)


def _operand(name: str, x: ArrayLike, type: int, norm: str | None) -> Array:
    check_arraylike(name, x)
    if type != 2:
        raise NotImplementedError("Only DCT type 2 is implemented.")
    if norm not in (None, "backward", "ortho"):
        raise ValueError(f"jax.scipy.fft.{name}: norm={norm!r} is not implemented")
    return asarray(x)


def _resized(x: Array, axis: int, n: int | None) -> Array:
    """`x` cut or filled up with zeros to the length `n`."""
    if n is None:
        return x
    return lax.pad(
        x, jnp.zeros((), x.dtype), [(0, n - x.shape[d] if d == axis else 0, 0) for d in range(x.ndim)]
    )


def _along(values: Array, axis: int, rank: int) -> Array:
    """A vector as an array that has it along `axis`."""
    return values.reshape([-1 if d == axis else 1 for d in range(rank)])


def _twiddles(x: Array, axis: int) -> Array:
    """exp(-i pi k / 2n) along an axis, in the complex type of `x`."""
    n = x.shape[axis]
    angle = jnp.arange(n, dtype=x.dtype) * (-jnp.pi / (2 * n))
    return _along(lax.complex(lax.cos(angle), lax.sin(angle)), axis, x.ndim)


def _orthogonal_scale(x: Array, axis: int) -> Array:
    """What the plain transform is divided by to be orthogonal."""
    n = x.shape[axis]
    first = (jnp.arange(n) == 0).astype(x.dtype)
    return _along(jnp.sqrt((2 + 2 * first) * n), axis, x.ndim)


def dct(x: Array, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Cosine transform along an axis; `norm` is None, ``backward`` or ``ortho``.

    Raises NotImplementedError for other types, ValueError for other norms.
    """
    x = _operand("dct", x, type, norm)
    if x.dtype.kind == "c":
        real, imaginary = (dct(part, type, n, axis, norm) for part in (lax.real(x), lax.imag(x)))
        return lax.complex(real, imaginary)
    axis = canonical_axis(axis, x.ndim)
    (x,) = promote_dtypes_inexact(_resized(x, axis, n))
    size = x.shape[axis]
    even, odd = lax.slice_in_dim(x, 0, None, 2, axis), lax.slice_in_dim(x, 1, None, 2, axis)
    ordered = lax.concatenate([even, lax.rev(odd, (axis,))], axis) if size > 1 else x
    out = 2 * lax.real(jnp.fft.fft(ordered, axis=axis) * _twiddles(x, axis))
    return out / _orthogonal_scale(out, axis) if norm == "ortho" else out


def idct(x: Array, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Inverse of `dct`, with the same arguments and errors."""
    x = _operand("idct", x, type, norm)
    if x.dtype.kind == "c":
        real, imaginary = (idct(part, type, n, axis, norm) for part in (lax.real(x), lax.imag(x)))
        return lax.complex(real, imaginary)
    axis = canonical_axis(axis, x.ndim)
    (x,) = promote_dtypes_inexact(_resized(x, axis, n))
    size = x.shape[axis]
    if norm == "ortho":
        x = x * _orthogonal_scale(x, axis)
    # The transform's other half is its mirror image, so the spectrum of the ordered sequence follows.
    mirrored = jnp.roll(lax.rev(x, (axis,)), 1, axis)
    mirrored = jnp.where(_along(jnp.arange(size) == 0, axis, x.ndim), 0, mirrored)
    spectrum = lax.conj(_twiddles(x, axis)) * lax.complex(x, -mirrored) / 2
    ordered = lax.real(jnp.fft.ifft(spectrum, axis=axis))
    half = (size + 1) // 2
    even = lax.slice_in_dim(ordered, 0, half, 1, axis)
    odd = lax.rev(lax.slice_in_dim(ordered, half, None, 1, axis), (axis,))
    places = jnp.arange(size)
    both = lax.concatenate([even, odd], axis)
    return jnp.take(both, jnp.where(places % 2 == 0, places // 2, half + places // 2), axis=axis)


def _transform_axes(
    name: str,
    transform: Callable[..., Array],
    x: Array,
    type: int,
    s: Sequence[int] | None,
    axes: Sequence[int] | None,
    norm: str | None,
) -> Array:
    x = _operand(name, x, type, norm)
    sizes: list[int] | None = None
    if s is not None:
        sizes = list(s) if isinstance(s, Sequence) else [operator.index(s)]
        if len(sizes) > x.ndim:
            raise ValueError(f"s must have at most x.ndim ({x.ndim}) elements, got {len(sizes)}")
    if axes is not None:
        places: Sequence[int] = reduced_axes(x.ndim, tuple(axes))
    else:
        places = range(x.ndim - len(sizes) if sizes is not None else 0, x.ndim)
    for axis, n in zip(places, sizes if sizes is not None else [None] * len(places)):
        x = transform(x, type, n, axis, norm)
    return x


def dctn(
    x: Array,
    type: int = 2,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Array:
    """Cosine transform along several axes (all by default), of sizes `s`."""
    return _transform_axes("dctn", dct, x, type, s, axes, norm)


def idctn(
    x: Array,
    type: int = 2,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Array:
    """Inverse of `dctn`."""
    return _transform_axes("idctn", idct, x, type, s, axes, norm)
