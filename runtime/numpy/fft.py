"""`jax.numpy.fft`."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from .creation import arange
from .promotion import (
    ArrayLike,
    asarray,
    canonical_axis,
    check_arraylike,
    like,
)
from .rearranging import roll
from .shaping import moveaxis

_FULL = {"fft": "FFT", "ifft": "IFFT", "rfft": "RFFT", "irfft": "IRFFT"}


def _norm_factor(name: str, norm: str | None, sizes: Sequence[int]) -> float:
    """What to multiply with: transforms back divide by the size already."""
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    total = math.prod(sizes)
    inverse = name.startswith("i")
    if norm in (None, "backward"):
        return 1.0
    if norm == "ortho":
        return math.sqrt(total) if inverse else 1 / math.sqrt(total)
    return float(total) if inverse else 1 / total


def _transform(name: str, kind: str, a: ArrayLike, s: Any, axes: Any, norm: str | None) -> Array:
    check_arraylike(f"jnp.fft.{name}", a)
    x = asarray(a)
    if s is not None:
        s = tuple(operator.index(n) for n in s)
        if any(n <= 0 for n in s):
            raise ValueError(f"Shape should be non-negative and non-zero, got {s}")
    if axes is None:
        axes = range(x.ndim) if s is None else range(x.ndim - len(s), x.ndim)
    for d in axes:
        if isinstance(d, Array):
            raise TypeError(f"axes of jnp.fft.{name} must be static, got {axes}")
    places = [canonical_axis(d, x.ndim) for d in axes]
    if len(places) != len(set(places)):
        raise ValueError(f"jnp.fft.{name} does not support repeated axes. Got axes {list(axes)}.")
    if len(places) > 3:
        for start in range(0, len(places), 3):
            part = places[start : start + 3]
            x = _transform(name, kind, x, None if s is None else s[start : start + 3], part, norm)
        return x
    x = moveaxis(x, places, list(range(x.ndim - len(places), x.ndim))) if places else x
    if s is None:
        sizes = list(x.shape[x.ndim - len(places) :])
        if kind == "irfft" and sizes:
            sizes[-1] = max(0, 2 * (sizes[-1] - 1))
    else:
        sizes = list(s)
    if len(sizes) != len(places):
        raise ValueError("Shape and axes have different lengths.")
    needed = [n if kind != "irfft" or i < len(sizes) - 1 else n // 2 + 1 for i, n in enumerate(sizes)]
    first = x.ndim - len(places)
    config = [(0, 0, 0)] * first + [(0, n - x.shape[first + i], 0) for i, n in enumerate(needed)]
    if any(high for _, high, _ in config):
        x = lax.pad(x, like(x, 0), config)
    out = lax.fft(x, _FULL[kind], tuple(sizes))
    factor = _norm_factor(name, norm, sizes)
    if factor != 1.0:
        out = out * factor
    return moveaxis(out, list(range(first, x.ndim)), places) if places else out


def _transform_line(name: str, kind: str, a: ArrayLike, n: int | None, axis: int, norm: str | None) -> Array:
    _refuse_several(name, axis)
    return _transform(name, kind, a, None if n is None else (operator.index(n),), (axis,), norm)


def _refuse_several(name: str, axis: Any) -> None:
    if isinstance(axis, (tuple, list)):
        raise ValueError(
            f"jnp.fft.{name} does not support multiple axes. Please use jnp.fft.{name}n. Got axis = {axis!r}."
        )


def _one(kind: str) -> Callable[..., Array]:
    def transform(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
        return _transform_line(kind, kind, a, n, axis, norm)

    transform.__name__ = transform.__qualname__ = kind
    return transform


def _two(kind: str) -> Callable[..., Array]:
    def transform(
        a: ArrayLike, s: Any = None, axes: Sequence[int] = (-2, -1), norm: str | None = None
    ) -> Array:
        if len(axes) != 2:
            raise ValueError(f"jnp.fft.{kind}2 only supports 2 axes. Got axes = {axes}.")
        return _transform(f"{kind}2", kind, a, s, axes, norm)

    transform.__name__ = transform.__qualname__ = f"{kind}2"
    return transform


def _many(kind: str) -> Callable[..., Array]:
    def transform(a: ArrayLike, s: Any = None, axes: Any = None, norm: str | None = None) -> Array:
        return _transform(f"{kind}n", kind, a, s, axes, norm)

    transform.__name__ = transform.__qualname__ = f"{kind}n"
    return transform


fft, ifft, rfft, irfft = (_one(kind) for kind in ("fft", "ifft", "rfft", "irfft"))
fft2, ifft2, rfft2, irfft2 = (_two(kind) for kind in ("fft", "ifft", "rfft", "irfft"))
fftn, ifftn, rfftn, irfftn = (_many(kind) for kind in ("fft", "ifft", "rfft", "irfft"))


def hfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Transform of a signal whose spectrum is real."""
    from .ufuncs import conj

    x = conj(a)
    _refuse_several("hfft", axis)
    size = (x.shape[axis] - 1) * 2 if n is None else n
    return _transform_line("hfft", "irfft", x, n, axis, norm) * size


def ihfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Inverse of `hfft`."""
    from .ufuncs import conj

    _refuse_several("ihfft", axis)
    x = asarray(a)
    size = x.shape[axis] if n is None else n
    return conj(_transform_line("ihfft", "rfft", x, n, axis, norm)) * (1 / size)


def _refuse_lists(name: str, **values: Any) -> None:
    for parameter, value in values.items():
        if isinstance(value, (list, tuple)):
            raise ValueError(f"The {parameter} argument of jnp.fft.{name} takes one number, got {value}")


def fftfreq(n: int, d: ArrayLike = 1.0, *, dtype: Any = None, device: Any = None) -> Array:
    """Frequencies of the entries of a transform."""
    _refuse_lists("fftfreq", n=n, d=d)
    kind = dtypes.float_default() if dtype is None else dtypes.canonical(dtype)
    compute = dtypes.to_inexact(kind)
    places = (arange(n, dtype=compute) + n // 2) % n - n // 2
    return (places / asarray(d * n, compute)).astype(kind)


def rfftfreq(n: int, d: ArrayLike = 1.0, *, dtype: Any = None, device: Any = None) -> Array:
    """Frequencies of the entries of a real transform."""
    _refuse_lists("rfftfreq", n=n, d=d)
    kind = dtypes.float_default() if dtype is None else dtypes.canonical(dtype)
    end = n // 2 + 1 if n % 2 == 0 else (n - 1) // 2 + 1
    return arange(end, dtype=kind) / asarray(d * n, kind)


def _shifted(name: str, x: ArrayLike, axes: Any, sign: int) -> Array:
    check_arraylike(name, x)
    value = asarray(x)
    if axes is None:
        places: tuple[int, ...] = tuple(range(value.ndim))
    else:
        places = tuple(operator.index(d) for d in (axes if isinstance(axes, (tuple, list)) else (axes,)))
    sizes = [value.shape[d] for d in places]
    return roll(value, tuple(n // 2 if sign > 0 else -(n // 2) for n in sizes), places)


def fftshift(x: ArrayLike, axes: Any = None) -> Array:
    """Zero frequency in the middle."""
    return _shifted("fftshift", x, axes, 1)


def ifftshift(x: ArrayLike, axes: Any = None) -> Array:
    """Inverse of `fftshift`."""
    return _shifted("ifftshift", x, axes, -1)
