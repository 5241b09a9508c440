"""math, cmath and statistics: functions of Python numbers, which ask their arguments for one."""

from __future__ import annotations

FUNCTIONS = {
    "math": """
# float(x)
acos acosh asin asinh atan atanh cbrt cos cosh degrees exp exp2 expm1 fabs log10 log1p log2 radians sin sinh sqrt
    tan tanh(x, /) -> host[jax.numpy.*:ConcretizationTypeError, scalar, float]
erf erfc gamma(x, /) -> host[jax.scipy.special.*:ConcretizationTypeError, scalar, float]
lgamma(x, /) -> host[jax.scipy.special.gammaln:ConcretizationTypeError, scalar, float]
ulp(x, /) -> host[jax.numpy.spacing:ConcretizationTypeError, scalar, float]
atan2 copysign fmod nextafter remainder(x, y, /) -> host[jax.numpy.*:ConcretizationTypeError, scalar, float]
pow(x, y, /) -> host[jax.numpy.power:ConcretizationTypeError, scalar, float]
hypot(*coordinates) -> host[jax.numpy.hypot:ConcretizationTypeError, scalar, float]
ldexp(x, i, /) -> host[jax.numpy.ldexp:ConcretizationTypeError, scalar, float]
log(x, base=, /) -> host[jax.numpy.log:ConcretizationTypeError, scalar, float]
dist(p, q, /) -> host[jax.numpy.linalg.norm:ConcretizationTypeError, scalar, float]
fsum(seq, /) -> host[jax.numpy.sum:ConcretizationTypeError, scalar, float]
ceil floor(x, /) -> host[jax.numpy.*:ConcretizationTypeError, scalar, int]
isfinite isinf isnan(x, /) -> host[jax.numpy.*:ConcretizationTypeError, scalar, bool]
isclose(a, b, *, rel_tol=, abs_tol=) -> host[jax.numpy.isclose:ConcretizationTypeError, scalar, bool]
frexp modf(x, /) -> host[jax.numpy.*:ConcretizationTypeError, scalar, tuple]
trunc(x, /) -> host[jax.numpy.trunc:TypeError, scalar, int]

# operator.index(n)
comb(n, k, /) -> host[jax.scipy.special.comb:TracerIntegerConversionError, scalar, int]
perm(n, k=, /) -> host[:TracerIntegerConversionError, scalar, int]
factorial(x, /) -> host[jax.scipy.special.factorial:TracerIntegerConversionError, scalar, int]
gcd lcm(*integers) -> host[jax.numpy.*:TracerIntegerConversionError, scalar, int]
isqrt(n, /) -> host[jax.numpy.sqrt:TracerIntegerConversionError, scalar, int]

# only multiplies and adds
prod(iterable, /, *, start=) -> model[multiplied]
sumprod(p, q, /) -> taint
""",
    "cmath": """
acos acosh asin asinh atan atanh cos cosh exp log10 sin sinh sqrt tan tanh(z, /) ->
    host[jax.numpy.*:ConcretizationTypeError, scalar, complex]
log(z, base=, /) -> host[jax.numpy.log:ConcretizationTypeError, scalar, complex]
rect(r, phi, /) -> host[:ConcretizationTypeError, scalar, complex]
phase(z, /) -> host[jax.numpy.angle:ConcretizationTypeError, scalar, float]
polar(z, /) -> host[:ConcretizationTypeError, scalar, tuple]
isfinite isinf isnan(z, /) -> host[jax.numpy.*:ConcretizationTypeError, scalar, bool]
isclose(a, b, *, rel_tol=, abs_tol=) -> host[jax.numpy.isclose:ConcretizationTypeError, scalar, bool]
""",
    "statistics": """
mean(data, weights=) -> host[jax.numpy.mean:TypeError, scalar, float]
harmonic_mean(data, weights=) -> host[:TracerBoolConversionError, scalar, float]
fmean geometric_mean(data, weights=) -> host[jax.numpy.mean:ConcretizationTypeError, scalar, float]
median median_low median_high(data) -> host[jax.numpy.median:TracerBoolConversionError, scalar, float]
stdev(data, xbar=) -> host[jax.numpy.std:TypeError, scalar, float]
pstdev(data, mu=) -> host[jax.numpy.std:TypeError, scalar, float]
variance(data, xbar=) -> host[jax.numpy.var:TypeError, scalar, float]
pvariance(data, mu=) -> host[jax.numpy.var:TypeError, scalar, float]
mode(data) -> host[:TypeError, scalar, float]
""",
}

OBJECTS = {
    **{f"math.{name}": "constant:float" for name in ("pi", "e", "tau", "inf", "nan")},
    **{f"cmath.{name}": "constant:float" for name in ("pi", "e", "tau", "inf", "nan")},
    "cmath.infj": "constant:complex",
    "cmath.nanj": "constant:complex",
}
