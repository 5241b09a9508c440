"""Factorizations and triangular solves in native code: every size, batches, types, and what has no factor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime import lax
from tracetrap.runtime.llvm import compile_jaxpr, partition
from tracetrap.runtime.primitives import linalg_kernels

jnp = jax.numpy
SIZES = [1, 2, 3, 7, 8, 16, 17, 33]


def _random(*shape: int, dtype: str = "float32") -> Any:
    return np.random.default_rng(shape[-1]).standard_normal(shape).astype(dtype)


def _definite(*shape: int, dtype: str = "float32") -> Any:
    x = _random(*shape, dtype=dtype)
    return x @ np.swapaxes(x, -1, -2) + np.eye(shape[-1], dtype=dtype)


def _native(function: Any, *arrays: Any) -> list[Any]:
    """The results of code in which nothing is left to NumPy: inside of a loop nothing is."""

    def looped(*stacks: Any) -> Any:
        return lax.scan(lambda _, rows: (None, function(*rows)), None, stacks)[1]

    with jax.enable_x64(True):
        call = compile_jaxpr(jax.make_jaxpr(looped)(*(x[None] for x in arrays)))
        return [x[0] for x in call([np.ascontiguousarray(x[None]) for x in arrays])]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", SIZES)
def test_cholesky(size: int, dtype: str) -> None:
    a = _definite(3, size, size, dtype=dtype)

    (factor,) = _native(lax.linalg.cholesky, a)

    np.testing.assert_allclose(factor, np.linalg.cholesky(a), rtol=1e-3, atol=1e-4)


def test_of_a_batch_only_what_is_not_positive_definite_has_no_factor() -> None:
    a = _definite(4, 5, 5)
    a[1, 2, 2], a[3, 0, 0] = -1, np.nan

    (factor,) = _native(lax.linalg.cholesky, a)

    assert np.isnan(factor[[1, 3]][(slice(None), *np.tril_indices(5))]).all()
    np.testing.assert_allclose(factor[[0, 2]], np.linalg.cholesky(a[[0, 2]]), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("rows", "columns"), [*[(n, n) for n in SIZES], (5, 9), (9, 5), (40, 3)])
def test_lu(rows: int, columns: int, dtype: str) -> None:
    a = _random(2, rows, columns, dtype=dtype)

    packed, pivots, permutation = _native(lax.linalg.lu, a)

    expected = linalg_kernels.lu(a)
    np.testing.assert_allclose(packed, expected[0], rtol=1e-2, atol=1e-3)
    np.testing.assert_array_equal(pivots, expected[1])
    np.testing.assert_array_equal(permutation, expected[2])


def test_lu_of_singular_matrices() -> None:
    a = np.zeros((3, 4, 4), np.float32)
    a[1, :, 2], a[2] = 1, 2

    for result, expected in zip(_native(lax.linalg.lu, a), linalg_kernels.lu(a), strict=True):
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize(("size", "others"), [(1, 1), (5, 1), (6, 9), (17, 3), (33, 20)])
def test_triangular_solve(size: int, others: int, left: bool, lower: bool, turned: bool, unit: bool) -> None:
    a = _definite(2, size, size) / size + 2 * np.eye(size, dtype=np.float32)
    b = _random(2, *((size, others) if left else (others, size)))

    def solve(a: Any, b: Any) -> Any:
        return lax.linalg.triangular_solve(
            a, b, left_side=left, lower=lower, transpose_a=turned, unit_diagonal=unit
        )

    (x,) = _native(solve, a, b)

    triangle = np.tril(a) if lower else np.triu(a)
    if unit:
        triangle = np.where(np.eye(size, dtype=bool), np.float32(1), triangle)
    if turned:
        triangle = np.swapaxes(triangle, -1, -2)
    np.testing.assert_allclose(triangle @ x if left else x @ triangle, b, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("size", [10, 60])
def test_by_halves_as_in_native_code(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = _random(size, size), _random(size, 3)
    monkeypatch.setattr(partition, "_FACTORED_ROWS", 0)

    packed, _, permutation = jax.jit(lax.linalg.lu)(a)
    x = jax.jit(jnp.linalg.solve)(a, b)

    lower = np.tril(packed, -1) + np.eye(size, dtype=np.float32)
    np.testing.assert_allclose(lower @ np.triu(packed), a[np.asarray(permutation)], rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(a @ x, b, rtol=1e-2, atol=1e-3)


@pytest.mark.parametrize("decompose", [jnp.linalg.eigh, jnp.linalg.svd, jnp.linalg.eig])
def test_only_matrices_with_nan_decompose_into_nan(decompose: Any) -> None:
    a = _definite(3, 4, 4)
    a[1, 0, 0] = np.nan

    for part, alone in zip(decompose(a), decompose(a[[0, 2]]), strict=True):
        assert np.isnan(part[1]).all()
        np.testing.assert_allclose(np.asarray(part)[[0, 2]], alone, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (3, 4, 4), (7, 3), (3, 7), (2, 20, 17), (40, 33), (17, 1), (1, 5)])
def test_qr(shape: tuple[int, ...], full: bool, dtype: str) -> None:
    a = _random(*shape, dtype=dtype)

    factors = _native(lambda x: lax.linalg.qr(x, full_matrices=full), a)

    tolerance = 1e-4 if dtype == "float32" else 1e-11
    for factor, expected in zip(factors, np.linalg.qr(a, "complete" if full else "reduced"), strict=True):
        np.testing.assert_allclose(factor, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("scale", [0.0, 1e-30, 1e30, np.nan])
def test_qr_of_all_sizes_of_numbers(scale: float) -> None:
    a = _random(4, 4) * np.float32(scale)

    q, r = _native(lax.linalg.qr, a)

    np.testing.assert_allclose(q, np.linalg.qr(a)[0], atol=1e-5)
    np.testing.assert_allclose(r, np.linalg.qr(a)[1], rtol=1e-4, atol=1e-5 * np.nan_to_num(scale))
