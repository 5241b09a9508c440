"""Sums of exponentials in logarithms: `logaddexp` and `logaddexp2`, differentiable where they are infinite."""

from __future__ import annotations

import math
from typing import Any

from .. import lax
from ..core import Array
from ..transforms.custom_jvp import custom_jvp
from .promotion import ArrayLike, broadcast_together, like, promote_args_inexact
from .selection import where


def _logaddexp(x1: Array, x2: Array, exp: Any, scale: float | None) -> Array:
    largest = lax.max(x1, x2)
    complex_valued = largest.dtype.kind == "c"
    delta = lax.sub(x1, x2)
    # The smaller minus the larger; complex numbers are ordered by their real parts first.
    gap = (
        lax.sub(lax.add(x1, x2), lax.mul(like(largest, 2), largest))
        if complex_valued
        else lax.neg(lax.abs(delta))
    )
    correction = lax.log1p(exp(gap))
    if scale is not None:
        correction = lax.mul(like(correction, scale), correction)
    total = lax.add(largest, correction)
    if complex_valued:
        return lax.complex(lax.real(total), _angle(lax.imag(total), math.pi * (scale or 1)))
    return lax.select(*broadcast_together(lax.ne(delta, delta), lax.add(x1, x2), total))


def _angle(x: Array, half_turn: float) -> Array:
    """The same angle in [-half_turn, half_turn)."""
    half, turn = like(x, half_turn), like(x, 2 * half_turn)
    rest = lax.rem(lax.add(x, half), turn)
    return lax.sub(lax.select(lax.lt(rest, like(x, 0)), lax.add(rest, turn), rest), half)


@custom_jvp
def _logaddexp_core(x1: Array, x2: Array) -> Array:
    return _logaddexp(x1, x2, lax.exp, None)


@custom_jvp
def _logaddexp2_core(x1: Array, x2: Array) -> Array:
    return _logaddexp(x1, x2, lax.exp2, 1 / math.log(2))


def _weight(x: Array, total: Array, exp: Any) -> Array:
    """exp(x - total), in which infinity counts as 0: the terms that make the sum infinite keep their derivative."""
    return exp(lax.sub(_finite(x), _finite(total)))


def _finite(x: Array) -> Array:
    real = lax.real(x) if x.dtype.kind == "c" else x
    return where(lax.eq(real, like(real, math.inf)), like(x, 0), x)


@_logaddexp_core.defjvp
def _logaddexp_jvp(primals: tuple[Array, Array], tangents: tuple[Array, Array]) -> tuple[Array, Array]:
    total = _logaddexp_core(*primals)
    terms = [lax.mul(t, _weight(x, total, lax.exp)) for x, t in zip(primals, tangents)]
    return total, lax.add(*broadcast_together(*terms))


@_logaddexp2_core.defjvp
def _logaddexp2_jvp(primals: tuple[Array, Array], tangents: tuple[Array, Array]) -> tuple[Array, Array]:
    total = _logaddexp2_core(*primals)
    terms = [lax.mul(t, _weight(x, total, lax.exp2)) for x, t in zip(primals, tangents)]
    return total, lax.add(*broadcast_together(*terms))


def logaddexp(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    return _logaddexp_core(*promote_args_inexact("logaddexp", x1, x2))


def logaddexp2(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    return _logaddexp2_core(*promote_args_inexact("logaddexp2", x1, x2))
