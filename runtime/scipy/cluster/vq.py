"""`jax.scipy.cluster.vq`: vector quantisation."""

from __future__ import annotations

from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import ArrayLike, asarray, check_arraylike, promote_dtypes_inexact


def vq(obs: ArrayLike, code_book: ArrayLike, check_finite: bool = True) -> tuple[Array, Array]:
    """For each row of `obs` (or each number), the nearest row of `code_book` and the distance to it.

    Raises ValueError for arrays of different ranks, of more than two axes, or rows of different lengths.
    """
    check_arraylike("scipy.cluster.vq.vq", obs, code_book)
    points, codes = (asarray(v) for v in promote_dtypes_inexact(obs, code_book))
    if points.ndim != codes.ndim:
        raise ValueError("Observation and code_book should have the same rank")
    if points.ndim == 1:
        points, codes = points[:, None], codes[:, None]
    if points.ndim != 2:
        raise ValueError("ndim different than 1 or 2 are not supported")
    distances = jnp.linalg.norm(points[:, None, :] - codes[None, :, :], axis=-1)
    nearest = jnp.argmin(distances, axis=1)
    return nearest, jnp.take_along_axis(distances, nearest[:, None], axis=1)[:, 0]
