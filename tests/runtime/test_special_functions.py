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


@pytest.mark.parametrize("name", ["sici", "fresnel"])
@pytest.mark.filterwarnings("ignore")
def test_integrals_of_oscillations(name: str) -> None:
    x = np.concatenate([X, -X, [3.99, 4.01, 1.49, 1.51, 1e8, 1e30, np.inf, np.nan]])
    expected = getattr(scipy_special, name)(x)

    for found, single, value in zip(
        *(getattr(special, name)(v) for v in (x, x.astype(np.float32))), expected
    ):
        np.testing.assert_allclose(single, value, rtol=2e-5, atol=2e-6)
        assert found.dtype == single.dtype == np.float32
    with jax.enable_x64(True):
        for found, value in zip(getattr(special, name)(x), expected):
            np.testing.assert_allclose(found, value, rtol=1e-11, atol=1e-13)


def test_loggamma_over_the_complex_plane() -> None:
    real, imag = np.meshgrid([-20.3, -3.5, -0.2, 0.3, 1.0, 2.0, 9.5, 300.0], [-40.0, -1e-6, 1e-6, 0.5, 3.0])
    z = (real + 1j * imag).ravel()

    with jax.enable_x64(True):
        np.testing.assert_allclose(special.loggamma(z), scipy_special.loggamma(z), rtol=1e-11, atol=1e-13)
    np.testing.assert_array_equal(special.loggamma(np.float32([-1.5, 0.0, 1.0])), [np.nan, np.nan, 0.0])
    np.testing.assert_array_equal(special.loggamma(np.complex64([0.0, -3.0])).real, [np.nan, np.nan])


def test_owens_t() -> None:
    h, a = (
        v.ravel() for v in np.meshgrid([-6.0, -1.0, 0.0, 0.3, 1.0, 4.0], [-30.0, -1.0, 0.0, 0.5, 1.5, np.inf])
    )
    kept = (h != 0) | np.isfinite(a)  # JAX has no value at zero for an infinite slope.

    with jax.enable_x64(True):
        np.testing.assert_allclose(
            special.owens_t(h, a)[kept], scipy_special.owens_t(h, a)[kept], rtol=1e-11, atol=1e-15
        )


def test_hyp2f1() -> None:
    parameters = [-2.5, -1.0, 0.3, 1.0, 2.0, 10.0]
    a, b, c, x = (
        v.ravel() for v in np.meshgrid(parameters, parameters, [0.5, 1.5, 3.0], [-50.0, -0.9, 0.3, 0.8, 0.97])
    )
    expected = scipy_special.hyp2f1(a, b, c, x)

    with jax.enable_x64(True):
        np.testing.assert_allclose(special.hyp2f1(a, b, c, x), expected, rtol=1e-9, atol=1e-12)
    assert float(special.hyp2f1(0.5, 1.0, 2.0, 1.0)) == pytest.approx(2.0, rel=1e-6)
    assert float(special.hyp2f1(0.5, 1.0, 2.0, 1.5)) == np.inf
    assert float(special.hyp2f1(-3.0, 2.0, 0.5, 4.0)) == pytest.approx(scipy_special.hyp2f1(-3, 2, 0.5, 4))


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (special.owens_t, (0.7, 1.8)),
        (special.hyp2f1, (0.5, 1.5, 2.5, 0.3)),
        (special.hyp2f1, (0.5, -1.5, 2.5, -3.0)),
        (lambda x: sum(special.sici(x)), (2.3,)),
        (lambda x: sum(special.fresnel(x)), (0.8,)),
        (special.loggamma, (3.4,)),
    ],
)
def test_derivatives_by_each_argument(function: Callable[..., Any], args: tuple[float, ...]) -> None:
    with jax.enable_x64(True):
        for i, x in enumerate(args):
            above, below = (function(*args[:i], x + step, *args[i + 1 :]) for step in (1e-6, -1e-6))
            slope = float(above - below) / 2e-6
            assert float(jax.grad(function, i)(*args)) == pytest.approx(slope, rel=1e-6, abs=1e-8)


def test_special_functions_refuse_complex_numbers_as_jax_does() -> None:
    for name, error in (("sici", ValueError), ("fresnel", NotImplementedError)):
        with pytest.raises(error, match=r"real-valued|complex-valued"):
            getattr(special, name)(1j)


def test_the_inverse_error_function_next_to_one_in_double_precision() -> None:
    """What it gives has the complement that it was asked for."""
    y = 1 - 10.0 ** -np.arange(0.1, 16, 0.4)

    with jax.enable_x64(True):
        x = np.asarray(jax.lax.erf_inv(y))

    complements = scipy_special.erfc(x)
    np.testing.assert_allclose(complements, 1 - y, rtol=1e-13)
