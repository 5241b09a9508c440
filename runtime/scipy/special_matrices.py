"""Matrices of a known form: Toeplitz, Hankel, Hilbert, Pascal, companion matrices and others, with SciPy's signatures."""

from __future__ import annotations

import math
from typing import Any

from .. import lax
from .. import numpy as jnp
from ..core import Array
from ..lax import types
from ..numpy.promotion import (
    ArrayLike,
    asarray,
    check_arraylike,
    concrete,
    promote_dtypes,
    promote_dtypes_inexact,
)


def _size(name: str, n: Any, least: int = 0) -> int:
    if getattr(n, "__hash__", None) is None:
        raise ValueError(f"{name} takes its size as a static argument, which is no array: got {type(n)}")
    size = math.ceil(concrete(n, f"argument n of {name}"))
    if size < least:
        raise ValueError(f"{name}: n must be at least {least}, got {size}")
    return size


def block_diag(*arrs: ArrayLike) -> Array:
    """Matrices along the diagonal of a larger one. Raises ValueError for arrays of more than two axes."""
    blocks = [jnp.atleast_2d(asarray(v)) for v in promote_dtypes(*(arrs or (jnp.zeros((1, 0)),)))]
    if any(b.ndim > 2 for b in blocks):
        raise ValueError("Arguments to jax.scipy.linalg.block_diag must have at most 2 dimensions")
    rows, columns = sum(b.shape[0] for b in blocks), sum(b.shape[1] for b in blocks)
    out: Any = jnp.zeros((rows, columns), blocks[0].dtype)
    i = j = 0
    for b in blocks:
        out = out.at[i : i + b.shape[0], j : j + b.shape[1]].set(b)
        i, j = i + b.shape[0], j + b.shape[1]
    return out


def toeplitz(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """Matrix of constant diagonals from its first column and row."""
    check_arraylike("toeplitz", c, *(() if r is None else (r,)))
    column = asarray(c)
    row = jnp.conj(column) if r is None else asarray(r)
    if column.ndim > 1:
        return jnp.vectorize(lambda a, b: toeplitz(a, b), signature="(m),(n)->(m,n)")(column, row)
    column, row = jnp.ravel(column), jnp.ravel(row)
    m, n = column.shape[0], row.shape[0]
    values = jnp.concatenate([jnp.flip(column), row[1:]])
    return values[jnp.arange(m - 1, -1, -1)[:, None] + jnp.arange(n)[None, :]]


def hankel(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """Matrix of constant anti-diagonals from its first column and last row (zeros by default)."""
    check_arraylike("hankel", c, *(() if r is None else (r,)))
    column = asarray(c)
    if not column.ndim:
        raise ValueError("hankel: c must be at least 1-dimensional, got a scalar.")
    row = jnp.zeros_like(column) if r is None else asarray(r)
    if column.ndim > 1 or row.ndim > 1:
        return jnp.vectorize(lambda a, b: hankel(a, b), signature="(m),(n)->(m,n)")(column, row)
    column, row = jnp.ravel(column), jnp.ravel(row)
    values = jnp.concatenate([column, row[1:]])
    return values[jnp.arange(column.shape[0])[:, None] + jnp.arange(row.shape[0])[None, :]]


def circulant(c: ArrayLike) -> Array:
    """Matrix whose column k is the last axis of `c`, rolled by k."""
    check_arraylike("circulant", c)
    x = jnp.atleast_1d(asarray(c))
    places = jnp.arange(x.shape[-1])
    return x[..., (places[:, None] - places[None, :]) % max(x.shape[-1], 1)]


def companion(a: ArrayLike) -> Array:
    """Matrix whose characteristic polynomial has the coefficients `a`, the highest first. Needs two or more."""
    check_arraylike("companion", a)
    (x,) = promote_dtypes_inexact(a)
    if x.shape[-1] < 2:
        raise ValueError(f"The length of `a` along the last axis must be at least 2; got shape {x.shape}")
    n = x.shape[-1] - 1
    below = jnp.broadcast_to(jnp.eye(n - 1, n, dtype=x.dtype), (*x.shape[:-1], n - 1, n))
    return jnp.concatenate([(-x[..., 1:] / x[..., :1])[..., None, :], below], axis=-2)


def fiedler(a: ArrayLike) -> Array:
    """Matrix of the distances ``|a_i - a_j|``."""
    check_arraylike("fiedler", a)
    x = jnp.atleast_1d(asarray(a))
    return jnp.abs(x[..., :, None] - x[..., None, :])


def fiedler_companion(a: ArrayLike) -> Array:
    """Companion matrix of five diagonals (Fiedler, 2003): the coefficients `a`, the highest first."""
    check_arraylike("fiedler_companion", a)
    (x,) = promote_dtypes_inexact(a)
    if x.ndim != 1:
        return jnp.vectorize(fiedler_companion, signature="(m)->(n,n)")(x)
    n = x.shape[0] - 1
    if n < 1:
        return jnp.zeros((0, 0), x.dtype)
    if n == 1:
        return (-x[1] / x[0])[None, None]
    x = x / x[0]
    out: Any = jnp.zeros((n, n), x.dtype)
    even, odd = jnp.arange(0, n - 2, 2), jnp.arange(1, n - 2, 2)
    out = out.at[even, even + 2].set(1).at[odd + 2, odd].set(1).at[0, 0].set(-x[1]).at[1, 0].set(1)
    above, beside = jnp.arange(0, n - 1, 2), jnp.arange(2, n, 2)
    out = out.at[above, above + 1].set(-x[above + 2])
    return out.at[beside, beside - 1].set(-x[beside + 1])


def convolution_matrix(a: ArrayLike, n: int, mode: str = "full") -> Array:
    """The matrix whose product with a vector of length `n` is its convolution with `a`."""
    check_arraylike("convolution_matrix", a)
    x = asarray(a)
    size = _size("convolution_matrix", n)
    if size <= 0:
        raise ValueError("n must be a positive integer.")
    if x.shape[-1] == 0:
        raise ValueError("len(a) must be at least 1.")
    if mode not in ("full", "same", "valid"):
        raise ValueError("'mode' argument must be one of ('full', 'valid', 'same')")
    length = x.shape[-1]
    rows, columns = jnp.arange(length + size - 1)[:, None], jnp.arange(size)[None, :]
    lag = rows - columns
    whole = jnp.where((lag >= 0) & (lag < length), x[..., jnp.clip(lag, 0, length - 1)], 0)
    kept = {
        "full": length + size - 1,
        "same": max(length, size),
        "valid": max(length, size) - min(length, size) + 1,
    }
    start = {"full": 0, "same": (min(length, size) - 1) // 2, "valid": min(length, size) - 1}[mode]
    return whole[..., start : start + kept[mode], :]


def dft(n: int, scale: str | None = None, *, dtype: Any = None) -> Array:
    """Matrix of the discrete Fourier transform; `scale` is None, ``sqrtn`` or ``n``."""
    if scale not in (None, "sqrtn", "n"):
        raise ValueError(f"scale must be None, 'sqrtn', or 'n'; {scale!r} is not valid.")
    size = _size("dft", n)
    target = types.canonical(complex) if dtype is None else types.canonical(dtype)
    k = jnp.arange(size)
    # Reduced first, which keeps the digits of large products.
    angle = ((k[:, None] * k[None, :]) % max(size, 1)).astype(types.real_of(target)) * (
        -2 * math.pi / max(size, 1)
    )
    factor = {None: 1.0, "sqrtn": math.sqrt(max(size, 1)), "n": float(max(size, 1))}[scale]
    return (lax.complex(jnp.cos(angle), jnp.sin(angle)) / factor).astype(target)


def hadamard(n: int, dtype: Any = int) -> Array:
    """Matrix of 1 and -1 with orthogonal rows (Sylvester's). Raises ValueError unless `n` is a power of two."""
    size = _size("hadamard", n)
    if size != n or size < 1 or size & (size - 1):
        raise ValueError("n must be an positive integer, and n must be a power of 2")
    k = jnp.arange(size)
    odd = lax.population_count(k[:, None] & k[None, :]) % 2
    return (1 - 2 * odd).astype(types.canonical(dtype))


def helmert(n: int, full: bool = False) -> Array:
    """Orthogonal matrix of differences of means; without `full`, without its constant first row."""
    size = _size("helmert", n)
    k = jnp.arange(size, dtype=types.float_default())
    row, column = k[:, None], k[None, :]
    scale = jnp.where(row == 0, math.sqrt(max(size, 1)), jnp.sqrt(row * (row + 1)))
    rows = jnp.where(row == 0, 1, jnp.where(column < row, 1, jnp.where(column == row, -row, 0))) / scale
    return rows if full else rows[1:]


def hilbert(n: int) -> Array:
    """Matrix of ``1 / (i + j + 1)``."""
    k = jnp.arange(_size("hilbert", n), dtype=types.float_default())
    return 1 / (k[:, None] + k[None, :] + 1)


def invhilbert(n: int) -> Array:
    """Inverse of `hilbert`, whose entries are integers (Choi, 1983)."""
    size = _size("invhilbert", n)
    rows = [
        [
            (-1) ** (i + j)
            * (i + j + 1)
            * math.comb(size + i, size - j - 1)
            * math.comb(size + j, size - i - 1)
            * math.comb(i + j, i) ** 2
            for j in range(size)
        ]
        for i in range(size)
    ]
    return jnp.array([[float(v) for v in row] for row in rows], types.float_default()).reshape(size, size)


def _binomials(size: int, signed: bool) -> Array:
    rows = [
        [float(math.comb(i, j) * (-1) ** ((i + j) * signed)) if j <= i else 0.0 for j in range(size)]
        for i in range(size)
    ]
    return jnp.array(rows, types.float_default()).reshape(size, size)


def _check_kind(kind: str | None) -> None:
    if kind not in (None, "symmetric", "lower", "upper"):
        raise ValueError(f"Expected kind to be one of: 'symmetric', 'lower', 'upper'; got {kind!r}")


def pascal(n: int, kind: str | None = None) -> Array:
    """Matrix of binomial coefficients: lower, upper, or the product of both."""
    _check_kind(kind)
    lower = _binomials(_size("pascal", n), signed=False)
    if kind == "lower":
        return lower
    return lower.T if kind == "upper" else jnp.dot(lower, lower.T, precision=lax.Precision.HIGHEST)


def invpascal(n: int, kind: str | None = None) -> Array:
    """Inverse of `pascal`, of the same kind."""
    _check_kind(kind)
    lower = _binomials(_size("invpascal", n), signed=True)
    if kind == "lower":
        return lower
    return lower.T if kind == "upper" else jnp.dot(lower.T, lower, precision=lax.Precision.HIGHEST)


def leslie(f: ArrayLike, s: ArrayLike) -> Array:
    """Matrix of a population's growth from fecundities `f` and survival `s`, which has one entry less."""
    check_arraylike("leslie", f, s)
    births, survival = (asarray(v) for v in promote_dtypes_inexact(f, s))
    if births.shape[-1] != survival.shape[-1] + 1:
        raise ValueError("The length of s must be one less than the length of f.")
    if survival.shape[-1] == 0:
        raise ValueError("The length of s must be at least 1.")
    n = births.shape[-1]
    below = jnp.eye(n - 1, n, dtype=births.dtype) * survival[..., :, None]
    return jnp.concatenate([births[..., None, :], below], axis=-2)
