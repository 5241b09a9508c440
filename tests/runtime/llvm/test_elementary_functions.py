"""The vector mathematics against more precise references: at most 4 units in the last place, and C's special values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime import lax
from tracetrap.runtime.llvm import compile_jaxpr

Values = np.ndarray[Any, Any]
LIMIT = 4.0


@pytest.fixture(autouse=True)
def double_precision() -> Any:
    with jax.enable_x64(True):
        yield


def compiled(function: Callable[..., Any], *arrays: Values) -> Values:
    result: Values = compile_jaxpr(jax.make_jaxpr(function)(*arrays))(list(arrays))[0]
    return result


def ulps(actual: Values, exact: Values) -> Values:
    """The distance in units in the last place of the result; 0 where both are the same infinity or NaN."""
    with np.errstate(all="ignore"):
        rounded = exact.astype(actual.dtype)
        unit = np.spacing(np.abs(rounded)).astype(exact.dtype)
        error = np.abs(actual.astype(exact.dtype) - exact) / unit
    same = (actual == rounded) | (np.isnan(actual) & np.isnan(rounded))
    return np.where(same, 0, np.where(np.isnan(error), np.inf, error))


def uniform(low: float, high: float) -> Callable[[np.random.Generator], Values]:
    return lambda rng: rng.uniform(low, high, 20_000)


def signed_powers(low: float, high: float) -> Callable[[np.random.Generator], Values]:
    return lambda rng: 10.0 ** rng.uniform(low, high, 20_000) * rng.choice([-1, 1], 20_000)


def powers(low: float, high: float) -> Callable[[np.random.Generator], Values]:
    return lambda rng: 10.0 ** rng.uniform(low, high, 20_000)


CASES = {
    "exp": (lax.exp, np.exp, uniform(-104, 88.7)),
    "exp2": (lax.exp2, np.exp2, uniform(-150, 127)),
    "expm1": (lax.expm1, np.expm1, signed_powers(-40, 1.9)),
    "tanh": (lax.tanh, np.tanh, uniform(-12, 12)),
    "tanh of little": (lax.tanh, np.tanh, signed_powers(-40, 0)),
    "logistic": (lax.logistic, lambda x: 1 / (1 + np.exp(-x)), uniform(-80, 100)),
    "sinh": (lax.sinh, np.sinh, uniform(-89, 89)),
    "cosh": (lax.cosh, np.cosh, uniform(-89, 89)),
    "log": (lax.log, np.log, powers(-44, 38)),
    "log near 1": (lax.log, np.log, uniform(0.5, 2)),
    "log1p": (lax.log1p, np.log1p, uniform(-1, 1)),
    "log1p of little": (lax.log1p, np.log1p, signed_powers(-30, 0)),
    "asinh": (lax.asinh, np.arcsinh, signed_powers(-30, 37)),
    "acosh": (lax.acosh, np.arccosh, uniform(1, 3)),
    "atanh": (lax.atanh, np.arctanh, uniform(-1, 1)),
    "sin": (lax.sin, np.sin, uniform(-30_000, 30_000)),
    "sin of much": (lax.sin, np.sin, signed_powers(4, 30)),
    "cos": (lax.cos, np.cos, uniform(-30_000, 30_000)),
    "tan": (lax.tan, np.tan, uniform(-1000, 1000)),
    "asin": (lax.asin, np.arcsin, uniform(-1, 1)),
    "acos": (lax.acos, np.arccos, uniform(-1, 1)),
    "atan": (lax.atan, np.arctan, signed_powers(-30, 30)),
    "sqrt": (lax.sqrt, np.sqrt, powers(-44, 38)),
    "rsqrt": (lax.rsqrt, lambda x: 1 / np.sqrt(x), powers(-37, 38)),
    "cbrt": (lax.cbrt, np.cbrt, signed_powers(-44, 38)),
}
SPECIAL = np.array(
    [
        0.0,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
        1,
        -1,
        0.5,
        -0.5,
        2,
        -2,
        1e-45,
        -1e-45,
        1e-40,
        5e-324,
        1e-310,
        3.4e38,
        -3.4e38,
        1e308,
        -1e308,
        88.72,
        -103.9,
        709.7,
        -745.1,
        1e-8,
        -1e-8,
        1e10,
        1e20,
    ]
)
PRECISE = {np.float32: np.float64, np.float64: np.longdouble}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("case", CASES)
def test_within_four_units_in_the_last_place(case: str, dtype: Any) -> None:
    function, reference, sample = CASES[case]
    if dtype is np.float64 and np.finfo(np.longdouble).nmant < 63:
        pytest.skip("no reference more precise than double on this platform")
    x = sample(np.random.default_rng(0)).astype(dtype)

    error = ulps(compiled(function, x), reference(x.astype(PRECISE[dtype])))

    assert error.max() <= LIMIT, f"{error.max():.2f} at {x[error.argmax()]!r}"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("case", CASES)
def test_special_values(case: str, dtype: Any) -> None:
    function, reference, _ = CASES[case]
    with np.errstate(all="ignore"):
        x = SPECIAL.astype(dtype)
        exact = reference(x.astype(PRECISE[dtype]))

    actual = compiled(function, x)

    assert (ulps(actual, exact) <= LIMIT).all(), list(zip(x, actual, exact, strict=True))
    finite = ~np.isnan(actual)
    assert (np.signbit(actual) == np.signbit(exact))[finite].all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_power(dtype: Any) -> None:
    rng = np.random.default_rng(0)
    reach = 7 if dtype is np.float32 else 60
    x, y = (
        (10.0 ** rng.uniform(-5, 5, 20_000)).astype(dtype),
        rng.uniform(-reach, reach, 20_000).astype(dtype),
    )

    error = ulps(compiled(lax.pow, x, y), np.power(x.astype(np.longdouble), y.astype(np.longdouble)))

    assert error.max() <= LIMIT


@pytest.mark.parametrize(
    ("function", "reference"),
    [(lax.pow, np.power), (lax.atan2, np.arctan2), (lax.rem, np.fmod)],
    ids=["pow", "atan2", "rem"],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_special_values_of_two_arguments(function: Any, reference: Any, dtype: Any) -> None:
    values = [0.0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, np.inf, -np.inf, np.nan, 2.5, -2.5, 1e38, 1e-45]
    x, y = (grid.ravel().astype(dtype) for grid in np.meshgrid(values, values))
    with np.errstate(all="ignore"):
        exact = reference(x, y)

    actual = compiled(function, x, y)

    wrong = (ulps(actual, exact) > LIMIT) | ((np.signbit(actual) != np.signbit(exact)) & ~np.isnan(exact))
    assert not wrong.any(), list(zip(x[wrong], y[wrong], actual[wrong], exact[wrong], strict=True))


def test_error_functions() -> None:
    special = pytest.importorskip("scipy.special")
    x = np.random.default_rng(0).uniform(-4, 4, 20_000)
    for dtype, limit in ((np.float32, LIMIT), (np.float64, LIMIT)):
        narrow = x.astype(dtype)
        assert ulps(compiled(lax.erf, narrow), special.erf(narrow.astype(np.float64))).max() <= limit
    narrow = (x / 4).astype(np.float32)
    assert ulps(compiled(lax.erf_inv, narrow), special.erfinv(narrow.astype(np.float64))).max() <= LIMIT
    narrow = x.astype(np.float32)
    assert ulps(compiled(lax.erfc, narrow), special.erfc(narrow.astype(np.float64))).max() <= LIMIT
