"""Refusals in JAX's own words: the class and the first line of the message."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")

CALLS = (
    # subscripts
    "x[1.0]", "x['a']", "x[0, 0, 0]", "x[..., 0, ...]", "x[:2.0]", "x[{}]", "x[jnp.array([True] * 3)]",
    "x[0, jnp.array([True, False])]", "x.at[0].set(1, mode='bad')", "x.at[0].set(jnp.ones(4))",
    "x.at[0].set(jnp.ones((2, 3)))", "jax.jit(lambda x: x[x > 1])(x)", "jax.jit(lambda x, n: x[:n])(x, 2)",
    "jax.jit(lambda x, n: x[0, n:])(x, 2)", "jnp.unravel_index(1, [[2, 3]])",
    # einsum
    "jnp.einsum('ij,jk', x, jnp.ones((4, 5)))", "jnp.einsum('ij->k', x)", "jnp.einsum('ij', jnp.ones(3))",
    "jnp.einsum('i->ii', jnp.ones(3))", "jnp.einsum('ij,jk', x)",
    # shapes
    "jax.lax.split(x, (1, 3))", "jax.lax.split(x, (-1, 3))", "jnp.broadcast_to(x, (3,))", "jnp.broadcast_to(x, (2, 4))",
    "jnp.stack([x, jnp.ones(3)])", "jnp.stack([x, jnp.ones((3, 3))])", "jnp.split(x, 4)", "jnp.reshape(x, (4, -1))",
    "jnp.reshape(x, (-1, -1))", "jnp.tensordot(x, x, axes=([0, 1], [0]))", "jnp.tensordot(x, x, axes=(range(2), [0, 1]))",
    # values and stages
    "jnp.array(None)", "jnp.array({'a': 1})", "jnp.array([None])", "jnp.array('a')", "jnp.sort(x, kind='quick')",
    "jnp.quantile(x, 0.5, method='bad')", "jnp.quantile(x, 0.5, weights=x)", "jax.random.normal(jax.random.key(0), (2,), int)",
    "jax.random.uniform(0)", "jax.jit(lambda v: v).lower(x).compile()(x[0])",
    # convolutions
    "conv(img, ker, (1, 1), 'SAME', (2, 2))", "conv(img, ker, (1,), 'SAME')", "conv(img, ker, (1, 1), [(0, 0)])",
    "conv(img, ker, (1, 1), 'SAME', feature_group_count=3)", "conv(img, ker, (1, 1), 'SAME', feature_group_count=2)",
    "conv(img, ker, (1, 1), 'SAME', feature_group_count=0)", "conv(img, ker, (1, 1), 'SAME', batch_group_count=3)",
    # trees
    "ravel({'a': x})[1](jnp.ones(7))", "ravel({'a': x, 'b': 1})[1](jnp.ones(7, int))",
)  # fmt: skip


def _refusal(module: Any, call: str) -> tuple[str, str]:
    names = {"jax": module, "jnp": module.numpy, "x": module.numpy.ones((2, 3))}
    names |= {"img": module.numpy.ones((2, 4, 8, 8)), "ker": module.numpy.ones((6, 4, 3, 3))}
    names["conv"] = module.lax.conv_general_dilated
    flatten_util = importlib.import_module(f"{module.__name__}.flatten_util")
    names["ravel"] = flatten_util.ravel_pytree
    with pytest.raises(Exception) as raised:
        eval(call, names)
    return raised.type.__name__, str(raised.value).strip().split("\n")[0]


@pytest.mark.parametrize("call", CALLS)
def test_class_and_first_line(call: str) -> None:
    assert _refusal(runtime, call) == _refusal(jax, call)
