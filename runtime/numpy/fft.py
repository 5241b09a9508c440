"""`jax.numpy.fft`."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from .promotion import (
    ArrayLike,
    asarray,
    canonical_axis,
    check_arraylike,
    concrete,
    like,
)
from .rearranging import roll
from .shaping import moveaxis

_FULL = {"fft": "FFT", "ifft": "IFFT", "rfft": "RFFT", "irfft": "IRFFT"}


def _norm_factor(kind: str, norm: str | None, sizes: Sequence[int]) -> float:
    """What to multiply with: transforms back divide by the size already."""
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    total = math.prod(sizes)
    inverse = kind.startswith("i")
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
    factor = _norm_factor(kind, norm, sizes)
    if factor != 1.0:
        out = out * factor
    return moveaxis(out, list(range(first, x.ndim)), places) if places else out


def _one(kind: str) -> Callable[..., Array]:
    def transform(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
        if isinstance(axis, (tuple, list)):
            raise ValueError(
                f"jnp.fft.{kind} does not support multiple axes. Please use jnp.fft.{kind}n. Got axis = {axis!r}."
            )
        return _transform(kind, kind, a, None if n is None else (operator.index(n),), (axis,), norm)

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
    axis = operator.index(axis)
    mirrored = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": None}
    if norm not in mirrored:
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    return irfft(x, n, axis, mirrored[norm])


def ihfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Inverse of `hfft`."""
    from .ufuncs import conj

    x = asarray(a)
    axis = operator.index(axis)
    size = x.shape[axis] if n is None else operator.index(n)
    mirrored = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": None}
    return conj(rfft(x, size, axis, mirrored[norm]))


def _refuse_lists(name: str, **values: Any) -> None:
    for parameter, value in values.items():
        if isinstance(value, (list, tuple)):
            raise ValueError(f"The {parameter} argument of jnp.fft.{name} takes one number, got {value}")


def fftfreq(n: int, d: ArrayLike = 1.0, *, dtype: Any = None, device: Any = None) -> Array:
    """Frequencies of the entries of a transform."""
    _refuse_lists("fftfreq", n=n, d=d)
    count = operator.index(concrete(n, "n argument of jnp.fft.fftfreq"))
    kind = dtypes.float_default() if dtype is None else dtypes.canonical(dtype)
    k = lax.iota(kind, count)
    return ((k + count // 2) % count - count // 2) / (asarray(d, kind) * count)


def rfftfreq(n: int, d: ArrayLike = 1.0, *, dtype: Any = None, device: Any = None) -> Array:
    """Frequencies of the entries of a real transform."""
    _refuse_lists("rfftfreq", n=n, d=d)
    if isinstance(n, Array):
        bool(n)
    kind = dtypes.float_default() if dtype is None else dtypes.canonical(dtype)
    return lax.iota(kind, operator.index(n) // 2 + 1) / (asarray(d, kind) * operator.index(n))


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
