"""Keys of four words: ``rbg``, whose keys Threefry makes from their halves, and ``unsafe_rbg``, which draws them too.

Their bits are those of XLA's generator, under `vmap` too: there all are drawn from the first key.
"""

from __future__ import annotations

import math

from .. import lax
from ..core import Array
from ..dtypes import KEY_URBG
from ..primitives import random as primitives


def _words(key: Array) -> Array:
    return primitives.random_unwrap_p.bind(key)


def doubled(key: Array, tag: str) -> Array:
    """A Threefry key twice."""
    words = _words(key)
    return primitives.random_wrap_p.bind(lax.concatenate([words, words], words.ndim - 1), impl=tag)


def _halves(key: Array) -> Array:
    """Two Threefry keys."""
    return primitives.random_wrap_p.bind(lax.reshape(_words(key), (2, 2)), impl="fry")


def _joined(words: Array, shape: tuple[int, ...], tag: str) -> Array:
    return primitives.random_wrap_p.bind(lax.reshape(words, (*shape, 4)), impl=tag)


def split(key: Array, shape: tuple[int, ...]) -> Array:
    """New keys from one."""
    if key.dtype is KEY_URBG:
        # One draw in ten is a key, which stands for a hash function.
        _, drawn = lax.rng_bit_generator(_words(key), (10 * math.prod(shape), 4))
        return _joined(drawn[::10], shape, "urbg")
    halves = _words(primitives.random_split_p.bind(_halves(key), shape=shape))
    return _joined(lax.transpose(halves, (*range(1, len(shape) + 1), 0, len(shape) + 1)), shape, "rbg")


def fold_in(key: Array, message: Array) -> Array:
    """A new key from a key and an integer."""
    if key.dtype is KEY_URBG:
        seeded = doubled(primitives.random_seed_p.bind(message, impl="fry"), "urbg")
        _, drawn = lax.rng_bit_generator(_words(seeded), (10, 4))
        return _joined(_words(key) ^ drawn[-1], (), "urbg")
    halves = _halves(key)
    both = lax.broadcast(message, (2,))
    return _joined(_words(primitives.random_fold_in_p.bind(halves, both)), (), "rbg")


def bits(key: Array, bit_width: int, shape: tuple[int, ...]) -> Array:
    """Unsigned integers of so many bits."""
    return lax.rng_bit_generator(_words(key), shape, f"uint{bit_width}")[1]
