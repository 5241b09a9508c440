"""What 64-bit types change, beside JAX: counters of loops, the type that samples are drawn in, and integers of Python that are too large."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as ours

jax = pytest.importorskip("jax")

LOOPS = [
    (lower, upper, body, init)
    for lower, upper in (("0", "jnp.int32(3)"), ("jnp.int32(0)", "3"), ("0", "jnp.uint32(3)"), ("jnp.int64(0)", "3"))
    for body, init in (("lambda i, c: c + i", "0"), ("lambda i, c: i", "0"), ("lambda i, c: i", "jnp.int32(0)"))
]  # fmt: skip
SAMPLES = [
    "binomial(key, f(10), f(0.3), (4,))", "binomial(key, f(10), h(0.3), (4,))", "binomial(key, 10.0, 0.3, (4,), 'float16')",
    "multinomial(key, 10, jnp.array([0.3, 0.7], 'float32'))", "multivariate_normal(key, f([0, 0]), f([[2, 1], [1, 2]]))",
    "choice(key, 3, (2,), p=f([0.1, 0.2, 0.7]))", "choice(key, 3, (2,), False, f([0.1, 0.2, 0.7]))",
    "logistic(key, (3,), 'bfloat16')", "logistic(key, (3,))", "randint(key, (2,), 0, 2**40)", "randint(key, (2,), 0, 2**63)",
]  # fmt: skip
INTEGERS = [
    "jnp.array(n)", "jnp.asarray(n, 'float32')", "jnp.full(2, n)", "jnp.full(2, n, 'float32')", "jnp.full(2, n, 'uint8')",
    "lax.convert_element_type(n, 'float32')", "lax.convert_element_type(n, 'int32')", "lax.add(n, 1)", "jnp.sin(n)",
    "jnp.stack([n])", "jnp.zeros(2).at[0].set(n)", "jnp.negative(n)", "jnp.isin(n, jnp.arange(3))", "jnp.uint8(3) + n",
]  # fmt: skip


def _outcome(library: Any, x64: bool, call: str, **names: Any) -> Any:
    with library.enable_x64(x64):
        jnp = library.numpy
        known = {"jnp": jnp, "lax": library.lax, "jax": library, "f": np.float32, "h": np.float16, **names}
        try:
            result = eval(call, {**known, "random": library.random, "key": library.random.PRNGKey(3)})
        except Exception as error:
            return type(error).__name__
        return str(result.dtype), result.weak_type, np.asarray(result.astype("float32")).tolist()


def _assert_same(x64: bool, call: str, **names: Any) -> None:
    mine, theirs = _outcome(ours, x64, call, **names), _outcome(jax, x64, call, **names)
    assert mine[:2] == theirs[:2]
    if not isinstance(theirs, str):
        np.testing.assert_allclose(mine[2], theirs[2], rtol=1e-4)
    else:
        assert mine == theirs


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.filterwarnings("ignore")
def test_counters_of_loops(x64: bool, traced: bool) -> None:
    for lower, upper, body, init in LOOPS:
        loop = f"lax.fori_loop({lower}, upper, {body}, {init})"
        _assert_same(x64, f"(jax.jit(lambda upper: {loop}) if {traced} else lambda upper: {loop})({upper})")


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("call", SAMPLES)
@pytest.mark.filterwarnings("ignore")
def test_the_type_that_samples_are_drawn_in(call: str, x64: bool) -> None:
    _assert_same(x64, f"random.{call}", f=lambda v: np.asarray(v, np.float32)[()])


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("call", INTEGERS)
@pytest.mark.filterwarnings("ignore")
def test_integers_of_python_that_are_too_large(call: str, x64: bool) -> None:
    for n in (2**31, -(2**31) - 1, 2**63, 2**64):
        _assert_same(x64, call, n=n)
