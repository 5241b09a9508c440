"""Harmonics, the Faddeeva function and the confluent hypergeometric function against SciPy; special values against JAX."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime.scipy import special

theirs = pytest.importorskip("jax")
scipy_special = pytest.importorskip("scipy.special")
jnp = jax.numpy


@pytest.mark.parametrize(("n", "m"), [(0, 0), (1, 1), (2, -1), (5, 3), (20, 15), (7, -7)])
def test_spherical_harmonics(n: int, m: int) -> None:
    theta, phi = np.array([0.5, 1.2, 2.0]), np.array([1.0, 2.5, 6.0])

    found = special.sph_harm_y(jnp.full(3, n), jnp.full(3, m), jnp.array(theta), jnp.array(phi))

    np.testing.assert_allclose(found, scipy_special.sph_harm_y(n, m, theta, phi), atol=2e-6)


def test_the_largest_degree_is_static() -> None:
    arguments = jnp.array([2]), jnp.array([1]), jnp.array([0.5]), jnp.array([0.3])

    with pytest.raises(jax.errors.ConcretizationTypeError, match="n_max"):
        jax.jit(special.sph_harm_y)(*arguments)
    traced = jax.jit(special.sph_harm_y, static_argnames="n_max")(*arguments, n_max=3)
    np.testing.assert_allclose(traced, special.sph_harm_y(*arguments), rtol=1e-6)


def test_derivative_of_a_harmonic() -> None:
    def part(theta: jax.Array) -> jax.Array:
        return special.sph_harm_y(jnp.array([2]), jnp.array([1]), theta, jnp.array([0.3])).real.sum()

    # Y_2^1 is proportional to sin(theta) cos(theta).
    theta = jnp.array([0.5])
    ratio = jnp.cos(2 * theta) / (jnp.sin(theta) * jnp.cos(theta))
    np.testing.assert_allclose(jax.grad(part)(theta), part(theta) * ratio, rtol=1e-5)


def test_the_faddeeva_function() -> None:
    z = np.array([0.5, 3 + 1j, -7 + 0.1j, 1 - 2j, 0, 1e3 + 1j, 0.3 - 0.1j])

    np.testing.assert_allclose(special.wofz(z.astype(np.complex64)), scipy_special.wofz(z), rtol=2e-6)
    with jax.enable_x64(True):
        np.testing.assert_allclose(special.wofz(z), scipy_special.wofz(z), rtol=1e-10)
    slope = jax.grad(lambda x: special.wofz(x).real)(0.5)
    np.testing.assert_allclose(slope, -np.exp(-0.25), rtol=1e-5)


@pytest.mark.parametrize(
    ("a", "b", "x"),
    [(0.5, 1.5, 2.0), (1, 1, 1), (0.5, 1.5, -30.0), (1.5, 0.5, -150.0), (0.5, 1.5, -150.0), (-2, 3, 5.0),
     (-2, 3, 300.0), (-2, 3, -300.0), (-2.5, 3, -60.0), (1.5, 2.5, 400.0), (0, 2, 7), (3, 2, 0)],
)  # fmt: skip
def test_the_confluent_hypergeometric_function(a: float, b: float, x: float) -> None:
    expected = scipy_special.hyp1f1(a, b, x)

    with jax.enable_x64(True):
        np.testing.assert_allclose(special.hyp1f1(a, b, x), expected, rtol=1e-9)
    if abs(expected) < 1e38:
        np.testing.assert_allclose(special.hyp1f1(a, b, x), expected, rtol=5e-5, atol=1e-38)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_its_derivatives(place: int) -> None:
    arguments = np.array([0.5, 1.5, 2.0])
    step = 1e-5 * np.eye(3)[place]

    slope = (scipy_special.hyp1f1(*(arguments + step)) - scipy_special.hyp1f1(*(arguments - step))) / 2e-5

    np.testing.assert_allclose(jax.grad(special.hyp1f1, place)(*arguments), slope, rtol=1e-5)


PARTS = (1.0, -2.0, 0.5, 0.0, -0.0, np.inf, -np.inf, np.nan)
POINTS = np.array([complex(a, b) for a in PARTS for b in PARTS], np.complex64)
ON_THE_CUTS = POINTS[np.isfinite(POINTS) & ((POINTS.real == 0) | (POINTS.imag == 0)) & (POINTS != 0)]


def _assert_as_in_jax(name: str, *arrays: Any) -> None:
    mine, wanted = (np.asarray(getattr(module.lax, name)(*arrays)) for module in (jax, theirs))

    for found, expected in ((mine.real, wanted.real), (mine.imag, wanted.imag)):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["div", "max", "min"])
def test_infinities_and_nan_of_two(name: str) -> None:
    _assert_as_in_jax(name, np.repeat(POINTS, POINTS.size), np.tile(POINTS, POINTS.size))


@pytest.mark.parametrize(
    "name", "sign abs reciprocal square exp log sqrt rsqrt sin cos tan sinh cosh tanh".split()
)
def test_infinities_and_nan(name: str) -> None:
    _assert_as_in_jax(name, POINTS)


@pytest.mark.parametrize(
    "name", ["sqrt", "rsqrt", "log", "asin", "acos", "atan", "asinh", "acosh", "atanh", "log1p"]
)
def test_the_sides_of_branch_cuts(name: str) -> None:
    poles = {"atan": (1j, -1j), "atanh": (1, -1), "log1p": (-1,)}.get(name, ())
    _assert_as_in_jax(name, ON_THE_CUTS[~np.isin(ON_THE_CUTS, poles)])


def test_order_of_complex_numbers_with_nan() -> None:
    x = np.array([[1, np.nan + 1j, 2, 2 + 1j], [5, 4, np.nan, -1]], np.complex64)
    for reduce in ("max", "min"):
        for axis in (0, 1, None):
            mine, wanted = (getattr(module.numpy, reduce)(x, axis=axis) for module in (jax, theirs))
            np.testing.assert_array_equal(mine, wanted)
