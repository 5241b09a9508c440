"""Logarithms and entropies that are well defined at zero; softmax."""

from __future__ import annotations

import math
from typing import Any

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...lax import types
from ...lax.elementwise import convert_to
from ...nn.functions import log_softmax as _log_softmax
from ...nn.functions import logsumexp
from ...nn.functions import softmax as _softmax
from ...numpy.promotion import ArrayLike, like, promote_args_inexact
from ...transforms.custom_jvp import custom_jvp

__all__ = ["entr", "kl_div", "log_softmax", "logit", "logsumexp", "rel_entr", "softmax", "xlog1py", "xlogy"]


@custom_jvp
def _logit(x: Array) -> Array:
    return lax.log(lax.div(x, 1 - x))


@_logit.defjvp
def _logit_jvp(primals: Any, tangents: Any) -> Any:
    (x,), (t,) = primals, tangents
    return _logit(x), t / (x * (1 - x))


def logit(x: ArrayLike) -> Array:
    """log(x / (1 - x))."""
    (value,) = promote_args_inexact("logit", x)
    return _logit(convert_to(value, value.dtype, False) if jnp.ndim(value) else value)


def _times_log(x: Array, y: Array, log: Any) -> Array:
    """x log(y), 0 where x is 0, except that NaN stays NaN."""
    vanishes = jnp.logical_and(jnp.equal(x, 0.0), jnp.equal(y, y))
    return jnp.where(vanishes, 0.0, lax.mul(x, log(y)))


@custom_jvp
def _xlogy(x: Array, y: Array) -> Array:
    return _times_log(x, y, lax.log)


@_xlogy.defjvp
def _xlogy_jvp(primals: Any, tangents: Any) -> Any:
    (x, y), (tx, ty) = primals, tangents
    return _xlogy(x, y), tx * lax.log(y) + ty * x / y


def xlogy(x: ArrayLike, y: ArrayLike) -> Array:
    """x log(y), 0 where x is 0."""
    x, y = promote_args_inexact("xlogy", x, y)
    return _xlogy(jnp.asarray(x), jnp.asarray(y))


@custom_jvp
def _xlog1py(x: Array, y: Array) -> Array:
    return _times_log(x, y, lax.log1p)


@_xlog1py.defjvp
def _xlog1py_jvp(primals: Any, tangents: Any) -> Any:
    (x, y), (tx, ty) = primals, tangents
    return _xlog1py(x, y), tx * lax.log1p(y) + ty * x / (1 + y)


def xlog1py(x: ArrayLike, y: ArrayLike) -> Array:
    """x log(1 + y), 0 where x is 0."""
    x, y = promote_args_inexact("xlog1py", x, y)
    return _xlog1py(jnp.asarray(x), jnp.asarray(y))


def entr(x: ArrayLike) -> Array:
    """-x log(x)."""
    (x,) = promote_args_inexact("entr", x)
    if x.dtype.kind == "c":
        raise ValueError("entr does not support complex-valued inputs.")
    return jnp.where(x < 0, -math.inf, -xlogy(x, x))


def _real(name: str, *xs: ArrayLike) -> list[Any]:
    """The arguments in their common floating type. Raises ValueError for complex ones."""
    found = promote_args_inexact(name, *xs)
    if types.dtype(found[0]).kind == "c":
        raise ValueError(f"{name} does not support complex-valued inputs.")
    return found


def _relative(p: Array, q: Array) -> Array:
    return jnp.subtract(xlogy(p, p), xlogy(p, q))


def rel_entr(p: ArrayLike, q: ArrayLike) -> Array:
    """p log(p / q)."""
    p, q = _real("rel_entr", p, q)
    both = jnp.logical_and(jnp.greater(p, 0), jnp.greater(q, 0))
    empty = jnp.logical_and(jnp.equal(p, 0), jnp.greater_equal(q, 0))
    safe_p, safe_q = jnp.where(both, p, 1), jnp.where(both, q, 1)
    return jnp.where(both, _relative(safe_p, safe_q), jnp.where(empty, like(p, 0), math.inf))


def kl_div(p: ArrayLike, q: ArrayLike) -> Array:
    """p log(p / q) - p + q."""
    p, q = _real("kl_div", p, q)
    return rel_entr(p, q) - jnp.subtract(p, q)


def softmax(x: ArrayLike, /, *, axis: Any = None) -> Array:
    """exp(x) / sum(exp(x))."""
    return _softmax(x, axis=axis)


def log_softmax(x: ArrayLike, /, *, axis: Any = None) -> Array:
    """x - logsumexp(x)."""
    return _log_softmax(x, axis=axis)
