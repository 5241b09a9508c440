"""`jax.scipy.sparse.linalg`: iterative solvers of linear systems, over trees of arrays.

Operators are functions of trees or square matrices. Solutions are differentiated implicitly, by `custom_linear_solve`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...flatten_util import ravel_pytree
from ...lax import Precision, types
from ...tree_util import tree_leaves, tree_map, tree_structure

_Operator = Callable[[Any], Any]


def _operator(A: Any) -> _Operator:
    """A function that applies `A`. Raises ValueError for a matrix that is not square, TypeError for no operator."""
    if callable(A):
        return A
    if not hasattr(A, "__matmul__"):
        raise TypeError(f"linear operator must be either a function or ndarray: {A}")
    if len(A.shape) != 2 or A.shape[0] != A.shape[1]:
        raise ValueError(f"linear operator must be a square matrix, but has shape: {A.shape}")
    if hasattr(A, "dtype"):
        return lambda x: jnp.dot(A, x, precision=Precision.HIGHEST)
    return lambda x: operator.matmul(A, x)


def _dot(x: Array, y: Array) -> Array:
    return jnp.vdot(x, y, precision=Precision.HIGHEST)


def _real_dot(x: Array, y: Array) -> Array:
    return jnp.real(_dot(x, y))


def _norm(x: Array) -> Array:
    return jnp.sqrt(_real_dot(x, x))


def _solve(
    method: Callable[..., Array],
    A: Any,
    b: Any,
    x0: Any,
    M: Any,
    *,
    symmetric: bool = False,
    **options: Any,
) -> Any:
    """Run `method` on flat vectors, behind `custom_linear_solve`."""
    b = tree_map(jnp.asarray, b)
    x0 = tree_map(jnp.zeros_like, b) if x0 is None else tree_map(jnp.asarray, x0)
    if tree_structure(x0) != tree_structure(b):
        raise ValueError(
            f"x0 and b must have matching tree structure: {tree_structure(x0)} vs {tree_structure(b)}"
        )
    shapes = [[leaf.shape for leaf in tree_leaves(tree)] for tree in (x0, b)]
    if shapes[0] != shapes[1]:
        raise ValueError(f"arrays in x0 and b must have matching shapes: {shapes[0]} vs {shapes[1]}")
    matvec, preconditioner = _operator(A), None if M is None else _operator(M)
    start = ravel_pytree(x0)[0]

    def solve(matvec: _Operator, b: Any) -> Any:
        flat, unravel = ravel_pytree(b)

        def along(function: _Operator | None) -> Callable[[Array], Array]:
            if function is None:
                return lambda v: v
            return lambda v: ravel_pytree(function(unravel(v)))[0]

        if options["maxiter"] is None:
            options["maxiter"] = 10 * flat.size
        x = method(along(matvec), flat, start.astype(flat.dtype), along(preconditioner), **options)
        return unravel(x)

    return lax.custom_linear_solve(matvec, b, solve=solve, transpose_solve=solve, symmetric=symmetric)


def _limit(b: Array, tol: Any, atol: Any) -> Array:
    """The square of the residual's norm at which to stop."""
    return jnp.maximum(jnp.square(tol) * _real_dot(b, b), jnp.square(atol))


def _conjugate_gradients(
    A: _Operator, b: Array, x0: Array, M: _Operator, *, tol: Any, atol: Any, maxiter: int
) -> Array:
    limit = _limit(b, tol, atol)

    def going(state: Any) -> Array:
        _, r, _, _, k = state
        return (_real_dot(r, r) > limit) & (k < maxiter)

    def step(state: Any) -> Any:
        x, r, gamma, p, k = state
        moved = A(p)
        alpha = gamma / _real_dot(p, moved).astype(b.dtype)
        x, r = x + alpha * p, r - alpha * moved
        z = M(r)
        following = _real_dot(r, z).astype(b.dtype)
        return x, r, following, z + following / gamma * p, k + 1

    r = b - A(x0)
    z = M(r)
    return lax.while_loop(going, step, (x0, r, _real_dot(r, z).astype(b.dtype), z, 0))[0]


def cg(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    tol: float = 1e-05,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
) -> tuple[Any, None]:
    """Conjugate gradients, for a Hermitian positive definite operator (Hestenes & Stiefel, 1952)."""
    real = all(types.dtype(leaf).kind != "c" for leaf in tree_leaves(b))
    x = _solve(_conjugate_gradients, A, b, x0, M, symmetric=real, tol=tol, atol=atol, maxiter=maxiter)
    return x, None


def _biconjugate_gradients(
    A: _Operator, b: Array, x0: Array, M: _Operator, *, tol: Any, atol: Any, maxiter: int
) -> Array:
    limit = _limit(b, tol, atol)

    def going(state: Any) -> Array:
        r, k = state[1], state[-1]
        return (_real_dot(r, r) > limit) & (k < maxiter) & (k >= 0)

    def step(state: Any) -> Any:
        x, r, alpha, omega, rho, p, q, k = state
        product = _dot(shadow, r)
        beta = product / rho * alpha / omega
        p = r + beta * (p - omega * q)
        direction = M(p)
        q = A(direction)
        alpha = product / _dot(shadow, q)
        s = r - alpha * q
        early = _real_dot(s, s) < limit
        correction = M(s)
        t = A(correction)
        omega = _dot(t, s) / _dot(t, t)
        x = x + alpha * direction
        x = jnp.where(early, x, x + omega * correction)
        broken = (product == 0) | (omega == 0) | (alpha == 0)
        return (
            x,
            jnp.where(early, s, s - omega * t),
            alpha,
            omega,
            product,
            p,
            q,
            jnp.where(broken, -1, k + 1),
        )

    shadow = b - A(x0)
    one = jnp.ones((), b.dtype)
    return lax.while_loop(going, step, (x0, shadow, one, one, one, shadow, shadow, 0))[0]


def bicgstab(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    tol: float = 1e-05,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
) -> tuple[Any, None]:
    """Stabilised biconjugate gradients, for any operator (van der Vorst, 1992)."""
    return _solve(_biconjugate_gradients, A, b, x0, M, tol=tol, atol=atol, maxiter=maxiter), None


def _orthogonalized(basis: Array, v: Array) -> tuple[Array, Array]:
    """`v` less its part in the span of the rows of `basis`, and that part's coefficients; done twice for accuracy."""
    first = jnp.conj(basis) @ v
    v = v - first @ basis
    second = jnp.conj(basis) @ v
    return v - second @ basis, first + second


def _arnoldi_cycle(A: _Operator, M: _Operator, b: Array, x: Array, restart: int) -> Array:
    """The best correction of `x` in the Krylov space of its preconditioned residual."""
    r = M(b - A(x))
    beta = _norm(r)
    nothing = jnp.finfo(b.dtype).eps

    def unit(v: Array, size: Array, least: Any) -> Array:
        return jnp.where(size > least, v / jnp.where(size > least, size, 1).astype(v.dtype), 0)

    def step(k: Array, state: Any) -> Any:
        basis, hessenberg = state
        v = M(A(basis[k]))
        size = _norm(v)
        v, column = _orthogonalized(basis, v)
        rest = _norm(v)
        rest = jnp.where(rest > nothing * size, rest, 0)
        column = column.at[k + 1].set(rest.astype(column.dtype))
        return basis.at[k + 1].set(unit(v, rest, 0)), hessenberg.at[:, k].set(column)

    basis = jnp.zeros((restart + 1, b.size), b.dtype).at[0].set(unit(r, beta, 0))
    hessenberg = jnp.zeros((restart + 1, restart), b.dtype)
    basis, hessenberg = lax.fori_loop(0, restart, step, (basis, hessenberg))
    right = jnp.zeros(restart + 1, b.dtype).at[0].set(beta.astype(b.dtype))
    y = jnp.linalg.lstsq(hessenberg, right)[0]
    return x + y @ basis[:-1]


def _minimal_residual(
    A: _Operator, b: Array, x0: Array, M: _Operator, *, tol: Any, atol: Any, maxiter: int, restart: int
) -> Array:
    limit = jnp.maximum(tol * _norm(b), atol)

    def going(state: Any) -> Array:
        _, size, k = state
        return (size > limit) & (k < maxiter)

    def step(state: Any) -> Any:
        x, _, k = state
        x = _arnoldi_cycle(A, M, b, x, restart)
        return x, _norm(M(b - A(x))), k + 1

    return lax.while_loop(going, step, (x0, _norm(M(b - A(x0))), 0))[0]


def gmres(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    tol: float = 1e-05,
    atol: float = 0.0,
    restart: int = 20,
    maxiter: int | None = None,
    M: Any = None,
    solve_method: str = "batched",
) -> tuple[Any, Array]:
    """Generalised minimal residuals, restarted (Saad & Schultz, 1986); the second result is -1 for NaN, else 0.

    Both words for `solve_method`, ``batched`` and ``incremental``, find the same minimum after each cycle.
    Raises ValueError for others.
    """
    if solve_method not in ("incremental", "batched"):
        raise ValueError(f"invalid solve_method {solve_method}, must be either 'incremental' or 'batched'")
    size = sum(jnp.size(leaf) for leaf in tree_leaves(b))
    x = _solve(
        _minimal_residual, A, b, x0, M, tol=tol, atol=atol, maxiter=maxiter, restart=min(restart, size)
    )
    return x, jnp.where(jnp.isnan(_norm(ravel_pytree(x)[0])), -1, 0)
