"""Functions of matrices by way of their complex Schur form, of `jax.scipy.linalg`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import lax
from .. import numpy as jnp
from ..core import Array
from ..numpy.promotion import ArrayLike, asarray, promote_dtypes_inexact
from ..primitives.linalg import solve_triangular
from ..transforms.loops import fori_loop
from .schur import schur


def _square(name: str, a: ArrayLike) -> Array:
    (x,) = promote_dtypes_inexact(a)
    if x.ndim != 2 or x.shape[0] != x.shape[1]:
        raise ValueError(f"The input to {name} must be a square matrix. Got shape {x.shape}.")
    return x


def _back(z: Array, t: Array) -> Array:
    return jnp.matmul(jnp.matmul(z, t), jnp.conj(z.T))


def funm(A: ArrayLike, func: Callable[[Array], Array], disp: bool = True) -> Any:
    """A function of a matrix by Parlett's recurrence on its Schur form, complex; with ``disp=False`` also an estimated error.

    Golub and Van Loan, "Matrix Computations", 4th edition, algorithm 9.1.1. Inaccurate where eigenvalues are close
    together. Without derivatives, as in JAX. Raises ValueError for what is not a square matrix.
    """
    x = _square("funm", A)
    t, z = schur(x, "complex")
    n = t.shape[0]
    precision = jnp.finfo(t.dtype).eps
    f = jnp.diag(func(jnp.diag(t))).astype(t.dtype)
    places = jnp.arange(n)

    def along(p: Any, state: Any) -> Any:
        def element(k: Any, state: Any) -> Any:
            f, least = state
            j = k + p
            between = (places > k) & (places < j)
            inner = jnp.where(between, t[k] * f[:, j] - f[k] * t[:, j], 0).sum()
            value = t[k, j] * (f[j, j] - f[k, k]) + inner
            gap = t[j, j] - t[k, k]
            return (
                f.at[k, j].set(jnp.where(gap == 0, value, value / jnp.where(gap == 0, 1, gap))),
                jnp.minimum(least, lax.abs(gap)),
            )

        return fori_loop(0, n - p, element, state)

    f, least = fori_loop(1, n, along, (f, jnp.ones((), x.real.dtype)))
    result = _back(z, f)
    if disp:
        return result
    least = jnp.where(least == 0, precision, least)
    size = jnp.abs(jnp.triu(t, 1)).sum(0).max(initial=0)
    error = jnp.minimum(1, jnp.maximum(precision, precision / least * size))
    return result, jnp.where(jnp.isfinite(result).all(), error, jnp.inf)


def sqrtm(A: ArrayLike, blocksize: int = 1) -> Array:
    """Principal square root, complex, by the recurrence of Bjorck and Hammarling (1983) on the Schur form.

    Without derivatives, as in JAX. Raises ValueError for what is not a square matrix.
    """
    if blocksize > 1:
        raise NotImplementedError("Blocked version is not implemented yet.")
    if jnp.ndim(A) < 2:
        raise TypeError(f"sqrtm requires at least two dimensions, got shape {jnp.shape(A)}")
    t, z = schur(_square("sqrtm", A), "complex")
    n = t.shape[0]

    def column(j: Any, root: Array) -> Array:
        def element(step: Any, root: Array) -> Array:
            i = j - 1 - step
            # What is not yet known of the root is zero, and its diagonal would count twice.
            inner = (root[i] * root[:, j]).sum() - root[i, i] * root[i, j] - root[i, j] * root[j, j]
            total = root[i, i] + root[j, j]
            value = (t[i, j] - inner) / jnp.where(total == 0, 1, total)
            return root.at[i, j].set(jnp.where(total == 0, 0, value))

        found: Array = fori_loop(0, j, element, root)
        return found

    return _back(z, fori_loop(0, n, column, jnp.diag(lax.sqrt(jnp.diag(t)))))


def solve_sylvester(
    A: ArrayLike, B: ArrayLike, C: ArrayLike, *, method: str = "schur", tol: float = 1e-8
) -> Array:
    """X with ``A X + X B = C`` by the Schur forms of A and B, column after column (Bartels and Stewart, 1972)."""
    a, b, c = (asarray(v) for v in promote_dtypes_inexact(A, B, C))
    (left, u), (right, v) = schur(a, "complex"), schur(b, "complex")
    sides = jnp.matmul(jnp.matmul(jnp.conj(u.T), c.astype(u.dtype)), v)
    places = jnp.arange(right.shape[0])

    def column(k: Any, found: Array) -> Array:
        earlier = jnp.where(places < k, right[:, k], 0)
        side = sides[:, k] - jnp.matmul(found, earlier)
        shifted = left + right[k, k] * jnp.eye(left.shape[0], dtype=left.dtype)
        solved: Any = solve_triangular(shifted, side[:, None], left=True, lower=False)
        return found.at[:, k].set(solved[:, 0])

    x = jnp.matmul(jnp.matmul(u, fori_loop(0, right.shape[0], column, jnp.zeros_like(sides))), jnp.conj(v.T))
    return x if c.dtype.kind == "c" else lax.real(x)
