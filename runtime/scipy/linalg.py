"""`jax.scipy.linalg`: the decompositions and solvers in SciPy's signatures."""

from __future__ import annotations

import math
from typing import Any

from .. import lax
from .. import numpy as jnp
from ..core import Array
from ..lax import types
from ..numpy import linalg as base
from ..numpy.promotion import (
    ArrayLike,
    asarray,
    jitted,
    promote_dtypes_inexact,
)
from ..primitives import linalg as primitives
from ..transforms.differentiation import jvp
from .matrix_functions import funm, solve_sylvester, sqrtm
from .schur import hessenberg, rsf2csf, schur
from .special_matrices import (
    block_diag,
    circulant,
    companion,
    convolution_matrix,
    dft,
    fiedler,
    fiedler_companion,
    hadamard,
    hankel,
    helmert,
    hilbert,
    invhilbert,
    invpascal,
    leslie,
    pascal,
    toeplitz,
)

__all__ = [
    "block_diag",
    "cho_factor",
    "cho_solve",
    "cholesky",
    "circulant",
    "companion",
    "convolution_matrix",
    "det",
    "dft",
    "eigh",
    "eigh_tridiagonal",
    "expm",
    "expm_frechet",
    "fiedler",
    "fiedler_companion",
    "funm",
    "hadamard",
    "hankel",
    "helmert",
    "hessenberg",
    "hilbert",
    "inv",
    "invhilbert",
    "invpascal",
    "leslie",
    "lu",
    "lu_factor",
    "lu_solve",
    "pascal",
    "polar",
    "qr",
    "qr_multiply",
    "rsf2csf",
    "schur",
    "solve",
    "solve_sylvester",
    "solve_triangular",
    "sqrtm",
    "svd",
    "toeplitz",
]


def _adjoint(x: Array) -> Array:
    flipped = jnp.matrix_transpose(x)
    return lax.conj(flipped) if x.dtype.kind == "c" else flipped


@jitted("lower")
def _cholesky(a: ArrayLike, lower: bool) -> Array:
    (x,) = promote_dtypes_inexact(a)
    factor = base.cholesky(x if lower else _adjoint(x), symmetrize_input=False)
    return factor if lower else _adjoint(factor)


def cholesky(
    a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Array:
    """Cholesky factor, upper by default."""
    return _cholesky(a, lower=lower)


def cho_factor(
    a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Array, bool]:
    """Cholesky factor for `cho_solve`."""
    return cholesky(a, lower), lower


def cho_solve(c_and_lower: Any, b: ArrayLike, overwrite_b: bool = False, check_finite: bool = True) -> Array:
    """Solution with a factor of `cho_factor`."""
    c, lower = c_and_lower
    c, b = promote_dtypes_inexact(c, b)
    first = solve_triangular(c, b, trans=0 if lower else 2, lower=lower)
    return solve_triangular(c, first, trans=2 if lower else 0, lower=lower)


def solve_triangular(
    a: ArrayLike,
    b: ArrayLike,
    trans: int | str = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    debug: Any = None,
    check_finite: bool = True,
) -> Array:
    """Solution of a triangular system."""
    codes = {0: 0, "N": 0, 1: 1, "T": 1, 2: 2, "C": 2}
    if trans not in codes:
        raise ValueError(f"Invalid 'trans' value {trans}")
    return _solve_triangular(a, b, trans=codes[trans], lower=lower, unit_diagonal=unit_diagonal)


@jitted("trans", "lower", "unit_diagonal")
def _solve_triangular(a: ArrayLike, b: ArrayLike, trans: int, lower: bool, unit_diagonal: bool) -> Array:
    x, y = (asarray(v) for v in promote_dtypes_inexact(a, b))
    if x.ndim < 2:
        raise ValueError(f"solve_triangular requires at least two dimensions, got shape {x.shape}")
    vector = y.ndim == x.ndim - 1
    if vector:
        y = y[..., None]
    out = primitives.solve_triangular(
        x, y, left=True, lower=lower, transpose_a=trans > 0, conjugate_a=trans == 2, unit=unit_diagonal
    )
    return out[..., 0] if vector else out


def solve(
    a: ArrayLike,
    b: ArrayLike,
    lower: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    debug: bool = False,
    check_finite: bool = True,
    assume_a: str = "gen",
) -> Array:
    """Solution of a linear system."""
    valid = ("gen", "sym", "her", "pos")
    if assume_a not in valid:
        raise ValueError(f"Expected assume_a to be one of {list(valid)}; got {assume_a!r}")
    if assume_a == "pos":
        return cho_solve(cho_factor(a, lower), b)
    return base.solve(a, b)


def det(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Determinant."""
    return base.det(a)


def inv(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Inverse."""
    return base.inv(a)


def svd(
    a: ArrayLike,
    full_matrices: bool = True,
    compute_uv: bool = True,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> Any:
    """Singular value decomposition."""
    out = base.svd(a, full_matrices=full_matrices, compute_uv=compute_uv)
    return tuple(out) if compute_uv else out


def eigh(
    a: ArrayLike,
    b: ArrayLike | None = None,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    turbo: bool = True,
    eigvals: None = None,
    type: int = 1,
    check_finite: bool = True,
) -> Any:
    """Eigenvalues and eigenvectors of a Hermitian matrix."""
    if b is not None:
        raise NotImplementedError("Only the b=None case of eigh is implemented")
    if type != 1:
        raise NotImplementedError("Only the type=1 case of eigh is implemented.")
    if eigvals is not None:
        raise NotImplementedError("Only the eigvals=None case of eigh is implemented")
    w, v = base.eigh(a, "L" if lower else "U")
    return w if eigvals_only else (w, v)


def qr(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: Any = None,
    mode: str = "full",
    pivoting: bool = False,
    check_finite: bool = True,
) -> Any:
    """Q and R, or R alone, and, with `pivoting`, the order of columns that they are the factors of."""
    if mode not in ("full", "r", "economic"):
        raise ValueError(f"Unsupported QR decomposition mode '{mode}'")
    (x,) = promote_dtypes_inexact(a)
    factors = primitives.qr_p.bind(
        x, pivoting=bool(pivoting), full_matrices=mode != "economic", use_magma=None
    )
    return tuple(factors[1:] if mode == "r" else factors)


def lu_factor(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, Array]:
    """Packed LU factors and pivots."""
    (x,) = promote_dtypes_inexact(a)
    packed, pivots, _ = primitives.lu_p.bind(x)
    return packed, pivots


def lu_solve(
    lu_and_piv: Any, b: ArrayLike, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True
) -> Array:
    """Solution with factors of `lu_factor`."""
    packed, pivots = (asarray(v) for v in lu_and_piv)
    packed, y = (asarray(v) for v in promote_dtypes_inexact(packed, b))
    size = packed.shape[-1]
    order = primitives.lu_pivots_to_permutation_p.bind(pivots, permutation_size=size)
    vector = y.ndim == packed.ndim - 1
    y = y[..., None] if vector else y
    solve_ = primitives.solve_triangular
    if trans == 0:
        y = jnp.take_along_axis(y, order[..., :, None], axis=-2)
        y = solve_(packed, y, left=True, lower=True, unit=True)
        y = solve_(packed, y, left=True, lower=False)
    elif trans in (1, 2):
        y = solve_(packed, y, left=True, lower=False, transpose_a=True, conjugate_a=trans == 2)
        y = solve_(packed, y, left=True, lower=True, transpose_a=True, conjugate_a=trans == 2, unit=True)
        y = jnp.take_along_axis(y, jnp.argsort(order, axis=-1)[..., :, None], axis=-2)
    else:
        raise ValueError(f"'trans' value must be 0, 1, or 2, got {trans}")
    return y[..., 0] if vector else y


def lu(a: ArrayLike, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Permutation, lower and upper factors."""
    return _lu(a, permute_l=permute_l)


@jitted("permute_l")
def _lu(a: ArrayLike, permute_l: bool) -> Any:
    (x,) = promote_dtypes_inexact(a)
    packed, _, permutation = primitives.lu_p.bind(x)
    if x.ndim != 2:
        raise ValueError(f"lu takes one matrix, got shape {x.shape}")
    m, n = x.shape
    p = jnp.equal(permutation[None, :], jnp.arange(m)[:, None]).astype(x.real.dtype)
    k = min(m, n)
    lower = jnp.tril(packed, -1)[:, :k] + jnp.eye(m, k, dtype=x.dtype)
    upper = jnp.triu(packed)[:k, :]
    return (jnp.matmul(p, lower), upper) if permute_l else (p, lower, upper)


_PADE = {
    3: (120.0, 60.0, 12.0, 1.0),
    5: (30240.0, 15120.0, 3360.0, 420.0, 30.0, 1.0),
    7: (17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0, 1.0),
}


@jitted("upper_triangular", "max_squarings")
def expm(A: ArrayLike, *, upper_triangular: bool = False, max_squarings: int = 16) -> Array:
    """Matrix exponential by scaling, a Padé approximant, and squaring (Higham, 2005)."""
    (x,) = promote_dtypes_inexact(A)
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"Expected A to be a (batched) square matrix, got {x.shape=}.")
    if x.dtype.itemsize < 4:
        raise TypeError(f"A.dtype={x.dtype} is not supported.")
    if x.shape[-1] == 0:
        return x
    size = base.norm(x, 1, axis=(-2, -1))
    limit = 3.925724783138660
    squarings = jnp.clip(jnp.ceil(jnp.log2(jnp.maximum(size, 1e-30) / limit)), 0, max_squarings).astype(
        types.int32
    )
    scaled = x / (2.0 ** squarings.astype(size.dtype))[..., None, None].astype(x.dtype)
    identity = jnp.broadcast_to(jnp.eye(x.shape[-1], dtype=x.dtype), x.shape)
    b = _PADE[7]
    powers = [identity, jnp.matmul(scaled, scaled)]
    for _ in range(2):
        powers.append(jnp.matmul(powers[-1], powers[1]))
    odd = sum((b[2 * i + 1] * p for i, p in enumerate(powers)), jnp.zeros_like(x))
    even = sum((b[2 * i] * p for i, p in enumerate(powers)), jnp.zeros_like(x))
    odd = jnp.matmul(scaled, odd)
    result = base.solve(even - odd, even + odd)
    for i in range(max_squarings):
        squared = jnp.matmul(result, result)
        result = jnp.where((i < squarings)[..., None, None], squared, result)
    overflow = (jnp.log2(jnp.maximum(size, 1e-30) / limit) > max_squarings)[..., None, None]
    return jnp.where(overflow, math.nan, result)


def expm_frechet(A: ArrayLike, E: ArrayLike, *, method: str | None = None, compute_expm: bool = True) -> Any:
    """The exponential of A (unless not asked for) and its derivative in the direction E."""
    a, e = (asarray(v) for v in promote_dtypes_inexact(A, E))
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise ValueError(f"expected A to be a square matrix, got A.shape={a.shape}")
    if e.shape != a.shape:
        raise ValueError(f"expected E to be a square matrix like A, got {e.shape} and {a.shape}")
    value, derivative = jvp(expm, (a,), (e,))
    return (value, derivative) if compute_expm else derivative


def qr_multiply(
    a: ArrayLike,
    c: ArrayLike,
    mode: str = "right",
    pivoting: bool = False,
    conjugate: bool = False,
    overwrite_a: bool = False,
    overwrite_c: bool = False,
) -> Any:
    """``c Q`` (or, with mode ``left``, ``Q c``) and R, for the QR decomposition of `a`; vectors stay vectors."""
    if mode not in ("right", "left"):
        raise ValueError(f"mode must be 'right' or 'left', got {mode!r}")
    x, y = (asarray(v) for v in promote_dtypes_inexact(a, c))
    q, *rest = qr(x, mode="economic", pivoting=pivoting)
    if conjugate and q.dtype.kind == "c":
        q = lax.conj(q)
    vector = y.ndim == 1
    if mode == "left":
        product = jnp.matmul(q, y[:, None] if vector else y)
        return (product[:, 0] if vector else product, *rest)
    product = jnp.matmul(y[None, :] if vector else y, q)
    return (product[0] if vector else product, *rest)


def polar(
    a: ArrayLike,
    side: str = "right",
    *,
    method: str = "qdwh",
    eps: float | None = None,
    max_iterations: int | None = None,
) -> tuple[Array, Array]:
    """Unitary and positive semidefinite factors, from the singular values.

    Raises NotImplementedError for shapes that the default method of JAX does not take.
    """
    if side not in ("right", "left"):
        raise ValueError(f"The argument `side` must be either 'right' or 'left', got {side!r}.")
    if method not in ("qdwh", "svd"):
        raise ValueError(f"Unknown polar decomposition method {method}.")
    (x,) = promote_dtypes_inexact(a)
    m, n = x.shape
    if method == "qdwh" and (m < n if side == "right" else m >= n):
        raise NotImplementedError(
            "method='qdwh' only supports mxn matrices where m < n where side='right' and m >= n side='left', got "
            f"{x.shape} with side={side!r}"
        )
    u, s, vh = base.svd(x, full_matrices=False)
    s = s.astype(x.dtype)
    if side == "right":
        positive = jnp.matmul(_adjoint(vh) * s[None, :], vh)
    else:
        positive = jnp.matmul(u * s[None, :], _adjoint(u))
    return jnp.matmul(u, vh), positive


def eigh_tridiagonal(
    d: ArrayLike,
    e: ArrayLike,
    *,
    eigvals_only: bool = False,
    select: str = "a",
    select_range: Any = None,
    tol: float | None = None,
    key: Any = None,
) -> Any:
    """Eigenvalues of a symmetric tridiagonal matrix."""
    if select != "a":
        raise NotImplementedError("eigh_tridiagonal is available for select='a' only")
    diagonal, off = (asarray(v) for v in promote_dtypes_inexact(d, e))
    matrix = jnp.diag(diagonal) + jnp.diag(off, 1) + jnp.diag(jnp.conj(off), -1)
    return eigh(matrix, eigvals_only=eigvals_only)
