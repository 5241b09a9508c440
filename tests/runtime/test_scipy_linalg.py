"""Matrices of a known form, and functions of matrices, against SciPy in double precision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime.scipy import linalg as ours

scipy_linalg = pytest.importorskip("scipy.linalg")

rng = np.random.default_rng(0)
VALUES = {
    "a": rng.normal(size=(4, 4)),
    "b": rng.normal(size=(4, 3)),
    "v": np.array([1.0, 2.0, 3.0, 4.0]),
    "np": np,
}

CALLS = (
    "block_diag(a, b)", "circulant(v)", "companion(v)", "dft(5)", "dft(4, 'sqrtn')", "dft(4, 'n')", "fiedler(v)",
    *[f"fiedler_companion(np.arange(1.0, {n}))" for n in (3, 4, 7, 8)],
    *[f"convolution_matrix(v, {n}, {mode!r})" for n in (2, 6) for mode in ("full", "same", "valid")],
    "hadamard(1)", "hadamard(8)", "hankel(v)", "hankel(v, v[1:] * 2)", "helmert(4)", "helmert(4, True)", "hilbert(3)",
    "invhilbert(8)", *[f"{f}(5, {kind!r})" for f in ("pascal", "invpascal") for kind in ("symmetric", "lower", "upper")],
    "leslie(v, v[1:])", "toeplitz(v)", "toeplitz(v + 1j)", "toeplitz(v, v[1:])", "expm(a)", "expm(10 * a)",
    "expm_frechet(a, a.T)", "sqrtm(a @ a.T)", "polar(a)", "polar(b.T, 'left')",
    "solve_sylvester(a, a.T + 3 * np.eye(4), a)", "lu_solve(lu_factor(a), v, trans=1)", "cho_solve(cho_factor(a @ a.T), v)",
)  # fmt: skip

REFUSED = {
    "companion(v[:1])": ValueError,
    "convolution_matrix(v, 0)": ValueError,
    "convolution_matrix(v, 3, 'some')": ValueError,
    "dft(4, 'some')": ValueError,
    "expm_frechet(a, b)": ValueError,
    "hadamard(3)": ValueError,
    "leslie(v, v)": ValueError,
    "pascal(3, 'some')": ValueError,
    "qr_multiply(a, v, 'some')": ValueError,
}


def run(module: Any, call: str) -> Any:
    names = {name: getattr(module, name) for name in ours.__all__}
    return eval(call, {**VALUES, **names})


@pytest.mark.parametrize("call", CALLS)
def test_same_as_scipy(call: str) -> None:
    with jax.enable_x64(True):
        found, expected = run(ours, call), run(scipy_linalg, call)
    for mine, other in zip(*([r] if not isinstance(r, tuple) else r for r in (found, expected)), strict=True):
        np.testing.assert_allclose(np.asarray(mine), other, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("call", REFUSED)
def test_refused(call: str) -> None:
    with pytest.raises(REFUSED[call]):
        run(ours, call)


@pytest.mark.parametrize(("matrix", "other"), [("a", "v"), ("b", "v"), ("b", "a")])
def test_products_with_orthogonal_factors(matrix: str, other: str) -> None:
    """Q times R is the matrix again, whatever the signs of its columns."""
    x, c = VALUES[matrix], VALUES[other]
    with jax.enable_x64(True):
        product, r = ours.qr_multiply(x, c)
        np.testing.assert_allclose(product @ r, c @ x, atol=1e-9)
        left, _ = ours.qr_multiply(x, np.eye(x.shape[1]), "left")
        np.testing.assert_allclose(left @ r, x, atol=1e-9)


def test_empty_matrices_and_batches() -> None:
    assert ours.expm(np.zeros((0, 0))).shape == (0, 0)
    assert ours.hilbert(0).shape == ours.invpascal(0).shape == (0, 0)
    stacked = np.stack([VALUES["v"], 2 * VALUES["v"]])
    for function in (ours.toeplitz, ours.hankel, ours.circulant, ours.companion, ours.fiedler_companion):
        both = function(stacked)
        np.testing.assert_allclose(both[1], function(stacked[1]), rtol=1e-6)
