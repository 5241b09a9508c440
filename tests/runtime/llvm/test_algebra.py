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


@pytest.mark.parametrize(
    "call",
    [
        "jnp.dot(m, x)", "jnp.dot(x, m)", "jnp.vdot(m, x * 1j)", "jnp.stack([m, m]) @ x", "jnp.dot(m, x.astype('float16'))",
        "jax.jit(jnp.dot)(m, x)", "jax.jit(lambda x: jnp.dot((x > 2).astype(float), x))(x)", "jax.jit(lambda x: ~m * x)(x)",
        "jax.jit(lambda x: (x > 2) * x)(x)", "jax.vmap(jnp.dot)(m[None], x[None])", "jax.jvp(lambda x: m * x, (x,), (x,))[1]",
        "jax.grad(lambda x: (m * x * x).sum())(x)", "jax.jit(jax.grad(lambda x: (m * x * x).sum()))(x)",
        "jax.linearize(lambda x: m * x, x)[1](x)", "jax.vjp(lambda x: m * jnp.log(x), x)[1](x)[0]",
        "jax.vjp(lambda x: x * m, x)[0]", "jax.grad(jax.jit(lambda x: (x * m * x).sum()))(x)",
    ],
)  # fmt: skip
def test_masks_select_within_what_is_compiled_alone(call: str) -> None:
    """And multiply across: ``mask * x`` may be 0 where its derivative is NaN."""
    x, m = np.array([np.nan, 3.0, np.inf], np.float32), np.array([False, True, False])

    def found(library: Any) -> Any:
        jnp = library.numpy
        return np.asarray(eval(call, {"jax": library, "jnp": jnp, "x": jnp.asarray(x), "m": jnp.asarray(m)}))

    np.testing.assert_array_equal(found(ours), found(jax))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "uint32"])
def test_division_by_what_is_known(dtype: str) -> None:
    limits = np.iinfo(dtype)
    x = np.array([0, 1, 5, 100, limits.max, limits.min, limits.max - 5, limits.min + 5], dtype)
    divisors = {1, 2, 3, 7, 8, 100, 0, limits.max, limits.min, *((-1, -3) if limits.min else ())}

    def all_of_them(library: Any) -> Any:
        functions = library.lax.div, library.lax.rem, library.numpy.floor_divide, library.numpy.mod
        return lambda x: [f(x, np.asarray(y, dtype)) for f in functions for y in sorted(divisors)]

    for result, expected in zip(ours.jit(all_of_them(ours))(x), jax.jit(all_of_them(jax))(x), strict=True):
        np.testing.assert_array_equal(result, expected)
