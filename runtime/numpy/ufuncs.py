"""Elementwise functions of `jax.numpy`: promotion to a common dtype, then one primitive or a short formula."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from .promotion import (
    ArrayLike,
    exactly_like,
    jitted,
    like,
    promote_args,
    promote_args_inexact,
    promote_args_numeric,
)
from .selection import where


def _named(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    function.__module__ = "jax.numpy"
    return function


def _unary(
    name: str, primitive: Callable[[Any], Array], promote: Callable[..., Any]
) -> Callable[[ArrayLike], Array]:
    def apply(x: ArrayLike, /) -> Array:
        return primitive(*promote(name, x))

    return _named(apply, name)


def _binary(
    name: str, primitive: Callable[[Any, Any], Array], promote: Callable[..., Any]
) -> Callable[[ArrayLike, ArrayLike], Array]:
    def apply(x1: ArrayLike, x2: ArrayLike, /) -> Array:
        return primitive(*promote(name, x1, x2))

    return _named(apply, name)


def _real(x: Array) -> bool:
    return not dtypes.issubdtype(dtypes.dtype(x), dtypes.complexfloating)


def _exact(x: Array) -> bool:
    return not dtypes.issubdtype(dtypes.dtype(x), dtypes.inexact)


sin = _unary("sin", lax.sin, promote_args_inexact)
cos = _unary("cos", lax.cos, promote_args_inexact)
tan = _unary("tan", lax.tan, promote_args_inexact)
arcsin = asin = _unary("arcsin", lax.asin, promote_args_inexact)
arccos = acos = _unary("arccos", lax.acos, promote_args_inexact)
arctan = atan = _unary("arctan", lax.atan, promote_args_inexact)
sinh = _unary("sinh", lax.sinh, promote_args_inexact)
cosh = _unary("cosh", lax.cosh, promote_args_inexact)
tanh = _unary("tanh", lax.tanh, promote_args_inexact)
arcsinh = asinh = _unary("arcsinh", lax.asinh, promote_args_inexact)
arctanh = atanh = _unary("arctanh", lax.atanh, promote_args_inexact)
exp = _unary("exp", lax.exp, promote_args_inexact)
exp2 = _unary("exp2", lax.exp2, promote_args_inexact)
expm1 = _unary("expm1", lax.expm1, promote_args_inexact)
log = _unary("log", lax.log, promote_args_inexact)
log1p = _unary("log1p", lax.log1p, promote_args_inexact)
sqrt = _unary("sqrt", lax.sqrt, promote_args_inexact)
cbrt = _unary("cbrt", lax.cbrt, promote_args_inexact)


@jitted()
def fabs(x: ArrayLike, /) -> Array:
    """Absolute value, as a float."""
    if dtypes.dtype(x).kind == "c":
        raise TypeError("ufunc 'fabs' does not support complex dtypes")
    return lax.abs(*promote_args_inexact("fabs", x))


bitwise_not = invert = bitwise_invert = _unary("bitwise_not", lax.bitwise_not, promote_args)
square = _unary("square", lax.square, promote_args_numeric)

divide = true_divide = _binary("true_divide", lax.div, promote_args_inexact)
arctan2 = _binary("arctan2", lax.atan2, promote_args_inexact)


def atan2(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """`arctan2` of arguments that are promoted to their common type before they become floats."""
    return arctan2(*promote_args("atan2", x1, x2))


def _comparison(name: str, primitive: Callable[[Any, Any], Array]) -> Callable[[ArrayLike, ArrayLike], Array]:
    def apply(x: ArrayLike, y: ArrayLike, /) -> Array:
        x, y = promote_args(name, x, y)
        if not _real(x) and name not in ("equal", "not_equal"):
            same = lax.eq(lax.real(x), lax.real(y))
            return lax.select(same, primitive(lax.imag(x), lax.imag(y)), primitive(lax.real(x), lax.real(y)))
        return primitive(x, y)

    return _named(apply, name)


equal = _comparison("equal", lax.eq)
not_equal = _comparison("not_equal", lax.ne)
less = _comparison("less", lax.lt)
less_equal = _comparison("less_equal", lax.le)
greater = _comparison("greater", lax.gt)
greater_equal = _comparison("greater_equal", lax.ge)


def nextafter(x: ArrayLike, y: ArrayLike, /) -> Array:
    """The next number after `x` in the direction of `y`."""
    return lax.nextafter(*promote_args_inexact("nextafter", x, y))


def left_shift(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Bits of `x` moved up by `y`."""
    return lax.shift_left(*promote_args_numeric("left_shift", x, y))


bitwise_left_shift = left_shift


def absolute(x: ArrayLike, /) -> Array:
    """Absolute value; booleans and unsigned integers are returned unchanged."""
    (x,) = promote_args("absolute", x)
    kind = dtypes.dtype(x).kind
    return x if kind in "bu" else lax.abs(x)


abs = absolute


def positive(x: ArrayLike, /) -> Array:
    """`+x`."""
    (x,) = promote_args("positive", x)
    return x


def sign(x: ArrayLike, /) -> Array:
    """-1, 0 or 1; x / |x| for complex x."""
    (x,) = promote_args("sign", x)
    return lax.sign(x)


def _rounding(name: str, primitive: Callable[[Any], Array]) -> Callable[[ArrayLike], Array]:
    def apply(x: ArrayLike, /) -> Array:
        (x,) = promote_args(name, x)
        return x if _exact(x) else primitive(x)

    return _named(apply, name)


floor = _rounding("floor", lax.floor)
ceil = _rounding("ceil", lax.ceil)


@jitted()
def trunc(x: ArrayLike) -> Array:
    """The integer part, towards zero."""
    (x,) = promote_args("trunc", x)
    return x if _exact(x) else where(lax.lt(x, exactly_like(x, 0)), lax.ceil(x), lax.floor(x))


fix = trunc


@jitted()
def rint(x: ArrayLike, /) -> Array:
    """The nearest integer, ties to even."""
    (x,) = promote_args("rint", x)
    if _exact(x):
        return lax.convert_element_type(x, dtypes.float_default())
    if not _real(x):
        return lax.complex(rint(lax.real(x)), rint(lax.imag(x)))
    return lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)


@jitted("decimals")
def round(a: ArrayLike, decimals: int = 0, out: None = None) -> Array:
    """Round to `decimals` places, ties to even."""
    (a,) = promote_args("round", a)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.round is not supported.")
    if dtypes.dtype(a).kind == "b":
        raise ValueError("jnp.round does not accept boolean arrays")
    decimals = operator.index(decimals)
    if _exact(a):
        if decimals < 0:
            raise NotImplementedError("integer np.round not implemented for decimals < 0")
        return a
    if not _real(a):
        return lax.complex(round(lax.real(a), decimals), round(lax.imag(a), decimals))
    if decimals == 0:
        return lax.round(a, lax.RoundingMethod.TO_NEAREST_EVEN)
    wide = lax.convert_element_type(a, dtypes.float32) if dtypes.dtype(a).itemsize < 4 else a
    factor = exactly_like(wide, 10.0**decimals)
    rounded = lax.div(lax.round(lax.mul(wide, factor), lax.RoundingMethod.TO_NEAREST_EVEN), factor)
    return lax.convert_element_type(rounded, dtypes.dtype(a))


@jitted("decimals")
def around(a: ArrayLike, decimals: int = 0, out: None = None) -> Array:
    """Alias of `round`."""
    return round(a, decimals, out)


@jitted()
def arccosh(x: ArrayLike, /) -> Array:
    """Inverse hyperbolic cosine."""
    return lax.acosh(*promote_args_inexact("arccosh", x))


acosh = arccosh


def log2(x: ArrayLike, /) -> Array:
    """Logarithm to base 2."""
    (x,) = promote_args_inexact("log2", x)
    if not _real(x):
        return _complex_logarithm(x, 2)
    return lax.div(lax.log(x), lax.log(dtypes.scalar(2, dtypes.dtype(x))))


def _complex_logarithm(x: Array, base: int) -> Array:
    """The parts are divided one by one: no infinity of one gets into the other."""
    parts = lax.real(y := lax.log(x)), lax.imag(y)
    return lax.complex(*(lax.div(part, exactly_like(part, math.log(base))) for part in parts))


def log10(x: ArrayLike, /) -> Array:
    """Logarithm to base 10."""
    (x,) = promote_args_inexact("log10", x)
    if not _real(x):
        return _complex_logarithm(x, 10)
    return lax.mul(lax.log(x), dtypes.scalar(1 / math.log(10), dtypes.dtype(x)))


def deg2rad(x: ArrayLike, /) -> Array:
    """Degrees to radians."""
    (x,) = promote_args_inexact("deg2rad", x)
    return lax.mul(x, like(x, math.pi / 180))


def rad2deg(x: ArrayLike, /) -> Array:
    """Radians to degrees."""
    (x,) = promote_args_inexact("rad2deg", x)
    return lax.mul(x, like(x, 180 / math.pi))


radians, degrees = deg2rad, rad2deg


def reciprocal(x: ArrayLike, /) -> Array:
    """`1 / x`."""
    return lax.integer_pow(*promote_args_inexact("reciprocal", x), -1)


def conjugate(x: ArrayLike, /) -> Array:
    """Complex conjugate; real values are returned unchanged."""
    (x,) = promote_args("conjugate", x)
    return x if _real(x) else lax.conj(x)


conj = conjugate


def real(val: ArrayLike, /) -> Array:
    """Real part."""
    (x,) = promote_args("real", val)
    return x if _real(x) else lax.real(x)


def imag(val: ArrayLike, /) -> Array:
    """Imaginary part."""
    (x,) = promote_args("imag", val)
    return lax.full_like(x, 0) if _real(x) else lax.imag(x)


@jitted("deg")
def angle(z: ArrayLike, deg: bool = False) -> Array:
    """Argument of a complex number, in radians or degrees."""
    re, im = real(z), imag(z)
    dtype = dtypes.dtype(re)
    if dtype.kind not in "fc" or (dtypes.dtype(z).kind == "f" and not dtypes.shape(z)):
        re, im = (lax.convert_element_type(part, dtypes.float_default()) for part in (re, im))
    result = lax.atan2(*promote_args_inexact("angle", im, re))
    return degrees(result) if deg else result


def isnan(x: ArrayLike, /) -> Array:
    """Whether each element is NaN."""
    (x,) = promote_args_inexact("isnan", x)
    return lax.ne(x, x)


def isfinite(x: ArrayLike, /) -> Array:
    """Whether each element is neither infinite nor NaN."""
    (x,) = promote_args("isfinite", x)
    if _exact(x):
        return lax.full_like(x, True, dtype=dtypes.bool_)
    if not _real(x):
        return lax.bitwise_and(isfinite(lax.real(x)), isfinite(lax.imag(x)))
    return lax.is_finite(x)


@jitted()
def isinf(x: ArrayLike, /) -> Array:
    """Whether each element is infinite."""
    (x,) = promote_args("isinf", x)
    if _exact(x):
        return lax.full_like(x, False, dtype=dtypes.bool_)
    if not _real(x):
        return lax.bitwise_or(isinf(lax.real(x)), isinf(lax.imag(x)))
    return lax.convert_element_type(lax.eq(lax.abs(x), exactly_like(x, math.inf)), dtypes.bool_)


def _signed_infinity(x: ArrayLike, value: float, name: str, out: None) -> Array:
    if out is not None:
        raise NotImplementedError(f"The 'out' argument to jnp.{name} is not supported.")
    (x,) = promote_args(name, x)
    if not _real(x):
        raise ValueError(f"{name} is not well defined for complex types")
    if _exact(x):
        return lax.full_like(x, False, dtype=dtypes.bool_)
    return lax.convert_element_type(lax.eq(x, exactly_like(x, value)), dtypes.bool_)


def isposinf(x: ArrayLike, /, out: None = None) -> Array:
    """Whether each element is +inf."""
    return _signed_infinity(x, math.inf, "isposinf", out)


def isneginf(x: ArrayLike, /, out: None = None) -> Array:
    """Whether each element is -inf."""
    return _signed_infinity(x, -math.inf, "isneginf", out)


@jitted()
def iscomplex(x: ArrayLike) -> Array:
    """Whether each element has a nonzero imaginary part."""
    part = imag(x)
    return lax.ne(part, like(part, 0))


@jitted()
def isreal(x: ArrayLike) -> Array:
    """Whether each element has a zero imaginary part."""
    part = imag(x)
    return lax.eq(part, like(part, 0))


@jitted()
def signbit(x: ArrayLike, /) -> Array:
    """Whether the sign bit is set (also of -0.0 and of NaN)."""
    (x,) = promote_args("signbit", x)
    dtype = dtypes.dtype(x)
    if dtype.kind in "iu":
        return lax.convert_element_type(lax.lt(x, exactly_like(x, 0)), dtypes.bool_)
    if dtype.kind == "b":
        return lax.full_like(x, False)
    if dtype.kind == "c":
        raise ValueError(f"jax.numpy.signbit is not well defined for {dtype}")
    integer = dtypes.canonical(f"int{dtype.itemsize * 8}")
    bits = lax.bitcast_convert_type(x, integer)
    return lax.convert_element_type(
        lax.shift_right_arithmetic(bits, exactly_like(bits, dtype.itemsize * 8 - 1)), dtypes.bool_
    )


@jitted()
def copysign(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """|x1| with the sign of x2."""
    x1, x2 = promote_args_inexact("copysign", x1, x2)
    if dtypes.issubdtype(dtypes.dtype(x1), dtypes.complexfloating):
        raise TypeError("copysign does not support complex-valued inputs")
    return where(signbit(x2), lax.neg(lax.abs(x1)), lax.abs(x1))


@jitted()
def bitwise_count(x: ArrayLike, /) -> Array:
    """Number of set bits of |x|, as uint8."""
    (x,) = promote_args_numeric("bitwise_count", x)
    return lax.convert_element_type(lax.population_count(abs(x)), dtypes.uint8)


def right_shift(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Shift right: arithmetic for signed integers, logical for unsigned ones."""
    x1, x2 = promote_args_numeric("right_shift", x1, x2)
    unsigned = dtypes.dtype(x1).kind == "u"
    return (lax.shift_right_logical if unsigned else lax.shift_right_arithmetic)(x1, x2)


bitwise_right_shift = right_shift


@jitted()
def remainder(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Python's modulo: the result has the sign of x2."""
    x1, x2 = promote_args_numeric("remainder", x1, x2)
    zero = exactly_like(x1, 0)
    if dtypes.dtype(x2).kind in "iu":
        x2 = where(lax.eq(x2, zero), exactly_like(x2, 1), x2) if dtypes.dtype(x2).kind in "iu" else x2
    rest = lax.rem(x1, x2)
    fix_sign = lax.bitwise_and(lax.ne(lax.lt(rest, zero), lax.lt(x2, zero)), lax.ne(rest, zero))
    return lax.select(*_broadcast(fix_sign, lax.add(rest, x2), rest))


mod = remainder


def _broadcast(*xs: Any) -> list[Any]:
    """All arguments in their common shape."""
    shape = lax.broadcast_shapes(*(dtypes.shape(x) for x in xs))
    return [
        x
        if dtypes.shape(x) == shape
        else lax.broadcast_in_dim(x, shape, tuple(range(len(shape) - len(dtypes.shape(x)), len(shape))))
        for x in xs
    ]


@jitted()
def fmod(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """C's remainder: the result has the sign of x1."""
    counted = dtypes.result_type(x1, x2).kind in "iu"  # Booleans become integers later, as in JAX.
    x1, x2 = promote_args_numeric("fmod", x1, x2)
    if counted:
        x2 = where(lax.eq(x2, exactly_like(x2, 0)), exactly_like(x2, 1), x2)
    return lax.rem(x1, x2)
