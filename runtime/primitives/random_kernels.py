"""NumPy evaluation of the random primitives. Keys come and go as 64-bit words; see `threefry` for the generator."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

from . import threefry
from .special_kernels import erf_inv

Values: TypeAlias = Any  # NumPy arrays.
Shape: TypeAlias = tuple[int, ...]


def words(keys: Values) -> Values:
    """Keys as pairs of 32-bit words in a trailing axis."""
    keys = np.asarray(keys, np.uint64)
    return np.stack([(keys >> np.uint64(32)).astype(np.uint32), keys.astype(np.uint32)], axis=-1)


def packed(pairs: Values) -> Values:
    """Pairs of 32-bit words as keys."""
    return (pairs[..., 0].astype(np.uint64) << np.uint64(32)) | pairs[..., 1].astype(np.uint64)


def seed(seeds: Values, *, impl: Any) -> Values:
    return packed(threefry.seed(seeds))


def wrap(bits: Values, *, impl: Any) -> Values:
    if bits.shape[-1] == 2:
        return packed(bits)
    return np.ascontiguousarray(bits, np.uint32).view("V16").reshape(bits.shape[:-1])


def unwrap(keys: Values) -> Values:
    if keys.dtype.itemsize == 8:
        return words(keys)
    return np.ascontiguousarray(keys).reshape(*keys.shape, 1).view(np.uint32)


def split(keys: Values, *, shape: Shape) -> Values:
    return packed(threefry.split(words(keys), shape))


def fold_in(keys: Values, messages: Values) -> Values:
    return packed(threefry.fold_in(words(keys), messages))


def bits(keys: Values, *, bit_width: int, shape: Shape) -> Values:
    return threefry.random_bits(words(keys), bit_width, shape)


def clone(keys: Values) -> Values:
    return keys.copy()


def uniform(keys: Values, dtype: Any, low: float = 0.0, high: float = 1.0) -> Values:
    """One uniform sample for each key: random mantissa bits under the exponent of 1."""
    real = np.dtype(dtype)
    mantissa = {"float16": 10, "float32": 23, "float64": 52}[real.name]
    width = real.itemsize * 8
    raw = threefry.random_bits(words(keys), width, ())
    one = np.ones((), real).view(f"uint{width}")
    floats = ((raw >> raw.dtype.type(width - mantissa)) | one).view(real) - real.type(1)
    span = real.type(high) - real.type(low)
    return np.maximum(real.type(low), floats * span + real.type(low))


def normal(keys: Values, dtype: Any) -> Values:
    """One standard normal sample for each key, through the inverse error function."""
    real = np.dtype(dtype)
    u = uniform(keys, real, float(np.nextafter(real.type(-1), real.type(0))), 1.0)
    return (real.type(math.sqrt(2)) * erf_inv(u).astype(real)).astype(real)


def _split_each(keys: Values, count: int) -> list[Values]:
    parts = split(keys, shape=(count,))
    return [parts[..., i] for i in range(count)]


def gamma(keys: Values, alpha: Values, *, log_space: bool) -> Values:
    """Gamma(alpha) samples by the method of Marsaglia and Tsang (2000), one independent key for each element.

    Each element draws from its keys in the order in which JAX draws, so samples agree to rounding.
    """
    real = alpha.dtype
    lanes = split(keys, shape=(alpha.size // max(keys.size, 1),)).reshape(alpha.shape)
    lanes, original = lanes.ravel(), alpha.ravel()
    one = real.type(1)
    boosted = original >= one
    a = np.where(boosted, original, original + one)
    d = a - real.type(1 / 3)
    c = real.type(1 / 3) / np.sqrt(d)
    key, boost_key = _split_each(lanes, 2)
    x2 = np.zeros_like(a)
    v = np.ones_like(a)
    u = np.full_like(a, 2)
    with np.errstate(all="ignore"):
        while True:
            squeeze = u >= one - real.type(0.0331) * (x2 * x2)
            active = squeeze & (np.log(u) >= x2 * real.type(0.5) + d * ((one - v) + np.log(v)))
            lane = np.flatnonzero(active)
            if not lane.size:
                break
            key[lane], x_key, u_key = _split_each(key[lane], 3)
            x, w = np.zeros(lane.size, real), np.full(lane.size, -1, real)
            while (pending := np.flatnonzero(w <= 0)).size:
                x_key[pending], sub = _split_each(x_key[pending], 2)
                x[pending] = normal(sub, real)
                w[pending] = one + x[pending] * c[lane][pending]
            x2[lane], v[lane], u[lane] = x * x, w * w * w, uniform(u_key, real)
        if log_space:
            log_u = np.log1p(-uniform(boost_key, real))
            boost = np.where(boosted | (log_u == 0), real.type(0), log_u * (one / original))
            out = np.log(d) + np.log(v) + boost
        else:
            samples = one - uniform(boost_key, real)
            out = d * v * np.where(boosted, one, samples ** (one / original))
    return out.reshape(alpha.shape)
