"""Counting distributions: Poisson by Knuth's product and Hörmann's rejection, binomial by inversion and rejection."""

from __future__ import annotations

from typing import Any

from .. import lax
from .. import numpy as jnp
from ..core import Array
from ..lax import types
from ..numpy.promotion import jitted, promote_dtypes_inexact
from .keys import split
from .samplers import keys_of, uniform

_MAX_ROUNDS = 3.4028234663852886e38


def _some(mask: Array) -> Array:
    return lax.reduce_or(mask, tuple(range(mask.ndim)))


def _poisson_knuth(key: Array, lam: Array, shape: tuple[int, ...], dtype: Any, limit: int) -> Array:
    """Count uniforms until their product falls below exp(-lam)."""

    def body(carry: Any) -> Any:
        i, k, rng, log_prod = carry
        rng, sub = keys_of(rng)
        k = lax.select(log_prod > -lam, k + 1, k)
        u = uniform(sub, shape, types.float32)
        return i + 1, k, rng, log_prod + lax.log(u)

    def unfinished(carry: Any) -> Array:
        i, _, _, log_prod = carry
        return _some(log_prod > -lam) & (i < limit)

    start = (0, jnp.zeros(shape, dtype), key, jnp.zeros(shape, types.float32))
    return lax.while_loop(unfinished, body, start)[1] - 1


def _poisson_rejection(key: Array, lam: Array, shape: tuple[int, ...], dtype: Any, limit: int) -> Array:
    """Hörmann's transformed rejection with squeeze (PTRS, 1993)."""
    log_lam = lax.log(lam)
    b = 0.931 + 2.53 * lax.sqrt(lam)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    v_r = 0.9277 - 3.6224 / (b - 2)

    def body(carry: Any) -> Any:
        i, k_out, accepted, key = carry
        key, first, second = keys_of(key, 3)
        u = uniform(first, shape, lam.dtype) - 0.5
        v = uniform(second, shape, lam.dtype)
        shifted = 0.5 - abs(u)
        k = lax.floor((2 * a / shifted + b) * u + lam + 0.43)
        s = lax.log(v * inverse_alpha / (a / (shifted * shifted) + b))
        level = -lam + k * log_lam - lax.lgamma(k + 1)
        quick = (shifted >= 0.07) & (v <= v_r)
        reject = (k < 0) | ((shifted < 0.013) & (v > shifted))
        accept = quick | (~reject & (s <= level))
        return i + 1, lax.select(accept, k, k_out), accepted | accept, key

    def unfinished(carry: Any) -> Array:
        i, _, accepted, _ = carry
        return _some(~accepted) & (i < limit)

    start = (0, jnp.full(shape, -1, lam.dtype), jnp.full(shape, False), key)
    return lax.while_loop(unfinished, body, start)[1].astype(dtype)


@jitted("shape", "dtype", name="_poisson")
def poisson_counts(key: Array, lam: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    """Poisson counts of mean `lam`."""
    rate = jnp.broadcast_to(lax.convert_element_type(lam, types.float32), shape)
    limit = types.iinfo(dtype).max
    small = jnp.isnan(rate) | (rate < 10)
    knuth = lax.select(small, rate, lax.full_like(rate, 0.0))
    large = lax.select(small, lax.full_like(rate, 1e5), rate)
    result = lax.select(
        small,
        _poisson_knuth(key, knuth, shape, dtype, limit),
        _poisson_rejection(key, large, shape, dtype, limit),
    )
    return lax.select(rate == 0, jnp.zeros_like(result), result)


def _stirling_tail(k: Array) -> Array:
    """log k! minus Stirling's approximation, tabulated up to 9."""
    table = jnp.array(
        [
            0.0810614667953272,
            0.0413406959554092,
            0.0276779256849983,
            0.02079067210376509,
            0.0166446911898211,
            0.0138761288230707,
            0.0118967099458917,
            0.0104112652619720,
            0.00925546218271273,
            0.00833056343336287,
        ],
        k.dtype,
    )
    small = k <= 9
    clipped = lax.clamp(jnp.zeros_like(k), k, jnp.full_like(k, 9.0))
    square = (clipped + 1) * (clipped + 1)
    series = (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (clipped + 1)
    return lax.select(small, table[lax.floor(clipped).astype(types.int32)], series)


def _binomial_inversion(key: Array, count: Array, prob: Array) -> Array:
    """Add geometric waiting times until they exceed the number of trials."""
    log1mp = lax.log1p(-prob)

    def body(carry: Any) -> Any:
        i, trials, total, key = carry
        sub, key = keys_of(key)
        trials = lax.select(total <= count, trials + 1, trials)
        u = uniform(sub, prob.shape, prob.dtype)
        return i + 1, trials, total + lax.ceil(lax.log(u) / log1mp), key

    def unfinished(carry: Any) -> Array:
        i, _, total, _ = carry
        return _some(total <= count) & (i < _MAX_ROUNDS)

    start = (0, jnp.zeros_like(prob), jnp.zeros_like(prob), key)
    return lax.while_loop(unfinished, body, start)[1] - 1


def _binomial_rejection(key: Array, count: Array, prob: Array) -> Array:
    """Hörmann's BTRS (1993)."""
    deviation = lax.sqrt(count * prob * (1 - prob))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * prob
    c = count * prob + 0.5
    v_r = 0.92 - 4.2 / b
    r = prob / (1 - prob)
    alpha = (2.83 + 5.1 / b) * deviation
    m = lax.floor((count + 1) * prob)

    def body(carry: Any) -> Any:
        i, k_out, accepted, key = carry
        key, first, second = keys_of(key, 3)
        u = uniform(first, prob.shape, prob.dtype)
        v = uniform(second, prob.shape, prob.dtype)
        u = u - 0.5
        us = 0.5 - abs(u)
        quick = (us >= 0.07) & (v <= v_r)
        k = lax.floor((2 * a / us + b) * u + c)
        reject = (k < 0) | (k > count)
        level = lax.log(v * alpha / (a / (us * us) + b))
        bound = (
            (m + 0.5) * lax.log((m + 1) / (r * (count - m + 1)))
            + (count + 1) * lax.log((count - m + 1) / (count - k + 1))
            + (k + 0.5) * lax.log(r * (count - k + 1) / (k + 1))
            + _stirling_tail(m)
            + _stirling_tail(count - m)
            - _stirling_tail(k)
            - _stirling_tail(count - k)
        )
        accept = quick | (~reject & (level <= bound))
        return i + 1, lax.select(accept, k, k_out), accepted | accept, key

    def unfinished(carry: Any) -> Array:
        i, _, accepted, _ = carry
        return _some(~accepted) & (i < _MAX_ROUNDS)

    start = (0, jnp.full_like(prob, -1), jnp.full(prob.shape, False), key)
    return lax.while_loop(unfinished, body, start)[1]


@jitted("shape", "dtype", name="_binomial")
def binomial_counts(key: Array, n: Any, p: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    """Binomial counts; NaN where the parameters are invalid."""
    (chance,) = promote_dtypes_inexact(p)  # Counted in its type.
    trials = jnp.broadcast_to(lax.convert_element_type(n, chance.dtype), shape)
    chance = jnp.broadcast_to(chance, shape)
    rare = chance < 0.5
    q = lax.select(rare, chance, 1 - chance)
    bad_count = jnp.isnan(trials) | (trials < 0)
    infinite = jnp.isinf(trials)
    q_nan, q_low = jnp.isnan(q), q < 0
    q = lax.select(q_nan | q_low, jnp.full_like(q, 0.01), q)
    by_inversion = bad_count | (trials * q <= 10)
    count = lax.floor(trials)
    few = lax.select(by_inversion, count, jnp.zeros_like(count))
    many = lax.select(by_inversion, jnp.full_like(count, 1e4), count)
    q_many = lax.select(by_inversion, jnp.full_like(q, 0.5), q)
    samples = lax.select(
        by_inversion, _binomial_inversion(key, few, q), _binomial_rejection(key, many, q_many)
    )
    invalid = q_low | q_nan | bad_count
    samples = lax.select(invalid, jnp.full_like(samples, jnp.nan), samples)
    samples = lax.select(infinite & ~invalid, jnp.full_like(samples, jnp.inf), samples)
    as_is = rare | bad_count | q_nan | infinite
    return lax.convert_element_type(lax.select(as_is, samples, count - samples), dtype)


def multinomial_counts(
    key: Array, n: Array, p: Array, shape: tuple[int, ...], dtype: Any, unroll: int
) -> Array:
    """Multinomial counts over the last axis."""
    chances = jnp.broadcast_to(*promote_dtypes_inexact(p), shape)
    left = jnp.broadcast_to(lax.convert_element_type(n, dtype), shape[:-1])
    rest = jnp.cumsum(chances[..., ::-1], axis=-1)[..., ::-1]
    ratios = jnp.moveaxis(jnp.clip(chances / jnp.where(rest == 0, 1, rest), 0, 1), -1, 0)

    def step(remaining: Array, ratio_and_key: Any) -> Any:
        ratio, own = ratio_and_key
        drawn = binomial_counts(own, remaining, ratio, shape=remaining.shape, dtype=dtype)
        return remaining - drawn, drawn

    counts = lax.scan(step, left, (ratios, split(key, ratios.shape[0])), unroll=unroll)[1]
    return jnp.moveaxis(counts, 0, -1)
