"""Complex numbers with zeros and infinities among their parts: quotients, powers and roots as in JAX."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as ours

jax = pytest.importorskip("jax")

PARTS = [0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan]
NUMBERS = np.array([complex(a, b) for a, b in itertools.product(PARTS, PARTS)], np.complex64)
X, Y = (grid.ravel() for grid in np.meshgrid(NUMBERS, NUMBERS))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", ["div", "pow", "mul"])
@pytest.mark.filterwarnings("ignore")
def test_of_two_numbers(name: str, compiled: bool) -> None:
    def found(library: Any) -> Any:
        function = getattr(library.lax, name)
        return np.asarray((library.jit(function) if compiled else function)(X, Y))

    np.testing.assert_allclose(found(ours), found(jax), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    "call", ["lax.reciprocal(z)", "lax.square(z)", "lax.integer_pow(z, -2)", "lax.log(z)"]
)
@pytest.mark.filterwarnings("ignore")
def test_of_one_number(call: str) -> None:
    mine, theirs = (np.asarray(eval(call, {"lax": m.lax, "z": NUMBERS})) for m in (ours, jax))
    np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("name", ["sqrt", "rsqrt", "acosh"])
@pytest.mark.filterwarnings("ignore")
def test_on_a_cut(name: str) -> None:
    cut = np.array([complex(x, zero) for x in (-4.0, -1.0, 0.25) for zero in (0.0, -0.0)], np.complex64)
    mine, theirs = (np.asarray(getattr(m.lax, name)(cut)) for m in (ours, jax))
    np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-6)
