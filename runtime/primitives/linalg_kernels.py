"""NumPy evaluation of the matrix decompositions, batched over leading axes.

LAPACK failures become NaN, as in JAX: a matrix that is not positive definite gives a factor of NaN, never an exception.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

Values = np.ndarray[Any, Any]


def _each(x: Values, core: int = 2) -> Values:
    """`x` with its leading axes merged into one."""
    lead, kept = x.shape[: x.ndim - core], x.shape[x.ndim - core :]
    return x.reshape((math.prod(lead), *kept))


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


def qr_factors(
    a: Values, *, pivoting: bool = False, full_matrices: bool, **options: Any
) -> tuple[Values, ...]:
    """Orthonormal and upper triangular factors of each matrix, and, if asked for, the order of its columns."""
    mode: Literal["complete", "reduced"] = "complete" if full_matrices else "reduced"
    if not pivoting:
        return tuple(np.linalg.qr(a, mode))
    order = np.empty((*a.shape[:-2], a.shape[-1]), np.int32)
    for matrix, columns in zip(_each(a), _each(order, 1)):
        columns[...] = _column_order(matrix)
    q, r = np.linalg.qr(np.take_along_axis(a, order[..., None, :], -1), mode)
    return q, r, order


def geqrf(a: Values) -> tuple[Values, Values]:
    """The triangular factor with the reflectors below it, and their factors, as LAPACK packs them."""
    packed, factors = np.linalg.qr(a, "raw")
    return np.swapaxes(packed, -1, -2), factors


def _column_order(a: Values) -> list[int]:
    """At each step the column of which the most is left (Businger and Golub, 1965)."""
    rest = a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)
    order = list(range(a.shape[1]))
    for k in range(min(a.shape)):
        sizes = np.linalg.norm(rest[:, order[k:]], axis=0)
        # Columns that differ by rounding alone keep their places.
        best = k + int(np.argmax(sizes > (1 - 1e-6) * sizes.max())) if np.isfinite(sizes).all() else k
        order[k], order[best] = order[best], order[k]
        size = np.linalg.norm(rest[:, order[k]])
        if size > 0:
            direction = rest[:, order[k]] / size
            rest = rest - np.outer(direction, np.conj(direction) @ rest)
    return order


def eig_parts(
    a: Values, *, compute_left_eigenvectors: bool, compute_right_eigenvectors: bool, **options: Any
) -> list[Values]:
    """Eigenvalues and (if asked for) left and right eigenvectors of each square matrix, complex."""
    dtype = np.result_type(a.dtype, np.complex64)
    wanted = compute_left_eigenvectors + compute_right_eigenvectors
    if not np.isfinite(a).all():
        unknown = complex(np.nan, np.nan)
        return [np.full(a.shape[:-1], unknown, dtype), *[np.full(a.shape, unknown, dtype)] * wanted]
    values, right = np.linalg.eig(a)
    parts = [values]
    if compute_left_eigenvectors:
        left = np.empty(a.shape, dtype)
        for matrix, found, basis, target in zip(_each(a), _each(values, 1), _each(right), _each(left)):
            target[...] = _left_eigenvectors(matrix, found, basis)
        parts.append(left)
    if compute_right_eigenvectors:
        parts.append(right)
    return parts


def _left_eigenvectors(a: Values, values: Values, right: Values) -> Values:
    """Rows of the inverse of the right ones; where these are no basis, what each shifted matrix maps to zero."""
    try:
        left = np.conj(np.linalg.inv(right)).T
    except np.linalg.LinAlgError:
        left = None
    if (
        left is None
        or not np.isfinite(left).all()
        or np.abs(left).max(initial=0) > 1 / np.finfo(right.dtype).eps
    ):
        shifted = [np.linalg.svd(a - value * np.eye(len(a)))[0][:, -1] for value in values]
        left = np.stack(shifted, axis=1)
    left = left / np.linalg.norm(left, axis=0)
    largest = np.take_along_axis(left, np.argmax(np.abs(left), axis=0)[None], axis=0)
    return left * (np.conj(largest) / np.abs(largest))  # As LAPACK does: the largest element is real.


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
