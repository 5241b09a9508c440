"""Matrix decompositions of `jax.numpy.linalg`, and the named tuples that they give."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import lax
from ..core import Array
from ..primitives import linalg as primitives
from ..primitives import schur as reductions
from .creation import tril
from .promotion import (
    ArrayLike,
    check_arraylike,
    jitted,
    promote_dtypes_inexact,
)
from .selection import take_along_axis
from .shaping import matrix_transpose


class EighResult(NamedTuple):
    """Result of `eigh`."""

    eigenvalues: Any
    eigenvectors: Any


class EigResult(NamedTuple):
    """Result of `eig`."""

    eigenvalues: Any
    eigenvectors: Any


class QRResult(NamedTuple):
    """Result of `qr`."""

    Q: Any
    R: Any


class SVDResult(NamedTuple):
    """Result of `svd`."""

    U: Any
    S: Any
    Vh: Any


def check_matrix(name: str, a: ArrayLike) -> Array:
    check_arraylike(f"jnp.linalg.{name}", a)
    (x,) = promote_dtypes_inexact(a)
    return x


def symmetrized(name: str, x: Array) -> Array:
    """The Hermitian part of matrices. Raises TypeError for vectors and for matrices that are not square."""
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise TypeError(f"{name} requires square matrices, got an array of shape {x.shape}")
    flipped = matrix_transpose(x)
    return (x + (lax.conj(flipped) if x.dtype.kind == "c" else flipped)) / 2


@jitted("upper", "symmetrize_input")
def cholesky(a: ArrayLike, *, upper: bool = False, symmetrize_input: bool = True) -> Array:
    """Cholesky factor; NaN where the matrix is not positive definite."""
    x = check_matrix("cholesky", a)
    if symmetrize_input:
        x = symmetrized("cholesky", x)
    factor = tril(primitives.cholesky_p.bind(x))
    if not upper:
        return factor
    return lax.conj(matrix_transpose(factor)) if x.dtype.kind == "c" else matrix_transpose(factor)


@jitted("full_matrices", "compute_uv", "hermitian", "subset_by_index")
def svd(
    a: ArrayLike,
    full_matrices: bool = True,
    compute_uv: bool = True,
    hermitian: bool = False,
    subset_by_index: Any = None,
) -> Any:
    """Singular value decomposition."""
    x = check_matrix("svd", a)
    if hermitian:
        w, v = eigh(x)
        order = _descending(lax.abs(w))

        s = take_along_axis(lax.abs(w), order, axis=-1)
        if not compute_uv:
            return s
        sign = take_along_axis(lax.sign(w), order, axis=-1)
        u = take_along_axis(v, order[..., None, :], axis=-1)
        vh = matrix_transpose(u * sign[..., None, :])
        return SVDResult(u, s, lax.conj(vh) if x.dtype.kind == "c" else vh)
    parts = primitives.svd_p.bind(
        x, full_matrices=full_matrices, compute_uv=compute_uv, subset_by_index=None, algorithm=None
    )
    return SVDResult(parts[1], parts[0], parts[2]) if compute_uv else parts[0]


def _descending(x: Array) -> Array:
    """Places of the elements from largest to smallest."""
    from .sorting import argsort

    return argsort(x, axis=-1, descending=True)


def svdvals(x: ArrayLike, /) -> Array:
    """Singular values."""
    values: Array = svd(x, compute_uv=False, hermitian=False)
    return values


@jitted("UPLO", "symmetrize_input")
def eigh(a: ArrayLike, UPLO: str | None = None, symmetrize_input: bool = True) -> EighResult:
    """Eigenvalues, ascending, and eigenvectors of Hermitian matrices."""
    x = check_matrix("eigh", a)
    if UPLO not in (None, "L", "U"):
        raise ValueError(f"UPLO must be one of None, 'L', or 'U', got {UPLO}")
    if symmetrize_input:
        x = symmetrized("eigh", x)
    v, w = primitives.eigh_p.bind(
        x, lower=UPLO != "U", sort_eigenvalues=True, subset_by_index=None, algorithm=None
    )
    return EighResult(w, v)


@jitted("UPLO", "symmetrize_input")
def eigvalsh(a: ArrayLike, UPLO: str | None = "L", *, symmetrize_input: bool = True) -> Array:
    """Eigenvalues of Hermitian matrices."""
    w: Array = eigh(a, UPLO, symmetrize_input)[0]
    return w


def _eig(x: Array, vectors: bool) -> list[Array]:
    parts: list[Array] = primitives.eig_p.bind(
        x,
        compute_left_eigenvectors=False,
        compute_right_eigenvectors=vectors,
        implementation=None,
        enable_eigvec_derivs=False,
    )
    return parts


def eig(a: ArrayLike) -> EigResult:
    """Eigenvalues and right eigenvectors, complex."""
    return EigResult(*_eig(check_matrix("eig", a), True))


@jitted()
def eigvals(a: ArrayLike) -> Array:
    """Eigenvalues, complex."""
    return _eig(check_matrix("eigvals", a), False)[0]


@jitted("mode", name="qr")
def _qr(a: Array, mode: str) -> Any:
    if mode == "raw":
        packed, factors = reductions.geqrf_p.bind(a)
        return QRResult(matrix_transpose(packed), factors)
    q, r = primitives.qr_p.bind(a, pivoting=False, full_matrices=mode == "complete", use_magma=None)
    return r if mode == "r" else QRResult(q, r)


def qr(a: ArrayLike, mode: str = "reduced") -> Any:
    """QR decomposition."""
    x = check_matrix("qr", a)
    if mode not in ("reduced", "r", "full", "complete", "raw"):
        raise ValueError(f"Unsupported QR decomposition mode '{mode}'")
    return _qr(x, mode="complete" if mode == "full" else mode)
