"""Sums of many elements round as they do in JAX: in the same blocks, and in the types that it takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")

DTYPES = ["float32", "float16", "bfloat16"]
EXPRESSIONS = (
    "jnp.cumsum(x)", "jax.lax.cumsum(x, reverse=True)", "jnp.cumprod(1 + x / 8)", "jnp.cumsum(x.reshape(30, 20), 0)",
    "jnp.zeros(3, x.dtype).at[i].add(x)", "jax.ops.segment_sum(x, i, 3)", "jnp.ones(3, x.dtype).at[i].multiply(1 - x / 64)",
    "jnp.histogram(x, 3)[0]", "jax.lax.associative_scan(jnp.add, x)", "jnp.cumsum(x[:0])", "jnp.cumsum(-0.0 * x)",
)  # fmt: skip


def evaluated(module: Any, expression: str, dtype: str) -> Any:
    jnp = module.numpy
    rng = np.random.default_rng(0)
    x = jnp.array(rng.uniform(0, 2, 600), dtype)
    return eval(expression, {"jax": module, "jnp": jnp, "x": x, "i": jnp.array(rng.integers(0, 2, 600))})


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_values_of_jax(expression: str, dtype: str) -> None:
    mine, theirs = (np.asarray(evaluated(module, expression, dtype), np.float32) for module in (runtime, jax))
    np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_array_equal(np.signbit(mine), np.signbit(theirs))


def test_a_function_that_is_an_addition() -> None:
    """It is a sum, which halves would not reach one after the other."""
    lax, jnp = runtime.lax, runtime.numpy
    x = jnp.full(4096, 1.5, jnp.bfloat16)
    for addition in (lax.add, lambda a, b: a + b, lambda a, b: jnp.add(b, a)):
        assert lax.reduce(x, jnp.zeros((), x.dtype), addition, (0,)) == 6144
