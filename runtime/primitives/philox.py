"""The Philox-4x32 counter-based generator (Salmon et al., 2011) as XLA draws from it, and its Threefry in this guise.

A state is four words: the key, and the low half of a counter whose high half is the key again.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .threefry import threefry2x32

Values = np.ndarray[Any, Any]

_MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_STEPS = (np.uint32(0x9E3779B9), np.uint32(0xBB67AE85))
_THREEFRY = 1


def _halves(wide: Values) -> tuple[Values, Values]:
    return (wide >> np.uint64(32)).astype(np.uint32), wide.astype(np.uint32)


def _product(word: Values, multiplier: np.uint64) -> tuple[Values, Values]:
    return _halves(word.astype(np.uint64) * multiplier)


def philox4x32(counter: list[Values], key: list[Any]) -> list[Values]:
    """Ten rounds on four words, under a key of two."""
    x0, x1, x2, x3 = counter
    k0, k1 = key
    with np.errstate(over="ignore"):
        for _ in range(10):
            (high0, low0), (high2, low2) = _product(x0, _MULTIPLIERS[0]), _product(x2, _MULTIPLIERS[1])
            x0, x1, x2, x3 = high2 ^ x1 ^ k0, low2, high0 ^ x3 ^ k1, low0
            k0, k1 = k0 + _STEPS[0], k1 + _STEPS[1]
    return [x0, x1, x2, x3]


def generate(state: Values, *, shape: tuple[int, ...], dtype: Any, algorithm: Any) -> list[Values]:
    """The next state, and random bits: narrow types take the low bits of a word, wide ones two words."""
    words = np.ascontiguousarray(state).view(np.uint32)
    width = np.dtype(str(dtype)).itemsize
    size = math.prod(shape) * (2 if width == 8 else 1)
    draw, block = (_threefry, 2) if int(algorithm) == _THREEFRY else (_philox, 4)
    bits = draw(words, -(-size // block))[:size]
    following = words.copy()
    following[2:].view(np.uint64)[0] += np.uint64(-(-size // block))
    out = bits.view(np.uint64) if width == 8 else bits.astype(f"uint{8 * width}")
    return [following.view(state.dtype), out.reshape(shape)]


def _philox(words: Values, blocks: int) -> Values:
    low = words[2:].view(np.uint64)[0] + np.arange(blocks, dtype=np.uint64)
    high = words[:2].view(np.uint64)[0] + (low < words[2:].view(np.uint64)[0]).astype(np.uint64)
    (low_high, low_low), (high_high, high_low) = _halves(low), _halves(high)
    return np.stack(philox4x32([low_low, low_high, high_low, high_high], [words[0], words[1]]), -1).ravel()


def _threefry(words: Values, blocks: int) -> Values:
    high, low = _halves(words[2:].view(np.uint64)[0] + np.arange(blocks, dtype=np.uint64))
    return np.stack(threefry2x32(words[0], words[1], low, high), -1).ravel()
