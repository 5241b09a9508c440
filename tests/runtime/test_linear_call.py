"""``custom_derivatives.linear_call``: functions whose transposes the user writes, forwards, backwards and through ``jit``."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")
#: Uses of a linear function of the user's own.
LINEAR = (
    "halved(x), jax.jit(halved)(x), jax.jvp(halved, (x,), (x,)), jax.linear_transpose(halved, x)(x)",
    "jax.grad(lambda x: halved(x).sum())(x), jax.jit(jax.grad(lambda x: halved(x).sum()))(x)",
    "jax.vjp(lambda x: mixed(3.0, x), {'a': x, 'b': x})[1]({'y': x})",
    "jax.linear_transpose(lambda c: jax.linear_transpose(halved, x)(c)[0], x)(x)",
    "jax.jit(lambda y: jax.grad(lambda x: call(lambda r, x: x * y, lambda r, t: t * y, 2.0, x).sum())(x))(4.0)",
    "jax.vmap(halved)(jnp.ones((2, 3)))",
    "jax.grad(lambda r: call(lambda r, x: x / r, lambda r, t: t, r, x).sum())(2.0)",
    "jax.grad(lambda x: call(lambda r, x: x[0], lambda r, t: t, 2.0, x).sum())((x, x))",
)


def linear_outcome(module: Any, expression: str) -> Any:
    call = importlib.import_module(f"{module.__name__}.custom_derivatives").linear_call
    names = {"jax": module, "jnp": module.numpy, "call": call, "x": module.numpy.arange(3.0)}
    # The transpose is not the true one, so that it shows.
    names["halved"] = lambda x: call(lambda r, x: x / r, lambda r, t: t * 7, 2.0, x)
    names["mixed"] = lambda r, x: call(
        lambda r, d: {"y": d["a"] * r + d["b"]}, lambda r, c: {"a": c["y"] * r * 10, "b": c["y"]}, r, x
    )
    try:
        return eval(expression, names)
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("expression", LINEAR)
def test_linear_call(expression: str) -> None:
    mine, theirs = linear_outcome(runtime, expression), linear_outcome(jax, expression)

    assert runtime.tree.structure(mine) == runtime.tree.structure(jax.tree.map(lambda leaf: leaf, theirs))
    for left, right in zip(runtime.tree.leaves(mine), jax.tree.leaves(theirs), strict=True):
        assert left == right if isinstance(right, str) else np.allclose(left, right)
