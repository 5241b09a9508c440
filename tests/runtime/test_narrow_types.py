"""Floats of 4 and 8 bits, and integers of fewer than 8: conversions, arithmetic, promotion and bits, as in JAX."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tracetrap import runtime
from tracetrap.runtime.narrow import INTEGERS, LAYOUTS

jax = pytest.importorskip("jax")

FLOATS = [name for name in LAYOUTS if name.startswith("float8")]
VALUES = [
    *np.linspace(-600, 600, 97),
    *np.geomspace(1e-9, 1e9, 60),
    *np.linspace(-3, 3, 49),
    -0.0,
    np.nan,
    np.inf,
    -np.inf,
]

EXPRESSIONS = (
    "x.astype(t)", "x.astype(t).astype('float32')", "jax.jit(lambda v: v.astype(t) * 2)(x)", "jnp.sort(x[:97].clip(-9, 9).astype(t))",
    "(x / 8).astype(t) * (x / 4).astype(t)", "x.astype(t) + 1", "x.astype(t).astype('bfloat16')", "jnp.ones(2, t) @ jnp.ones(2, t)",
    "jnp.array([1, 0, 1], t)", "jnp.where(x > 0, x.astype(t), 0)", "x.astype(t).at[0].set(1)", "jnp.zeros((), t) == 0",
)  # fmt: skip


def evaluated(module: Any, expression: str, name: str) -> Any:
    jnp = module.numpy
    scope = {"jax": module, "jnp": jnp, "x": jnp.array(VALUES, jnp.float32), "t": getattr(jnp, name)}
    return eval(expression, scope)


@pytest.mark.parametrize("name", [*LAYOUTS, "int4", "uint4"])
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_values_of_jax(expression: str, name: str) -> None:
    mine, theirs = (evaluated(module, expression, name) for module in (runtime, jax))

    assert str(mine.dtype) == str(theirs.dtype)
    assert str(mine) == str(theirs)
    np.testing.assert_array_equal(np.asarray(mine, np.float32), np.asarray(theirs, np.float32))


@pytest.mark.parametrize("name", FLOATS)
def test_bits(name: str) -> None:
    for expression in (
        "jax.lax.bitcast_convert_type(x.astype(t), 'uint8')",
        "jax.lax.bitcast_convert_type(jnp.arange(256).astype('uint8'), t).astype('float32')",
    ):
        np.testing.assert_array_equal(evaluated(runtime, expression, name), evaluated(jax, expression, name))


@pytest.mark.parametrize("name", [*LAYOUTS, *INTEGERS])
@pytest.mark.parametrize(
    "other", ["bool", "int32", "float32", "bfloat16", "complex64", "float8_e5m2", "int4"]
)
def test_promotion(name: str, other: str) -> None:
    def outcome(module: Any) -> str:
        try:
            return str(module.numpy.promote_types(name, other))
        except module.dtypes.TypePromotionError as error:
            return str(error)

    assert outcome(runtime) == outcome(jax)


@pytest.mark.parametrize("name", INTEGERS)
def test_limits(name: str) -> None:
    mine, theirs = (module.numpy.iinfo(getattr(module.numpy, name)) for module in (runtime, jax))

    assert (mine.min, mine.max, mine.bits) == (int(theirs.min), int(theirs.max), theirs.bits)


@pytest.mark.parametrize("name", LAYOUTS)
def test_limits_of_floats(name: str) -> None:
    mine, theirs = (module.numpy.finfo(getattr(module.numpy, name)) for module in (runtime, jax))

    for limit in ("max", "min", "eps", "tiny", "nmant", "bits"):
        assert float(getattr(mine, limit)) == float(getattr(theirs, limit))


def test_gradients_through_a_quantised_weight() -> None:
    def gradient(module: Any) -> Any:
        jnp = module.numpy
        return module.grad(lambda w: (w.astype(jnp.float8_e4m3fn).astype(jnp.float32) ** 2).sum())(
            jnp.array([1.1, 2.3])
        )

    np.testing.assert_array_equal(gradient(runtime), gradient(jax))


@pytest.mark.parametrize("name", ["bfloat16", "float16"])
@pytest.mark.parametrize("function", ["exp2", "logistic", "rsqrt"])
def test_what_is_rounded_between_the_steps(function: str, name: str) -> None:
    results = []
    for module in (runtime, jax):
        x = module.numpy.linspace(-14, 14, 501).astype(name)
        compute = getattr(module.lax, function)
        results.append([np.asarray(f(x), np.float32) for f in (compute, module.jit(compute))])

    for mine, theirs in zip(*results, strict=True):
        assert np.count_nonzero(~np.isclose(mine, theirs, rtol=0, atol=0, equal_nan=True)) <= 1


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn"])
def test_the_memory_of_a_narrow_array(name: str) -> None:
    mine, theirs = (module.numpy.arange(3.0).astype(name) for module in (runtime, jax))

    assert mine.tobytes() == theirs.tobytes()
    assert mine.on_device_size_in_bytes() == theirs.on_device_size_in_bytes()
    assert not np.asarray(mine).flags.writeable and np.array(mine).flags.writeable


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("function", ["cumsum", "cumlogsumexp"])
def test_long_sums_of_halves_do_not_stand_still(function: str, axis: int) -> None:
    x = np.ones((5000, 2) if axis == 0 else (2, 5000), np.float16)
    expected = np.asarray(getattr(jax.lax, function)(x, axis))[-1, -1]

    accumulate = getattr(runtime.lax, function)
    for run in (accumulate, runtime.jit(accumulate, static_argnums=1)):
        np.testing.assert_allclose(np.asarray(run(x, axis))[-1, -1], expected, rtol=1e-3)


def test_what_flows_back_through_reduced_precision_is_reduced() -> None:
    def weighted(x: Any) -> Any:
        return runtime.lax.reduce_precision(x, 8, 7) * np.float32(1 / 3)

    slope = runtime.grad(weighted)(np.float32(1))

    assert float(slope) == float(runtime.lax.reduce_precision(np.float32(1 / 3), 8, 7)) != np.float32(1 / 3)
