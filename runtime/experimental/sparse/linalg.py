"""Eigenvalues and linear systems of large matrices: `jax.experimental.sparse.linalg`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import lax
from ... import numpy as jnp
from ...core import Array
from .matrices import CSR

Operator = Callable[[Array], Array]


def lobpcg_standard(A: Any, X: Any, m: int = 100, tol: Any = None) -> tuple[Array, Array, Array]:
    """The largest eigenvalues of a symmetric matrix, or function, with their vectors, and how many steps that took.

    From the columns of `X`, in at most `m` steps of LOBPCG: each takes the best of the space that the vectors, their
    residuals and their last changes span.

    Raises:
        ValueError: `X` is no matrix, has too many columns, or `A` does not give vectors like those that it takes.
    """
    start = jnp.asarray(X)
    apply: Operator = A if callable(A) else lambda x: A @ x
    _check(apply, start)
    limit = jnp.finfo(start.dtype).eps if tol is None else tol
    rows, count = start.shape

    def residuals(theta: Array, x: Array, image: Array) -> tuple[Array, Array]:
        """And how many of them are small beside what rounding leaves."""
        rest = image - x * theta
        scale = 10 * rows * (jnp.linalg.norm(image, axis=0) + jnp.abs(theta))
        return rest, jnp.sum(jnp.linalg.norm(rest, axis=0) < limit * scale)

    def best(span: Array) -> tuple[Array, Array, Array, Array]:
        """The best vectors of an orthonormal basis: their values, coefficients, themselves, and their images."""
        images = apply(span)
        values, vectors = jnp.linalg.eigh(span.T @ images)
        chosen = vectors[:, ::-1][:, :count]
        return values[::-1][:count], chosen, span @ chosen, images @ chosen

    def step(state: Any) -> Any:
        at, _, x, rest, change, _ = state
        span, _ = jnp.linalg.qr(jnp.concatenate([x, rest, change], axis=1))
        theta, chosen, new, image = best(span)
        rest, done = residuals(theta, new, image)
        return at + 1, theta, new, rest, span[:, count:] @ chosen[count:], done

    theta, _, x, image = best(jnp.linalg.qr(start)[0])
    rest, done = residuals(theta, x, image)
    state = lax.while_loop(
        lambda state: (state[0] < m) & (state[5] < count),
        step,
        (jnp.array(0), theta, x, rest, jnp.zeros_like(x), done),
    )
    return state[1], state[2], state[0]


def _check(apply: Operator, x: Array) -> None:
    if x.ndim != 2:
        raise ValueError(f"lobpcg_standard takes a matrix X, got one of shape {x.shape}")
    rows, count = x.shape
    if not 0 < 5 * count < rows:
        raise ValueError(f"expected search dim * 5 < matrix dim (got {5 * count}, {rows})")
    image = apply(x)
    if image.shape != x.shape or image.dtype != x.dtype:
        raise ValueError(
            f"A must map vectors to vectors of the same kind, got {image.shape} {image.dtype} for {x.shape} {x.dtype}"
        )


def spsolve(data: Any, indices: Any, indptr: Any, b: Any, tol: Any = 1e-6, reorder: int = 1) -> Array:
    """The solution of a system whose matrix is given by rows, as `CSR` holds it. Here it is solved as a dense one."""
    del tol, reorder
    size = len(b)
    return jnp.linalg.solve(CSR((data, indices, indptr), shape=(size, size)).todense(), jnp.asarray(b))
