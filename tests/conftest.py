"""What all tests share."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def little_left_behind() -> Iterator[None]:
    """Programs that JAX has compiled for a file are let go, and the garbage collector passes over what stays.

    Else a run takes gigabytes, and each of JAX's searches for leaked tracers seconds.
    """
    yield
    jax = sys.modules.get("jax")
    if jax is not None:
        jax.clear_caches()
    gc.collect()
    gc.freeze()
