"""``jax.experimental.jet``: derivatives along a curve, and what is refused, as by JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as ours
from tracetrap.runtime.experimental.jet import jet

jax = pytest.importorskip("jax")
theirs = pytest.importorskip("jax.experimental.jet").jet

X, V = np.array([0.5, -1.0], np.float32), np.array([1.0, 2.0], np.float32)

CASES: dict[str, Callable[[Any, Any], Any]] = {
    "scalar": lambda j, jet: jet(j.numpy.sin, (0.5,), ((1.0, 2.0, -1.0),)),
    "coefficients": lambda j, jet: jet(j.numpy.exp, (0.5,), ((1.0, 2.0, 3.0),), factorial_scaled=False),
    "product": lambda j, jet: jet(lambda x, y: (x @ y, {"t": j.numpy.tanh(x)}), (X, V), ((V, X), (X, 0 * X))),
    "of no terms": lambda j, jet: jet(j.numpy.sin, (0.5,), ((),)),
    "under jit": lambda j, jet: j.jit(lambda x: jet(j.numpy.tanh, (x,), ((1.0, 0.0),)))(0.3),
    "differentiated": lambda j, jet: j.grad(lambda x: jet(j.numpy.log, (x,), ((1.0, 0.0),))[1][1])(0.3),
    "mapped": lambda j, jet: j.vmap(lambda x: jet(j.numpy.cos, (x,), ((1.0, 0.0),)))(X),
    "trees as arguments": lambda j, jet: jet(lambda x: x["a"], ({"a": 1.0},), ({"a": (1.0,)},)),
    "unequal numbers of terms": lambda j, jet: jet(lambda x, y: x * y, (0.5, 1.0), ((1.0, 2.0), (1.0,))),
    "a branch": lambda j, jet: jet(
        lambda x: j.lax.cond(x > 0, j.numpy.sin, j.numpy.cos, x), (1.5,), ((1.0,),)
    ),
}


def _outcome(run: Callable[[Any, Any], Any], library: Any, jet: Any) -> Any:
    try:
        return library.tree_util.tree_flatten(run(library, jet))
    except (KeyError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize("name", CASES)
def test_same_as_jax(name: str) -> None:
    found, expected = _outcome(CASES[name], ours, jet), _outcome(CASES[name], jax, theirs)

    if isinstance(expected, type):
        assert found is expected
        return
    assert str(found[1]) == str(expected[1])
    for got, want in zip(found[0], expected[0], strict=True):
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)
