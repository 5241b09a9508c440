"""Hessenberg and Schur forms of matrices, of `jax.scipy.linalg`."""

from __future__ import annotations

from functools import partial
from typing import Any

from .. import lax
from .. import numpy as jnp
from ..core import Array
from ..numpy.promotion import ArrayLike, asarray, jitted, promote_dtypes_inexact
from ..primitives import schur as primitives
from ..transforms.loops import fori_loop
from ..transforms.vmap import vmap


@jitted("calc_q", "check_finite", name="hessenberg")
def _hessenberg(a: ArrayLike, *, calc_q: bool, check_finite: bool) -> Any:
    x = asarray(a)
    packed, factors = primitives.hessenberg_p.bind(x)
    form = jnp.triu(packed, -1)
    if not calc_q:
        return form
    if x.shape[-1] < 2:
        return form, jnp.broadcast_to(jnp.eye(x.shape[-1], dtype=x.dtype), x.shape)
    inner = primitives.householder_product_p.bind(packed[..., 1:, :-1], factors)
    basis = jnp.zeros_like(x).at[..., 0, 0].set(1).at[..., 1:, 1:].set(inner)
    return form, basis


def hessenberg(
    a: ArrayLike, *, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Any:
    """Upper Hessenberg form H of a matrix, and, if asked for, the unitary Q with ``a = Q H Q^H``.

    Leading dimensions are batches. Without derivatives, as in JAX. Raises TypeError for what is not floating or
    complex, and ValueError for matrices that are not square.
    """
    return _hessenberg(a, calc_q=calc_q, check_finite=check_finite)


@jitted("output", name="_schur")
def _schur(a: ArrayLike, output: str) -> tuple[Array, Array]:
    x = asarray(a)
    if output == "complex" and x.dtype.kind == "f":
        x = x.astype(jnp.complex128 if x.dtype.itemsize == 8 else jnp.complex64)
    form, basis = primitives.schur_p.bind(
        x, compute_schur_vectors=True, select_callable=None, sort_eig_vals=False
    )
    return form, basis


def schur(a: ArrayLike, output: str = "real") -> tuple[Array, Array]:
    """T and unitary Z with ``a = Z T Z^H``, T triangular, or with blocks of two where a real matrix has complex eigenvalues.

    Leading dimensions are batches. Without derivatives, as in JAX. Raises TypeError for what is not floating or
    complex, and ValueError for matrices that are not square and for an unknown `output`.
    """
    if output not in ("real", "complex"):
        raise ValueError(f"Expected 'output' to be either 'real' or 'complex', got {output=}.")
    return _schur(a, output=output)


@jitted("check_finite")
def rsf2csf(T: ArrayLike, Z: ArrayLike, check_finite: bool = True) -> tuple[Array, Array]:
    """The complex Schur form of a real one: rotations make each block of two triangular, from the last to the first.

    Leading dimensions are batches. Raises ValueError if the matrices are not square or differ in size.
    """
    form, basis = promote_dtypes_inexact(T, Z)
    for name, x in (("T", form), ("Z", basis)):
        if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
            raise ValueError(f"Input '{name}' must be square.")
    if form.shape != basis.shape:
        raise ValueError(f"Input array shapes must match: Z: {basis.shape} vs. T: {form.shape}")
    wide = jnp.complex128 if form.dtype.name in ("float64", "complex128") else jnp.complex64
    n = form.shape[-1]
    if n < 2:
        return form.astype(wide), basis.astype(wide)

    def triangular(t: Array, z: Array) -> tuple[Array, Array]:
        found: tuple[Array, Array] = fori_loop(1, n, partial(_triangular_block, n), (t, z))
        return found

    for _ in range(form.ndim - 2):
        triangular = vmap(triangular)
    return triangular(form.astype(wide), basis.astype(wide))


def _triangular_block(n: int, i: Any, state: tuple[Array, Array]) -> tuple[Array, Array]:
    t, z = state
    row = n - i
    places = jnp.arange(n)
    block = lax.dynamic_slice(t, (row - 1, row - 1), (2, 2))
    half = (block[0, 0] - block[1, 1]) / 2
    # The eigenvalue of the block, less its last element.
    value = half + lax.sqrt(half * half + block[0, 1] * block[1, 0])
    below = block[1, 0]
    size = lax.sqrt(lax.square(lax.abs(value)) + lax.square(lax.abs(below)))
    safe = jnp.where(size == 0, 1, size)
    cosine, sine = jnp.where(size == 0, 1, value / safe), below / safe
    rotation = jnp.array([[lax.conj(cosine), lax.conj(sine)], [-sine, cosine]])
    inverse = jnp.conj(rotation.T)
    rows = lax.dynamic_slice(t, (row - 1, 0), (2, n))
    rows = jnp.where(places >= row - 1, rotation @ rows, rows)
    turned = lax.dynamic_update_slice(t, rows, (row - 1, 0))
    columns = lax.dynamic_slice(turned, (0, row - 1), (n, 2))
    columns = jnp.where(places[:, None] <= row, columns @ inverse, columns)
    turned = lax.dynamic_update_slice(turned, columns, (0, row - 1)).at[row, row - 1].set(0)
    moved = lax.dynamic_slice(z, (0, row - 1), (n, 2)) @ inverse
    moved = lax.dynamic_update_slice(z, moved, (0, row - 1))
    touched = below != 0
    return jnp.where(touched, turned, t), jnp.where(touched, moved, z)
