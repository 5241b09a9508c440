"""NumPy evaluation of the matrix decompositions, batched over leading axes.

LAPACK failures become NaN, as in JAX: a matrix that is not positive definite gives a factor of NaN, never an exception.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Values = np.ndarray[Any, Any]


def _each(x: Values, core: int = 2) -> Values:
    """`x` with its leading axes merged into one."""
    return x.reshape((-1, *x.shape[x.ndim - core :]))


def cholesky(a: Values) -> Values:
    """Lower factor of each matrix, reading its lower triangle; NaN where it is not positive definite."""
    out = np.empty_like(a)
    for source, target in zip(_each(a), _each(out)):
        lower = np.tril(source)
        full = lower + np.conj(np.tril(source, -1)).T
        try:
            target[...] = np.linalg.cholesky(full)
        except np.linalg.LinAlgError:
            target[...] = np.nan
    return out


def lu(a: Values) -> tuple[Values, Values, Values]:
    """LU factors packed in one matrix, pivots and permutation, by partial pivoting."""
    lead, (m, n) = a.shape[:-2], a.shape[-2:]
    packed = a.copy()
    steps = min(m, n)
    pivots = np.zeros((*lead, steps), np.int32)
    permutation = np.broadcast_to(np.arange(m, dtype=np.int32), (*lead, m)).copy()
    with np.errstate(all="ignore"):
        for matrix, pivot, order in zip(_each(packed), _each(pivots, 1), _each(permutation, 1)):
            for k in range(steps):
                p = k + int(np.argmax(np.abs(matrix[k:, k])))
                pivot[k] = p
                if p != k:
                    matrix[[k, p]] = matrix[[p, k]]
                    order[[k, p]] = order[[p, k]]
                if matrix[k, k] != 0:
                    matrix[k + 1 :, k] /= matrix[k, k]
                    matrix[k + 1 :, k + 1 :] -= np.outer(matrix[k + 1 :, k], matrix[k, k + 1 :])
    return packed, pivots, permutation


def lu_pivots_to_permutation(pivots: Values, *, permutation_size: int) -> Values:
    """The row permutation that a sequence of row exchanges produces."""
    permutation = np.broadcast_to(
        np.arange(permutation_size, dtype=np.int32), (*pivots.shape[:-1], permutation_size)
    ).copy()
    for pivot, order in zip(_each(pivots, 1), _each(permutation, 1)):
        for k, p in enumerate(pivot.tolist()):
            order[[k, p]] = order[[p, k]]
    return permutation


def triangular_solve(
    a: Values,
    b: Values,
    *,
    left_side: bool,
    lower: bool,
    transpose_a: bool,
    conjugate_a: bool,
    unit_diagonal: bool,
) -> Values:
    """Solution x of op(a) x = b (or x op(a) = b) by substitution; a zero on the diagonal gives inf or NaN."""
    if conjugate_a:
        a = np.conj(a)
    if not left_side:
        a, b = np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2)
        lower = not lower
    if transpose_a:
        a = np.swapaxes(a, -1, -2)
        lower = not lower
    n = a.shape[-1]
    x = b.copy()
    with np.errstate(all="ignore"):
        for k in range(n) if lower else range(n - 1, -1, -1):
            done = slice(0, k) if lower else slice(k + 1, n)
            row = x[..., k, :] - np.einsum("...j,...jk->...k", a[..., k, done], x[..., done, :])
            x[..., k, :] = row if unit_diagonal else row / a[..., k, k, None]
    return x if left_side else np.swapaxes(x, -1, -2)


def eigh_pair(a: Values, *, lower: bool, **options: Any) -> tuple[Values, Values]:
    """Eigenvectors and ascending eigenvalues of each Hermitian matrix."""
    if not np.isfinite(a).all():
        return np.full_like(a, np.nan), np.full(a.shape[:-1], np.nan, a.real.dtype)
    values, vectors = np.linalg.eigh(a, "L" if lower else "U")
    return vectors, values


def svd_parts(a: Values, *, full_matrices: bool, compute_uv: bool, **options: Any) -> list[Values]:
    """Singular values, then (if asked for) left vectors and adjoint right vectors."""
    if not np.isfinite(a).all():
        a = np.zeros_like(a)
        u, s, vt = np.linalg.svd(a, full_matrices)
        parts = [np.full_like(s, np.nan), np.full_like(u, np.nan), np.full_like(vt, np.nan)]
        return parts if compute_uv else parts[:1]
    if not compute_uv:
        return [np.linalg.svd(a, compute_uv=False)]
    u, s, vt = np.linalg.svd(a, full_matrices)
    return [s, u, vt]


def qr_factors(a: Values, *, full_matrices: bool, **options: Any) -> tuple[Values, Values]:
    """Orthonormal and upper triangular factors of each matrix."""
    q, r = np.linalg.qr(a, "complete" if full_matrices else "reduced")
    return q, r


def eig_parts(
    a: Values, *, compute_left_eigenvectors: bool, compute_right_eigenvectors: bool, **options: Any
) -> list[Values]:
    """Eigenvalues and (if asked for) eigenvectors of each square matrix, complex."""
    wanted = compute_left_eigenvectors + compute_right_eigenvectors
    if not np.isfinite(a).all():
        dtype = np.result_type(a.dtype, np.complex64)
        return [np.full(a.shape[:-1], np.nan, dtype), *[np.full(a.shape, np.nan, dtype)] * wanted]
    values, right = np.linalg.eig(a)
    parts = [values]
    if compute_left_eigenvectors:
        left = np.conj(np.swapaxes(np.linalg.inv(right), -1, -2))
        parts.append(left / np.linalg.norm(left, axis=-2, keepdims=True))
    if compute_right_eigenvectors:
        parts.append(right)
    return parts


def householder_product(a: Values, taus: Values) -> Values:
    """The matrix Q whose elementary reflectors are the columns of `a` below the diagonal."""
    lead, (m, n) = a.shape[:-2], a.shape[-2:]
    q = np.broadcast_to(np.eye(m, n, dtype=a.dtype), (*lead, m, n)).copy()
    for k in range(taus.shape[-1] - 1, -1, -1):
        v = a[..., k:, k].copy()
        v[..., 0] = 1
        block = q[..., k:, :]
        product = np.einsum("...i,...ij->...j", np.conj(v), block)
        q[..., k:, :] = block - taus[..., k, None, None] * v[..., :, None] * product[..., None, :]
    return q
