"""Special functions: error functions, gamma and beta functions, Bessel and zeta functions."""

from __future__ import annotations

import math
from typing import Any

from ..core import Value, get_aval
from .apply import (
    add,
    bessel_i0e,
    bessel_i1e,
    digamma,
    div,
    eq,
    exactly,
    exp,
    igamma_grad_a,
    lgamma,
    log,
    log1p,
    mul,
    neg,
    number,
    polygamma,
    sign,
    square,
    sub,
    where,
)
from .family import FLOAT, nary, unary
from .lowering import function
from .shape import broadcast

_ANYWHERE = (-1.5, -0.25, 0.5, 2.0)
_INSIDE = (-0.75, -0.25, 0.5, 0.9)
_POSITIVE = (0.5, 1.25, 2.0, 3.5)


def _times(t: Value, factor: float) -> Value:
    return mul(t, number(factor, t))


def _gaussian(x: Value) -> Value:
    return exp(neg(square(x)))


erf_p = unary(
    "erf",
    accepts=FLOAT,
    impl="special_kernels:erf",
    lower=function("error_functions:erf", cost=20),
    examples=_ANYWHERE,
    jvp=lambda t, out, x: _times(mul(t, _gaussian(x)), 2 / math.sqrt(math.pi)),
)
erfc_p = unary(
    "erfc",
    accepts=FLOAT,
    impl="special_kernels:erfc",
    lower=function("error_functions:erfc", cost=20),
    examples=_ANYWHERE,
    jvp=lambda t, out, x: _times(mul(t, _gaussian(x)), -2 / math.sqrt(math.pi)),
)
erf_inv_p = unary(
    "erf_inv",
    accepts=FLOAT,
    impl="special_kernels:erf_inv",
    lower=function("error_functions:erf_inv", cost=30),
    examples=_INSIDE,
    jvp=lambda t, out, x: _times(mul(t, exp(square(out))), math.sqrt(math.pi) / 2),
)
lgamma_p = unary(
    "lgamma",
    accepts=FLOAT,
    impl="special_kernels:lgamma",
    lower=function("gamma:lgamma", cost=60),
    examples=_POSITIVE,
    jvp=lambda t, out, x: mul(t, digamma(x)),
)
digamma_p = unary(
    "digamma",
    accepts=FLOAT,
    impl="special_kernels:digamma",
    lower=function("gamma:digamma", cost=60),
    examples=_POSITIVE,
    jvp=lambda t, out, x: mul(t, polygamma(_full_like(x, 1), x)),
)


def _full_like(x: Value, value: float) -> Value:
    return broadcast(exactly(value, x), get_aval(x).shape)


def _no_order_gradient(t: Value, out: Value, m: Value, x: Value) -> Any:
    raise ValueError("polygamma gradient with respect to m is not supported")


zeta_p = nary(
    "zeta",
    accepts=FLOAT,
    impl="special_kernels:zeta",
    lower=function("zeta:zeta", cost=500),
    examples=(([2.0, 3.5], [1.0, 0.5]),),
)
polygamma_p = nary(
    "polygamma",
    accepts=FLOAT,
    impl="special_kernels:polygamma",
    lower=function("zeta:polygamma", cost=500),
    examples=(([1.0, 2.0], [1.5, 0.5]),),
    jvps=(_no_order_gradient, lambda t, out, m, x: mul(t, polygamma(add(m, number(1, m)), x))),
)


def _gamma_density(a: Value, x: Value) -> Value:
    """The density of the gamma distribution: the derivative of P(a, x) in x."""
    exponent = sub(mul(sub(a, exactly(1, a)), log(x)), x)
    return exp(sub(exponent, lgamma(a)))


_GAMMA_EXAMPLES = (([0.5, 2.0, 3.0], [1.0, 0.5, 4.0]),)

igamma_grad_a_p = nary(
    "igamma_grad_a",
    accepts=FLOAT,
    impl="special_kernels:igamma_grad_a",
    lower=function("incomplete_gamma:igamma_grad_a", cost=600),
    examples=_GAMMA_EXAMPLES,
)
igamma_p = nary(
    "igamma",
    accepts=FLOAT,
    impl="special_kernels:igamma",
    lower=function("incomplete_gamma:igamma", cost=400),
    examples=_GAMMA_EXAMPLES,
    jvps=(
        lambda t, out, a, x: mul(t, igamma_grad_a(a, x)),
        lambda t, out, a, x: mul(t, _gamma_density(a, x)),
    ),
)
igammac_p = nary(
    "igammac",
    accepts=FLOAT,
    impl="special_kernels:igammac",
    lower=function("incomplete_gamma:igammac", cost=400),
    examples=_GAMMA_EXAMPLES,
    jvps=(
        lambda t, out, a, x: neg(mul(t, igamma_grad_a(a, x))),
        lambda t, out, a, x: neg(mul(t, _gamma_density(a, x))),
    ),
)
random_gamma_grad_p = nary(
    "random_gamma_grad",
    accepts=FLOAT,
    impl="special_kernels:random_gamma_grad",
    lower=function("incomplete_gamma:random_gamma_grad", cost=600),
    examples=_GAMMA_EXAMPLES,
)
for _primitive in (zeta_p, igamma_grad_a_p, random_gamma_grad_p):
    _primitive.jvp = None  # As in JAX.


def _beta_density(a: Value, b: Value, x: Value) -> Value:
    """The density of the beta distribution: the derivative of I_x(a, b) in x."""
    lower = mul(sub(a, exactly(1, a)), log(x))
    upper = mul(sub(b, exactly(1, b)), log1p(neg(x)))
    norm = sub(add(lgamma(a), lgamma(b)), lgamma(add(a, b)))
    return exp(sub(add(lower, upper), norm))


def _no_beta_gradient(t: Value, out: Value, a: Value, b: Value, x: Value) -> Any:
    raise ValueError(
        "Gradient of regularized incomplete beta function with respect to its parameters is not implemented"
    )


regularized_incomplete_beta_p = nary(
    "regularized_incomplete_beta",
    accepts=FLOAT,
    impl="special_kernels:betainc",
    lower=function("incomplete_beta:betainc", cost=500),
    examples=(([0.5, 2.0], [1.5, 3.0], [0.25, 0.75]),),
    jvps=(
        _no_beta_gradient,
        _no_beta_gradient,
        lambda t, out, a, b, x: mul(t, _beta_density(a, b, x)),
    ),
)


def _bessel_i1e_jvp(t: Value, out: Value, x: Value) -> Value:
    # I1e(x)/x tends to 1/2 at 0, where the quotient cannot be formed.
    zero = eq(x, exactly(0, x))
    safe = where(zero, _full_like(x, 1), x)
    slope = sub(bessel_i0e(safe), mul(out, add(sign(safe), div(_full_like(x, 1), safe))))
    return mul(t, where(zero, _full_like(x, 0.5), slope))


bessel_i0e_p = unary(
    "bessel_i0e",
    accepts=FLOAT,
    impl="special_kernels:bessel_i0e",
    lower=function("bessel:bessel_i0e", cost=40),
    examples=_ANYWHERE,
    jvp=lambda t, out, x: mul(t, sub(bessel_i1e(x), mul(sign(x), out))),
)
bessel_i1e_p = unary(
    "bessel_i1e",
    accepts=FLOAT,
    impl="special_kernels:bessel_i1e",
    lower=function("bessel:bessel_i1e", cost=40),
    examples=_ANYWHERE,
    jvp=_bessel_i1e_jvp,
)
