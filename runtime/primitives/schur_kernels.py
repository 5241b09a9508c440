"""Hessenberg reduction and Schur decomposition, in double precision, matrix by matrix.

Golub and Van Loan, "Matrix Computations", 4th edition: 7.4.3 (reduction), 7.5.6 (double shift).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

Values: TypeAlias = np.ndarray[Any, Any]

#: Steps for one eigenvalue; after so many others the shift is replaced by one that breaks cycles.
_PATIENCE, _EXCEPTIONAL = 60, 10


def _wide(dtype: np.dtype[Any]) -> Any:
    return np.complex128 if dtype.kind == "c" else np.float64


def hessenberg(a: Values) -> tuple[Values, Values]:
    """The upper Hessenberg form with the reflectors below it, and their factors, as LAPACK's ``gehrd`` packs them."""
    n = a.shape[-1]
    packed = a.astype(_wide(a.dtype))
    factors = np.zeros((*a.shape[:-2], max(n - 1, 0)), packed.dtype)
    for place in np.ndindex(a.shape[:-2]):
        _reduce(packed[place], factors[place])
    return packed.astype(a.dtype), factors.astype(a.dtype)


def _reduce(h: Values, factors: Values) -> None:
    for k in range(len(h) - 1):
        alpha = h[k + 1, k]
        if not np.any(h[k + 2 :, k]) and alpha.imag == 0:
            continue
        beta = -np.copysign(np.linalg.norm(h[k + 1 :, k]), alpha.real)
        v = h[k + 1 :, k] / (alpha - beta)
        v[0] = 1
        factor = factors[k] = (beta - alpha) / beta
        rest = h[k + 1 :, k + 1 :]
        rest -= np.conj(factor) * np.outer(v, np.conj(v) @ rest)
        columns = h[:, k + 1 :]
        columns -= factor * np.outer(columns @ v, np.conj(v))
        h[k + 1, k], h[k + 2 :, k] = beta, v[1:]


def schur(a: Values, **options: Any) -> tuple[Values, Values]:
    """The (quasi-)triangular form of each matrix, and the unitary basis. All NaN where a matrix is not finite."""
    form, basis = a.astype(_wide(a.dtype)), np.empty(a.shape, _wide(a.dtype))
    for place in np.ndindex(a.shape[:-2]):
        h, z = form[place], basis[place]
        if not np.isfinite(h).all():
            h[...] = z[...] = np.nan
            continue
        z[...] = np.eye(len(h))
        factors = np.zeros(max(len(h) - 1, 0), h.dtype)
        _reduce(h, factors)
        for k in range(len(factors) - 1, -1, -1):
            v = np.concatenate([[1], h[k + 2 :, k]])
            z[k + 1 :] -= factors[k] * np.outer(v, np.conj(v) @ z[k + 1 :])
        h[...] = np.triu(h, -1)
        _deflate(h, z, *((_complex_step, 1) if a.dtype.kind == "c" else (_double_step, 2)))
    return form.astype(a.dtype), basis.astype(a.dtype)


def _deflate(h: Values, z: Values, step: Callable[..., None], largest: int) -> None:
    """Steps on the last block that has not yet split into blocks of at most the `largest` size, until all have."""
    precision = np.finfo(h.dtype).eps
    last, count = len(h) - 1, 0
    while last > 0:
        first = last
        while first > 0:
            around = abs(h[first - 1, first - 1]) + abs(h[first, first])
            if abs(h[first, first - 1]) <= precision * (around or np.linalg.norm(h)):
                h[first, first - 1] = 0
                break
            first -= 1
        size = last - first + 1
        if size <= largest:
            if size == 2:
                _standardize(h, z, first)
            last, count = first - 1, 0
            continue
        count += 1
        if count > _PATIENCE:
            h[...] = z[...] = np.nan
            return
        step(h, z, first, last, count % _EXCEPTIONAL == 0)


def _turn(h: Values, z: Values, k: int, c: Any, s: Any) -> None:
    """A rotation of the axes k and k + 1."""
    rotation = np.array([[c, s], [-np.conj(s), c]])
    h[k : k + 2] = rotation @ h[k : k + 2]
    h[:, k : k + 2] = h[:, k : k + 2] @ np.conj(rotation.T)
    z[:, k : k + 2] = z[:, k : k + 2] @ np.conj(rotation.T)


def _complex_step(h: Values, z: Values, first: int, last: int, exceptional: bool) -> None:
    """A QR step, as a bulge that rotations chase, with Wilkinson's shift."""
    (a, b), (c, d) = h[last - 1 : last + 1, last - 1 : last + 1]
    half = (a - d) / 2
    root = np.sqrt(half * half + b * c)
    shift = d + half - (root if (half * np.conj(root)).real >= 0 else -root)
    if exceptional:
        shift = abs(h[last, last - 1]) + abs(h[last - 1, max(last - 2, 0)])
    x, y = h[first, first] - shift, h[first + 1, first]
    for k in range(first, last):
        size = np.hypot(abs(x), abs(y))
        if size:
            phase = x / abs(x) if x else 1.0
            _turn(h, z, k, abs(x) / size, phase * np.conj(y) / size)
        if k > first:
            h[k + 1, k - 1] = 0
        if k + 2 <= last:
            x, y = h[k + 1, k], h[k + 2, k]


def _double_step(h: Values, z: Values, first: int, last: int, exceptional: bool) -> None:
    """Francis' step with both eigenvalues of the last block as shifts, on blocks of at least three."""
    (a, b), (c, d) = h[last - 1 : last + 1, last - 1 : last + 1]
    trace, determinant = a + d, a * d - b * c
    if exceptional:
        size = abs(h[last, last - 1]) + abs(h[last - 1, last - 2])
        trace, determinant = 1.5 * size, size * size
    top = h[first : first + 3, first : first + 2]
    bulge = np.array(
        [
            top[0, 0] * (top[0, 0] - trace) + top[0, 1] * top[1, 0] + determinant,
            top[1, 0] * (top[0, 0] + top[1, 1] - trace),
            top[1, 0] * top[2, 1],
        ]
    )
    for k in range(first, last):
        width = min(3, last - k + 1)
        _reflect(h, z, k, bulge[:width])
        if k > first:
            h[k + 1 : k + width, k - 1] = 0
        bulge = h[k + 1 : min(k + 4, last + 1), k].copy()


def _reflect(h: Values, z: Values, k: int, vector: Values) -> None:
    """The reflection that takes a vector on the axes from k to the first of them."""
    if not np.any(vector[1:]):
        return
    v = vector / np.abs(vector).max()
    v[0] += np.copysign(np.linalg.norm(v), v[0])
    v *= np.sqrt(2) / np.linalg.norm(v)
    axes = slice(k, k + len(v))
    h[axes] -= np.outer(v, v @ h[axes])
    h[:, axes] -= np.outer(h[:, axes] @ v, v)
    z[:, axes] -= np.outer(z[:, axes] @ v, v)


def _standardize(h: Values, z: Values, k: int) -> None:
    """A real block of two made triangular, or, with complex eigenvalues, with one value on the diagonal."""
    (a, b), (c, d) = h[k : k + 2, k : k + 2]
    half = (a - d) / 2
    square = half * half + b * c
    if square >= 0:
        larger = half + np.copysign(np.sqrt(square), half)
        size = np.hypot(larger, c)
        _turn(h, z, k, larger / size, c / size)
        h[k + 1, k] = 0
        return
    total = b + c
    size = np.hypot(total, a - d)
    if size == 0:
        return
    cosine = np.sqrt((1 + abs(total) / size) / 2)
    _turn(h, z, k, cosine, -half / (size * cosine) * np.copysign(1.0, total))
    h[k, k] = h[k + 1, k + 1] = (h[k, k] + h[k + 1, k + 1]) / 2
