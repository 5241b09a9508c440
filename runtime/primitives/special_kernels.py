"""NumPy evaluation of the special functions: every kernel computes in double precision and is exact to a few ulp.

The formulas are those of Abramowitz & Stegun (1964) and the DLMF; `erf_inv` in single precision follows Giles,
"Approximating the erfinv function" (GPU Computing Gems, 2012), the polynomial that XLA uses as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

Values: TypeAlias = Any  # NumPy arrays.

_TINY = 1e-300
_EPS = np.finfo(np.float64).eps
_MAX_TERMS = 2000

# B_2k / (2k)!, the coefficients of the Euler-Maclaurin tail.
EULER_MACLAURIN = (
    1 / 12,
    -1 / 720,
    1 / 30240,
    -1 / 1209600,
    1 / 47900160,
    -691 / 1307674368000,
    1 / 74724249600,
    -3617 / 10670622842880000,
    43867 / 5109094217170944000,
)
# B_2k / 2k, the asymptotic series of the digamma function.
_DIGAMMA_TAIL = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)

_GILES_CENTRE = (
    2.81022636e-08,
    3.43273939e-07,
    -3.5233877e-06,
    -4.39150654e-06,
    0.00021858087,
    -0.00125372503,
    -0.00417768164,
    0.246640727,
    1.50140941,
)
_GILES_TAIL = (
    -0.000200214257,
    0.000100950558,
    0.00134934322,
    -0.00367342844,
    0.00573950773,
    -0.0076224613,
    0.00943887047,
    1.00167406,
    2.83297682,
)


def _scalar(function: Callable[[float], float]) -> Callable[[Values], Values]:
    """Apply a function of the `math` module to every element."""

    def apply(x: Values) -> Values:
        flat = np.asarray(x, np.float64).ravel()
        return np.fromiter(map(function, flat.tolist()), np.float64, flat.size).reshape(x.shape)

    return apply


def _lgamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except (ValueError, OverflowError):
        return math.inf


erf = _scalar(math.erf)
erfc = _scalar(math.erfc)
lgamma = _scalar(_lgamma)


def erf_inv(x: Values) -> Values:
    """Inverse error function; ±inf at ±1 and NaN outside [-1, 1]."""
    single = x.dtype != np.float64
    real = np.float32 if single else np.float64
    y = x.astype(real)
    with np.errstate(all="ignore"):
        w = -np.log1p(-y * y)
        centre = w < 5
        t = np.where(centre, w - real(2.5), np.sqrt(w) - real(3)).astype(real)
        p = np.where(centre, real(_GILES_CENTRE[0]), real(_GILES_TAIL[0]))
        for near, far in zip(_GILES_CENTRE[1:], _GILES_TAIL[1:]):
            p = np.where(centre, real(near), real(far)) + p * t
        r = p * y
        if not single:
            # Beyond the range of single precision: r**2 + log(r) is known, as erfc(r) ~ exp(-r**2) / (r * sqrt(pi)).
            far = -np.log((1 - np.abs(y)) * math.sqrt(math.pi))
            r = np.where(w > 16, np.copysign(np.sqrt(far - np.log(far) / 2), y), r)
            for _ in range(3):
                # One Halley step on erf(r) = y; in the tail the difference is taken between complements.
                tail = np.abs(y) > 0.5
                error = np.where(tail, np.sign(y) * ((1 - np.abs(y)) - erfc(np.abs(r))), erf(r) - y)
                step = error / (2 / math.sqrt(math.pi) * np.exp(-r * r))
                r = np.where(np.isfinite(r), r - step / (1 + r * step), r)
        return np.where(np.abs(y) == 1, np.copysign(real(np.inf), y), r)


def digamma(x: Values) -> Values:
    """Logarithmic derivative of the gamma function; NaN at its poles."""
    x = np.asarray(x, np.float64)
    with np.errstate(all="ignore"):
        reflect = x < 0.5
        y = np.where(reflect, 1 - x, x)
        shift = np.zeros_like(y)
        for _ in range(10):
            low = y < 10
            shift = np.where(low, shift + 1 / y, shift)
            y = np.where(low, y + 1, y)
        series = np.zeros_like(y)
        for coefficient in reversed(_DIGAMMA_TAIL):
            series = (series + coefficient) / (y * y)
        value = np.where(np.isinf(y), y, np.log(y) - 0.5 / y - series - shift)
        fraction = x - np.round(x)
        value = np.where(reflect, value - math.pi / np.tan(math.pi * fraction), value)
        return np.where((x <= 0) & (x == np.floor(x)), np.nan, value)


def zeta(s: Values, q: Values) -> Values:
    """Hurwitz zeta function by Euler-Maclaurin summation (DLMF 25.11.28).

    At poles, and where there is no value, it gives what JAX gives: infinity for even s, else NaN.
    """
    s, q = np.broadcast_arrays(np.asarray(s, np.float64), np.asarray(q, np.float64))
    with np.errstate(all="ignore"):
        total = np.zeros(s.shape)
        for k in range(12):
            total = total + (q + k) ** -s
        a = q + 12
        total = total + a ** (1 - s) / (s - 1) + 0.5 * a**-s
        factor = s * a ** (-s - 1)
        for k, coefficient in enumerate(EULER_MACLAURIN):
            total = total + coefficient * factor
            factor = factor * (s + 2 * k + 1) * (s + 2 * k + 2) / (a * a)
        pole = (q <= 0) & (q == np.floor(q))
        undefined = (s < 1) | (q == np.inf) | np.isinf(s) | ((q <= 0) & (s != np.floor(s)))
        total = np.where(undefined | np.isnan(s) | np.isnan(q), np.nan, total)
        total = np.where(pole, np.where(s % 2 == 0, np.inf, np.nan), total)
        return np.where(s == 1, np.inf, total)


def polygamma(m: Values, x: Values) -> Values:
    """m-th derivative of the digamma function (m = 0 is digamma itself)."""
    m, x = np.broadcast_arrays(np.asarray(m, np.float64), np.asarray(x, np.float64))
    with np.errstate(all="ignore"):
        sign = np.where(m % 2 == 0, -1.0, 1.0)
        value = sign * np.exp(lgamma(m + 1)) * zeta(m + 1, x)
        value = np.where(m == 0, digamma(x), value)
        return np.where((m < 0) | (m != np.floor(m)), np.nan, value)


def _igamma_series(a: Values, x: Values) -> Values:
    """P(a, x) without its prefactor, by the power series; good for x <= a + 1."""
    term = total = 1 / a
    for n in range(1, _MAX_TERMS):
        term = term * (x / (a + n))
        total = total + term
        if np.all(np.abs(term) <= np.abs(total) * _EPS):
            break
    return total


def _igammac_fraction(a: Values, x: Values) -> Values:
    """Q(a, x) without its prefactor, by Lentz's continued fraction; good for x > a + 1."""
    b = x + 1 - a
    c = np.full_like(b, 1 / _TINY)
    d = 1 / b
    h = d
    for n in range(1, _MAX_TERMS):
        an = -n * (n - a)
        b = b + 2
        d = an * d + b
        d = 1 / np.where(np.abs(d) < _TINY, _TINY, d)
        c = b + an / c
        c = np.where(np.abs(c) < _TINY, _TINY, c)
        h = h * (c * d)
        if np.all(np.abs(c * d - 1) <= _EPS):
            break
    return h


def _igamma_pair(a: Values, x: Values) -> tuple[Values, Values]:
    """The regularised incomplete gamma functions P and Q = 1 - P."""
    a, x = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
    with np.errstate(all="ignore"):
        valid = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
        low = valid & (x <= a + 1)
        high = valid & ~low
        log_prefactor = a * np.log(x) - x - lgamma(a)
        prefactor = np.exp(log_prefactor)
        p = prefactor * _igamma_series(np.where(low, a, 1.0), np.where(low, x, 0.5))
        q = prefactor * _igammac_fraction(np.where(high, a, 1.0), np.where(high, x, 3.0))
        p = np.where(low, p, 1 - q)
        q = np.where(low, 1 - p, q)
        # Where there is a limit only, JAX's values: at a = 0 that of P from 1 on, at infinite a none.
        bad = (a < 0) | (x < 0) | np.isnan(a) | np.isnan(x) | ((a == 0) & (x == 0))
        zero, one = ~bad & (x == 0), ~bad & np.isinf(x)
        infinite, origin = ~bad & np.isinf(a), ~bad & (a == 0)
        p = np.select(
            [bad, zero, one, infinite, origin], [np.nan, 0.0, 1.0, np.nan, np.where(x < 1, np.nan, 1.0)], p
        )
        q = np.select([bad, zero, one, infinite, origin], [np.nan, 1.0, 0.0, np.nan, 0.0], q)
        return p, q


def igamma(a: Values, x: Values) -> Values:
    """Regularised lower incomplete gamma function P(a, x)."""
    return _igamma_pair(a, x)[0]


def igammac(a: Values, x: Values) -> Values:
    """Regularised upper incomplete gamma function Q(a, x)."""
    return _igamma_pair(a, x)[1]


def igamma_grad_a(a: Values, x: Values) -> Values:
    """Derivative of P(a, x) in a, by a five-point difference quotient of the smaller of P and Q."""
    a, x = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
    h = 1e-3 * np.minimum(a, 1.0)
    with np.errstate(all="ignore"):
        points = [_igamma_pair(a + k * h, x) for k in (-2, -1, 1, 2)]
        slopes = [(f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h) for f in zip(*points)]
        slope = np.where(x <= a + 1, slopes[0], -slopes[1])
        return np.where(np.isinf(x), np.nan, np.where((x == 0) & (a > 0), 0.0, slope))


def random_gamma_grad(a: Values, x: Values) -> Values:
    """Derivative of a gamma(a) sample x in its parameter, by implicit reparameterisation."""
    a, x = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
    with np.errstate(all="ignore"):
        density = np.exp((a - 1) * np.log(x) - x - lgamma(a))
        return np.where((x == 0) & (a > 0), 0.0, -igamma_grad_a(a, x) / density)


def _beta_fraction(a: Values, b: Values, x: Values) -> Values:
    """Continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method."""
    c = np.ones_like(x)
    d = 1 - (a + b) * x / (a + 1)
    d = 1 / np.where(np.abs(d) < _TINY, _TINY, d)
    h = d
    for m in range(1, _MAX_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        change = np.ones_like(x)
        for numerator in (even, odd):
            d = 1 + numerator * d
            d = 1 / np.where(np.abs(d) < _TINY, _TINY, d)
            c = 1 + numerator / c
            c = np.where(np.abs(c) < _TINY, _TINY, c)
            change = c * d
            h = h * change
        if np.all(np.abs(change - 1) <= _EPS):
            break
    return h


def betainc(a: Values, b: Values, x: Values) -> Values:
    """Regularised incomplete beta function I_x(a, b)."""
    a, b, x = np.broadcast_arrays(*(np.asarray(v, np.float64) for v in (a, b, x)))
    with np.errstate(all="ignore"):
        inside = (a > 0) & (b > 0) & (x > 0) & (x < 1) & np.isfinite(a + b)
        safe_a, safe_b, safe_x = (np.where(inside, v, 0.5) for v in (a, b, x))
        swap = safe_x > (safe_a + 1) / (safe_a + safe_b + 2)
        p, q = np.where(swap, safe_b, safe_a), np.where(swap, safe_a, safe_b)
        y = np.where(swap, 1 - safe_x, safe_x)
        log_front = p * np.log(y) + q * np.log1p(-y) - lgamma(p) - lgamma(q) + lgamma(p + q)
        value = np.exp(log_front) * _beta_fraction(p, q, y) / p
        value = np.where(swap, 1 - value, value)
        ordinary = (a > 0) & (b > 0)
        # All of the weight is at an end where one parameter is 0 or infinite.
        below, above = (a == 0) | np.isinf(b), (b == 0) | np.isinf(a)
        ordinary = (a >= 0) & (b >= 0) & ~(below & above)
        value = np.where(inside, value, np.where(below, 1.0, np.where(above, 0.0, np.nan)))
        value = np.where(x == 0, 0.0, np.where(x == 1, 1.0, value))
        return np.where(ordinary & (x >= 0) & (x <= 1), value, np.nan)


def _bessel_ie(order: int, x: Values) -> Values:
    """exp(-|x|) I_order(x): power series below 30, asymptotic expansion above (DLMF 10.25.2, 10.40.1)."""
    x = np.asarray(x, np.float64)
    y = np.abs(x)
    with np.errstate(all="ignore"):
        small = np.minimum(y, 30.0)
        quarter = small * small / 4
        term = total = (small / 2) ** order
        for k in range(1, 80):
            term = term * (quarter / (k * (k + order)))
            total = total + term
        series = total * np.exp(-small)
        large = np.maximum(y, 30.0)
        term = total = np.ones_like(large)
        for k in range(1, 25):
            term = term * (-(4 * order * order - (2 * k - 1) ** 2) / (k * 8 * large))
            total = total + term
        asymptotic = total / np.sqrt(2 * math.pi * large)
        value = np.where(np.isnan(y), np.nan, np.where(y <= 30, series, asymptotic))
        return np.where(x < 0, -value, value) if order else value


def bessel_i0e(x: Values) -> Values:
    """exp(-|x|) I_0(x)."""
    return _bessel_ie(0, x)


def bessel_i1e(x: Values) -> Values:
    """exp(-|x|) I_1(x)."""
    return _bessel_ie(1, x)
