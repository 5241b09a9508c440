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
    "jnp.histogram(x, 3)[0]", "jax.lax.associative_scan(jnp.add, x[:20])", "jnp.cumsum(x[:0])", "jnp.cumsum(-0.0 * x)",
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


#: What is written is not cut off before it is combined: both are converted to their common type, and the result back.
UPDATES = (
    "jnp.ones(3, t).at[i].add(1.7)", "jnp.ones(3, t).at[i].multiply(np.float32(1.7))", "jnp.ones(3, t).at[i].divide(1.7)",
    "jnp.ones(3, t).at[i].max(np.array([300, 2, -1]))", "jnp.full(3, 101, t).at[i].set(1.5)", "jnp.ones(3, t).at[i].subtract(1)",
)  # fmt: skip
ZEROS = (
    "jnp.sum(z)", "jnp.sum(z[:, None], 1)", "jax.jit(jnp.sum)(z)", "jax.jit(lambda x: x[:, None].sum(1))(z)", "jnp.zeros((3, 0)).sum(1)",
    "jax.jit(lambda x: x.sum(1))(jnp.zeros((3, 0)))", "jax.jit(jnp.matmul)(jnp.zeros((2, 0)), jnp.zeros((0, 2)))", "jnp.mean(z)",
)  # fmt: skip
EMPTY = (
    "jax.jvp(lambda x: jnp.sort(x), (jnp.zeros((2, 0)),), (jnp.zeros((2, 0)),))[1]", "jnp.cumsum(jnp.float32(1), axis=0)",
    "jnp.cumsum(1.0, axis=0)", "jnp.cumsum(jnp.float32(1))", "jnp.unique(jnp.zeros(0), size=2)",
    "jnp.unique(jnp.zeros(0), size=2, fill_value=3)",
)  # fmt: skip


def outcome(module: Any, expression: str, **names: Any) -> Any:
    """Type, values and signs of a result, or the class of the error."""
    jnp = module.numpy
    scope = {"jax": module, "jnp": jnp, "np": np, "i": jnp.array([0, 0, 1]), "z": jnp.array([-0.0, -0.0])}
    try:
        result = eval(expression, {**scope, **names})
    except Exception as error:
        return type(error)
    values = np.asarray(result)
    return (
        str(result.dtype),
        result.weak_type,
        values.tolist(),
        np.signbit(values.astype(np.float32)).tolist(),
    )


@pytest.mark.filterwarnings("ignore:scatter inputs have incompatible types")
@pytest.mark.parametrize("expression", UPDATES)
def test_updates_of_another_type(expression: str) -> None:
    for dtype in ("int8", "uint8", "int32", "float16", "bfloat16", "bool"):
        results = [outcome(module, expression, t=dtype) for module in (runtime, jax)]
        assert results[0] == results[1], dtype


@pytest.mark.parametrize("expression", [*ZEROS, *EMPTY])
def test_zeros_and_nothing(expression: str) -> None:
    mine, theirs = (outcome(module, expression) for module in (runtime, jax))
    assert mine == theirs
