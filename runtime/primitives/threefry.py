"""The Threefry-2x32 counter-based generator in NumPy (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).

Keys are `uint32[..., 2]`. Counters follow JAX's partitionable layout: element i of a batch is the
64-bit number i, split in high and low words, so that every element depends on its own index only.
Where `jax_threefry_partitionable` is off, they follow JAX's older one, in which all words that are drawn
are counted, and a block holds a word of the first half beside one of the second.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..config import state

Words = np.ndarray[Any, np.dtype[np.uint32]]

_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY = np.uint32(0x1BD11BDA)


def threefry2x32(k0: Words, k1: Words, x0: Words, x1: Words) -> tuple[Words, Words]:
    """Twenty rounds of Threefry on the counter words x0, x1 under the key words k0, k1 (all broadcast)."""
    k0, k1, x0, x1 = np.broadcast_arrays(k0, k1, x0, x1)
    keys = (k0, k1, k0 ^ k1 ^ _PARITY)
    with np.errstate(over="ignore"):
        x0 = x0 + keys[0]
        x1 = x1 + keys[1]
        for group in range(5):
            for rotation in _ROTATIONS[group % 2]:
                x0 = x0 + x1
                x1 = (x1 << np.uint32(rotation)) | (x1 >> np.uint32(32 - rotation))
                x1 = x0 ^ x1
            x0 = x0 + keys[(group + 1) % 3]
            x1 = x1 + keys[(group + 2) % 3] + np.uint32(group + 1)
    return x0, x1


def counters(shape: tuple[int, ...]) -> tuple[Words, Words]:
    """High and low words of 0, 1, 2, ... laid out in `shape`."""
    size = int(np.prod(shape, dtype=np.int64))
    low = np.arange(size, dtype=np.uint64).reshape(shape)
    return (low >> np.uint64(32)).astype(np.uint32), low.astype(np.uint32)


def _spread(key: Words, shape: tuple[int, ...]) -> tuple[Words, Words]:
    """Both key words with as many trailing unit axes as `shape` has."""
    key = np.asarray(key)
    lead = key.shape[:-1] + (1,) * len(shape)
    return key[..., 0].reshape(lead), key[..., 1].reshape(lead)


def seed(data: np.ndarray[Any, Any]) -> Words:
    """The key of an integer seed: its high and low 32 bits (high is 0 for 32-bit seeds)."""
    data = np.asarray(data)
    wide = (
        data.astype(np.int64).view(np.uint64)
        if data.dtype.itemsize == 8
        else data.astype(np.uint32).astype(np.uint64)
    )
    high, low = (wide >> np.uint64(32)).astype(np.uint32), wide.astype(np.uint32)
    return np.stack([high, low], axis=-1)


def split(key: Words, shape: tuple[int, ...]) -> Words:
    """`shape` new keys for each key."""
    if not is_partitionable():
        return _counted(key, 2 * math.prod(shape)).reshape((*np.shape(key)[:-1], *shape, 2))
    high, low = counters(shape)
    return np.stack(threefry2x32(*_spread(key, shape), high, low), axis=-1)


def fold_in(key: Words, data: np.ndarray[Any, Any]) -> Words:
    """A new key from each key and a 32-bit integer."""
    data = np.asarray(data).astype(np.uint32)
    high, low = np.zeros_like(data), data
    return np.stack(threefry2x32(key[..., 0], key[..., 1], high, low), axis=-1)


def random_bits(key: Words, bit_width: int, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Uniform unsigned integers of 8, 16, 32 or 64 bits, of shape `key.shape[:-1] + shape`."""
    if not is_partitionable():
        return _counted_bits(key, bit_width, math.prod(shape)).reshape((*np.shape(key)[:-1], *shape))
    high, low = threefry2x32(*_spread(key, shape), *counters(shape))
    if bit_width == 64:
        return (high.astype(np.uint64) << np.uint64(32)) | low.astype(np.uint64)
    return (high ^ low).astype(f"uint{bit_width}")


def is_partitionable() -> bool:
    """Whether every element depends on its own index only, as compiled code has it."""
    return bool(state.values["jax_threefry_partitionable"])


def _counted(key: Words, count: int) -> Words:
    """`count` words for each key, in the older layout."""
    half = -(-count // 2)
    first = np.arange(half, dtype=np.uint32)
    second = np.where(first + half < count, first + np.uint32(half), np.uint32(0))
    return np.concatenate(threefry2x32(*_spread(key, (half,)), first, second), axis=-1)[..., :count]


def _counted_bits(key: Words, bit_width: int, size: int) -> np.ndarray[Any, Any]:
    words = -(-bit_width * size // 32)
    raw = _counted(key, words)
    if bit_width == 64:
        return (raw[..., :size].astype(np.uint64) << np.uint64(32)) | raw[..., size:].astype(np.uint64)
    shifts = np.arange(0, 32, bit_width, dtype=np.uint32)  # Narrow numbers are the parts of a word.
    parts = (raw[..., None] >> shifts).reshape(*raw.shape[:-1], words * len(shifts))
    return parts[..., :size].astype(f"uint{bit_width}")
