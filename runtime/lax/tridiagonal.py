"""Reduction to tridiagonal form, and tridiagonal systems."""

from __future__ import annotations

from typing import Any

from ..core import Array
from ..primitives import schur as reductions
from .elementwise import as_array


def tridiagonal(a: Any, *, lower: bool = True) -> list[Array]:
    """A Hermitian matrix with its reflectors and tridiagonal form, the diagonals of the form, and the reflectors' factors.

    Packed as LAPACK's ``sytrd`` and ``hetrd`` do, into one triangle; the other one keeps its values and is not read. No
    derivatives. Raises TypeError for what is not floating or complex, and ValueError for what is not square.
    """
    from .. import numpy as jnp
    from .linalg import _inexact

    x = _inexact("tridiagonal", a)
    if x.ndim < 2:
        raise TypeError(f"tridiagonal requires at least two dimensions, got shape {x.shape}")
    if x.shape[-1] != x.shape[-2]:
        raise ValueError(f"The input to tridiagonal must be a square matrix. Got shape {x.shape}.")
    if not lower:
        # The same from the other end.
        packed, diagonal, beside, factors = tridiagonal(jnp.flip(x, (-2, -1)))
        return [jnp.flip(packed, (-2, -1)), *(jnp.flip(v, -1) for v in (diagonal, beside, factors))]
    below = jnp.tril(x, -1)
    middle = jnp.real(jnp.diagonal(x, axis1=-2, axis2=-1)).astype(x.dtype)
    whole = below + jnp.conj(below.mT) + middle[..., None] * jnp.eye(x.shape[-1], dtype=x.dtype)
    reduced, factors = reductions.hessenberg_p.bind(whole)
    packed = jnp.where(jnp.tri(x.shape[-1], dtype=bool), reduced, x)
    diagonal, beside = (jnp.real(jnp.diagonal(reduced, offset, axis1=-2, axis2=-1)) for offset in (0, -1))
    return [packed, diagonal, beside, factors]


def tridiagonal_solve(dl: Any, d: Any, du: Any, b: Any, *, perturb_singular: bool = False) -> Array:
    """x with ``A x = b``: A has the diagonals `dl`, `d`, `du` (..., n), the first of `dl` and the last of `du` unused; b is (..., n, k).

    By elimination with row exchanges, as LAPACK's ``gtsv``. `perturb_singular` replaces vanishing pivots by small ones.
    """
    from .. import numpy as jnp
    from ..transforms.loops import scan

    lower, middle, upper, right = (as_array(v) for v in (dl, d, du, b))
    if right.ndim < 2:
        raise TypeError(
            f"Input 3 to tridiagonal_solve must have rank at least 2, but got shape={tuple(right.shape)}"
        )
    if not lower.shape == middle.shape == upper.shape == right.shape[:-1]:
        raise TypeError(
            f"tridiagonal_solve requires diagonals of one shape (..., n) and a right side (..., n, k), got "
            f"{lower.shape}, {middle.shape}, {upper.shape} and {right.shape}"
        )
    if len({v.dtype for v in (lower, middle, upper, right)}) != 1:
        raise TypeError(
            f"tridiagonal_solve requires arguments of one dtype, got {lower.dtype}, {middle.dtype}, {upper.dtype} and "
            f"{right.dtype}"
        )
    if not middle.shape[-1] or not right.shape[-1]:
        return right
    # The equations one after another, and one of zeros after the last.
    lower, middle, upper = (jnp.moveaxis(v, -1, 0)[..., None] for v in (lower, middle, upper))
    right = jnp.moveaxis(right, -2, 0)
    smallest = jnp.finfo(middle.dtype).eps if perturb_singular else 0

    def eliminate(row: Any, following: Any) -> Any:
        pivot, beside, side = row
        below, diagonal, above, other = following
        exchanged = jnp.abs(below) > jnp.abs(pivot)
        top = [jnp.where(exchanged, x, y) for x, y in ((below, pivot), (diagonal, beside), (other, side))]
        bottom = [jnp.where(exchanged, x, y) for x, y in ((pivot, below), (beside, diagonal), (side, other))]
        next_beside = jnp.where(exchanged, 0, above)
        second = jnp.where(exchanged, above, 0)
        divisor = jnp.where(jnp.abs(top[0]) > smallest, top[0], smallest if perturb_singular else top[0])
        # Where both are zero there is nothing to eliminate, and the division by zero comes when the unknown is found.
        factor = jnp.where(bottom[0] == 0, 0, bottom[0] / jnp.where(bottom[0] == 0, 1, divisor))
        left = (bottom[1] - factor * top[1], next_beside - factor * second, bottom[2] - factor * top[2])
        return left, (divisor, top[1], second, top[2])

    def substitute(found: Any, row: Any) -> Any:
        first, second = found
        pivot, beside, further, side = row
        x = (side - beside * first - further * second) / pivot
        return (x, first), x

    def shifted(x: Array) -> Array:
        return jnp.concatenate([x[1:], jnp.zeros_like(x[:1])])

    upper = upper.at[-1].set(0)
    rows = (shifted(lower), shifted(middle), shifted(upper), shifted(right))
    triangle = scan(eliminate, (middle[0], upper[0], right[0]), rows)[1]
    nothing = jnp.zeros_like(right[0])
    return jnp.moveaxis(scan(substitute, (nothing, nothing), triangle, reverse=True)[1], 0, -2)
