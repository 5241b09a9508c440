"""Gauss' hypergeometric function 2F1 of real numbers."""

from __future__ import annotations

import math
from typing import Any

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...lax.elementwise import convert_to
from ...numpy.promotion import ArrayLike, promote_args_inexact
from ...transforms.custom_jvp import custom_jvp
from ...transforms.differentiation import jvp
from ...transforms.loops import while_loop
from .gammas import gammasgn

#: Up to where the power series is summed; from there on the solution is continued by Taylor series towards 1.
_NEAR = 0.75
_LIMIT = 1000


def _power_series(a: Array, b: Array, c: Array, x: Array) -> tuple[Array, Array]:
    """The function and its derivative (DLMF 15.2.1), which end where a factor of the terms vanishes."""
    precision = jnp.finfo(x.dtype).eps / 8

    def going(state: Any) -> Any:
        k, term, total, _ = state
        small = (lax.abs(term) * (k + 1) <= precision * lax.abs(total)) | ~jnp.isfinite(total)
        return (k < _LIMIT) & ~jnp.all(small & ((term == 0) | (k > lax.abs(a)) & (k > lax.abs(b))))

    def step(state: Any) -> Any:
        k, term, total, slope = state
        factor = (a + k) * (b + k)
        following = jnp.where((term == 0) | (factor == 0), 0.0, term * (factor / ((c + k) * (k + 1))))
        by_x = (k + 1) * following
        return k + 1, following * x, total + following * x, slope + by_x

    one = jnp.ones_like(x)
    start = (jnp.zeros((), x.dtype), one, one, jnp.zeros_like(x))
    return while_loop(going, step, start)[2:]


def _taylor_series(a: Array, b: Array, c: Array, place: Array, state: Any, h: Array) -> tuple[Array, Array]:
    """Value and derivative at `place + h`, from those at `place`, by the recurrence that the equation (DLMF 15.10.1) gives."""
    value, slope = state
    precision = jnp.finfo(place.dtype).eps / 8
    lead, mixed = place * (1 - place), 1 - 2 * place
    d = a + b + 1
    first = c - d * place

    def going(state: Any) -> Any:
        n, older, old, total, slope = state
        small = lax.abs(older) + lax.abs(old) <= precision * lax.abs(total)
        settled = lax.abs(old) * n <= precision * lax.abs(slope * h)
        return (n < _LIMIT) & ~jnp.all((small & settled) | (h == 0) | ~jnp.isfinite(total))

    def step(state: Any) -> Any:
        # Terms hold their powers of h.
        n, older, old, total, slope = state
        new = (n * (n - 1) + d * n + a * b) * older * h * h - (mixed * n + first) * (n + 1) * old * h
        new = new / (lead * (n + 2) * (n + 1))
        safe = jnp.where(h == 0, 1.0, h)
        return n + 1, old, new, total + new, slope + (n + 2) * new / safe

    start = (jnp.zeros((), place.dtype), value, slope * h, value + slope * h, slope)
    return while_loop(going, step, start)[3:]


def _below_one(a: Array, b: Array, c: Array, x: Array) -> Array:
    """The function on [0, 1): each step of the continuation goes half of the way to 1."""
    near = jnp.minimum(x, _NEAR)

    def going(state: Any) -> Any:
        return jnp.any(state[0] < x)

    def step(state: Any) -> Any:
        place, value, slope = state
        target = jnp.minimum(x, (1 + place) / 2)
        return (target, *_taylor_series(a, b, c, place, (value, slope), target - place))

    found: Array = while_loop(going, step, (near, *_power_series(a, b, c, near)))[1]
    return jnp.where(jnp.isnan(found), math.inf, found)  # What overflows, and its slope with it.


def _reciprocal_gamma(x: Array) -> tuple[Array, Array]:
    """The sign of 1 / gamma(x), 0 at its zeros, and the logarithm of its size."""
    pole = (x <= 0) & (x == lax.floor(x))
    safe = jnp.where(pole, 1.0, x)
    return jnp.where(pole, 0.0, gammasgn(safe)), -lax.lgamma(safe)


def _at_one(a: Array, b: Array, c: Array) -> Array:
    """Gauss' sum (DLMF 15.4.20), infinite where it does not converge."""
    excess = c - a - b
    sign_c, log_c = _reciprocal_gamma(c)
    sign_s, log_s = _reciprocal_gamma(jnp.where(excess > 0, excess, 1.0))
    sign_a, log_a = _reciprocal_gamma(c - a)
    sign_b, log_b = _reciprocal_gamma(c - b)
    value = sign_c * sign_s * sign_a * sign_b * lax.exp(log_a + log_b - log_c - log_s)
    return jnp.where(excess > 0, value, math.inf)


def _is_pole(x: Array) -> Array:
    return (x <= 0) & (x == lax.floor(x))


def _value(a: Array, b: Array, c: Array, x: Array) -> Array:
    ends = _is_pole(a) | _is_pole(b)
    inside = (x < 1) & ~ends & jnp.isfinite(x)
    # Negative arguments are mapped to (0, 1) by Pfaff's transformation (DLMF 15.8.1): by the one of two whose terms cancel
    # less, unless it overflows.
    negative = inside & (x < 0)
    swapped = lax.abs(c - b) > lax.abs(c - a)
    size = jnp.where(swapped, b - a, a - b) * lax.log1p(jnp.where(negative, -x, 0.0))
    swapped = negative & (swapped != (size > 0.5 * math.log(jnp.finfo(x.dtype).max)))
    first, second = jnp.where(swapped, b, a), jnp.where(swapped, a, b)
    mapped = jnp.where(negative, x / (jnp.where(negative, x, 0.0) - 1), jnp.where(inside, x, 0.0))
    value = _below_one(first, jnp.where(negative, c - second, second), c, mapped)
    value = jnp.where(negative, lax.pow(1 - jnp.where(negative, x, 0.0), -first), 1.0) * value
    value = jnp.where(x < 1, value, jnp.where(x == 1, _at_one(a, b, c), math.inf))
    polynomial = _power_series(jnp.where(ends, a, 0.0), jnp.where(ends, b, 0.0), c, jnp.where(ends, x, 0.0))[
        0
    ]
    value = jnp.where(ends, polynomial, value)
    # Without end before a factor of the denominator vanishes there is no value.
    endless = _is_pole(c) & ~((_is_pole(a) & (a >= c)) | (_is_pole(b) & (b >= c)))
    value = jnp.where(endless, math.inf, value)
    value = jnp.where((x == 0) | (a == 0) | (b == 0), 1.0, value)
    return jnp.where(jnp.isnan(a + b + c + x), math.nan, value)


@custom_jvp
def _hyp2f1(a: Array, b: Array, c: Array, x: Array) -> Array:
    return _value(a, b, c, x)


@_hyp2f1.defjvp
def _hyp2f1_jvp(primals: Any, tangents: Any) -> Any:
    a, b, c, x = primals
    total = tangents[3] * (a * b / c * _hyp2f1(a + 1, b + 1, c + 1, x))
    # Series that end have derivatives that do not: these are taken beside the parameters for which they end.
    aside = math.sqrt(jnp.finfo(x.dtype).eps)
    beside = [jnp.where(_is_pole(p), p + aside, p) for p in (a, b, c)]
    for position, tangent in enumerate(tangents[:3]):

        def along(parameter: Array, position: int = position) -> Array:
            by_a, by_b, by_c = (parameter if i == position else p for i, p in enumerate(beside))
            return _value(by_a, by_b, by_c, x)

        slope = jvp(along, (beside[position],), (jnp.ones_like(x),))[1]
        total = total + tangent * slope
    return _hyp2f1(*primals), total


def hyp2f1(a: ArrayLike, b: ArrayLike, c: ArrayLike, x: ArrayLike) -> Array:
    """The hypergeometric function 2F1(a, b; c; x) of real numbers, which is real for x below 1 or where its series ends.

    Infinite elsewhere. Half precision is computed in single precision. Raises TypeError for complex numbers.
    """
    args = jnp.broadcast_arrays(*promote_args_inexact("hyp2f1", a, b, c, x))
    dtype = args[0].dtype
    if dtype.kind == "c":
        raise TypeError(f"hyp2f1 does not accept dtype {dtype}: its arguments must be real.")
    wide = jnp.float32 if dtype.itemsize < 4 else dtype
    return convert_to(_hyp2f1(*(convert_to(arg, wide, False) for arg in args)), dtype, False)
