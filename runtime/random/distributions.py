"""Distributions made from the basic ones. Each draws from its keys in the order in which JAX draws."""

from __future__ import annotations

import math
import operator
from typing import Any

from .. import lax
from .. import numpy as jnp
from ..core import Array
from ..lax import types
from ..numpy.promotion import asarray, concrete, jitted, like, promote_dtypes_inexact
from ..primitives import random as primitives
from .keys import implementation_of
from .samplers import (
    bernoulli,
    exponential,
    float_type,
    keys_of,
    normal,
    sample_shape,
    shape_or,
    typed_key,
    uniform,
)


def _typed(value: Any, dtype: Any) -> Any:
    return lax.convert_element_type(value, dtype)


def _spread(value: Any, shape: tuple[int, ...], dtype: Any) -> Array:
    return jnp.broadcast_to(_typed(value, dtype), shape)


def truncated_normal(
    key: Any, lower: Any, upper: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> Array:
    """Standard normal samples in (lower, upper)."""
    found = float_type("truncated_normal", dtype)
    return _truncated_normal(
        typed_key("truncated_normal", key), lower, upper, shape=shape_or(shape, lower, upper), dtype=found
    )


@jitted("shape", "dtype")
def _truncated_normal(key: Array, lower: Any, upper: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    low, high = _typed(lower, dtype), _typed(upper, dtype)
    root = like(low, math.sqrt(2))
    a, b = lax.erf(lax.div(low, root)), lax.erf(lax.div(high, root))
    u = uniform(key, shape, dtype, minval=a, maxval=b)
    out = lax.mul(like(u, math.sqrt(2)), lax.erf_inv(u))
    inside = (
        lax.nextafter(lax.stop_gradient(low), jnp.full_like(low, math.inf)),
        lax.nextafter(lax.stop_gradient(high), jnp.full_like(high, -math.inf)),
    )
    return jnp.clip(out, *inside)


def laplace(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Standard Laplace samples."""
    return _laplace(typed_key("laplace", key), shape=sample_shape(shape), dtype=float_type("laplace", dtype))


@jitted("shape", "dtype")
def _laplace(key: Array, *, shape: tuple[int, ...], dtype: Any) -> Array:
    u = uniform(key, shape, dtype, minval=-1.0 + types.FloatInfo(dtype).epsneg, maxval=1.0)
    return lax.mul(lax.sign(u), lax.log1p(lax.neg(lax.abs(u))))


def logistic(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Standard logistic samples."""
    return _logistic(
        typed_key("logistic", key), shape=sample_shape(shape), dtype=float_type("logistic", dtype)
    )


@jitted("shape", "dtype")
def _logistic(key: Array, *, shape: tuple[int, ...], dtype: Any) -> Array:
    u = uniform(key, shape, dtype, minval=types.FloatInfo(dtype).tiny, maxval=1.0)
    return lax.sub(lax.log(u), lax.log1p(lax.neg(u)))


def cauchy(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Standard Cauchy samples."""
    return _cauchy(typed_key("cauchy", key), shape=sample_shape(shape), dtype=float_type("cauchy", dtype))


@jitted("shape", "dtype")
def _cauchy(key: Array, *, shape: tuple[int, ...], dtype: Any) -> Array:
    u = uniform(key, shape, dtype, minval=types.FloatInfo(dtype).eps, maxval=1.0)
    return lax.tan(lax.mul(like(u, math.pi), lax.sub(u, like(u, 0.5))))


def pareto(key: Any, b: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Pareto samples of shape parameter b."""
    found = float_type("pareto", dtype, b)
    return _pareto(typed_key("pareto", key), b, shape=shape_or(shape, b), dtype=found)


@jitted("shape", "dtype")
def _pareto(key: Array, b: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    return lax.exp(lax.div(exponential(key, shape, dtype), _spread(b, shape, dtype)))


def rayleigh(
    key: Any, scale: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> Array:
    """Rayleigh samples."""
    found = float_type("rayleigh", dtype, scale)
    return _rayleigh(typed_key("rayleigh", key), scale, shape=shape_or(shape, scale), dtype=found)


@jitted("shape", "dtype")
def _rayleigh(key: Array, scale: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    u = uniform(key, shape, dtype)
    log_u = lax.log(u)
    return lax.mul(lax.sqrt(lax.mul(log_u, like(u, -2))), _spread(scale, shape, dtype))


def lognormal(
    key: Any, sigma: Any = 1.0, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> Array:
    """exp(sigma z) of standard normal z."""
    found = float_type("lognormal", dtype, sigma)
    return _lognormal(typed_key("lognormal", key), sigma, shape=shape_or(shape, sigma), dtype=found)


@jitted("shape", "dtype")
def _lognormal(key: Array, sigma: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    return lax.exp(lax.mul(normal(key, shape, dtype), _spread(sigma, shape, dtype)))


def triangular(
    key: Any,
    left: Any,
    mode: Any,
    right: Any,
    shape: Any = None,
    dtype: Any = None,
    *,
    out_sharding: Any = None,
) -> Array:
    """Triangular samples on [left, right] with the given mode."""
    found = float_type("triangular", dtype, left, mode, right)
    return _triangular(
        typed_key("triangular", key), left, mode, right, shape=shape_or(shape, left, mode, right), dtype=found
    )


@jitted("shape", "dtype")
def _triangular(key: Array, left: Any, mode: Any, right: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    a, c, b = (_spread(v, shape, dtype) for v in (left, mode, right))
    fc = (c - a) / (b - a)
    u = uniform(key, shape, dtype)
    return jnp.where(u < fc, a + lax.sqrt(u * (b - a) * (c - a)), b - lax.sqrt((1 - u) * (b - a) * (b - c)))


def weibull_min(key: Any, scale: Any, concentration: Any, shape: Any = (), dtype: Any = None) -> Array:
    """Weibull samples."""
    found = float_type("weibull_min", dtype)
    return _weibull_min(
        typed_key("weibull_min", key), scale, concentration, shape=sample_shape(shape), dtype=found
    )


@jitted("shape", "dtype")
def _weibull_min(key: Array, scale: Any, concentration: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    u = uniform(key, shape, dtype)
    return jnp.power(-jnp.log1p(-u), 1.0 / jnp.asarray(concentration)) * scale


def rademacher(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """-1 or 1."""
    found = types.int_default() if dtype is None else types.canonical(dtype)
    return _rademacher(typed_key("rademacher", key), shape=sample_shape(shape), dtype=found)


@jitted("shape", "dtype")
def _rademacher(key: Array, *, shape: tuple[int, ...], dtype: Any) -> Array:
    heads = bernoulli(key, 0.5, shape)
    return _typed(2 * _typed(heads, dtype) - 1, dtype)


def maxwell(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Maxwell samples: lengths of three-dimensional normal vectors."""
    return _maxwell(typed_key("maxwell", key), shape=sample_shape(shape), dtype=float_type("maxwell", dtype))


@jitted("shape", "dtype")
def _maxwell(key: Array, *, shape: tuple[int, ...], dtype: Any) -> Array:
    return jnp.linalg.norm(normal(key, (*shape, 3), dtype), axis=-1)


def double_sided_maxwell(key: Any, loc: Any, scale: Any, shape: Any = (), dtype: Any = None) -> Array:
    """Maxwell samples of random sign, shifted and scaled."""
    found = float_type("double_sided_maxwell", dtype)
    return _double_sided_maxwell(
        typed_key("double_sided_maxwell", key), loc, scale, shape=sample_shape(shape), dtype=found
    )


@jitted("shape", "dtype")
def _double_sided_maxwell(key: Array, loc: Any, scale: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    own = lax.broadcast_shapes(types.shape(loc), types.shape(scale))
    full = (*(shape or own), *own)
    first, second = keys_of(key)
    lengths = maxwell(first, full, dtype)
    return rademacher(second, full, dtype) * lengths * scale + loc


def gamma(key: Any, a: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Gamma samples of shape parameter a."""
    found = float_type("gamma", dtype)
    return _gamma(typed_key("gamma", key), a, shape=shape_or(shape, a), dtype=found, log_space=False)


def loggamma(key: Any, a: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Logarithms of gamma samples, accurate for small a."""
    found = float_type("loggamma", dtype)
    return _gamma(typed_key("loggamma", key), a, shape=shape_or(shape, a), dtype=found, log_space=True)


@jitted("shape", "dtype", "log_space")
def _gamma(key: Array, a: Any, *, shape: tuple[int, ...], dtype: Any, log_space: bool) -> Array:
    implementation = implementation_of(key).name
    if implementation != "threefry2x32":
        raise NotImplementedError(
            f"samples of gamma distributions from {implementation} keys are not available in this runtime"
        )
    alpha = _typed(a, dtype)
    if alpha.shape != shape:
        alpha = jnp.broadcast_to(alpha, shape)
    return primitives.random_gamma_p.bind(key, alpha, log_space=log_space)


def beta(
    key: Any, a: Any, b: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> Array:
    """Beta samples."""
    found = float_type("beta", dtype, a, b)
    return _beta(typed_key("beta", key), a, b, shape=shape_or(shape, a, b), dtype=found)


@jitted("shape", "dtype")
def _beta(key: Array, a: Any, b: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    first, second = keys_of(key)
    x = loggamma(first, _spread(a, shape, dtype), shape, dtype)
    y = loggamma(second, _spread(b, shape, dtype), shape, dtype)
    top = lax.max(x, y)
    x, y = lax.exp(lax.sub(x, top)), lax.exp(lax.sub(y, top))
    return lax.div(x, lax.add(x, y))


def dirichlet(
    key: Any, alpha: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> Array:
    """Dirichlet samples; the last axis sums to 1."""
    found = float_type("dirichlet", dtype)
    own = types.shape(alpha)
    base = typed_key("dirichlet", key)
    if len(own) < 1:
        raise ValueError(f"dirichlet requires alpha.ndim >= 1, got alpha.ndim == {len(own)}")
    return _dirichlet(
        base,
        alpha,
        shape=own[:-1] if shape is None else sample_shape(shape),
        dtype=found,
    )


@jitted("shape", "dtype")
def _dirichlet(key: Array, alpha: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    from ..nn.functions import softmax

    full = (*shape, types.shape(alpha)[-1])
    return softmax(loggamma(key, _typed(alpha, dtype), full, dtype), -1)


def chisquare(key: Any, df: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Chi-square samples."""
    found = float_type("chisquare", dtype, df)
    return _chisquare(typed_key("chisquare", key), df, shape=shape_or(shape, df), dtype=found)


@jitted("shape", "dtype")
def _chisquare(key: Array, df: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    half = _spread(df, shape, dtype) / 2
    return lax.exp(loggamma(key, half, shape, dtype)) * 2


def f(
    key: Any, dfnum: Any, dfden: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> Array:
    """F samples: ratios of scaled chi-squares."""
    found = float_type("f", dtype, dfnum, dfden)
    return _f(typed_key("f", key), dfnum, dfden, shape=shape_or(shape, dfnum, dfden), dtype=found)


@jitted("shape", "dtype")
def _f(key: Array, dfnum: Any, dfden: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    top, bottom = _spread(dfnum, shape, dtype), _spread(dfden, shape, dtype)
    first, second = keys_of(key)
    return (chisquare(second, top, shape, dtype) / top) / (chisquare(first, bottom, shape, dtype) / bottom)


def t(key: Any, df: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Student t samples."""
    found = float_type("t", dtype, df)
    return _t(typed_key("t", key), df, shape=shape_or(shape, df), dtype=found)


@jitted("shape", "dtype")
def _t(key: Array, df: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    half = _spread(df, shape, dtype) / 2
    first, second = keys_of(key)
    return normal(first, shape, dtype) * lax.sqrt(half / gamma(second, half, shape, dtype))


def geometric(key: Any, p: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Number of trials up to the first success."""
    found = types.int_default() if dtype is None else types.canonical(dtype)
    if found.kind not in "iu":
        raise ValueError("dtype argument to `geometric` must be an int dtype, got {found}")
    return _geometric(typed_key("geometric", key), p, shape=shape_or(shape, p), dtype=found)


@jitted("shape", "dtype")
def _geometric(key: Array, p: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    (chance,) = promote_dtypes_inexact(p)
    chance = jnp.broadcast_to(chance, shape)
    u = uniform(key, shape, chance.dtype)
    u = jnp.where(u == 0, 1, u)  # No sample is without end.
    failures = lax.log(u) / lax.log1p(-chance)
    return _typed(lax.floor(failures) + 1, dtype)


def generalized_normal(
    key: Any, p: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None
) -> Array:
    """Samples of density exp(-|x|^p)."""
    found = float_type("generalized_normal", dtype)
    return _generalized_normal(
        typed_key("generalized_normal", key), p, shape=sample_shape(shape), dtype=found
    )


@jitted("shape", "dtype")
def _generalized_normal(key: Array, p: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    first, second = keys_of(key)
    g = gamma(first, 1 / p, shape, dtype)
    return _typed(rademacher(second, shape, dtype) * g ** (1 / p), dtype)


def ball(
    key: Any, d: int, p: Any = 2, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None
) -> Array:
    """Points in the unit ball of the p-norm."""
    found = float_type("ball", dtype)
    dimension = operator.index(concrete(d, "The error occurred in jax.random.ball()"))
    return _ball(typed_key("ball", key), p, d=dimension, shape=sample_shape(shape), dtype=found)


@jitted("d", "shape", "dtype")
def _ball(key: Array, p: Any, *, d: int, shape: tuple[int, ...], dtype: Any) -> Array:
    first, second = keys_of(key)
    g = generalized_normal(first, p, (*shape, d), dtype)
    e = exponential(second, shape, dtype)
    return g / (((jnp.abs(g) ** p).sum(-1) + e) ** (1 / p))[..., None]


def wald(key: Any, mean: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Wald (inverse Gaussian) samples of scale 1."""
    found = float_type("wald", dtype, mean)
    return _wald(typed_key("wald", key), mean, shape=shape_or(shape, mean), dtype=found)


@jitted("shape", "dtype")
def _wald(key: Array, mean: Any, *, shape: tuple[int, ...], dtype: Any) -> Array:
    first, second = keys_of(key)
    mu = _spread(mean, shape, dtype)
    v = normal(first, shape, dtype)
    z = uniform(second, shape, dtype)
    y = lax.square(v)
    x = mu + mu * mu * y / 2 - mu / 2 * lax.sqrt(4 * mu * y + mu * mu * y * y)
    return lax.select(z <= mu / (mu + x), x, mu * mu / x)


def orthogonal(
    key: Any, n: int, shape: Any = (), dtype: Any = None, m: int | None = None, *, out_sharding: Any = None
) -> Array:
    """Random matrices with orthonormal columns (or rows), uniformly distributed."""
    found = float_type("normal", dtype)
    rows = operator.index(concrete(n, "The error occurred in jax.random.orthogonal()"))
    columns = (
        rows if m is None else operator.index(concrete(m, "The error occurred in jax.random.orthogonal()"))
    )
    z = normal(key, (*sample_shape(shape), max(rows, columns), min(rows, columns)), found)
    q, r = jnp.linalg.qr(z)
    d = jnp.diagonal(r, 0, -2, -1)
    x = q * jnp.expand_dims(d / jnp.abs(d), -2)
    return jnp.matrix_transpose(x) if rows < columns else x


def multivariate_normal(
    key: Any,
    mean: Any,
    cov: Any,
    shape: Any = None,
    dtype: Any = None,
    method: str = "cholesky",
    *,
    out_sharding: Any = None,
) -> Array:
    """Normal vectors of given mean and covariance."""
    mean, cov = promote_dtypes_inexact(mean, cov)
    found = float_type("multivariate_normal", types.dtype(mean) if dtype is None else dtype)
    if method not in ("svd", "eigh", "cholesky"):
        raise ValueError("method must be one of {'svd', 'eigh', 'cholesky'}")
    if types.shape(mean)[-1:] == () or types.shape(cov)[-2:] != types.shape(mean)[-1:] * 2:
        raise ValueError("multivariate_normal requires cov.shape == (..., n, n) for n=mean.shape[-1]")
    own = lax.broadcast_shapes(types.shape(mean)[:-1], types.shape(cov)[:-2])
    size = own if shape is None else sample_shape(shape)
    return _multivariate_normal(
        typed_key("multivariate_normal", key), mean, cov, shape=size, dtype=found, method=method
    )


@jitted("shape", "dtype", "method")
def _multivariate_normal(
    key: Array, mean: Any, cov: Any, *, shape: tuple[int, ...], dtype: Any, method: str
) -> Array:
    centre, covariance = _typed(mean, dtype), _typed(cov, dtype)
    n = centre.shape[-1]
    if method == "svd":
        u, s, _ = jnp.linalg.svd(covariance)
        factor = u * lax.sqrt(s[..., None, :])
    elif method == "eigh":
        w, v = jnp.linalg.eigh(covariance)
        factor = v * lax.sqrt(w[..., None, :])
    else:
        factor = jnp.linalg.cholesky(covariance)
    z = normal(key, (*shape, n), dtype)
    return centre + jnp.einsum("...ij,...j->...i", factor, z)


def poisson(key: Any, lam: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Poisson counts."""
    from .counts import poisson_counts

    base = typed_key("poisson", key)
    impl = implementation_of(base)
    if impl.name != "threefry2x32":
        raise NotImplementedError(f"`poisson` is only implemented for the threefry2x32 RNG, not {impl.tag}")
    found = types.int_default() if dtype is None else types.canonical(dtype)
    return poisson_counts(base, lam, shape=shape_or(shape, lam), dtype=found)


def binomial(key: Any, n: Any, p: Any, shape: Any = None, dtype: Any = None) -> Array:
    """Binomial counts, as floats."""
    from .counts import binomial_counts

    found = float_type("binomial", dtype)
    return binomial_counts(typed_key("binomial", key), n, p, shape=shape_or(shape, n, p), dtype=found)


def multinomial(key: Any, n: Any, p: Any, *, shape: Any = None, dtype: Any = None, unroll: int = 1) -> Array:
    """Multinomial counts, one binomial after the other."""
    from .counts import multinomial_counts

    size = types.shape(p) if shape is None else sample_shape(shape)
    if not size:
        raise ValueError("multinomial takes chances of at least one dimension")
    chances, total = (asarray(v) for v in promote_dtypes_inexact(p, n))
    own = typed_key("multinomial", key)
    counts = multinomial_counts(own, total, chances, size, total.dtype, unroll)
    return counts.astype(dtype)
