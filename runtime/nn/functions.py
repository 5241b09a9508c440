"""Activation functions and normalisations of logits."""

from __future__ import annotations

import math
import operator
from typing import Any

from .. import lax
from .. import numpy as jnp
from ..core import Array, Tracer
from ..lax import types
from ..numpy.promotion import (
    ArrayLike,
    Axis,
    asarray,
    canonical_axis,
    check_arraylike,
    concrete,
    jitted,
    promote_args_inexact,
    reduced_axes,
    require_static,
)
from ..numpy.reductions import count_of
from ..transforms.custom_jvp import custom_jvp


def _array(name: str, x: ArrayLike) -> Array:
    """The argument as it is: integers are not made floats, so that JAX's arithmetic on them is done here too."""
    check_arraylike(name, x)
    return asarray(x)


def identity(x: ArrayLike) -> Array:
    """x itself."""
    return _array("identity", x)


@custom_jvp
@jitted(name="relu")
def relu(x: ArrayLike) -> Array:
    """max(x, 0), with derivative 0 at 0."""
    return jnp.maximum(x, 0)


@relu.defjvp
def _relu_jvp(primals: Any, tangents: Any) -> Any:
    (x,), (t,) = primals, tangents
    return relu(x), lax.select(x > 0, t, lax.full_like(t, 0))


@custom_jvp
@jitted(name="relu6")
def relu6(x: ArrayLike) -> Array:
    """min(max(x, 0), 6)."""
    return jnp.minimum(jnp.maximum(x, 0), 6.0)


@relu6.defjvp
def _relu6_jvp(primals: Any, tangents: Any) -> Any:
    (x,), (t,) = primals, tangents
    return relu6(x), lax.select((x > 0) & (x < 6), t, lax.full_like(t, 0))


@jitted()
def softplus(x: ArrayLike) -> Array:
    """log(1 + exp(x))."""
    return jnp.logaddexp(x, 0)


@jitted()
def sparse_plus(x: ArrayLike) -> Array:
    """0 below -1, x above 1, a parabola between."""
    x = _array("sparse_plus", x)
    return jnp.where(x <= -1.0, 0.0, jnp.where(x >= 1.0, x, (x + 1.0) ** 2 / 4))


@jitted()
def soft_sign(x: ArrayLike) -> Array:
    """x / (|x| + 1)."""
    x = _array("soft_sign", x)
    return x / (jnp.abs(x) + 1)


def sigmoid(x: ArrayLike) -> Array:
    """1 / (1 + exp(-x))."""
    return lax.logistic(x)


def tanh(x: ArrayLike, /) -> Array:
    """Hyperbolic tangent."""
    return jnp.tanh(x)


@jitted()
def sparse_sigmoid(x: ArrayLike) -> Array:
    """(x + 1) / 2 limited to [0, 1]."""
    return 0.5 * jnp.clip(jnp.add(x, 1.0), 0.0, 2.0)


@jitted()
def silu(x: ArrayLike) -> Array:
    """x sigmoid(x)."""
    x = _array("silu", x)
    return x * sigmoid(x)


swish = silu


@jitted()
def mish(x: ArrayLike) -> Array:
    """x tanh(softplus(x))."""
    x = _array("mish", x)
    return x * jnp.tanh(softplus(x))


@jitted()
def log_sigmoid(x: ArrayLike) -> Array:
    """log(sigmoid(x))."""
    x = _array("log_sigmoid", x)
    return -softplus(-x)


@jitted()
def elu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Array:
    """x above 0, alpha (exp(x) - 1) below."""
    x = _array("elu", x)
    return jnp.where(x > 0, x, alpha * jnp.expm1(jnp.where(x > 0, 0.0, x)))


@jitted()
def celu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Array:
    """max(x, 0) + alpha (exp(min(x, 0) / alpha) - 1)."""
    x = _array("celu", x)
    return jnp.maximum(x, 0.0) + alpha * jnp.expm1(jnp.minimum(x, 0.0) / alpha)


@jitted()
def selu(x: ArrayLike) -> Array:
    """Scaled elu with the constants of self-normalising networks."""
    return 1.0507009873554804934193349852946 * elu(x, 1.6732632423543772848170429916717)


@jitted()
def leaky_relu(x: ArrayLike, negative_slope: ArrayLike = 1e-2) -> Array:
    """x above 0, a small multiple below."""
    x = _array("leaky_relu", x)
    return jnp.where(x >= 0, x, negative_slope * x)


@jitted()
def hard_tanh(x: ArrayLike) -> Array:
    """x limited to [-1, 1]."""
    x = _array("hard_tanh", x)
    return jnp.where(x > 1, 1, jnp.where(x < -1, -1, x))


@jitted()
def hard_sigmoid(x: ArrayLike) -> Array:
    """relu6(x + 3) / 6."""
    return relu6(asarray(x) + 3.0) / 6.0


@jitted()
def hard_silu(x: ArrayLike) -> Array:
    """x hard_sigmoid(x)."""
    x = _array("hard_silu", x)
    return x * hard_sigmoid(x)


hard_swish = hard_silu


@jitted()
def squareplus(x: ArrayLike, b: ArrayLike = 4) -> Array:
    """(x + sqrt(x² + b)) / 2."""
    x, b = _array("squareplus", x), _array("squareplus", b)
    return (x + jnp.sqrt(jnp.square(x) + b)) / 2


def gelu(x: ArrayLike, approximate: bool = True) -> Array:
    """x Phi(x), by default with tanh in the place of the normal distribution function."""
    (x,) = promote_args_inexact("gelu", x)
    if bool(approximate):
        inner = _strong(math.sqrt(2 / math.pi), x) * (x + 0.044715 * x**3)
        return x * (0.5 * (1.0 + jnp.tanh(inner)))
    return (0.5 * x * lax.erfc(-x * _strong(math.sqrt(0.5), x))).astype(x.dtype)


def _strong(value: float, x: Array) -> Any:
    """A constant of the type of `x`, which makes what is computed of it strong."""
    return types.scalar(value, x.dtype)


@jitted("axis")
def glu(x: ArrayLike, axis: int = -1) -> Array:
    """The first half times the sigmoid of the second."""
    x = _array("glu", x)
    if x.shape[axis] % 2:
        raise AssertionError("axis size must be divisible by 2")
    first, second = jnp.split(x, 2, axis)
    return first * sigmoid(second)


@custom_jvp
@jitted(name="log1mexp")
def log1mexp(x: ArrayLike) -> Array:
    """log(1 - exp(-x))."""
    x = _array("log1mexp", x)
    return jnp.where(x < math.log(2.0), jnp.log(-jnp.expm1(-x)), jnp.log1p(-jnp.exp(-x)))


@log1mexp.defjvp
def _log1mexp_jvp(primals: Any, tangents: Any) -> Any:
    (x,), (t,) = primals, tangents
    return log1mexp(x), t / jnp.expm1(x)


def one_hot(x: Any, num_classes: int, *, dtype: Any = None, axis: Any = -1) -> Array:
    """1 at the place that each integer names, 0 elsewhere; all 0 for places out of range."""
    classes = operator.index(
        concrete(num_classes, "The error arose in jax.nn.one_hot argument `num_classes`.")
    )
    target = types.float_default() if dtype is None else types.canonical(dtype)
    return _one_hot(x, num_classes=classes, dtype=target, axis=axis)


@jitted("num_classes", "dtype", "axis")
def _one_hot(x: Any, num_classes: int, *, dtype: Any, axis: Any) -> Array:
    value = asarray(x)
    place = canonical_axis(axis, value.ndim + 1)
    wide = lax.expand_dims(value, (place,))
    shape = [num_classes if d == place else 1 for d in range(wide.ndim)]
    classes = lax.broadcasted_iota(value.dtype, shape, place)
    return lax.convert_element_type(jnp.equal(wide, classes), dtype)


def _masked_sum(x: Array, axes: tuple[int, ...], where: Any, keepdims: bool) -> Array:
    return jnp.sum(x, axes, keepdims=keepdims, where=where)


def _top(x: Array, axis: Any, keepdims: bool, where: Any) -> Array:
    return jnp.max(x, axis, keepdims=keepdims, where=where, initial=-math.inf)


def logsumexp(
    a: ArrayLike,
    axis: Axis = None,
    b: ArrayLike | None = None,
    keepdims: bool = False,
    return_sign: bool = False,
    where: ArrayLike | None = None,
) -> Any:
    """log(sum(b exp(a))) without overflow; with the sign of the sum if asked for."""
    require_static("logsumexp", keepdims=keepdims)
    if b is not None:
        x, weight = promote_args_inexact("logsumexp", a, b)
        x = jnp.where(weight != 0, x, -math.inf)
    else:
        (x,) = promote_args_inexact("logsumexp", a)
        weight = None
    if isinstance(axis, Tracer):
        raise TypeError(f"axis must be concrete, got {axis}")
    axes = reduced_axes(x.ndim, axis)
    real = x if x.dtype.kind != "c" else lax.real(x)
    top = _top(real, axes, False, where)
    top = lax.stop_gradient(lax.select(lax.is_finite(top), top, lax.full_like(top, 0)))
    terms = lax.exp(lax.sub(x, lax.convert_element_type(lax.expand_dims(top, axes), x.dtype)))
    if weight is not None:
        terms = lax.mul(terms, jnp.broadcast_to(weight, terms.shape))
    total = _masked_sum(terms, axes, where, False)
    sign = lax.sign(total)
    # The logarithm of a complex sum is complex, unless its sign is told apart.
    magnitude = total if total.dtype.kind == "c" and not return_sign else lax.abs(total)
    out = lax.add(lax.log(magnitude), lax.convert_element_type(top, magnitude.dtype))
    if bool(return_sign):
        return (lax.expand_dims(out, axes), lax.expand_dims(sign, axes)) if keepdims else (out, sign)
    if weight is not None and out.dtype.kind != "c":
        out = lax.select(total < 0, lax.full_like(out, math.nan), out)
    return lax.expand_dims(out, axes) if keepdims else out


@jitted("axis", "keepdims")
def logmeanexp(
    x: ArrayLike, axis: Axis = None, where: ArrayLike | None = None, keepdims: bool = False
) -> Array:
    """log(mean(exp(x)))."""
    total = logsumexp(x, axis=axis, where=where, keepdims=keepdims)
    count = count_of(asarray(x), axis, where, keepdims, total.dtype)
    return lax.sub(total, lax.log(count))


@jitted("axis")
def log_softmax(x: ArrayLike, axis: Axis = -1, where: ArrayLike | None = None) -> Array:
    """x - logsumexp(x)."""
    x = _array("log_softmax", x)
    top = _top(x, axis, True, where)
    shifted = (x if where is None else jnp.where(where, x, -math.inf)) - lax.stop_gradient(top)
    result = shifted - jnp.log(jnp.sum(jnp.exp(shifted), axis, where=where, keepdims=True))
    return result if where is None else jnp.where(where, result, -math.inf)


def softmax(x: ArrayLike, axis: Axis = -1, where: ArrayLike | None = None) -> Array:
    """exp(x) / sum(exp(x))."""
    x = _array("softmax", x)
    top = _top(x, axis, True, where)
    shifted = (x if where is None else jnp.where(where, x, -math.inf)) - lax.stop_gradient(top)
    unnormalized = jnp.exp(shifted)
    result = unnormalized / jnp.sum(unnormalized, axis, where=where, keepdims=True)
    return result if where is None else jnp.where(where, result, 0)


@jitted("axis", "algorithm")
def standardize(
    x: ArrayLike,
    axis: Axis = -1,
    mean: ArrayLike | None = None,
    variance: ArrayLike | None = None,
    epsilon: ArrayLike = 1e-5,
    where: ArrayLike | None = None,
    *,
    algorithm: str = "fast",
) -> Array:
    """(x - mean) / sqrt(variance + epsilon)."""
    check_arraylike("standardize", x)
    if mean is None:
        mean = jnp.mean(x, axis, keepdims=True, where=where)
    if variance is None:
        # The fast formula may round to a negative variance.
        if algorithm == "fast":
            variance = jnp.clip(
                jnp.mean(jnp.square(x), axis, keepdims=True, where=where) - jnp.square(mean), 0
            )
        else:
            variance = jnp.mean(jnp.square(jnp.subtract(x, mean)), axis, keepdims=True, where=where)
    return jnp.subtract(x, asarray(mean)) * lax.rsqrt(asarray(variance) + epsilon)
