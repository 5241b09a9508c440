"""Example calls of JAX functions, and the means to call them."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

jax = pytest.importorskip("jax")
jnp = jax.numpy

CALLS = Path(__file__).with_name("jax_calls.txt")


def arguments() -> dict[str, Any]:
    """The names that the calls use."""
    return {
        "jax": jax,
        "jnp": jnp,
        "f3": jnp.array([1.0, 2.0, 3.0]),
        "f4": jnp.array([1.0, 2.0, 3.0, 4.0]),
        "i3": jnp.array([0, 1, 2]),
        "u8": jnp.array([0, 1, 2], jnp.uint8),
        "b3": jnp.array([True, False, True]),
        "c3": jnp.array([1.0, 2.0, 3.0]) + 0j,
        "s": jnp.float32(1.5),
        "M33": jnp.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]]),
        "M22": jnp.array([[2.0, 1.0], [1.0, 3.0]]),
        "M13": jnp.array([[1.0, 2.0, 3.0]]),
        "T222": jnp.arange(8.0).reshape(2, 2, 2),
        "I": jnp.ones((1, 1, 3, 3)),
        "Kr": jnp.ones((1, 1, 1, 1)),
        "Q": jnp.ones((1, 2, 1, 2)),
        "key": jax.random.key(0),
        "rawkey": jax.random.PRNGKey(0),
        "td": jax.tree_util.tree_structure([1, 2]),
        "path": jax.tree_util.tree_flatten_with_path([1])[0][0][0],
    }


def found(name: str) -> Any:
    """The object with this dotted name."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:]:
            value = getattr(value, part)
        return value
    raise AssertionError(f"no module of {name}")


def calls(module: str) -> Iterator[str]:
    """The calls of functions of a module."""
    current = ""
    for line in CALLS.read_text().splitlines():
        if line.startswith("["):
            current = line.strip("[]")
        elif line and not line.startswith("#") and current == module:
            yield line


MODULES = [line.strip("[]") for line in CALLS.read_text().splitlines() if line.startswith("[")]


def traceable(value: Any) -> bool:
    """Whether a value can be an argument of `jit`, all of it: arrays with no flag beside them, or numbers."""
    leaves = jax.tree_util.tree_leaves(value)
    arrays = [isinstance(leaf, jax.Array) for leaf in leaves]
    return bool(leaves) and (
        all(arrays) or (not any(arrays) and all(isinstance(x, int | float | complex) for x in leaves))
    )
