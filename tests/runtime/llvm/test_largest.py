"""The largest elements in native code: every type, along every axis, with ties, NaN and signed zeros."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime import lax
from tracetrap.runtime.llvm import compile_jaxpr
from tracetrap.runtime.llvm.program import Native
from tracetrap.runtime.primitives import sorting_kernels


def _bits(x: Any) -> Any:
    return np.ascontiguousarray(x).view(f"u{x.dtype.itemsize}")


def _agree(x: Any, k: int, axis: int) -> None:
    with jax.enable_x64(True):
        call = compile_jaxpr(jax.make_jaxpr(lambda x: lax.top_k(x, k, axis=axis))(x))
    assert isinstance(call, Native)
    for found, expected in zip(call([x]), sorting_kernels.top_k(x, k=k, axis=axis), strict=True):
        np.testing.assert_array_equal(_bits(found), _bits(expected))


@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "float64", "int8", "int32", "uint8", "uint32", "bool"]
)
@pytest.mark.parametrize(
    ("shape", "axis", "k"),
    [((7,), 0, 7), ((1001,), 0, 1), ((1001,), 0, 30), ((3, 67), 1, 4), ((4, 33, 6), 1, 5), ((33, 20), 0, 33)],
)
def test_of_all_types_and_axes(shape: tuple[int, ...], axis: int, k: int, dtype: str) -> None:
    x = np.random.default_rng(0).normal(0, 20, shape).round().astype("int8").astype(dtype)
    if "float" in dtype:
        for start, value in enumerate([np.nan, -0.0, 0.0, np.inf, -np.nan, -np.inf]):
            x.reshape(-1)[start :: 13 + start] = value

    _agree(x, k, axis)


@pytest.mark.parametrize("step", [1, -1])
def test_of_numbers_in_order(step: int) -> None:
    _agree(np.arange(1000, dtype="int32")[::step].copy(), 10, 0)


def test_of_nothing() -> None:
    _agree(np.zeros((3, 5), "float32"), 0, 1)
    _agree(np.zeros((0, 5), "float32"), 2, 1)
