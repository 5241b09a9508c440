"""Gamma and beta functions and what is made of them."""

from __future__ import annotations

import math
import operator
from typing import Any

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...lax import types
from ...numpy.promotion import ArrayLike, asarray, broadcast_together, concrete, like, promote_args_inexact
from ...transforms.custom_jvp import custom_jvp


def gammaln(x: ArrayLike) -> Array:
    """Logarithm of the absolute value of the gamma function."""
    return lax.lgamma(*promote_args_inexact("gammaln", x))


def gammasgn(x: ArrayLike) -> Array:
    """Sign of the gamma function."""
    (x,) = promote_args_inexact("gammasgn", x)
    if x.dtype.kind == "c":
        raise ValueError("gammasgn does not support complex-valued inputs.")
    floor = lax.floor(x)
    pole = ((x < 0) & (x == floor)) | (x == -math.inf) | jnp.isnan(x)
    sign = jnp.where((x > 0) | (floor % 2 == 0), 1.0, -1.0).astype(x.dtype)
    sign = jnp.where((x == 0) & jnp.signbit(x), like(sign, -1), sign)
    return jnp.where(pole, like(sign, math.nan), sign)


def gamma(x: ArrayLike) -> Array:
    """Gamma function."""
    (x,) = promote_args_inexact("gamma", x)
    return gammasgn(x) * lax.exp(lax.lgamma(x))


def betaln(a: ArrayLike, b: ArrayLike) -> Array:
    """Logarithm of the beta function."""
    a, b = promote_args_inexact("betaln", a, b)
    a, b = jnp.minimum(a, b), jnp.maximum(a, b)
    direct = lax.lgamma(a) + (lax.lgamma(b) - lax.lgamma(a + b))
    # For large b the difference of logarithms of gammas is expanded, where subtraction would lose it.
    large = b >= 8
    safe = jnp.where(large, b, 8.0)
    total = a + safe
    expansion = lax.lgamma(a) + _stirling_difference(a, safe, total)
    return jnp.where(large, expansion, direct)


def _stirling_tail(x: Array) -> Array:
    inverse = 1 / x
    square = inverse * inverse
    return inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)))


def _stirling_difference(a: Array, b: Array, total: Array) -> Array:
    """lgamma(b) - lgamma(a + b) for large b."""
    return _stirling_tail(b) - _stirling_tail(total) + a * (1 - lax.log(total)) - (b - 0.5) * lax.log1p(a / b)


def beta(a: ArrayLike, b: ArrayLike) -> Array:
    """Beta function."""
    a, b = promote_args_inexact("beta", a, b)
    return gammasgn(a) * gammasgn(b) * gammasgn(jnp.add(a, b)) * lax.exp(betaln(a, b))


def betainc(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Regularised incomplete beta function."""
    return lax.betainc(*promote_args_inexact("betainc", a, b, x))


def digamma(x: ArrayLike) -> Array:
    """Derivative of gammaln."""
    return lax.digamma(*promote_args_inexact("digamma", x))


def polygamma(n: ArrayLike, x: ArrayLike) -> Array:
    """n-th derivative of digamma."""
    if types.dtype(n).kind not in "iu":
        raise ValueError(f"Argument `n` to polygamma must be of integer type; it is {types.dtype(n)}.")
    return lax.polygamma(*broadcast_together(*promote_args_inexact("polygamma", n, x)))


def gammainc(a: ArrayLike, x: ArrayLike) -> Array:
    """Regularised lower incomplete gamma function."""
    return lax.igamma(*promote_args_inexact("gammainc", a, x))


def gammaincc(a: ArrayLike, x: ArrayLike) -> Array:
    """Regularised upper incomplete gamma function."""
    return lax.igammac(*promote_args_inexact("gammaincc", a, x))


def zeta(x: ArrayLike, q: ArrayLike | None = None) -> Array:
    """Hurwitz zeta function. Raises NotImplementedError without `q`, as JAX does."""
    if q is None:
        raise NotImplementedError(
            "Riemann zeta function not implemented; pass q != None to compute the Hurwitz Zeta function."
        )
    return lax.zeta(*broadcast_together(*promote_args_inexact("zeta", x, q)))


def multigammaln(a: ArrayLike, d: ArrayLike) -> Array:
    """Logarithm of the multivariate gamma function."""
    n = int(concrete(d, "d argument of multigammaln"))
    (a,) = promote_args_inexact("multigammaln", a)
    constant = n * (n - 1) / 4 * math.log(math.pi)
    steps = lax.iota(a.dtype, n) / 2
    return gammaln(jnp.expand_dims(a, -1) - steps).sum(-1) + constant


def factorial(n: ArrayLike, exact: bool = False) -> Array:
    """n! through the gamma function."""
    if exact:
        raise NotImplementedError("factorial with exact=True")
    (n,) = promote_args_inexact("factorial", n)
    return jnp.where(n < 0, 0, lax.exp(lax.lgamma(n + 1)))


@custom_jvp
def poch(z: ArrayLike, m: ArrayLike) -> Array:
    """Rising factorial."""
    z, m = map(asarray, promote_args_inexact("poch", z, m))
    if z.dtype.kind == "c":
        raise ValueError("poch does not support complex-valued inputs.")
    return jnp.where(m == 0, jnp.ones_like(z), gamma(z + m) / gamma(z))


@poch.defjvp
def _poch_jvp(primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> tuple[Array, Array]:
    (z, m), (t, s) = primals, tangents
    value = poch(z, m)
    upper = digamma(jnp.add(z, m))
    return value, (upper - digamma(z)) * value * t + upper * value * s


def comb(N: ArrayLike, k: ArrayLike, *, repetition: bool = False) -> Array:
    """Binomial coefficients."""
    N, k = map(asarray, promote_args_inexact("comb", N, k))
    if repetition:
        return jnp.where((k == 0) & (N >= 0), 1.0, comb(N + k - 1, k))
    inside = (k >= 0) & (N >= 0) & (k <= N)
    # What is not chosen below must have finite derivatives too.
    total, chosen = jnp.where(inside, N, 0.0), jnp.where(inside, k, 0.0)
    ways = gammaln(total + 1) - gammaln(chosen + 1) - gammaln(total + 1 - chosen)
    return jnp.where(inside, lax.exp(ways), 0.0)


def bernoulli(n: int) -> Array:
    """The first n + 1 Bernoulli numbers."""
    from fractions import Fraction

    count = operator.index(concrete(n, "Argument n of bernoulli"))
    if count < 0:
        raise ValueError("n must be a non-negative integer.")
    values: list[Fraction] = []
    for m in range(count + 1):
        total = sum((math.comb(m + 1, k) * v for k, v in enumerate(values)), Fraction(0))
        values.append(Fraction(1) if m == 0 else -total / (m + 1))
    return asarray([float(v) for v in values], types.float_default())
