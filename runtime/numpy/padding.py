"""`jax.numpy.pad` in all its modes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from ..lax.elementwise import convert_to
from .promotion import ArrayLike, asarray, check_arraylike, concrete, jitted, like, require_static

_OPTIONS = {
    "constant": ("constant_values",),
    "edge": (),
    "linear_ramp": ("end_values",),
    "maximum": ("stat_length",),
    "mean": ("stat_length",),
    "median": ("stat_length",),
    "minimum": ("stat_length",),
    "reflect": ("reflect_type",),
    "symmetric": ("reflect_type",),
    "wrap": (),
    "empty": (),
}


def pad(
    array: ArrayLike, pad_width: Any, mode: str | Callable[..., Any] = "constant", **kwargs: Any
) -> Array:
    """Pad the edges of an array; widths must be concrete."""
    import numpy as np

    check_arraylike("pad", array)
    x = asarray(array)
    if not x.ndim:
        return x
    if isinstance(pad_width, dict):
        pad_width = [pad_width.get(d, pad_width.get(d - x.ndim, (0, 0))) for d in range(x.ndim)]
    try:
        widths = np.asarray(concrete(pad_width, "pad_width argument to jnp.pad"))
    except ValueError:
        raise TypeError(f"`pad_width` entries must be the same shape: {pad_width}") from None
    if widths.shape not in ((x.ndim, 2), (1, 2), (2,), (1,), ()):
        raise ValueError(
            f"jnp.pad: pad_width of shape {widths.shape} does not fit an array of {x.ndim} dimensions"
        )
    if not np.issubdtype(widths.dtype, np.integer):
        raise TypeError("`pad_width` must be of integral type.")
    pairs = tuple((int(a), int(b)) for a, b in np.broadcast_to(widths, (x.ndim, 2)))
    if any(a < 0 or b < 0 for a, b in pairs):
        raise ValueError("index can't contain negative values")
    if callable(mode):
        return _pad_by_function(x, pairs, mode, kwargs)
    if mode not in _OPTIONS:
        raise NotImplementedError(f"Unimplemented padding mode '{mode}' for np.pad.")
    unknown = set(kwargs) - set(_OPTIONS[mode])
    if unknown:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unknown}")
    if mode == "constant":
        return _pad(x, kwargs.get("constant_values", 0), widths=pairs)
    if mode == "empty":
        return _pad(x, 0, widths=pairs)
    options = {
        k: tuple(map(tuple, v))
        if isinstance(v, (list, tuple)) and v and isinstance(v[0], (list, tuple))
        else v
        for k, v in kwargs.items()
    }

    require_static("pad", **options)
    for d, width in enumerate(pairs):
        x = _pad_axis(x, d, width, mode, options)
    return x


@jitted("widths")
def _pad(array: Array, constant_values: Any, widths: tuple[tuple[int, int], ...]) -> Array:
    from .shaping import broadcast_to

    x = array
    values = convert_to(asarray(constant_values), x.dtype, x.weak_type)
    if not values.ndim:
        return lax.pad(x, values, tuple((a, b, 0) for a, b in widths))
    values = broadcast_to(values, (x.ndim, 2))
    for d in range(x.ndim):
        for side in (0, 1):
            config = [(0, 0, 0)] * x.ndim
            config[d] = (widths[d][0], 0, 0) if side == 0 else (0, widths[d][1], 0)
            x = lax.pad(x, values[d, side], config)
    return x


def _side(value: Any, d: int, side: int) -> Any:
    """The entry of an option given as a scalar, a pair, or a pair for each axis."""
    import numpy as np

    shape = np.shape(value)
    if shape in ((), (1,)):
        return value if shape == () else value[0]
    row = value if len(shape) == 1 else value[d if shape[0] > 1 else 0]
    return row[side if len(row) > 1 else 0]


def _pad_axis(x: Array, d: int, width: tuple[int, int], mode: str, options: dict[str, Any]) -> Array:
    import numpy as np

    n = x.shape[d]
    before, after = width
    if not before and not after:
        return x
    if n == 0:
        raise ValueError(f"can't extend empty axis {d} using modes other than 'constant' or 'empty'")
    if mode in ("edge", "wrap", "reflect", "symmetric"):
        places = np.arange(-before, n + after)
        if mode == "edge":
            places = np.clip(places, 0, n - 1)
        elif mode == "wrap":
            places = places % n
        else:
            period = max(2 * (n - 1), 1) if mode == "reflect" else 2 * n
            places = places % period
            places = np.where(places < n, places, period - places - (mode == "symmetric"))
        if options.get("reflect_type", "even") == "odd":
            return _odd_reflection(x, d, width, mode)
        return x[(slice(None),) * d + (places,)]
    parts = [x]
    for side, amount in enumerate(width):
        if not amount:
            continue
        shape = [amount if i == d else m for i, m in enumerate(x.shape)]
        edge = lax.slice_in_dim(x, 0, 1, axis=d) if side == 0 else lax.slice_in_dim(x, n - 1, n, axis=d)
        if mode == "linear_ramp":
            part = _ramp(edge, _side(options.get("end_values", 0), d, side), amount, d, side)
        else:
            part = lax.tile(
                _statistic(x, d, mode, options.get("stat_length"), side),
                [amount if i == d else 1 for i in range(x.ndim)],
            )
        parts = [part, *parts] if side == 0 else [*parts, part]
        assert list(part.shape) == shape
    return lax.concatenate(parts, d)


def _ramp(edge: Array, end: Any, amount: int, d: int, side: int) -> Array:
    from .creation import linspace
    from .shaping import squeeze

    integral = dtypes.issubdtype(edge.dtype, dtypes.integer)
    ramp = linspace(
        end, squeeze(edge, d), amount, endpoint=False, axis=d, dtype=None if integral else edge.dtype
    )
    ramp = convert_to(ramp, edge.dtype, edge.weak_type)
    return ramp if side == 0 else lax.rev(ramp, (d,))


def _statistic(x: Array, d: int, mode: str, stat_length: Any, side: int) -> Array:
    from . import quantiles, reductions

    n = x.shape[d]
    length = n if stat_length is None else min(_side(stat_length, d, side), n)
    if length == 0 and mode in ("maximum", "minimum"):
        raise ValueError("stat_length of 0 yields no value for padding")
    part = lax.slice_in_dim(x, 0, length, axis=d) if side == 0 else lax.slice_in_dim(x, n - length, n, axis=d)
    function: Any = {
        "maximum": reductions.max,
        "minimum": reductions.min,
        "mean": reductions.mean,
        "median": quantiles.median,
    }[mode]
    value = function(part, axis=d, keepdims=True)
    if dtypes.issubdtype(x.dtype, dtypes.integer):
        value = lax.round(value) if dtypes.issubdtype(value.dtype, dtypes.inexact) else value
    return convert_to(value, x.dtype, x.weak_type)


def _odd_reflection(x: Array, d: int, width: tuple[int, int], mode: str) -> Array:
    """Reflection through the edge element, one block at a time."""
    for side, amount in enumerate(width):
        while amount > 0:
            n = x.shape[d]
            offset = 1 if mode == "reflect" and n > 1 else 0
            step = min(amount, n - offset)
            edge = lax.slice_in_dim(x, 0, 1, axis=d) if side == 0 else lax.slice_in_dim(x, n - 1, n, axis=d)
            block = (
                lax.slice_in_dim(x, offset, offset + step, axis=d)
                if side == 0
                else lax.slice_in_dim(x, n - offset - step, n - offset, axis=d)
            )
            block = lax.sub(lax.mul(edge, like(edge, 2)), lax.rev(block, (d,)))
            x = lax.concatenate([block, x] if side == 0 else [x, block], d)
            amount -= step
    return x


def _pad_by_function(x: Array, widths: Any, function: Callable[..., Any], options: dict[str, Any]) -> Array:
    from .vectorization import apply_along_axis

    padded = _pad(x, 0, widths=widths)
    for d in range(x.ndim):
        padded = apply_along_axis(function, d, padded, widths[d], d, options)
    return padded
