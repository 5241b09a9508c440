"""`lax.linalg`, and functions of matrices: products that must give back what was taken apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime.lax import linalg
from tracetrap.runtime.scipy import linalg as scipy_linalg

RANDOM = np.random.default_rng(7)
REAL = RANDOM.normal(size=(5, 5))
COMPLEX = REAL + 1j * RANDOM.normal(size=(5, 5))
JORDAN = np.array([[2.0, 1.0, 0.0], [0.0, 2.0, 1.0], [0.0, 0.0, 2.0]])
MATRICES = {"real": REAL, "complex": COMPLEX, "symmetric": REAL + REAL.T, "batch": np.stack([REAL, REAL.T])}


def adjoint(x: Any) -> Any:
    return np.conj(np.swapaxes(np.asarray(x), -1, -2))


@pytest.fixture(autouse=True)
def _double() -> Any:
    with jax.enable_x64(True):
        yield


@pytest.mark.parametrize("name", MATRICES)
def test_eig(name: str) -> None:
    a = MATRICES[name]

    w, left, right = (np.asarray(v) for v in linalg.eig(a))

    np.testing.assert_allclose(a @ right, right * w[..., None, :], atol=1e-12)
    np.testing.assert_allclose(adjoint(left) @ a, w[..., :, None] * adjoint(left), atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(left, axis=-2), 1)


def test_left_eigenvectors_of_a_matrix_without_a_basis_of_them() -> None:
    w, left, _ = (np.asarray(v) for v in linalg.eig(JORDAN))

    np.testing.assert_allclose(adjoint(left) @ JORDAN, w[:, None] * adjoint(left), atol=1e-6)


def test_derivatives_of_eigenvectors_on_demand() -> None:
    step = 1e-6 * REAL.T

    def vectors(a: Any) -> Any:
        v = linalg.eig(a, compute_left_eigenvectors=False, enable_eigvec_derivs=True)[1]
        return v / v[:1]  # LAPACK is free to turn them.

    slope = jax.jvp(vectors, (REAL,), (REAL.T,))[1]

    np.testing.assert_allclose(slope, (vectors(REAL + step) - vectors(REAL - step)) / 2e-6, atol=1e-7)
    with pytest.raises(NotImplementedError, match="eigenvectors"):
        jax.jvp(lambda a: linalg.eig(a)[2], (REAL,), (REAL,))


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("name", ["symmetric", "complex"])
def test_tridiagonal(name: str, lower: bool) -> None:
    a = MATRICES[name] + adjoint(MATRICES[name])

    packed, d, e, taus = (np.asarray(v) for v in linalg.tridiagonal(a, lower=lower))

    form = np.diag(d) + np.diag(e, 1) + np.diag(e, -1)
    np.testing.assert_allclose(np.linalg.eigvalsh(form), np.linalg.eigvalsh(a), atol=1e-12)
    if lower:
        q = linalg.householder_product(packed[1:, :-1], taus)
        whole = np.eye(5, dtype=q.dtype)
        whole[1:, 1:] = q
        np.testing.assert_allclose(adjoint(whole) @ a @ whole, form, atol=1e-12)


@pytest.mark.parametrize("shape", [(6, 2), (3, 6, 2)])
def test_tridiagonal_solve(shape: tuple[int, ...]) -> None:
    # Zeros on the diagonal need row exchanges.
    dl, d, du = (RANDOM.normal(size=shape[:-1]) for _ in range(3))
    d[..., ::2] = 0
    b = RANDOM.normal(size=shape)

    x = np.asarray(jax.jit(linalg.tridiagonal_solve)(dl, d, du, b))

    def times(m: Any) -> Any:
        return m[..., None] * x

    above = np.concatenate([times(du)[..., :0, :], du[..., :-1, None] * x[..., 1:, :], 0 * x[..., :1, :]], -2)
    below = np.concatenate([0 * x[..., :1, :], dl[..., 1:, None] * x[..., :-1, :]], -2)
    np.testing.assert_allclose(times(d) + above + below, b, atol=1e-11)


@pytest.mark.parametrize("name", ["real", "complex"])
def test_pivoted_qr(name: str) -> None:
    a = MATRICES[name][:, :4]

    q, r, order = (np.asarray(v) for v in linalg.qr(a, pivoting=True, full_matrices=False))

    np.testing.assert_allclose(q @ r, a[:, order], atol=1e-12)
    diagonal = np.abs(np.diag(r))
    assert (diagonal[:-1] >= diagonal[1:] - 1e-12).all()
    np.testing.assert_array_equal(scipy_linalg.qr(a, pivoting=True, mode="r")[1], order)


def test_packed_qr_is_what_its_reflectors_make() -> None:
    packed, taus = (np.asarray(v) for v in jax.numpy.linalg.qr(REAL, mode="raw"))
    c = RANDOM.normal(size=(5, 3))

    q = np.asarray(linalg.householder_product(packed.T, taus))

    np.testing.assert_allclose(q @ np.triu(packed.T), REAL, atol=1e-12)
    np.testing.assert_allclose(linalg.ormqr(packed.T[:, :5], taus, c, transpose=True), q.T @ c, atol=1e-12)


def test_updates_and_symmetric_products() -> None:
    factor, w = np.linalg.cholesky(REAL @ REAL.T).T, REAL[0]

    updated = np.asarray(linalg.cholesky_update(factor, w))

    np.testing.assert_allclose(updated.T @ updated, factor.T @ factor + np.outer(w, w), atol=1e-12)
    np.testing.assert_allclose(
        linalg.symmetric_product(REAL[:, :2], np.eye(5), alpha=2.0, beta=3.0),
        2 * REAL[:, :2] @ REAL[:, :2].T + 3 * np.eye(5),
    )


@pytest.mark.parametrize("a", [JORDAN, REAL @ REAL.T, COMPLEX], ids=["jordan", "definite", "complex"])
def test_square_roots(a: Any) -> None:
    root = np.asarray(scipy_linalg.sqrtm(a))

    np.testing.assert_allclose(root @ root, a, atol=1e-10)


def test_functions_of_matrices() -> None:
    found, error = scipy_linalg.funm(REAL, jax.numpy.exp, disp=False)

    np.testing.assert_allclose(found, scipy_linalg.expm(REAL), atol=1e-10)
    assert 0 < float(error) < 1e-10


@pytest.mark.parametrize("name", ["real", "complex"])
def test_sylvester_equations(name: str) -> None:
    a, b, c = MATRICES[name], JORDAN + 3 * np.eye(3), RANDOM.normal(size=(5, 3))

    x = np.asarray(scipy_linalg.solve_sylvester(a, b, c.astype(a.dtype)))

    np.testing.assert_allclose(a @ x + x @ b, c, atol=1e-10)
    assert x.dtype == a.dtype


def test_complex_schur_forms_of_batches() -> None:
    t, z = scipy_linalg.schur(MATRICES["batch"])

    t, z = (np.asarray(v) for v in scipy_linalg.rsf2csf(t, z))

    np.testing.assert_allclose(z @ t @ adjoint(z), MATRICES["batch"], atol=1e-12)
    np.testing.assert_allclose(np.tril(t, -1), 0, atol=1e-12)


@pytest.mark.parametrize("name", ["eig", "hessenberg", "schur", "tridiagonal"])
def test_refused_matrices(name: str) -> None:
    with pytest.raises(TypeError, match="does not accept dtype int"):
        getattr(linalg, name)(np.ones((2, 2), int))
    with pytest.raises(ValueError, match="3, 4"):
        getattr(linalg, name)(np.ones((3, 4)))


def test_the_determinant_has_a_derivative_where_it_is_zero() -> None:
    singular = np.diag([2, 3, 5, 0]).astype(np.float32)
    stack = np.stack([singular, singular * 0, np.eye(4, dtype=np.float32)])

    found = jax.jit(jax.vmap(jax.grad(jax.numpy.linalg.det)))(stack)

    np.testing.assert_allclose(found, [np.diag([0, 0, 0, 30]), np.zeros((4, 4)), np.eye(4)], atol=1e-6)
