"""Sorting in native code, which loops use: every type and axis, several keys, ties in their order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime import lax, random
from tracetrap.runtime.jaxprs.evaluate import eval_closed_jaxpr
from tracetrap.runtime.llvm import compile_jaxpr
from tracetrap.runtime.llvm.program import Native
from tracetrap.runtime.primitives import sorting_kernels

DTYPES = ["float16", "float32", "float64", "int8", "int32", "uint8", "uint32", "bool"]
SHAPES = [((1,), 0), ((2,), 0), ((101,), 0), ((5, 67), 1), ((4, 33, 6), 1), ((33, 20), 0), ((0, 3), 1)]


def _numbers(shape: tuple[int, ...], dtype: str) -> Any:
    x = np.random.default_rng(len(dtype)).normal(0, 4, shape).round().astype("int8").astype(dtype)
    if "float" in dtype:
        for start, value in enumerate([np.nan, -0.0, 0.0, np.inf, -np.inf]):
            x.reshape(-1)[start :: 13 + start] = value
    return x


def _in_a_loop(function: Any, *arrays: Any) -> list[Any]:
    def looped(*stacks: Any) -> Any:
        return lax.scan(lambda _, rows: (None, function(*rows)), None, stacks)[1]

    with jax.enable_x64(True):
        call = compile_jaxpr(jax.make_jaxpr(looped)(*(x[None] for x in arrays)))
    assert isinstance(call, Native)
    return [x[0] for x in call([np.ascontiguousarray(x[None]) for x in arrays])]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.parametrize("operands", ["x", "xi", "ixf"])
def test_stable_in_the_order_of_the_keys(
    shape: tuple[int, ...], axis: int, operands: str, dtype: str
) -> None:
    types = {"x": dtype, "i": "int32", "f": "float32"}
    arrays = [_numbers(shape, types[letter]) for letter in operands]
    keys = max(1, len(operands) - 1)

    found = _in_a_loop(lambda *xs: lax.sort(xs, dimension=axis, num_keys=keys), *arrays)

    wanted = sorting_kernels.sort(*arrays, dimension=axis, is_stable=True, num_keys=keys)
    for result, expected in zip(found, wanted, strict=True):
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(result, expected)
        if result.dtype.kind == "f":
            numbers = ~np.isnan(expected)
            np.testing.assert_array_equal(np.signbit(result)[numbers], np.signbit(expected)[numbers])


def test_draws_without_replacement_in_a_loop() -> None:
    def walk(words: Any) -> Any:
        def step(key: Any, _: None) -> Any:
            key, sub = random.split(key)
            return key, random.choice(sub, 10, (4,), replace=False)

        return lax.scan(step, random.wrap_key_data(words), None, length=9)[1]

    words = np.array([5, 6], np.uint32)
    closed = jax.make_jaxpr(walk)(words)
    call = compile_jaxpr(closed)

    assert isinstance(call, Native)
    np.testing.assert_array_equal(call([words])[0], eval_closed_jaxpr(closed, words)[0])
