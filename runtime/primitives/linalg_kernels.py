"""NumPy evaluation of the matrix decompositions, batched over leading axes.

LAPACK failures become NaN, as in JAX: a matrix that is not positive definite gives a factor of NaN, never an exception.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from ..blas import matmul, on_idle_cores

Values = np.ndarray[Any, Any]


def _each(x: Values, core: int = 2) -> Values:
    """`x` with its leading axes merged into one."""
    lead, kept = x.shape[: x.ndim - core], x.shape[x.ndim - core :]
    return x.reshape((math.prod(lead), *kept))


@on_idle_cores
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


#: Matrices of at most so many columns are factored, and solved, column by column; larger ones by their halves.
_COLUMNS = 24


def lu(a: Values) -> tuple[Values, Values, Values]:
    """LU factors packed in one matrix, pivots and permutation, by partial pivoting."""
    lead, (m, n) = a.shape[:-2], a.shape[-2:]
    packed = a.copy()
    steps = min(m, n)
    pivots = np.zeros((*lead, steps), np.int32)
    with np.errstate(all="ignore"):
        for matrix, exchanges in zip(_each(packed), _each(pivots, 1)):
            square, rest = matrix[:, :steps], matrix[:, steps:]
            _factor(square, exchanges)
            if rest.size:
                _exchange(rest, exchanges)
                rest[...] = _substitute(square, rest, lower=True, unit=True)
    return packed, pivots, lu_pivots_to_permutation(pivots, permutation_size=m)


def _factor(matrix: Values, exchanges: Values) -> None:
    """LU in place. Its halves leave most of the work to products of matrices (Toledo, 1997)."""
    columns = matrix.shape[1]
    if columns <= _COLUMNS:
        _factor_columns(matrix, exchanges)
        return
    half = columns // 2
    left, right = matrix[:, :half], matrix[:, half:]
    _factor(left, exchanges[:half])
    _exchange(right, exchanges[:half])
    right[:half] = _substitute(left[:half], right[:half], lower=True, unit=True)
    right[half:] -= matmul(left[half:], right[:half])
    _factor(right[half:], exchanges[half:])
    _exchange(left[half:], exchanges[half:])
    exchanges[half:] += half


def _factor_columns(matrix: Values, exchanges: Values) -> None:
    for k in range(len(exchanges)):
        p = exchanges[k] = k + int(np.argmax(np.abs(matrix[k:, k])))
        if p != k:
            matrix[[k, p]] = matrix[[p, k]]
        if matrix[k, k] != 0:
            matrix[k + 1 :, k] /= matrix[k, k]
            matrix[k + 1 :, k + 1 :] -= np.outer(matrix[k + 1 :, k], matrix[k, k + 1 :])


def _exchange(rows: Values, exchanges: Values) -> None:
    for k, p in enumerate(exchanges.tolist()):
        if p != k:
            rows[[k, p]] = rows[[p, k]]


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
    with np.errstate(all="ignore"):
        x = _substitute(a, b, lower=lower, unit=unit_diagonal)
    return x if left_side else np.swapaxes(x, -1, -2)


def _substitute(a: Values, b: Values, *, lower: bool, unit: bool) -> Values:
    n = a.shape[-1]
    x = b.copy()
    if n > _COLUMNS:
        halves = slice(0, n // 2), slice(n // 2, n)
        first, last = halves if lower else halves[::-1]
        x[..., first, :] = _substitute(a[..., first, first], b[..., first, :], lower=lower, unit=unit)
        rest = b[..., last, :] - matmul(a[..., last, first], x[..., first, :])
        x[..., last, :] = _substitute(a[..., last, last], rest, lower=lower, unit=unit)
        return x
    for k in range(n) if lower else range(n - 1, -1, -1):
        done = slice(0, k) if lower else slice(k + 1, n)
        row = x[..., k, :] - np.einsum("...j,...jk->...k", a[..., k, done], x[..., done, :])
        x[..., k, :] = row if unit else row / a[..., k, k, None]
    return x


def _finite(a: Values) -> tuple[Values, Values]:
    """The matrices, zeros in the place of those that have infinities or NaN, and which have none."""
    finite: Values = np.asarray(np.isfinite(a).all((-2, -1)))
    return (a if finite.all() else np.where(finite[..., None, None], a, 0)), finite


def _where(finite: Values, x: Values) -> Values:
    """What was found for each matrix, NaN for those that were not finite."""
    if finite.all():
        return x
    unknown = complex(np.nan, np.nan) if x.dtype.kind == "c" else np.nan
    return np.where(finite[(..., *[None] * (x.ndim - finite.ndim))], x, x.dtype.type(unknown))


@on_idle_cores
def eigh_pair(a: Values, *, lower: bool, **options: Any) -> tuple[Values, Values]:
    """Eigenvectors and ascending eigenvalues of each Hermitian matrix."""
    a, finite = _finite(a)
    values, vectors = np.linalg.eigh(a, "L" if lower else "U")
    return _where(finite, vectors), _where(finite, values)


@on_idle_cores
def svd_parts(a: Values, *, full_matrices: bool, compute_uv: bool, **options: Any) -> list[Values]:
    """Singular values, then (if asked for) left vectors and adjoint right vectors."""
    a, finite = _finite(a)
    if not compute_uv:
        return [_where(finite, np.linalg.svd(a, compute_uv=False))]
    u, s, vt = np.linalg.svd(a, full_matrices)
    return [_where(finite, part) for part in (s, u, vt)]


@on_idle_cores
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


@on_idle_cores
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


@on_idle_cores
def eig_parts(
    a: Values, *, compute_left_eigenvectors: bool, compute_right_eigenvectors: bool, **options: Any
) -> list[Values]:
    """Eigenvalues and (if asked for) left and right eigenvectors of each square matrix, complex."""
    dtype = np.result_type(a.dtype, np.complex64)
    a, finite = _finite(a)
    values, right = np.linalg.eig(a)
    parts = [values]
    if compute_left_eigenvectors:
        left = np.empty(a.shape, dtype)
        for matrix, found, basis, target in zip(_each(a), _each(values, 1), _each(right), _each(left)):
            target[...] = _left_eigenvectors(matrix, found, basis)
        parts.append(left)
    if compute_right_eigenvectors:
        parts.append(right)
    return [_where(finite, part.astype(dtype, copy=False)) for part in parts]


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
