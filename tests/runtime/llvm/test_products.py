"""Products of matrices in native code: every split of rows and columns into tiles, layouts, batches, types."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime import lax
from tracetrap.runtime.llvm import compile_jaxpr
from tracetrap.runtime.llvm.engine import host

Values = np.ndarray[Any, Any]


def product(left: Values, right: Values, dimensions: Any) -> Values:
    """`dot_general` inside of a loop, where no product is left to BLAS."""

    def function(x: Any, y: Any) -> Any:
        def step(carry: None, rows: Any) -> tuple[None, Any]:
            return None, lax.dot_general(rows[0], rows[1], dimensions)

        return lax.scan(step, None, (x[None], y[None]))[1][0]

    result: Values = compile_jaxpr(jax.make_jaxpr(function)(left, right))([left, right])[0]
    return result


def values(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Values:
    return (rng.integers(-9, 9, shape) if dtype.startswith("int") else rng.standard_normal(shape)).astype(
        dtype
    )


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 7, 13])
def test_every_split_into_tiles(rows: int, dtype: str) -> None:
    rng = np.random.default_rng(rows)
    with jax.enable_x64(True):
        for columns in (1, 2, 7, 8, 9, 23, 24, 25, 31, 33, 97, 100):
            left, right = values(rng, (rows, 5), dtype), values(rng, (5, columns), dtype)

            result = product(left, right, (((1,), (0,)), ((), ())))

            np.testing.assert_allclose(result, left @ right, rtol=1e-4, atol=1e-5, err_msg=str(columns))


@pytest.mark.parametrize(
    ("left", "right", "dimensions", "sums"),
    [
        ((5, 6), (5, 9), (((0,), (0,)), ((), ())), "ki,kj->ij"),
        ((6, 5), (9, 5), (((1,), (1,)), ((), ())), "ik,jk->ij"),
        ((3, 6, 5), (3, 5, 9), (((2,), (1,)), ((0,), (0,))), "bik,bkj->bij"),
        ((2, 3, 6, 5), (2, 3, 5, 9), (((3,), (2,)), ((0, 1), (0, 1))), "abik,abkj->abij"),
        ((6, 3, 5), (5, 3, 9), (((2,), (0,)), ((1,), (1,))), "ibk,kbj->bij"),
        ((6, 2, 5), (2, 5, 9), (((1, 2), (0, 1)), ((), ())), "iab,abj->ij"),
        ((6, 5, 2), (2, 5, 9), (((1, 2), (1, 0)), ((), ())), "iba,abj->ij"),
        ((4, 6, 5), (5, 3, 7), (((2,), (0,)), ((), ())), "hik,kjl->hijl"),
        ((5,), (5, 9), (((0,), (0,)), ((), ())), "k,kj->j"),
        ((6, 5), (5,), (((1,), (0,)), ((), ())), "ik,k->i"),
        ((6,), (9,), (((), ()), ((), ())), "i,j->ij"),
        ((6, 0), (0, 9), (((1,), (0,)), ((), ())), "ik,kj->ij"),
    ],
)
def test_layouts(left: Any, right: Any, dimensions: Any, sums: str) -> None:
    rng = np.random.default_rng(0)
    x, y = values(rng, left, "float32"), values(rng, right, "float32")

    np.testing.assert_allclose(product(x, y, dimensions), np.einsum(sums, x, y), rtol=1e-4, atol=1e-5)


def test_infinities_and_nan_reach_their_own_elements_alone() -> None:
    x, y = np.ones((5, 3), np.float32), np.ones((3, 30), np.float32)
    x[1, 2], x[4, 0], y[0, 17] = np.inf, np.nan, -np.inf

    result = product(x, y, (((1,), (0,)), ((), ())))

    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(result, x @ y)


@pytest.mark.parametrize("rows", [4, 64, 300])
def test_large_products_agree_whoever_computes_them(rows: int) -> None:
    rng = np.random.default_rng(0)
    x, y = values(rng, (rows, 70), "float32"), values(rng, (70, 130), "float32")

    (result,) = compile_jaxpr(jax.make_jaxpr(lambda a, b: a @ b)(x, y))([x, y])

    np.testing.assert_allclose(result, x @ y, rtol=1e-4, atol=1e-4)


@pytest.mark.skipif(not host().triple.startswith("x86_64"), reason="subnormal numbers cost nothing elsewhere")
def test_subnormal_numbers_are_zero_in_products_as_in_jax_and_nowhere_after() -> None:
    x = np.full((8, 8), 1e-20, np.float32)

    product, after = jax.jit(lambda x: (x @ x, x * np.float32(1e-19)))(x)

    assert not np.any(product)
    assert np.all(after > 0)
