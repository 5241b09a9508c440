"""Special functions against SciPy in double precision, and their derivatives against differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime.scipy import special

scipy_special = pytest.importorskip("scipy.special")

X = np.array([-8.0, -2.5, -1.0, -0.3, -1e-4, 0.0, 1e-4, 0.3, 0.7, 1.0, 2.5, 5.0, 11.9, 12.5, 30.0, 1e4])


@pytest.mark.parametrize("name", ["dawsn", "erfcx"])
def test_integrals_of_the_gaussian(name: str) -> None:
    expected = getattr(scipy_special, name)(X)

    with jax.enable_x64(True):
        np.testing.assert_allclose(getattr(special, name)(X), expected, rtol=1e-11)
    np.testing.assert_allclose(getattr(special, name)(X.astype(np.float32)), expected, rtol=6e-6)


@pytest.mark.parametrize("name", ["dawsn", "erfcx"])
def test_their_special_values(name: str) -> None:
    values = np.array([0.0, -0.0, np.inf, np.nan], np.float32)

    np.testing.assert_array_equal(getattr(special, name)(values), getattr(scipy_special, name)(values))


@pytest.mark.parametrize("exponent", [0.0, 0.5, -1.0, 2.0])
@pytest.mark.parametrize("name", ["boxcox", "boxcox1p"])
@pytest.mark.filterwarnings("ignore")
def test_transformations_of_box_and_cox(name: str, exponent: float) -> None:
    x = np.array([0.25, 1.0, 7.5, -0.5, -2.0, np.nan], np.float32)
    expected = getattr(scipy_special, name)(x.astype(float), exponent)

    np.testing.assert_allclose(getattr(special, name)(x, exponent), expected, rtol=1e-5)


@pytest.mark.parametrize("function", [special.dawsn, special.erfcx])
@pytest.mark.parametrize("x", [-1.5, 0.0, 0.4, 6.0])
def test_derivatives(function: Callable[[Any], Any], x: float) -> None:
    with jax.enable_x64(True):
        slope = (function(x + 1e-6) - function(x - 1e-6)) / 2e-6
        assert float(jax.grad(function)(x)) == pytest.approx(float(slope), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize(("function", "log"), [(special.xlogy, np.log), (special.xlog1py, np.log1p)])
def test_products_with_logarithms_at_zero(
    function: Callable[[Any, Any], Any], log: Callable[[Any], Any]
) -> None:
    np.testing.assert_array_equal(function(np.float32(0), np.float32([0.0, 2.0, np.nan])), [0.0, 0.0, np.nan])
    assert float(jax.grad(function)(0.0, 2.0)) == pytest.approx(log(2.0))
