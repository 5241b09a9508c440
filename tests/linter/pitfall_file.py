"""The file with one pitfall that many tests check."""

from __future__ import annotations

PITFALL = """\
import jax


@jax.jit
def conditional_double(x, threshold):
    if x > threshold:
        return x * 2
    return x
"""
