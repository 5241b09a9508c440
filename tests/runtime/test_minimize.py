"""``jax.scipy.optimize.minimize`` takes the steps that JAX's takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as ours
from tracetrap.runtime.scipy.optimize import minimize

jax = pytest.importorskip("jax")
theirs = pytest.importorskip("jax.scipy.optimize").minimize


@pytest.mark.parametrize("start", [[-1.2, 1.0], [0.0, 0.5, 0.2], [0.0] * 5, [1.0, 1.0]])
@pytest.mark.parametrize("steepness", [1.0, 100.0])
def test_the_way_down_a_valley_is_that_of_jax(start: list[float], steepness: float) -> None:
    """Where JAX's line search gives up, so does this one."""

    def descend(library: Any, minimize: Any) -> Any:
        def valley(x: Any, steepness: float) -> Any:
            return library.numpy.sum(steepness * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)

        with library.enable_x64(True):
            x = np.array(start)
            ends = [minimize(valley, x, (steepness,), method="BFGS")]
            return [*ends, minimize(valley, x, (steepness,), method="BFGS", options={"maxiter": 3})]

    found = descend(ours, minimize)
    for got, want in zip(found, descend(jax, theirs), strict=True):
        assert (bool(got.success), int(got.status)) == (bool(want.success), int(want.status))
        assert (int(got.nit), int(got.nfev), int(got.njev)) == (int(want.nit), int(want.nfev), int(want.njev))
        for name in ("x", "fun", "jac"):
            np.testing.assert_allclose(getattr(got, name), getattr(want, name), rtol=1e-6, atol=1e-6)
