"""The basic distributions: bits, uniform, normal, integers, permutations, choices."""

from __future__ import annotations

import math
import operator
from typing import Any

from .. import lax
from ..core import Array
from ..dtypes import TypePromotionError
from ..lax import types
from ..numpy.promotion import (
    asarray,
    broadcast_together,
    canonical_axis,
    canonical_shape,
    check_arraylike,
    concrete,
    jitted,
    like,
)
from .keys import check_key, random_bits, split


def float_type(name: str, dtype: Any, *parameters: Any) -> Any:
    """The floating type of a sampler. Raises ValueError for other types, and where it does not hold the parameters."""
    found = types.float_default() if dtype is None else types.canonical(dtype)
    if found.kind not in "fc" or (found.kind == "c" and name != "normal"):
        kinds = "float or complex" if name in ("normal", "lognormal") else "float"
        raise ValueError(f"dtype argument to `{name}` must be a {kinds} dtype, got {found}")
    for parameter in parameters:
        if types.result_type(parameter, found) != found:
            raise TypePromotionError(
                f"In arguments to {name}, cannot safely cast argument of type {types.dtype(parameter)} to {found}"
            )
    return found


def typed_key(name: str, key: Any) -> Array:
    """The key of a sampler as a typed key."""
    return check_key(name, key)[0]


def shape_or(shape: Any, *parameters: Any) -> tuple[int, ...]:
    """The shape of the samples: as given, or that of the parameters. Raises ValueError when they do not fit."""
    own = lax.broadcast_shapes(*(types.shape(p) for p in parameters))
    if shape is None:
        return own
    found = sample_shape(shape)
    if lax.broadcast_shapes(found, own) != found:
        raise ValueError(
            f"shape parameter {found} must be broadcast-compatible with the parameters' shape {own}"
        )
    return found


def sample_shape(shape: Any) -> tuple[int, ...]:
    """The shape argument of a sampler: integers, never an array. Raises TypeError for one."""
    if isinstance(shape, Array):
        raise TypeError(f"Shapes must be 1D sequences of concrete values of integer type, got {shape}.")
    return canonical_shape(shape)


def keys_of(key: Array, count: int = 2) -> list[Array]:
    """Independent typed keys."""
    both = split(key, count)
    return [both[i] for i in range(count)]


def bits(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Uniform unsigned integers."""
    base = typed_key("bits", key)
    found = types.uint_default() if dtype is None else types.canonical(dtype)
    if found.kind != "u":
        raise ValueError(f"dtype argument to `bits` must be an unsigned int dtype, got {found}")
    return random_bits(base, found.itemsize * 8, sample_shape(shape))


def uniform(
    key: Any,
    shape: Any = (),
    dtype: Any = None,
    minval: Any = 0.0,
    maxval: Any = 1.0,
    *,
    out_sharding: Any = None,
) -> Array:
    """Uniform samples in [minval, maxval)."""
    base = typed_key("uniform", key)
    found = float_type("uniform", dtype)
    return _uniform(base, minval, maxval, shape=sample_shape(shape), dtype=found)


@jitted("shape", "dtype")
def _uniform(key: Array, minval: Any, maxval: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    low, high = (lax.convert_element_type(v, dtype) for v in (minval, maxval))
    low, high = (lax.broadcast_to_rank(v, len(shape)) for v in (low, high))
    info = types.FloatInfo(dtype)
    width, mantissa = info.bits, info.nmant
    # bfloat16 has too few mantissa bits of its own: the draw is made of 8 random bits.
    raw_width = 8 if mantissa < 8 else width
    raw = random_bits(key, raw_width, shape)
    if raw_width != width:
        raw = lax.convert_element_type(raw, types.canonical(f"uint{width}"))
    exponent = int(info.maxexp - 1) << mantissa
    floats = lax.bitwise_or(
        lax.shift_right_logical(raw, like(raw, raw_width - mantissa)), like(raw, exponent)
    )
    fraction = lax.sub(lax.bitcast_convert_type(floats, dtype), lax.full_like(low, 1, shape=()))
    scaled = lax.add(lax.mul(fraction, lax.sub(high, low)), low)
    return lax.max(low, lax.reshape(scaled, shape))


def randint(
    key: Any, shape: Any, minval: Any, maxval: Any, dtype: Any = None, *, out_sharding: Any = None
) -> Array:
    """Uniform integers in [minval, maxval)."""
    base = typed_key("randint", key)
    found = types.int_default() if dtype is None else types.canonical(dtype)
    if found.kind not in "iu":
        raise TypeError(f"randint only accepts integer dtypes, got {found}")
    sampled = found
    if found.itemsize < 4:  # Few bits would make biased samples.
        sampled, info = types.canonical("int32"), types.iinfo(found)
        minval = asarray(minval).astype(sampled).clip(info.min, info.max)
        maxval = asarray(maxval).astype(sampled).clip(info.min, info.max + 1)
    minval, maxval = (
        bound if types.dtype(bound).kind in "iu" else asarray(bound).astype(types.int_default())
        for bound in (minval, maxval)
    )
    return _randint(base, minval, maxval, shape=sample_shape(shape), dtype=sampled).astype(found)


@jitted("shape", "dtype")
def _randint(key: Array, minval: Any, maxval: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    from ..numpy.selection import clip

    info = types.iinfo(dtype)
    top = lax.convert_element_type(clip(asarray(info.max), *_limits(maxval)), types.dtype(asarray(maxval)))
    beyond = lax.gt(asarray(maxval), top)
    low = lax.convert_element_type(clip(asarray(minval), *_within(info, minval)), dtype)
    high = lax.convert_element_type(clip(asarray(maxval), *_within(info, maxval)), dtype)
    low, high, beyond = (lax.broadcast_to_rank(v, len(shape)) for v in (low, high, beyond))
    first, second = keys_of(key)
    width = dtype.itemsize * 8
    higher, lower = (random_bits(k, width, shape) for k in (first, second))
    unsigned = types.canonical(f"uint{width}")
    span = lax.convert_element_type(lax.sub(high, low), unsigned)
    # An empty range gives minval; a maxval beyond the type includes the largest value.
    span = lax.select(lax.le(high, low), lax.full_like(span, 1), span)
    grow = lax.bitwise_and(beyond, lax.gt(high, low))
    span = lax.select(grow, lax.add(span, like(span, 1)), span)
    half = lax.rem(lax.full_like(span, 1 << (width // 2)), span)
    multiplier = lax.rem(lax.mul(half, half), span)
    offset = lax.rem(lax.add(lax.mul(lax.rem(higher, span), multiplier), lax.rem(lower, span)), span)
    return lax.add(low, lax.convert_element_type(offset, dtype))


def _limits(value: Any) -> tuple[int, int]:
    info = types.iinfo(types.dtype(asarray(value)))
    return info.min, info.max


def _within(info: Any, value: Any) -> tuple[int, int]:
    low, high = _limits(value)
    return max(info.min, low), min(info.max, high)


def normal(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Standard normal samples; complex ones have unit variance."""
    base = typed_key("normal", key)
    found = float_type("normal", dtype)
    return _normal(base, shape=sample_shape(shape), dtype=found)


@jitted("shape", "dtype")
def _normal(key: Array, *, shape: tuple[int, ...], dtype: Any) -> Array:
    if dtype.kind == "c":
        part = types.real_of(dtype)
        first, second = keys_of(key)
        z = lax.complex(
            _normal_real(first, shape=shape, dtype=part), _normal_real(second, shape=shape, dtype=part)
        )
        return lax.div(z, like(z, math.sqrt(2)))
    return _normal_real(key, shape=shape, dtype=dtype)


@jitted("shape", "dtype")
def _normal_real(key: Array, *, shape: tuple[int, ...], dtype: Any) -> Array:
    # The largest number above -1: the inverse error function of -1 itself is infinite.
    low = -1 + types.FloatInfo(dtype).eps / 2
    u = uniform(key, shape, dtype, low, 1.0)
    return lax.mul(like(u, math.sqrt(2)), lax.erf_inv(u))


def bernoulli(
    key: Any, p: Any = 0.5, shape: Any = None, mode: str = "low", *, out_sharding: Any = None
) -> Array:
    """True with probability p."""
    if mode not in ("high", "low"):
        raise ValueError(f"got {mode=}, expected 'high' or 'low'")
    base = typed_key("bernoulli", key)
    if types.dtype(p).kind != "f":
        raise TypeError(f"bernoulli probability `p` must have a floating dtype, got {types.dtype(p)}.")
    found = shape_or(shape, p)
    return _bernoulli(base, p, shape=found, mode=mode)


@jitted("shape", "mode")
def _bernoulli(key: Array, p: Any, *, shape: tuple[int, ...], mode: str) -> Array:
    from ..numpy.ufuncs import less

    found = types.dtype(p)
    if mode == "high":
        first, second = keys_of(key)
        u1, u2 = (uniform(k, shape, found) for k in (first, second))
        return less(lax.mul(u2, like(u2, types.FloatInfo(found).eps)), lax.sub(*_same(p, u1)))
    return less(uniform(key, shape, found), p)


def _same(x: Any, y: Any) -> list[Any]:
    return broadcast_together(asarray(x), y)


def exponential(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Exponential samples of rate 1."""
    found = float_type("exponential", dtype)
    return _exponential(typed_key("exponential", key), shape=sample_shape(shape), dtype=found)


@jitted("shape", "dtype")
def _exponential(key: Array, *, shape: tuple[int, ...], dtype: Any) -> Array:
    return lax.neg(lax.log1p(lax.neg(uniform(key, shape, dtype))))


def gumbel(
    key: Any, shape: Any = (), dtype: Any = None, mode: str | None = None, *, out_sharding: Any = None
) -> Array:
    """Standard Gumbel samples."""
    found = float_type("gumbel", dtype)
    mode = mode or "low"
    if mode not in ("highest", "high", "low"):
        raise ValueError(f"Must provide valid mode for gumbel got: {mode}")
    if mode == "highest":
        if found is types.float32:
            raise NotImplementedError(
                "jax.random.gumbel with mode='highest' is not available in this runtime"
            )
        mode = "high"
    return _gumbel(typed_key("gumbel", key), shape=sample_shape(shape), dtype=found, mode=mode)


@jitted("shape", "dtype", "mode")
def _gumbel(key: Array, *, shape: tuple[int, ...], dtype: Any, mode: str) -> Array:
    from ..numpy.selection import where

    info = types.FloatInfo(dtype)
    if mode == "high":
        both = uniform(key, (2, *shape), dtype)
        high, low = both[0], both[1]
        # Small numbers get more digits; large ones would be rounded up.
        u = where(high >= 0.5, high, high + info.eps * low + info.tiny)
        return lax.neg(lax.log(lax.neg(lax.log1p(lax.neg(u)))))
    return lax.neg(lax.log(lax.neg(lax.log(uniform(key, shape, dtype, info.tiny, 1.0)))))


def _shuffle(key: Array, x: Array, axis: int) -> Array:
    """Sort by random keys, often enough that ties do not bias the order."""
    rounds = math.ceil(3 * math.log(max(1, math.prod(x.shape))) / math.log(2**32 - 1))
    for _ in range(rounds):
        key, sub = keys_of(key)
        order = bits(sub, x.shape, types.uint32)
        _, x = lax.sort_key_val(order, x, axis)
    return x


@jitted("axis", name="_shuffle")
def _shuffled(key: Array, x: Array, axis: int) -> Array:
    return _shuffle(key, x, axis)


def permutation(
    key: Any, x: Any, axis: int = 0, independent: bool = False, *, out_sharding: Any = None
) -> Array:
    """A random order of the slices of an array, or of range(x)."""
    from ..numpy.selection import take

    base = typed_key("permutation", key)
    if types.shape(x) == ():
        if types.dtype(x).kind not in "iu":
            raise TypeError("x must be an integer or at least 1-dimensional")
        n = operator.index(concrete(x, "argument x of jax.random.permutation()"))
        return _shuffled(base, lax.iota(types.int_default(), n), axis=0)
    array = asarray(x)
    axis = canonical_axis(operator.index(axis), array.ndim)
    if bool(independent) or array.ndim == 1:
        return _shuffled(base, array, axis=axis)
    order = _shuffled(base, lax.iota(types.int_default(), array.shape[axis]), axis=0)
    return take(array, order, axis=axis, unique_indices=True)


def choice(
    key: Any,
    a: Any,
    shape: Any = (),
    replace: bool = True,
    p: Any = None,
    axis: int = 0,
    mode: str | None = None,
) -> Array:
    """Random elements of an array, or of range(a)."""
    from ..numpy.cumulative import cumsum
    from ..numpy.selection import take
    from ..numpy.shaping import broadcast_to
    from ..numpy.sorting import searchsorted

    base = typed_key("choice", key)
    check_arraylike("choice", a)
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    for n in sizes:
        if isinstance(n, Array):
            bool(n)
    found = sample_shape(shape)
    draws = math.prod(found)
    whole = types.shape(a) == ()
    if whole:
        n = int(concrete(a, "The error occurred in jax.random.choice()"))
    else:
        array = asarray(a)
        axis = canonical_axis(operator.index(axis), array.ndim)
        n = array.shape[axis]
    if n <= 0 and draws:
        raise ValueError("a must be greater than 0 unless no samples are taken")
    if not bool(replace) and draws > n:
        raise ValueError(
            f"Cannot take a larger sample (size {draws}) than population (size {n}) when 'replace=False'"
        )
    if p is None:
        if bool(replace):
            places = randint(base, found, 0, n)
            result = places if whole else take(array, places, axis=axis)
        else:
            source = permutation(base, n if whole else array, axis if not whole else 0)
            part = source[:draws] if whole else lax.slice_in_dim(source, 0, draws, axis=axis)
            result = part
    else:
        weights = asarray(p)
        if weights.shape != (n,):
            raise ValueError(
                f"p must be None or a 1D vector with the same size as a.shape[axis]. p has shape {weights.shape} and a.shape[axis] is {n}."
            )
        weights = lax.convert_element_type(weights, types.to_inexact(weights.dtype))
        if bool(replace):
            total = cumsum(weights)
            u = lax.sub(like(total, 1), uniform(base, found, weights.dtype))
            places = searchsorted(total, total[-1] * u)
            places = lax.convert_element_type(places, types.int_default())
        else:
            noise = gumbel(base, (n,), weights.dtype, mode)
            places = (
                lax.top_k(noise + lax.log(weights), draws)[1].reshape(found)
                if draws
                else lax.full(found, 0, types.int_default())
            )
            places = lax.convert_element_type(places, types.int_default())
        result = places if whole else take(array, places, axis=axis)
    final = found if whole else (*array.shape[:axis], *found, *array.shape[axis + 1 :])
    del broadcast_to
    return lax.reshape(result, final)


def categorical(
    key: Any,
    logits: Any,
    axis: int = -1,
    shape: Any = None,
    replace: bool = True,
    mode: str | None = None,
    *,
    out_sharding: Any = None,
) -> Array:
    """Indices drawn with the probabilities that logits describe, by the Gumbel trick."""
    from ..numpy.reductions import argmax
    from ..numpy.shaping import broadcast_to

    base = typed_key("categorical", key)
    values = asarray(logits)
    if isinstance(axis, Array):
        import numpy as np

        axis = int(np.asarray(axis))
    if not -values.ndim <= axis < values.ndim:
        raise IndexError(f"axis {axis} is out of bounds for logits of dimension {values.ndim}")
    axis %= values.ndim
    batch = tuple(n for d, n in enumerate(values.shape) if d != axis)
    found = batch if shape is None else sample_shape(shape)
    lead = found[: len(found) - len(batch)]
    if lax.broadcast_shapes(found, batch) != found:
        raise ValueError(f"shape {found} is not compatible with reference shape {batch}")
    if bool(replace):
        core = list(found[len(lead) :])
        core.insert(axis, values.shape[axis])
        noise = gumbel(base, (*lead, *core), values.dtype, mode)
        scores = (
            lax.add(noise, lax.expand_dims(values, tuple(range(len(lead)))) if lead else values)
            if not lead
            else noise + values
        )
        return argmax(scores, axis=axis + len(lead))
    scores = values + gumbel(base, values.shape, values.dtype, mode)
    k = math.prod(lead)
    if k > values.shape[axis]:
        raise ValueError(
            f"Number of samples without replacement ({k}) cannot exceed number of categories ({values.shape[axis]})."
        )
    from ..numpy.shaping import moveaxis

    _, places = lax.top_k(moveaxis(scores, axis, -1), k)
    result = moveaxis(places, -1, 0)
    return lax.convert_element_type(
        broadcast_to(lax.reshape(result, (*lead, *batch)), found), types.int_default()
    )
