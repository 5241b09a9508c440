"""What XLA rewrites before it compiles, where it can be seen: in overflows, infinities, and roundings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as ours

jax = pytest.importorskip("jax")

A, B, C = (
    np.array([1e30, 1e30, -2.0, 3.0, 0.0, 1.0], np.float32),
    np.array([1e30, 1e-20, 3.0, -7.0, 0.0, np.inf], np.float32),
    np.float32(1e30),
)

COMPILED = [
    "a / b / c",
    "a / (b / c)",
    "(a / b) / (c / b)",
    "a * 1e30 * 1e-30",
    "1e30 * a * b * 1e-30",
    "a + 1e8 - 1e8",
    "1e8 - a + 1e8",
    "1e8 + (a - 1e8)",
    "a * np.arange(1.0, 7) / np.arange(7.0, 1, -1)",
    "jnp.log(a ** b)",
    "jnp.log(a ** 2.0)",
    "jnp.copysign(1, jnp.array([-0.0, 0.0]) * a[1] + 0.0)",
]
AT_ONCE = ["a / 3.7", "a / c", "(a[:, None] / b)[1:3, 2:4]", "jnp.array([-jnp.inf, -1, 4]) ** 0.5"]


def _result(library: Any, program: str, transform: Any) -> Any:
    scope = {"jnp": library.numpy, "np": np}
    return np.asarray(
        transform(eval(f"lambda a, b, c: {program}", scope))(*map(library.numpy.asarray, (A, B, C)))
    )


@pytest.mark.parametrize("program", [*COMPILED, *AT_ONCE])
def test_compiled_programs_overflow_where_jaxs_do(program: str) -> None:
    np.testing.assert_allclose(
        _result(ours, program, ours.jit), _result(jax, program, jax.jit), rtol=1e-6, atol=1.2e-38
    )


@pytest.mark.parametrize("program", AT_ONCE)
def test_quotients_and_powers_outside_of_programs_have_jaxs_bits(program: str) -> None:
    np.testing.assert_array_equal(_result(ours, program, lambda f: f), _result(jax, program, lambda f: f))
