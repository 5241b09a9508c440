"""`jax.lax.linalg`: the decompositions as primitives see them."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from ..core import Array
from ..primitives import linalg as primitives
from ..primitives import schur as reductions
from .elementwise import as_array
from .tridiagonal import tridiagonal, tridiagonal_solve

__all__ = [
    "EigImplementation",
    "EighImplementation",
    "SvdAlgorithm",
    "cholesky",
    "cholesky_update",
    "eig",
    "eigh",
    "hessenberg",
    "householder_product",
    "lu",
    "lu_pivots_to_permutation",
    "ormqr",
    "qr",
    "schur",
    "svd",
    "symmetric_product",
    "triangular_solve",
    "tridiagonal",
    "tridiagonal_solve",
]


class EigImplementation(enum.Enum):
    """Libraries for `eig`. LAPACK is used whatever is asked for."""

    CUSOLVER = "cusolver"
    MAGMA = "magma"
    LAPACK = "lapack"


class EighImplementation(enum.Enum):
    """Algorithms for `eigh`. LAPACK is used whatever is asked for."""

    QR = "qr"
    JACOBI = "jacobi"
    QDWH = "qdwh"


class SvdAlgorithm(enum.Enum):
    """Algorithms for `svd`. LAPACK is used whatever is asked for."""

    DEFAULT = "default"
    QR = "QR"
    JACOBI = "Jacobi"
    POLAR = "polar"
    DIVIDE_AND_CONQUER = "divide_and_conquer"


def _inexact(name: str, x: Any) -> Array:
    """The argument as an array. Raises TypeError unless it is floating or complex."""
    value = as_array(x)
    if value.dtype.kind not in "fc":
        raise TypeError(
            f"{name} does not accept dtype {value.dtype} at position 0. Accepted dtypes at position 0 are subtypes of "
            "floating, complexfloating."
        )
    return value


def _adjoint(x: Array) -> Array:
    from ..numpy import conj

    return conj(x.mT)


def cholesky(x: Any, *, symmetrize_input: bool = True) -> Array:
    """Lower Cholesky factor."""
    from ..numpy.decompositions import cholesky as factor

    return factor(x, symmetrize_input=symmetrize_input)


def cholesky_update(r_matrix: Any, w_vector: Any) -> Array:
    """The upper factor of ``R^T R + w w^T``, for an upper factor R of shape (n, n) and w of shape (n,). No derivatives."""
    from ..numpy import concatenate, diagonal, where

    r, w = _inexact("cholesky_update", r_matrix), _inexact("cholesky_update", w_vector)
    if r.ndim != 2 or r.shape[0] != r.shape[1] or w.shape != r.shape[:1]:
        raise ValueError(
            f"cholesky_update requires a square matrix and a vector of its size, got shapes {r.shape} and {w.shape}"
        )
    updated = qr(concatenate([r, w[None, :]]), full_matrices=False)[1]
    return updated * where(diagonal(updated) < 0, -1, 1).astype(r.dtype)[:, None]


def eig(
    x: Any,
    *,
    compute_left_eigenvectors: bool = True,
    compute_right_eigenvectors: bool = True,
    enable_eigvec_derivs: bool = False,
    implementation: EigImplementation | None = None,
    use_magma: bool | None = None,
) -> list[Array]:
    """Eigenvalues, then the left and right eigenvectors that are asked for, complex, of length 1.

    Raises TypeError for what is not floating or complex, and ValueError for matrices that are not square.
    """
    parts: list[Array] = primitives.eig_p.bind(
        _inexact("eig", x),
        compute_left_eigenvectors=compute_left_eigenvectors,
        compute_right_eigenvectors=compute_right_eigenvectors,
        implementation=implementation,
        enable_eigvec_derivs=enable_eigvec_derivs,
    )
    return list(parts)


def eigh(
    x: Any,
    *,
    lower: bool = True,
    symmetrize_input: bool = True,
    sort_eigenvalues: bool = True,
    subset_by_index: tuple[int, int] | None = None,
    implementation: EighImplementation | None = None,
) -> tuple[Array, Array]:
    """Eigenvectors and eigenvalues. Raises NotImplementedError for a proper subset of these, as JAX does on a CPU."""
    from ..numpy.decompositions import eigh as decompose

    value = _inexact("eigh", x)
    if subset_by_index is not None and tuple(subset_by_index) != (0, value.shape[-1]):
        raise NotImplementedError("subset_by_index not supported on CPU and GPU")
    values, vectors = decompose(value, "L" if lower else "U", symmetrize_input)
    return vectors, values


def hessenberg(a: Any) -> list[Array]:
    """The upper Hessenberg form with the reflectors below it, and their factors, as LAPACK's ``gehrd`` packs them."""
    return list(reductions.hessenberg_p.bind(_inexact("hessenberg", a)))


def householder_product(a: Any, taus: Any) -> Array:
    """The product of the reflectors that stand below the diagonal of `a` (..., m, n), with factors `taus` (..., k)."""
    return reductions.householder_product_p.bind(
        _inexact("householder_product", a), _inexact("householder_product", taus)
    )


def lu(x: Any) -> tuple[Array, Array, Array]:
    """Packed factors, pivots, permutation."""
    packed, pivots, permutation = primitives.lu_p.bind(_inexact("lu", x))
    return packed, pivots, permutation


def lu_pivots_to_permutation(pivots: Any, permutation_size: int) -> Array:
    """The permutation of a sequence of row exchanges."""
    return primitives.lu_pivots_to_permutation_p.bind(as_array(pivots), permutation_size=permutation_size)


def ormqr(a: Any, taus: Any, c: Any, *, left: bool = True, transpose: bool = False) -> Array:
    """``Q c`` (``c Q`` unless `left`) for the product Q of reflectors, or with its adjoint, as LAPACK's ``ormqr``."""
    from ..numpy import pad

    reflectors = _inexact("ormqr", a)
    m, k = reflectors.shape[-2:]
    widths = [(0, 0)] * (reflectors.ndim - 1) + [(0, m - k)]
    q = householder_product(pad(reflectors, widths), taus)
    factor, other = _adjoint(q) if transpose else q, _inexact("ormqr", c)
    return factor @ other if left else other @ factor


def qr(
    x: Any, *, pivoting: bool = False, full_matrices: bool = True, use_magma: bool | None = None
) -> tuple[Array, ...]:
    """Orthonormal and triangular factors, and, with `pivoting`, the order of columns that they are those of."""
    return tuple(
        primitives.qr_p.bind(
            _inexact("qr", x), pivoting=pivoting, full_matrices=full_matrices, use_magma=None
        )
    )


def schur(
    x: Any,
    *,
    compute_schur_vectors: bool = True,
    sort_eig_vals: bool = False,
    select_callable: Callable[..., Any] | None = None,
) -> list[Array]:
    """The (quasi-)triangular form, and the unitary basis if it is asked for. Raises NotImplementedError for sorted ones."""
    if sort_eig_vals or select_callable is not None:
        raise NotImplementedError("The sort feature of LAPACK's gees routine is not implemented.")
    parts: list[Array] = reductions.schur_p.bind(
        _inexact("schur", x), compute_schur_vectors=True, select_callable=None, sort_eig_vals=False
    )
    return parts[: 2 if compute_schur_vectors else 1]


def svd(
    x: Any,
    *,
    full_matrices: bool = True,
    compute_uv: bool = True,
    subset_by_index: tuple[int, int] | None = None,
    algorithm: SvdAlgorithm | None = None,
) -> Any:
    """Left vectors, singular values, adjoint right vectors, or those of a range of indices alone."""
    if subset_by_index is not None and compute_uv and full_matrices:
        raise ValueError("full_matrices and subset_by_index cannot both be set")
    parts = primitives.svd_p.bind(
        _inexact("svd", x),
        full_matrices=full_matrices,
        compute_uv=compute_uv,
        subset_by_index=None,
        algorithm=None,
    )
    first, last = subset_by_index or (0, parts[0].shape[-1])
    values = parts[0][..., first:last]
    if not compute_uv:
        return values
    if subset_by_index is None:
        return parts[1], values, parts[2]
    return parts[1][..., first:last], values, parts[2][..., first:last, :]


def symmetric_product(
    a_matrix: Any, c_matrix: Any, *, alpha: float = 1.0, beta: float = 0.0, symmetrize_output: bool = False
) -> Array:
    """``alpha A A^T + beta C`` for symmetric C, of which the lower triangle counts if the output is symmetrized."""
    from ..numpy import tril

    a, c = _inexact("symmetric_product", a_matrix), _inexact("symmetric_product", c_matrix)
    if a.ndim < 2 or c.ndim < 2 or c.shape[-1] != c.shape[-2] or c.shape[-1] != a.shape[-2]:
        raise ValueError(
            f"symmetric_product requires matrices (..., n, m) and (..., n, n), got shapes {a.shape} and {c.shape}"
        )
    result = alpha * (a @ a.mT) + beta * c
    return tril(result) + tril(result, -1).mT if symmetrize_output else result


def triangular_solve(
    a: Any,
    b: Any,
    *,
    left_side: bool = False,
    lower: bool = False,
    transpose_a: bool = False,
    conjugate_a: bool = False,
    unit_diagonal: bool = False,
) -> Array:
    """Solution of a triangular system."""
    x, y = as_array(a), as_array(b)
    vector = y.ndim == x.ndim - 1
    if vector:
        y = y[..., None] if left_side else y[..., None, :]
    out = primitives.triangular_solve_p.bind(
        x,
        y,
        left_side=left_side,
        lower=lower,
        transpose_a=transpose_a,
        conjugate_a=conjugate_a,
        unit_diagonal=unit_diagonal,
    )
    return out[..., 0] if vector and left_side else out[..., 0, :] if vector else out


def __getattr__(name: str) -> Any:
    if name.endswith("_p"):
        from . import _primitive

        return _primitive(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
