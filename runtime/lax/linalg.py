"""`jax.lax.linalg`: the decompositions as primitives see them."""

from __future__ import annotations

from typing import Any

from ..core import Array
from ..primitives import linalg as primitives
from .elementwise import as_array


def cholesky(x: Any, *, symmetrize_input: bool = True) -> Array:
    """Lower Cholesky factor."""
    from ..numpy.decompositions import cholesky as factor

    return factor(as_array(x), symmetrize_input=symmetrize_input)


def lu(x: Any) -> tuple[Array, Array, Array]:
    """Packed factors, pivots, permutation."""
    packed, pivots, permutation = primitives.lu_p.bind(as_array(x))
    return packed, pivots, permutation


def lu_pivots_to_permutation(pivots: Any, permutation_size: int) -> Array:
    """The permutation of a sequence of row exchanges."""
    return primitives.lu_pivots_to_permutation_p.bind(as_array(pivots), permutation_size=permutation_size)


def qr(
    x: Any, *, pivoting: bool = False, full_matrices: bool = True, use_magma: Any = None
) -> tuple[Array, Array]:
    """Orthonormal and triangular factors."""
    q, r = primitives.qr_p.bind(as_array(x), pivoting=pivoting, full_matrices=full_matrices, use_magma=None)
    return q, r


def eigh(x: Any, *, lower: bool = True, symmetrize_input: bool = True, **options: Any) -> tuple[Array, Array]:
    """Eigenvectors and eigenvalues."""
    from ..numpy.decompositions import eigh as decompose

    values, vectors = decompose(as_array(x), "L" if lower else "U", symmetrize_input)
    return vectors, values


def svd(x: Any, *, full_matrices: bool = True, compute_uv: bool = True, **options: Any) -> Any:
    """Left vectors, singular values, adjoint right vectors."""
    parts = primitives.svd_p.bind(
        as_array(x), full_matrices=full_matrices, compute_uv=compute_uv, subset_by_index=None, algorithm=None
    )
    return (parts[1], parts[0], parts[2]) if compute_uv else parts[0]


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
