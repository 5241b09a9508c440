"""Library functions called again and again outside of traces: the same results, types and errors each time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
import tracetrap.runtime.numpy as jnp

V = jnp.arange(6.0) - 2.5
M = jnp.arange(6.0).reshape(2, 3)
I = jnp.arange(6)

CALLS: dict[str, Callable[[], Any]] = {
    "sum": lambda: jnp.sum(V),
    "sum over an axis": lambda: M.sum(axis=0, keepdims=True),
    "sum of integers": lambda: jnp.sum(I > 2),
    "mean": lambda: jnp.mean(M, 1),
    "where": lambda: jnp.where(V > 0, V, 0.0),
    "clip": lambda: jnp.clip(V, -1, 1),
    "matmul": lambda: M @ M.T,
    "dot": lambda: jnp.dot(M, M[0]),
    "argmax": lambda: jnp.argmax(V),
    "softmax": lambda: jax.nn.softmax(V),
    "silu of bfloat16": lambda: jax.nn.silu(jnp.linspace(-9, 9, 99).astype("bfloat16")),
    "relu": lambda: jax.nn.relu(V),
    "many results": lambda: jnp.unique(I, return_counts=True),
    "dtype": lambda: jnp.sum(V, dtype=jnp.int32),
}


def leaves(result: Any) -> list[Any]:
    return [
        (np.asarray(leaf).tobytes(), leaf.shape, str(leaf.dtype), leaf.weak_type)
        for leaf in jax.tree.leaves(result)
    ]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_every_call_gives_the_same(call: Callable[[], Any]) -> None:
    first = leaves(call())

    assert [leaves(call()) for _ in range(4)] == [first] * 4


def test_scalars_of_other_values_and_types_give_other_results() -> None:
    results = [[jnp.where(V > 9, V, scalar) for scalar in (0.0, -0.0, 1.0, 1, True)] for _ in range(4)]

    for row in results:
        assert [str(r.dtype) for r in row] == ["float32"] * 5
        assert [float(r[0]) for r in row] == [0.0, 0.0, 1.0, 1.0, 1.0]
        assert [bool(jnp.signbit(r[0])) for r in row] == [False, True, False, False, False]


def test_other_values_of_the_same_kind_are_computed_anew() -> None:
    for scale in range(5):
        assert float(jnp.sum(V * scale)) == scale * 0.0 + scale * float(np.sum(np.arange(6.0) - 2.5))
        assert jnp.max(M + scale) == 5 + scale


def test_errors_are_raised_each_time() -> None:
    for _ in range(4):
        with pytest.raises(ValueError, match="out of bounds"):
            jnp.sum(V, axis=3)
        with pytest.raises(TypeError):
            jnp.dot(M, M)


def test_a_deleted_array_is_an_error() -> None:
    for _ in range(3):
        x = jnp.ones(3)
        assert jnp.sum(x) == 3
    x.delete()

    with pytest.raises(RuntimeError, match="deleted"):
        jnp.sum(x)


def test_a_configuration_of_its_own_has_recordings_of_its_own() -> None:
    for _ in range(3):
        assert jnp.sum(jnp.asarray([1, 2])).dtype == "int32"
        with jax.enable_x64(True):
            for _ in range(3):
                assert jnp.sum(jnp.asarray([1, 2])).dtype == "int64"


def test_nan_is_reported_where_it_arises() -> None:
    for _ in range(3):
        jnp.sum(V / 2)
    with jax.debug_nans(True), pytest.raises(FloatingPointError):
        jnp.sum(jnp.asarray([1.0, np.nan]))
