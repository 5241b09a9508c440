"""`jax.numpy.linalg`."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import lax
from ..core import Array
from ..lax import iota
from ..lax import types as dtypes
from ..primitives import linalg as primitives
from ..transforms.custom_jvp import custom_jvp
from . import reductions
from .creation import eye, zeros
from .decompositions import check_matrix, cholesky, eig, eigh, eigvals, eigvalsh, qr, svd, svdvals
from .norms import matrix_norm, norm, vector_norm
from .promotion import (
    ArrayLike,
    asarray,
    check_arraylike,
    jitted,
    like,
    promote_args_inexact,
    promote_dtypes,
    promote_dtypes_inexact,
    require_static,
)
from .rearranging import diagonal as _diagonal
from .rearranging import trace as _trace
from .selection import take_along_axis, where
from .shaping import broadcast_to, matrix_transpose, moveaxis
from .tensor_products import cross as _cross
from .tensor_products import dot as _dot
from .tensor_products import matmul as _matmul
from .tensor_products import outer as _outer
from .tensor_products import tensordot as _tensordot
from .tensor_products import vecdot
from .ufuncs import isfinite, isnan

__all__ = [
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "tensorinv",
    "tensorsolve",
    "trace",
    "vecdot",
    "vector_norm",
]


class SlogdetResult(NamedTuple):
    """Result of `slogdet`."""

    sign: Any
    logabsdet: Any


@jitted()
def _lu_solve(a: Array, b: Array) -> Array:
    packed, _, permutation = primitives.lu_p.bind(a)
    rows = take_along_axis(b, permutation[..., :, None], axis=-2)
    y = primitives.solve_triangular(packed, rows, left=True, lower=True, unit=True)
    return primitives.solve_triangular(packed, y, left=True, lower=False)


@custom_jvp
def _linear_solve(a: Array, b: Array) -> Array:
    """Solution of a x = b, whose derivative is one more solution; only those of higher order go through `_lu_solve`."""
    return _lu_solve(a, b)


@_linear_solve.defjvp
def _linear_solve_jvp(primals: Any, tangents: Any) -> tuple[Array, Array]:
    (a, b), (t_a, t_b) = primals, tangents
    x = _linear_solve(a, b)
    return x, _linear_solve(a, t_b - _matmul(t_a, x))


@jitted()
def solve(a: ArrayLike, b: ArrayLike) -> Array:
    """Solution x of a x = b."""
    check_arraylike("jnp.linalg.solve", a, b)
    x, y = (asarray(v) for v in promote_dtypes_inexact(a, b))
    if x.ndim < 2:
        raise ValueError(f"left hand array must be at least two dimensional; got a.shape={x.shape}")
    if y.ndim == 0:
        raise ValueError(f"right hand array must be at least one dimensional; got b.shape={y.shape}")
    size = x.shape[-2]
    for other in (x.shape[-1], y.shape[-2 if y.ndim > 1 else -1]):
        if other != size:
            signature = "(m,m),(m,n)->(m,n)" if y.ndim > 1 else "(m,m),(m)->(m)"
            raise ValueError(
                f"inconsistent size for core dimension 'm': {other} vs {size} on vectorized function with "
                f"excluded=frozenset() and {signature=}"
            )
    if y.ndim == 1:
        y = y[:, None]
        lead = x.shape[:-2]
        return _linear_solve(x, broadcast_to(y, (*lead, *y.shape)))[..., 0]
    lead = lax.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    return _linear_solve(broadcast_to(x, (*lead, *x.shape[-2:])), broadcast_to(y, (*lead, *y.shape[-2:])))


@jitted()
def inv(a: ArrayLike) -> Array:
    """Inverse; inf or NaN for singular matrices."""
    x = check_matrix("inv", a)
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"Argument to inv must have shape [..., n, n], got {x.shape}.")
    if not x.size:
        return x
    return solve(x, broadcast_to(eye(x.shape[-1], dtype=x.dtype), x.shape))


def _parity(pivots: Array) -> Array:
    swaps = lax.ne(
        pivots, lax.broadcast_in_dim(iota(pivots.dtype, pivots.shape[-1]), pivots.shape, (pivots.ndim - 1,))
    )
    return reductions.sum(swaps, -1) % 2


@jitted("method")
def slogdet(a: ArrayLike, *, method: str | None = None) -> SlogdetResult:
    """Sign and logarithm of the absolute value of the determinant."""
    x = check_matrix("slogdet", a)
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"Argument to slogdet() must have shape [..., n, n], got {x.shape}")
    if method not in (None, "lu", "qr"):
        raise ValueError(f"Unrecognized method '{method}'. Options are 'lu', 'qr', or None")
    if x.shape[-1] in (1, 2):
        value = det(x)
        return SlogdetResult(lax.sign(value), lax.log(lax.abs(value)))
    packed, pivots, _ = primitives.lu_p.bind(x)
    d = _diagonal(packed, 0, -2, -1)
    singular = reductions.any(d == 0, -1)
    odd = _parity(pivots)
    if x.dtype.kind != "c":
        odd = odd + reductions.sum(d < 0, -1)
        signs = lax.convert_element_type(1 - 2 * (odd % 2), x.dtype)
        sign = where(singular, like(signs, 0), signs)
    else:
        signs = reductions.prod(d / lax.convert_element_type(lax.abs(d), x.dtype), -1)
        sign = where(singular, like(signs, 0), signs * lax.convert_element_type(1 - 2 * odd, x.dtype))
    safe = where(lax.expand_dims(singular, (singular.ndim,)), like(d, 1), d)
    magnitude = reductions.sum(lax.log(lax.abs(safe)), -1)
    return SlogdetResult(sign, where(singular, like(magnitude, -math.inf), magnitude))


@jitted()
def det(a: ArrayLike) -> Array:
    """Determinant."""
    x = check_matrix("det", a)
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"Argument to _det() must have shape [..., n, n], got {x.shape}")
    n = x.shape[-1]
    if n == 0:
        return lax.full(x.shape[:-2], 1, x.dtype)
    if n == 2:
        return x[..., 0, 0] * x[..., 1, 1] - x[..., 0, 1] * x[..., 1, 0]
    if n == 3:
        return (
            x[..., 0, 0] * x[..., 1, 1] * x[..., 2, 2]
            + x[..., 0, 1] * x[..., 1, 2] * x[..., 2, 0]
            + x[..., 0, 2] * x[..., 1, 0] * x[..., 2, 1]
            - x[..., 0, 2] * x[..., 1, 1] * x[..., 2, 0]
            - x[..., 0, 0] * x[..., 1, 2] * x[..., 2, 1]
            - x[..., 0, 1] * x[..., 1, 0] * x[..., 2, 2]
        )
    if n == 1:
        return x[..., 0, 0]
    return _determinant(x)


@custom_jvp
def _determinant(x: Array) -> Array:
    packed, pivots, _ = primitives.lu_p.bind(x)
    product = reductions.prod(_diagonal(packed, 0, -2, -1), -1)
    return product * lax.convert_element_type(1 - 2 * _parity(pivots), x.dtype)


@_determinant.defjvp
def _determinant_jvp(primals: Any, tangents: Any) -> tuple[Array, Array]:
    """The trace of the adjugate times the tangent; it exists where one pivot is 0, and is 0 if more of them are.

    All but the last pivot divide, so U has the reciprocal of their product in the last one's place.
    """
    (x,), (t,) = primals, tangents
    packed, pivots, permutation = primitives.lu_p.bind(x)
    sign = lax.convert_element_type(1 - 2 * _parity(pivots), x.dtype)
    products = lax.cumprod(_diagonal(packed, 0, -2, -1), x.ndim - 2) * sign[..., None]
    whole = products[..., -1]
    packed = packed.at[..., -1, -1].set(1 / products[..., -2])
    probe = primitives.solve_triangular(
        packed, lax.full((*x.shape[:-1], 1), 1, x.dtype), left=True, lower=False
    )
    vanishes = reductions.any(~isfinite(probe), (-2, -1), keepdims=True)
    rows = take_along_axis(where(vanishes, 0, t), permutation[..., :, None], axis=-2)
    y = primitives.solve_triangular(packed, rows, left=True, lower=True, unit=True)
    y = lax.concatenate([y[..., :-1, :] * whole[..., None, None], y[..., -1:, :]], y.ndim - 2)
    y = primitives.solve_triangular(packed, y, left=True, lower=False)
    return whole, reductions.sum(_diagonal(where(vanishes, 0, y), 0, -2, -1), -1)


@jitted("n")
def matrix_power(a: ArrayLike, n: int) -> Array:
    """Integer power of square matrices, by repeated squaring."""
    check_arraylike("matrix_power", a)
    x = asarray(a)
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise TypeError(f"Last 2 dimensions of the array must be square, got {x.shape}")
    try:
        n = operator.index(n)
    except TypeError as error:
        raise TypeError(f"exponent must be an integer, got {n}") from error
    if n == 0:
        return broadcast_to(eye(x.shape[-2], dtype=x.dtype), x.shape)
    if n < 0:
        x, n = inv(x), -n
    result: Array | None = None
    while n:
        if n & 1:
            result = x if result is None else _matmul(result, x)
        n >>= 1
        x = _matmul(x, x) if n else x
    assert result is not None
    return result


@jitted("hermitian")
def _pinv(a: Array, rtol: Any, hermitian: bool) -> Array:
    m, n = a.shape[-2:]
    if rtol is None:
        rtol = 10.0 * max(m, n) * float(dtypes.FloatInfo(a.dtype).eps)
    cutoff = asarray(rtol)
    u, s, vh = svd(a, full_matrices=False, hermitian=hermitian)
    limit = lax.expand_dims(cutoff, (cutoff.ndim,)) * s[..., 0:1]
    s = where(s > limit, s, math.inf)
    vh_t, u_t = matrix_transpose(vh), matrix_transpose(u)
    if a.dtype.kind == "c":
        vh_t, u_t = lax.conj(vh_t), lax.conj(u_t)
    return lax.convert_element_type(
        _matmul(vh_t, u_t / lax.convert_element_type(s, a.dtype)[..., None]), a.dtype
    )


def pinv(
    a: ArrayLike, rtol: ArrayLike | None = None, hermitian: bool = False, *, rcond: ArrayLike | None = None
) -> Array:
    """Moore-Penrose inverse."""
    x = check_matrix("pinv", a)
    require_static("pinv", hermitian=hermitian)
    return _pinv(x, rtol if rcond is None else rcond, hermitian=hermitian)


@jitted("hermitian")
def matrix_rank(
    M: ArrayLike, rtol: ArrayLike | None = None, *, hermitian: bool = False, tol: Any = None
) -> Array:
    """Number of singular values above a tolerance."""
    x = check_matrix("matrix_rank", M)
    if x.ndim < 2:
        return lax.convert_element_type(reductions.any(x != 0), dtypes.int32)
    s = svd(x, full_matrices=False, compute_uv=False, hermitian=hermitian)
    bound = tol if tol is not None else rtol
    if bound is None:
        bound = reductions.max(s, -1) * (max(x.shape[-2:]) * float(dtypes.FloatInfo(x.dtype).eps))
    elif tol is None:
        bound = reductions.max(s, -1) * bound
    return reductions.sum(
        s > lax.expand_dims(asarray(bound), (-1,)) if dtypes.shape(bound) else s > bound, -1
    )


def cond(x: ArrayLike, p: Any = None) -> Array:
    """Condition number."""
    value = check_matrix("cond", x)
    if value.ndim < 2:
        raise ValueError(f"jnp.linalg.cond: input array must be at least 2D; got shape {value.shape}")
    if 0 in value.shape[-2:]:
        raise ValueError(f"jnp.linalg.cond: input array must not be empty; got shape {value.shape}")
    if p is None or p in (2, -2):
        s = svd(value, compute_uv=False)
        if p != -2:
            return s[..., 0] / s[..., -1]
        r = s[..., -1] / s[..., 0]
    else:
        if value.shape[-2] != value.shape[-1]:
            raise ValueError(f"jnp.linalg.cond: for {p=}, array must be square; got shape {value.shape}")
        r = norm(value, ord=p, axis=(-2, -1)) * norm(inv(value), ord=p, axis=(-2, -1))
    unknown = reductions.any(isnan(value), (-2, -1))
    return where(lax.bitwise_and(isnan(r), lax.bitwise_not(unknown)), math.inf, r)


@jitted()
def _lstsq(a: Array, b: Array, rcond: Any) -> tuple[Array, Array, Array, Array]:
    m, n = a.shape
    if not m * n:
        x = zeros((n, b.shape[1]), a.dtype)
        return x, norm(b - _matmul(a, x), axis=0) ** 2, zeros((), int), zeros(0, a.dtype)
    u, s, vt = svd(a, full_matrices=False)
    cutoff = float(dtypes.FloatInfo(a.dtype).eps) * max(m, n) if rcond is None else rcond
    cutoff = where(asarray(cutoff) < 0, float(dtypes.FloatInfo(a.dtype).eps), cutoff)
    mask = lax.bitwise_and(s > 0, s >= lax.convert_element_type(cutoff, s.dtype) * s[0])
    rank = reductions.sum(mask)
    safe = lax.convert_element_type(where(mask, s, 1), a.dtype)
    s_inverse = where(mask, 1 / safe, 0)[:, None]
    adjoint = lax.conj if a.dtype.kind == "c" else (lambda v: v)
    x = _matmul(adjoint(vt.T), s_inverse * _matmul(adjoint(u.T), b))
    return x, norm(b - _matmul(a, x), axis=0) ** 2, rank, s


def lstsq(
    a: ArrayLike, b: ArrayLike, rcond: Any = None, *, numpy_resid: bool = False
) -> tuple[Array, Array, Array, Array]:
    """Least squares solution, residuals, rank and singular values.

    With `numpy_resid` there are no residuals where NumPy gives none, which cannot be traced.
    """
    check_arraylike("jnp.linalg.lstsq", a, b)
    x, y = (
        (asarray(v) for v in promote_args_inexact("lstsq", a, b))
        if dtypes.shape(a) == dtypes.shape(b)
        else (asarray(v) for v in promote_dtypes_inexact(a, b))
    )
    if not x.ndim or not y.ndim:
        raise IndexError(
            f"lstsq requires a matrix and a vector or matrix, got shapes {x.shape} and {y.shape}"
        )
    if x.shape[0] != y.shape[0]:
        raise ValueError("Leading dimensions of input arrays must match")
    if x.ndim != 2:
        raise TypeError(f"{x.ndim}-dimensional array given. Array must be two-dimensional")
    vector = y.ndim == 1
    if y.ndim > 2:
        raise TypeError(f"{y.ndim}-dimensional array given. Array must be one or two-dimensional")
    solution, residuals, rank, s = _lstsq(x, y[:, None] if vector else y, rcond)
    if numpy_resid and (x.shape[0] <= x.shape[1] or rank < x.shape[1]):
        residuals = zeros(0)
    return solution[:, 0] if vector else solution, residuals, rank, s


def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """Cross product of vectors of three components."""
    check_arraylike("jnp.linalg.cross", x1, x2)
    a, b = asarray(x1), asarray(x2)
    axis = operator.index(axis)
    if a.shape[axis] != 3 or b.shape[axis] != 3:
        raise ValueError(
            f"Both input arrays must be (arrays of) 3-dimensional vectors, but they have {a.shape[axis]=} and {b.shape[axis]=}"
        )
    return _cross(a, b, axis=axis)


def diagonal(x: ArrayLike, /, *, offset: int = 0) -> Array:
    """Diagonals of the matrices in the last two axes."""
    return _diagonal(x, offset=offset, axis1=-2, axis2=-1)


def trace(x: ArrayLike, /, *, offset: int = 0, dtype: Any = None) -> Array:
    """Traces of the matrices in the last two axes."""
    return _trace(x, offset=offset, axis1=-2, axis2=-1, dtype=dtype)


def multi_dot(arrays: Sequence[ArrayLike], *, precision: Any = None) -> Array:
    """Product of several matrices, in the cheapest order."""
    values = [asarray(a) for a in promote_dtypes(*arrays)] if len(arrays) > 1 else []
    if len(values) < 2:
        raise ValueError(f"multi_dot requires at least two arrays; got {len(arrays)}")
    ends = (values[0].ndim, values[-1].ndim)
    if any(v.ndim != 2 for v in values[1:-1]) or not all(1 <= rank <= 2 for rank in ends):
        raise ValueError(
            "multi_dot: input arrays must be two-dimensional; the first and the last may also be one-dimensional; got "
            f"array shapes {[v.shape for v in values]}"
        )
    first, last = values[0].ndim == 1, values[-1].ndim == 1
    sizes = [v.shape for v in values]
    if any(left.shape[-1] != right.shape[0] for left, right in itertools.pairwise(values)):
        raise ValueError(
            "multi_dot: the last dimension of each array must be the first of the following one; got array shapes "
            f"{[v.shape for v in values]}"
        )
    dims = [1 if first else sizes[0][0], *(s[0] for s in sizes[1:]), 1 if last else sizes[-1][-1]]
    n = len(values)
    cost = [[0] * n for _ in range(n)]
    cut = [[0] * n for _ in range(n)]
    for span in range(1, n):
        for i in range(n - span):
            j = i + span
            options = [
                (cost[i][k] + cost[k + 1][j] + dims[i] * dims[k + 1] * dims[j + 1], k) for k in range(i, j)
            ]
            cost[i][j], cut[i][j] = min(options)

    def product(i: int, j: int) -> Array:
        if i == j:
            return values[i]
        return _dot(product(i, cut[i][j]), product(cut[i][j] + 1, j), precision=precision)

    return product(0, n - 1)


def tensorinv(a: ArrayLike, ind: int = 2) -> Array:
    """Inverse with respect to a tensordot over `ind` axes."""
    x = check_matrix("tensorinv", a)
    ind = operator.index(ind)
    if ind <= 0:
        raise ValueError(f"ind must be a positive integer; got ind={ind}")
    head, tail = x.shape[:ind], x.shape[ind:]
    if math.prod(head) != math.prod(tail):
        raise ValueError(f"product of a.shape[ind:] {tail} must equal product of a.shape[:ind] {head}")
    return lax.reshape(inv(lax.reshape(x, (math.prod(head), math.prod(tail)))), (*tail, *head))


def tensorsolve(a: ArrayLike, b: ArrayLike, axes: Any = None) -> Array:
    """Solution x of _tensordot(a, x, x.ndim) = b."""
    check_arraylike("jnp.linalg.tensorsolve", a, b)
    x, y = (asarray(v) for v in promote_dtypes_inexact(a, b))
    if axes is not None:
        places = [operator.index(d) for d in axes]
        x = moveaxis(x, places, [x.ndim - len(places) + i for i in range(len(places))])
    shape = x.shape[y.ndim :]
    if x.shape[: y.ndim] != y.shape:
        raise ValueError(f"a.shape[:b.ndim] must match b.shape; got {x.shape} and {y.shape}")
    size = math.prod(shape)
    if size != y.size:
        raise ValueError("Input arrays must have prod(a.shape[:b.ndim]) == prod(a.shape[b.ndim:])")
    return lax.reshape(solve(lax.reshape(x, (size, size)), lax.reshape(y, (size,))), shape)


def matmul(
    x1: ArrayLike, x2: ArrayLike, /, *, precision: Any = None, preferred_element_type: Any = None
) -> Array:
    """Product of matrices, or of vectors and matrices, over leading axes."""
    check_arraylike("jnp.linalg.matmul", x1, x2)
    return _matmul(x1, x2, precision=precision, preferred_element_type=preferred_element_type)


def outer(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Products of the elements of two vectors. Raises ValueError for arrays of another rank."""
    check_arraylike("jnp.linalg.outer", x1, x2)
    a, b = asarray(x1), asarray(x2)
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are {a.ndim=}, {b.ndim=}.")
    return _outer(a, b)


def tensordot(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    axes: Any = 2,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Array:
    """Sum of products over axes."""
    check_arraylike("jnp.linalg.tensordot", x1, x2)
    return _tensordot(
        x1,
        x2,
        axes=axes,
        precision=precision,
        preferred_element_type=preferred_element_type,
        out_sharding=out_sharding,
    )
