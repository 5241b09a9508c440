"""`jax.image`: resizing by separable kernels."""

from __future__ import annotations

import enum
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from . import lax
from . import numpy as jnp
from .core import Array
from .lax import types
from .numpy.promotion import asarray, canonical_axis, canonical_shape, require_static


class ResizeMethod(enum.Enum):
    """The kernel that resizing interpolates with."""

    NEAREST = 0
    LINEAR = 1
    LANCZOS3 = 2
    LANCZOS5 = 3
    CUBIC = 4
    CUBIC_PYTORCH = 5

    @staticmethod
    def from_string(name: str) -> ResizeMethod:
        """The method of a name. Raises ValueError for an unknown one."""
        aliases = {
            "linear": "LINEAR",
            "bilinear": "LINEAR",
            "trilinear": "LINEAR",
            "triangle": "LINEAR",
            "nearest": "NEAREST",
            "cubic": "CUBIC",
            "bicubic": "CUBIC",
            "tricubic": "CUBIC",
            "lanczos3": "LANCZOS3",
            "lanczos5": "LANCZOS5",
        }
        if name not in aliases:
            raise ValueError(f'Unknown resize method "{name}"')
        return ResizeMethod[aliases[name]]


def _triangle(x: Array) -> Array:
    return jnp.maximum(0, 1 - jnp.abs(x))


def _cubic(x: Array) -> Array:
    near = ((1.5 * x - 2.5) * x) * x + 1.0
    far = ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0
    return jnp.where(x >= 2.0, 0.0, jnp.where(x >= 1.0, far, near))


def _lanczos(radius: float) -> Callable[[Array], Array]:
    def kernel(x: Array) -> Array:
        y = radius * jnp.sin(math.pi * x) * jnp.sin(math.pi * x / radius)
        out = jnp.where(x > 1e-3, y / jnp.where(x != 0, math.pi**2 * x**2, 1), 1)
        return jnp.where(x > radius, 0.0, out)

    return kernel


_KERNELS: dict[ResizeMethod, Callable[[Array], Array]] = {
    ResizeMethod.LINEAR: _triangle,
    ResizeMethod.CUBIC: _cubic,
    ResizeMethod.LANCZOS3: _lanczos(3.0),
    ResizeMethod.LANCZOS5: _lanczos(5.0),
}


def _weights(
    n_in: int, n_out: int, scale: Any, shift: Any, kernel: Callable[[Array], Array], antialias: bool
) -> Array:
    """Contribution of each input sample to each output sample."""
    inverse = 1.0 / scale
    width = jnp.maximum(inverse, 1.0) if antialias else 1.0
    at = (jnp.arange(n_out, dtype=inverse.dtype) + 0.5) * inverse - shift * inverse - 0.5
    distance = jnp.abs(at[None, :] - jnp.arange(n_in, dtype=inverse.dtype)[:, None]) / width
    weights = kernel(distance)
    total = jnp.sum(weights, axis=0, keepdims=True)
    tiny = 1000 * types.FloatInfo(weights.dtype).eps
    weights = jnp.where(jnp.abs(total) > tiny, weights / jnp.where(total != 0, total, 1), 0)
    inside = jnp.logical_and(at >= -0.5, at <= n_in - 0.5)
    return jnp.where(inside[None, :], weights, 0)


def scale_and_translate(
    image: Any,
    shape: Any,
    spatial_dims: Sequence[int],
    scale: Any,
    translation: Any,
    method: Any,
    antialias: bool = True,
    precision: Any = lax.Precision.HIGHEST,
) -> Array:
    """The image scaled and shifted along some axes."""
    x = asarray(image)
    sizes = canonical_shape(shape)
    if len(sizes) != x.ndim:
        raise ValueError(
            f"shape must have length equal to the number of dimensions of image; {sizes} vs {x.shape}"
        )
    kind = ResizeMethod.from_string(method) if isinstance(method, str) else method
    if kind == ResizeMethod.NEAREST:
        raise ValueError("Nearest neighbor resampling is not currently supported for scale_and_translate.")
    dims = tuple(canonical_axis(operator.index(d), x.ndim) for d in spatial_dims)
    smooth = bool(antialias)
    x = x if x.dtype.kind == "f" else x.astype(types.float_default())
    scales, shifts = asarray(scale, x.dtype), asarray(translation, x.dtype)
    for i, d in enumerate(dims):
        w = _weights(x.shape[d], sizes[d], scales[i], shifts[i], _KERNELS[kind], smooth).astype(x.dtype)
        x = jnp.moveaxis(jnp.tensordot(x, w, axes=((d,), (0,)), precision=precision), -1, d)
    return x


def resize(
    image: Any, shape: Any, method: Any, antialias: bool = True, precision: Any = lax.Precision.HIGHEST
) -> Array:
    """The image at another size."""
    x = asarray(image)
    sizes = canonical_shape(shape)
    require_static("resize", antialias=antialias)
    if len(sizes) != x.ndim:
        raise ValueError(
            f"shape must have length equal to the number of dimensions of image; {sizes} vs {x.shape}"
        )
    kind = ResizeMethod.from_string(method) if isinstance(method, str) else method
    if kind == ResizeMethod.NEAREST:
        for d, n in enumerate(sizes):
            m = x.shape[d]
            if m != n:
                places = jnp.floor((jnp.arange(n, dtype=types.float32) + 0.5) * m / n).astype(types.int32)
                x = x[(slice(None),) * d + (places,)]
        return x
    result_type = x.dtype
    x = x if x.dtype.kind == "f" else x.astype(types.float_default())
    dims = [d for d in range(x.ndim) if sizes[d] != x.shape[d]]
    scale = [1.0 if x.shape[d] == 0 else sizes[d] / x.shape[d] for d in dims]
    out = scale_and_translate(
        x, sizes, dims, jnp.array(scale, x.dtype), jnp.zeros(len(dims), x.dtype), kind, antialias, precision
    )
    return out if result_type.kind == "f" else jnp.round(out).astype(result_type)
