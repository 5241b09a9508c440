"""``jax.experimental.random``: a generator with a state gives JAX's numbers, in the same order."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as ours

jax = pytest.importorskip("jax")

ALIKE = (
    "r.random(), r.normal(size=(2,)), r.uniform(0, 2, size=2), r.integers(0, 10, size=3), r.random((2, 2))",
    "r.uniform(jnp.array([0.0, 1.0]), 5.0), r.normal(jnp.zeros(3), 2), r.integers(5), r.normal(dtype='float16')",
    "jax.random.key_data(r.key()), jax.random.key_data(r.key((2,))), r.random()",
    "jax.jit(lambda r: r.random())(r), r.random(), jax.jit(lambda: r.normal())(), r.random()",
    "jax.vmap(lambda r: r.random())(r.split(3)), r.random()",
    "[child.random() for child in r.spawn(2)], r.random(), stateful_rng(3, impl='rbg').random()",
    "r.split(3).random()",
)


def outcome(module: Any, expression: str) -> Any:
    stateful_rng = importlib.import_module(f"{module.__name__}.experimental.random").stateful_rng
    names = {"jax": module, "jnp": module.numpy, "stateful_rng": stateful_rng, "r": stateful_rng(3)}
    try:
        return module.tree.map(np.asarray, eval(expression, names))
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("expression", ALIKE)
def test_the_numbers_are_those_of_jax(expression: str) -> None:
    mine, theirs = outcome(ours, expression), outcome(jax, expression)

    assert ours.tree.structure(mine) == ours.tree.structure(theirs)
    for left, right in zip(ours.tree.leaves(mine), ours.tree.leaves(theirs), strict=True):
        if isinstance(right, str):
            assert left == right
        else:
            assert left.dtype == right.dtype
            np.testing.assert_allclose(left, right, rtol=1e-5)


def test_without_a_seed_the_numbers_are_others_each_time() -> None:
    stateful_rng = importlib.import_module("tracetrap.runtime.experimental.random").stateful_rng

    assert float(stateful_rng().random()) != float(stateful_rng().random())
