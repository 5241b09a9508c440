"""The Threefry-2x32 counter-based generator in NumPy (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).

Keys are `uint32[..., 2]`. Counters follow JAX's partitionable layout: element i of a batch is the
64-bit number i, split in high and low words, so that every element depends on its own index only.
"""

from __future__ import annotations

from typing import Any

import numpy as np

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
    high, low = counters(shape)
    return np.stack(threefry2x32(*_spread(key, shape), high, low), axis=-1)


def fold_in(key: Words, data: np.ndarray[Any, Any]) -> Words:
    """A new key from each key and a 32-bit integer."""
    data = np.asarray(data).astype(np.uint32)
    high, low = np.zeros_like(data), data
    return np.stack(threefry2x32(key[..., 0], key[..., 1], high, low), axis=-1)


def random_bits(key: Words, bit_width: int, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Uniform unsigned integers of 8, 16, 32 or 64 bits, of shape `key.shape[:-1] + shape`."""
    high, low = threefry2x32(*_spread(key, shape), *counters(shape))
    if bit_width == 64:
        return (high.astype(np.uint64) << np.uint64(32)) | low.astype(np.uint64)
    return (high ^ low).astype(f"uint{bit_width}")
