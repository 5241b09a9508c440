"""What running extremes and exponential integrals give where several answers could be defended: JAX's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")


@pytest.mark.parametrize("values", [[2.0, 2.0, 1.0, 2.0, 2.0], [1.0] * 5, [3.0, 1.0, 2.0, 1.0, 3.0]])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", ["cummax", "cummin"])
def test_derivatives_of_running_extremes(name: str, reverse: bool, values: list[float]) -> None:
    def slope(module: Any) -> Any:
        weights = 10.0 ** np.arange(5, dtype=np.float32)
        return module.grad(lambda x: (getattr(module.lax, name)(x, reverse=reverse) * weights).sum())(
            module.numpy.array(values)
        )

    np.testing.assert_allclose(slope(runtime), slope(jax), rtol=1e-6)


@pytest.mark.parametrize("name", ["exp1", "expi"])
def test_exponential_integrals_at_zero_and_infinity(name: str) -> None:
    from jax.scipy import special as theirs
    from tracetrap.runtime.scipy import special

    x = np.array([0.0, np.inf, -np.inf, np.nan, 1.0], np.float32)

    np.testing.assert_allclose(getattr(special, name)(x), getattr(theirs, name)(x), rtol=1e-6)
