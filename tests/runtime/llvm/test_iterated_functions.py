"""Special functions and samples whose native code has loops of its own: against the NumPy reference, lane by lane."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime import lax, random
from tracetrap.runtime.jaxprs.evaluate import eval_closed_jaxpr
from tracetrap.runtime.llvm import compile_jaxpr
from tracetrap.runtime.llvm.program import Native

Values = np.ndarray[Any, Any]
DTYPES = [np.float32, np.float64]
TOLERANCE = {np.float32: 2e-6, np.float64: 1e-11}
SPECIAL = [
    0.0,
    -0.0,
    1.0,
    2.0,
    0.5,
    -0.5,
    -1.0,
    -2.0,
    -3.5,
    1e-40,
    -1e-40,
    1e30,
    -1e30,
    np.inf,
    -np.inf,
    np.nan,
]


@pytest.fixture(autouse=True)
def double_precision() -> Any:
    with jax.enable_x64(True):
        yield


def both(function: Any, *arrays: Values) -> tuple[Values, Values]:
    """What native code, which must be all of it, makes of arrays; and the reference."""
    closed = jax.make_jaxpr(function)(*arrays)
    call = compile_jaxpr(closed)
    assert isinstance(call, Native)
    return call(list(arrays))[0], eval_closed_jaxpr(closed, *arrays)[0]


def spread(dtype: Any, *, negative: bool = True) -> Values:
    """Numbers of all sizes, an odd number of them."""
    rng = np.random.default_rng(0)
    near = rng.uniform(-20 if negative else 0, 40, 1500)
    return np.concatenate([near, 10 ** rng.uniform(-12, 8, 501)]).astype(dtype)


ENDS = [0.0, -0.0, 1.0, 0.5, 2.0, 3.0, -1.0, -0.5, -2.5, 1e-30, 3e3, np.inf, -np.inf, np.nan]
UNARY = [lax.lgamma, lax.digamma, lax.bessel_i0e, lax.bessel_i1e]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", UNARY, ids=lambda f: f.__name__)
def test_of_one_argument(function: Any, dtype: Any) -> None:
    found, expected = both(function, spread(dtype))

    np.testing.assert_allclose(found, expected, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [*UNARY, lax.erf_inv], ids=lambda f: f.__name__)
def test_special_values(function: Any, dtype: Any) -> None:
    with np.errstate(all="ignore"):
        found, expected = both(function, np.array(SPECIAL, dtype))

    np.testing.assert_allclose(found, expected, rtol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", UNARY, ids=lambda f: f.__name__)
def test_an_element_does_not_depend_on_its_neighbours(function: Any, dtype: Any) -> None:
    x = np.concatenate([spread(dtype)[::40], np.array(SPECIAL, dtype)])

    together, _ = both(function, x)

    alone = [both(function, x[k : k + 1])[0][0] for k in range(0, x.size, 7)]
    np.testing.assert_array_equal(together[::7], alone)


def pairs(dtype: Any) -> tuple[Values, Values]:
    """Parameters of all sizes, and arguments around them and far from them."""
    rng = np.random.default_rng(0)
    a = 10 ** rng.uniform(-2, 3, 1001)
    far = 10 ** rng.uniform(-3, 3, 500)
    near = a[500:] * np.abs(1 + rng.normal(size=501) / np.sqrt(a[500:]))
    return a.astype(dtype), np.concatenate([far, near]).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [lax.igamma, lax.igammac], ids=lambda f: f.__name__)
def test_incomplete_gamma_functions(function: Any, dtype: Any) -> None:
    found, expected = both(function, *pairs(dtype))

    # Both find the larger of the two functions as what the smaller leaves of 1.
    np.testing.assert_allclose(found, expected, rtol=10 * TOLERANCE[dtype], atol=1e-14)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [lax.igamma_grad_a, lax.random_gamma_grad], ids=lambda f: f.__name__)
def test_their_derivatives(function: Any, dtype: Any) -> None:
    found, expected = both(function, *pairs(dtype))

    known = np.isfinite(expected) & (np.abs(expected) > 1e-30)  # The reference takes differences.
    np.testing.assert_allclose(found[known], expected[known], rtol=1e-5)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "function", [lax.igamma, lax.igammac, lax.zeta, lax.polygamma], ids=lambda f: f.__name__
)
def test_special_values_of_two_arguments(function: Any, dtype: Any) -> None:
    a, x = (np.ascontiguousarray(v.ravel()) for v in np.meshgrid(*[np.array(ENDS, dtype)] * 2))

    found, expected = both(function, a, x)

    np.testing.assert_allclose(found, expected, rtol=TOLERANCE[dtype], atol=1e-11)


@pytest.mark.parametrize("dtype", DTYPES)
def test_zeta_and_polygamma_functions(dtype: Any) -> None:
    rng = np.random.default_rng(0)
    x = (10 ** rng.uniform(-2, 4, 1001)).astype(dtype)
    for function, order in (
        (lax.zeta, 1 + 10 ** rng.uniform(-2, 1, 1001)),
        (lax.polygamma, rng.integers(0, 6, 1001)),
    ):
        found, expected = both(function, order.astype(dtype), x)

        np.testing.assert_allclose(found, expected, rtol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", DTYPES)
def test_incomplete_beta_function(dtype: Any) -> None:
    rng = np.random.default_rng(0)
    a, b = (10 ** rng.uniform(-2, 2.5, (2, 1001))).astype(dtype)
    x = rng.uniform(0, 1, 1001).astype(dtype)
    ends = [np.ascontiguousarray(v.ravel()) for v in np.meshgrid(*[np.array(ENDS, dtype)] * 3)]

    for operands in ((a, b, x), ends):
        found, expected = both(lax.betainc, *operands)

        np.testing.assert_allclose(found, expected, rtol=10 * TOLERANCE[dtype], atol=1e-14)


def test_inverse_error_function_up_to_its_ends() -> None:
    x = np.concatenate([np.linspace(-0.999, 0.999, 501), 1 - 10 ** np.linspace(-15, -2, 200)])

    found, _ = both(lax.erf_inv, x)

    # The complement is what is known to full precision near 1.
    near = np.abs(x) < 0.5
    np.testing.assert_allclose(lax.erf(found)[near], x[near], rtol=1e-15)
    np.testing.assert_allclose(lax.erfc(np.abs(found))[~near], 1 - np.abs(x[~near]), rtol=1e-12)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("draw", [random.gamma, random.loggamma])
@pytest.mark.parametrize("shape", [(), (5,), (11, 40)])
def test_gamma_samples(draw: Any, dtype: Any, shape: tuple[int, ...]) -> None:
    alpha = np.asarray(10 ** np.random.default_rng(1).uniform(-2, 3, shape), dtype)
    words = np.array([3, 4], np.uint32)

    found, expected = both(lambda w, a: draw(random.wrap_key_data(w), a, dtype=dtype), words, alpha)

    np.testing.assert_allclose(found, expected, rtol=20 * TOLERANCE[dtype], atol=TOLERANCE[dtype])


def test_gamma_samples_of_several_keys_and_of_no_distribution() -> None:
    words = np.arange(8, dtype=np.uint32).reshape(4, 2)
    alpha = np.array([[1.5, 0.0], [np.inf, -0.25], [np.nan, 1e-3], [-7.0, 1e30]], np.float32)

    def draw(words: Any, alpha: Any) -> Any:
        return jax.vmap(lambda w, a: random.gamma(random.wrap_key_data(w), a))(words, alpha)

    found, expected = both(draw, words, alpha)

    np.testing.assert_allclose(found, expected, rtol=2e-5)


def test_draws_within_a_loop() -> None:
    def walk(words: Values) -> Any:
        def step(key: Any, _: None) -> Any:
            key, first, second = random.split(key, 3)
            return key, random.gamma(first, 0.7) + random.poisson(second, 30.0)

        return lax.scan(step, random.wrap_key_data(words), None, length=20)[1]

    found, expected = both(walk, np.array([1, 2], np.uint32))

    np.testing.assert_allclose(found, expected, rtol=1e-10)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("shape", "axis"), [((1001,), 0), ((5, 33), 1), ((5, 33), 0)])
def test_cumulative_logarithms_of_sums(shape: Any, axis: int, reverse: bool, dtype: Any) -> None:
    x = np.random.default_rng(0).normal(0, 5, shape).astype(dtype)
    x.reshape(-1)[[0, 40, 41]] = -np.inf, np.inf, np.nan

    with np.errstate(invalid="ignore"):
        found, expected = both(lambda x: lax.cumlogsumexp(x, axis=axis, reverse=reverse), x)

    np.testing.assert_allclose(found, expected, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])
