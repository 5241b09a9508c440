"""Keys of other generators than Threefry: the words and the bits that JAX has, on its own and under transforms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")

STATES = ("[0, 7, 0, 7]", "[11, 12, 13, 14]", "[2**32 - 1, 2**32 - 1, 3, 4]", "[5, 6, 2**32 - 1, 2**32 - 1]")
DRAWS = ("(9,)", "(2, 3), 'uint8'", "(5,), 'uint16'", "(), 'uint32'", "(7,), 'uint32', 1", "(0,)")

CALLS = (
    "random.key_data(key)", "random.key_data(random.split(key, 3))", "random.key_data(random.split(key, (2, 2)))",
    "random.key_data(random.fold_in(key, 3))", "random.bits(key, (4,))", "random.bits(key, (3,), 'uint8')",
    "random.normal(key, (3,))", "random.randint(key, (3,), 0, 10)", "random.permutation(key, 5)", "random.choice(key, 5, (3,))",
    "jax.vmap(lambda k: random.uniform(k, (2,)))(random.split(key))",
    "random.key_data(jax.vmap(lambda k: random.split(k, 2))(random.split(key)))",
    "random.key_data(jax.vmap(lambda i: random.fold_in(key, i))(jnp.arange(2)))", "jax.jit(lambda k: random.uniform(k, (3,)))(key)",
    "jax.lax.scan(lambda k, _: (random.split(k)[0], random.normal(k)), key, None, length=3)[1]",
    "random.key_data(jax.lax.cond(True, lambda k: random.split(k)[0], lambda k: k, key))",
    "random.key_data(jnp.concatenate([random.split(key)] * 2)[::-1])", "random.split(key)[0] == random.split(key)",
    "random.key_data(jnp.where(jnp.array([True, False]), key, random.split(key)))", "random.PRNGKey(3, impl=impl)",
    "random.key_data(random.wrap_key_data(jnp.arange(8, dtype='uint32').reshape(2, 4), impl=impl))",
)  # fmt: skip


def evaluated(module: Any, expression: str, impl: str = "rbg") -> Any:
    scope = {"jax": module, "jnp": module.numpy, "lax": module.lax, "random": module.random, "impl": impl}
    return eval(expression, scope | {"key": module.random.key(7, impl=impl)})


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("draw", DRAWS)
def test_bits_from_a_state(state: str, draw: str) -> None:
    expression = f"lax.rng_bit_generator(jnp.array({state}, 'uint32'), {draw})"
    for mine, theirs in zip(evaluated(runtime, expression), evaluated(jax, expression), strict=True):
        assert str(mine.dtype) == str(theirs.dtype)
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("impl", ["rbg", "unsafe_rbg"])
@pytest.mark.parametrize("call", CALLS)
def test_the_values_of_jax(call: str, impl: str) -> None:
    mine, theirs = (evaluated(module, call, impl) for module in (runtime, jax))

    np.testing.assert_allclose(mine, theirs, rtol=2e-6)


@pytest.mark.parametrize("impl", ["rbg", "unsafe_rbg"])
def test_how_keys_print(impl: str) -> None:
    for expression in (
        "repr(random.split(key))",
        "str(key.dtype)",
        "random.key_impl(key)",
        "str(jax.eval_shape(lambda: key))",
    ):
        assert evaluated(runtime, expression, impl) == evaluated(jax, expression, impl)


def test_the_generator_used_unless_another_is_named() -> None:
    def drawn(module: Any) -> list[Any]:
        with module.default_prng_impl("rbg"):
            raw = module.random.PRNGKey(3)
            return [raw, module.random.normal(raw, (2,)), module.random.split(raw)]

    for mine, theirs in zip(drawn(runtime), drawn(jax), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=2e-6)
    assert evaluated(runtime, "random.PRNGKey(3)").shape == (2,)


@pytest.mark.parametrize(
    "call", ["random.key(0, impl='none')", "random.key(0, impl=3)", "random.poisson(key, 3.0)"]
)
def test_refusals(call: str) -> None:
    with pytest.raises(Exception) as theirs:
        evaluated(jax, call)
    with pytest.raises(theirs.type):
        evaluated(runtime, call)


OLDER = (
    "random.key_data(random.split(key, (2, 3)))", "random.bits(key, (5,))", "random.bits(key, (7,), 'uint8')",
    "random.bits(key, (3,), 'uint16')", "random.bits(key)", "random.normal(key, (3, 3))", "random.permutation(key, 6)",
    "jax.jit(lambda k: random.uniform(k, (3,)))(key)", "random.gamma(key, 2.0, (3,))",
    "random.key_data(jax.vmap(lambda k: random.split(k, 3))(random.split(key)))",
    "jax.lax.scan(lambda k, _: (random.split(k)[0], random.normal(k)), key, None, length=3)[1]",
)  # fmt: skip


@pytest.mark.parametrize("expression", OLDER)
def test_the_older_layout_of_counters(expression: str) -> None:
    newer = np.asarray(evaluated(runtime, expression, "threefry2x32"))
    with runtime.threefry_partitionable(False), jax.threefry_partitionable(False):
        mine, theirs = (evaluated(module, expression, "threefry2x32") for module in (runtime, jax))
    np.testing.assert_allclose(np.asarray(mine), np.asarray(theirs), rtol=1e-5)
    assert not np.array_equal(mine, newer)
