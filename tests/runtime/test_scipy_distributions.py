"""The distributions of `scipy.stats` against SciPy in double precision, and statistics of samples against JAX."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax

scipy_stats = pytest.importorskip("scipy.stats")

X = np.array([-np.inf, -2.5, -0.5, 0.0, 0.25, 0.5, 1.0, 1.5, 3.0, 12.0, np.inf])
INSIDE = np.array([0.05, 0.3, 0.5, 0.9])
COUNTS = np.arange(-1, 7)

#: Parameters of each distribution, without location and scale.
CONTINUOUS: dict[str, list[tuple[float, ...]]] = {
    "beta": [(0.5, 2.0), (3.0, 1.5)],
    "cauchy": [()],
    "chi2": [(1.0,), (4.5,)],
    "expon": [()],
    "gamma": [(0.4,), (3.0,)],
    "gumbel_l": [()],
    "gumbel_r": [()],
    "laplace": [()],
    "logistic": [()],
    "norm": [()],
    "pareto": [(0.5,), (3.0,)],
    "t": [(1.0,), (7.5,)],
    "truncnorm": [(-1.0, 2.0), (0.5, 3.0), (-3.0, -0.25)],
    "uniform": [()],
}
DISCRETE: dict[str, list[tuple[float, ...]]] = {
    "bernoulli": [(0.3,)],
    "betabinom": [(5.0, 0.5, 2.0)],
    "binom": [(5.0, 0.3)],
    "geom": [(0.3,)],
    "nbinom": [(3.0, 0.4)],
    "poisson": [(0.7,), (3.0,)],
}
ON_INTERVALS: dict[str, tuple[tuple[float, ...], float]] = {
    "vonmises": ((2.0,), np.pi),
    "wrapcauchy": ((0.3,), 2 * np.pi),
    "gennorm": ((1.5,), 3.0),
}


def ours(name: str) -> Any:
    return importlib.import_module(f"tracetrap.runtime.scipy.stats.{name}")


def functions(name: str, *words: str) -> list[str]:
    return [word for word in words if hasattr(ours(name), word)]


def assert_agrees(name: str, function: str, x: Any, parameters: tuple[float, ...], **options: float) -> None:
    expected = getattr(getattr(scipy_stats, name), function)(x, *parameters, **options)
    with jax.enable_x64(True):
        found = np.asarray(getattr(ours(name), function)(x.astype(float), *parameters, **options))
    np.testing.assert_allclose(
        found, expected, rtol=1e-6, atol=1e-12, err_msg=f"{name}.{function}{parameters}"
    )


@pytest.mark.parametrize("name", CONTINUOUS)
@pytest.mark.filterwarnings("ignore")
def test_continuous(name: str) -> None:
    # Where a density ends, SciPy and JAX choose differently whether the end has one.
    x = X[1:-1] + 0.01
    for parameters in CONTINUOUS[name]:
        for function in functions(name, "logpdf", "pdf", "cdf", "logcdf", "sf", "logsf"):
            assert_agrees(name, function, x, parameters)
            assert_agrees(name, function, x, parameters, loc=0.3, scale=2.0)
        for function in functions(name, "ppf", "isf"):
            assert_agrees(name, function, INSIDE, parameters, loc=0.3, scale=2.0)


@pytest.mark.parametrize("name", DISCRETE)
def test_discrete(name: str) -> None:
    for parameters in DISCRETE[name]:
        for function in functions(name, "logpmf", "pmf"):
            assert_agrees(name, function, COUNTS, parameters)
            assert_agrees(name, function, COUNTS, parameters, loc=2)
        for function in functions(name, "cdf"):
            assert_agrees(name, function, COUNTS, parameters)


@pytest.mark.parametrize("name", ON_INTERVALS)
def test_other_domains(name: str) -> None:
    parameters, end = ON_INTERVALS[name]
    for function in functions(name, "logpdf", "pdf"):
        assert_agrees(name, function, np.linspace(0.01, end - 0.01, 7), parameters)


@pytest.mark.parametrize("name", sorted({*CONTINUOUS, *ON_INTERVALS}))
def test_densities_have_derivatives(name: str) -> None:
    parameters = CONTINUOUS[name][0] if name in CONTINUOUS else ON_INTERVALS[name][0]
    function = ours(name).logpdf
    x = 1.7 if name in ("pareto", "expon", "gamma", "chi2") else 0.37
    with jax.enable_x64(True):
        slope = (function(x + 1e-6, *parameters) - function(x - 1e-6, *parameters)) / 2e-6
        assert float(jax.grad(function)(x, *parameters)) == pytest.approx(float(slope), rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("mu", [0.0, 0.3, 8.0, 99.0, 101.0, 5000.0])
def test_entropy_of_counts(mu: float) -> None:
    found = float(ours("poisson").entropy(mu))

    assert found == pytest.approx(float(scipy_stats.poisson.entropy(mu)), rel=1e-4, abs=1e-6)


def test_vectors() -> None:
    rng = np.random.default_rng(0)
    mean, root = rng.normal(size=3), rng.normal(size=(3, 3))
    covariance, points = root @ root.T + np.eye(3), rng.normal(size=(5, 3))
    expected = scipy_stats.multivariate_normal.logpdf(points, mean, covariance)
    found = ours("multivariate_normal").logpdf(points, mean, covariance)
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-4)

    shares = np.array([0.2, 0.3, 0.5])
    alpha = np.array([0.5, 2.0, 3.0])
    expected = scipy_stats.dirichlet.logpdf(shares, alpha)
    for given in (shares, shares[:-1]):
        assert float(ours("dirichlet").logpdf(given, alpha)) == pytest.approx(expected, rel=1e-5)
    assert float(ours("dirichlet").pdf(shares + 0.1, alpha)) == 0

    counts = np.array([1, 2, 3])
    expected = scipy_stats.multinomial.pmf(counts, 6, shares)
    assert float(ours("multinomial").pmf(counts, 6, shares)) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("method", ["average", "min", "max", "dense", "ordinal"])
def test_ranks(method: str) -> None:
    values = np.array([[3, 1, 4, 1, 5], [9, 2, 9, 9, 3]])
    stats = importlib.import_module("tracetrap.runtime.scipy.stats")
    expected = scipy_stats.rankdata(values, method, axis=1)

    np.testing.assert_array_equal(stats.rankdata(values, method, axis=1), expected)
    np.testing.assert_array_equal(stats.rankdata(values, method), scipy_stats.rankdata(values, method))
    assert np.isnan(np.asarray(stats.rankdata(np.array([1.0, np.nan]), method))).all()


@pytest.mark.parametrize("axis", [0, 1, None])
def test_mode_and_standard_error(axis: int | None) -> None:
    values = np.array([[3.0, 1.0, 1.0], [3.0, 2.0, 1.0], [2.0, 2.0, 7.0]])
    stats = importlib.import_module("tracetrap.runtime.scipy.stats")
    expected = scipy_stats.mode(values, axis=axis)
    found = stats.mode(values, axis=axis)

    np.testing.assert_array_equal(found.mode, expected.mode)
    np.testing.assert_array_equal(found.count, expected.count)
    np.testing.assert_allclose(stats.sem(values, axis=axis), scipy_stats.sem(values, axis=axis), rtol=1e-6)


@pytest.mark.parametrize("bandwidth", [None, "silverman", 0.3])
def test_kernel_densities(bandwidth: Any) -> None:
    rng = np.random.default_rng(1)
    data, points, weights = rng.normal(size=(2, 30)), rng.normal(size=(2, 4)), rng.uniform(size=30)
    stats = importlib.import_module("tracetrap.runtime.scipy.stats")
    expected = scipy_stats.gaussian_kde(data, bandwidth, weights)
    found = stats.gaussian_kde(data, bandwidth, weights)

    np.testing.assert_allclose(found(points), expected(points), rtol=1e-4)
    np.testing.assert_allclose(
        jax.jit(lambda kde, x: kde.logpdf(x))(found, points), expected.logpdf(points), rtol=1e-4
    )
    np.testing.assert_allclose(found.integrate_kde(found), expected.integrate_kde(expected), rtol=1e-4)
    assert found.resample(jax.random.key(0), (7,)).shape == (2, 7)
