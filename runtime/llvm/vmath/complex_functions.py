"""The primitives on complex numbers: what is computed of their parts, with the special values that XLA finds."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...primitives.lowering import Lowering
from .. import elementwise
from ..builder import Builder, Rule, Value
from ..pairs import joined, split
from ..types import BOOL, F32, F64, element
from . import exponential, logarithm, trigonometry
from .blocks import choose, where_any
from .power import integer_power

Parts = tuple[Value, Value]

#: Exponentials of more than the first are those of less by this shift, times a factor: a sine may bring them back into range.
_LARGE = {32: 80.0, 64: 700.0}
_SHIFT = 64.0
#: Roots are taken of numbers of moderate size.
_TINY, _HUGE = {32: 2.0**-100, 64: 2.0**-1000}, {32: 2.0**120, 64: 2.0**1000}


def _call(name: str, rule: Rule) -> Callable[[Builder, Value], Value]:
    return lambda b, x: b.call(name, rule, x)


_exp, _expm1 = _call("exp", exponential.exp), _call("expm1", exponential.expm1)
_sinh, _cosh = _call("sinh", exponential.sinh), _call("cosh", exponential.cosh)
_log, _log1p = _call("log", logarithm.log), _call("log1p", logarithm.log1p)


def _sine(b: Builder, x: Value) -> Value:
    return b.call("sin", trigonometry.sin, x, shared=True)


def _cosine(b: Builder, x: Value) -> Value:
    return b.call("cos", trigonometry.cos, x, shared=True)


# Masks


def _is(b: Builder, x: Value, value: float) -> Value:
    return b.cmp("eq", x, b.like(x, value))


def _is_finite(b: Builder, x: Value) -> Value:
    return b.cmp("lt", b.abs(x), b.like(x, math.inf))


def _is_infinite(b: Builder, x: Value) -> Value:
    return _is(b, b.abs(x), math.inf)


def _all(b: Builder, first: Value, *others: Value) -> Value:
    for mask in others:
        first = b.and_(first, mask)
    return first


# Products and quotients


def div(b: Builder, x: Value, y: Value, **_: Any) -> Value:
    return b.call("div", _quotient, x, y, shared=True)


def _quotient(b: Builder, x: Value, y: Value) -> Value:
    """Smith's division, with infinities and zeros as in C99's Annex G."""
    (p, q), (r, s) = split(b, x), split(b, y)
    steep = b.cmp("lt", b.abs(r), b.abs(s))
    small, large = b.select(steep, r, s), b.select(steep, s, r)
    ratio = b.fdiv(small, large)
    total = b.add(large, b.mul(small, ratio))
    # Of the operand above, too, the larger part goes with the ratio
    u, v = b.select(steep, p, q), b.select(steep, q, p)
    scaled = b.mul(u, ratio)
    real = b.fdiv(b.select(steep, b.add(scaled, v), b.add(v, scaled)), total)
    scaled = b.mul(v, ratio)
    imag = b.fdiv(b.select(steep, b.sub(scaled, u), b.sub(u, scaled)), total)
    lost = b.and_(b.is_nan(real), b.is_nan(imag))

    def found() -> list[Value]:
        is_nan = b.and_(b.is_nan(p), b.is_nan(q))
        by_zero = _all(b, lost, _is(b, r, 0), _is(b, s, 0), b.not_(is_nan))
        above = b.or_(_is_infinite(b, p), _is_infinite(b, q))
        of_infinity = _all(b, lost, above, _is_finite(b, r), _is_finite(b, s))
        below = b.or_(_is_infinite(b, r), _is_infinite(b, s))
        by_infinity = _all(b, lost, below, _is_finite(b, p), _is_finite(b, q))
        infinite, inf, zero = b.copysign(b.like(r, math.inf), r), b.like(r, math.inf), b.like(r, 0)
        units = [_unit(b, part) for part in (p, q, r, s)]
        i, j, k, m = units
        return [
            choose(
                b,
                real,
                (by_zero, b.mul(infinite, p)),
                (of_infinity, b.mul(inf, b.add(b.mul(i, r), b.mul(j, s)))),
                (by_infinity, b.mul(zero, b.add(b.mul(p, k), b.mul(q, m)))),
            ),
            choose(
                b,
                imag,
                (by_zero, b.mul(infinite, q)),
                (of_infinity, b.mul(inf, b.sub(b.mul(j, r), b.mul(i, s)))),
                (by_infinity, b.mul(zero, b.sub(b.mul(q, k), b.mul(p, m)))),
            ),
        ]

    return joined(b, x.elem, *where_any(b, lost, (real, imag), found))


def _unit(b: Builder, x: Value) -> Value:
    """1 for an infinity and 0 for all else, with the sign that it had."""
    return b.copysign(b.select(_is_infinite(b, x), b.like(x, 1), b.like(x, 0)), x)


def square(b: Builder, x: Value, **_: Any) -> Value:
    """x² - y² as the product of the sum and the difference."""
    re, im = split(b, x)
    product = b.mul(re, im)
    return joined(b, x.elem, b.mul(b.sub(re, im), b.add(re, im)), b.add(product, product))


def integer_pow(b: Builder, x: Value, *, y: int, **_: Any) -> Value:
    result = integer_power(b, x, abs(y))
    return result if y >= 0 else div(b, b.like(x, 1), result)


def logistic(b: Builder, x: Value, **_: Any) -> Value:
    one = b.like(x, 1)
    return div(b, one, b.add(one, _EXP(b, neg(b, x))))


def reciprocal_root(b: Builder, x: Value, **_: Any) -> Value:
    return div(b, b.like(x, 1), b.call("root", _root, x))


# Parts


def neg(b: Builder, x: Value, **_: Any) -> Value:
    re, im = split(b, x)
    return joined(b, x.elem, b.neg(re), b.neg(im))


def conj(b: Builder, x: Value, *, input_dtype: Any, **_: Any) -> Value:
    if x.elem.part is None:
        return joined(b, element(f"complex{2 * x.elem.bits}"), x, b.like(x, 0))
    re, im = split(b, x)
    return joined(b, x.elem, re, b.neg(im))


def make_complex(b: Builder, x: Value, y: Value, **_: Any) -> Value:
    return joined(b, element(f"complex{2 * x.elem.bits}"), x, y)


def convert(b: Builder, x: Value, *, new_dtype: Any, **_: Any) -> Value:
    """A real number has no imaginary part, and that of a complex one is dropped; a boolean is whether any part is not 0."""
    elem = element(new_dtype)
    if x.elem.part is None:
        assert elem.part is not None
        return joined(b, elem, b.convert(x, elem.part), b.const(elem.part, 0))
    re, im = split(b, x)
    if elem.part is not None:
        return joined(b, elem, b.convert(re, elem.part), b.convert(im, elem.part))
    if elem is BOOL:
        return b.or_(b.convert(re, BOOL), b.convert(im, BOOL))
    return b.convert(re, elem)


def equal(b: Builder, x: Value, y: Value, **_: Any) -> Value:
    (p, q), (r, s) = split(b, x), split(b, y)
    return b.and_(b.cmp("eq", p, r), b.cmp("eq", q, s))


def not_equal(b: Builder, x: Value, y: Value, **_: Any) -> Value:
    return b.not_(equal(b, x, y))


def _extremum(predicate: str) -> Rule:
    """By the real parts, then by the imaginary ones; `y` where no order is."""

    def lower(b: Builder, x: Value, y: Value, **_: Any) -> Value:
        (p, q), (r, s) = split(b, x), split(b, y)
        chosen = b.select(b.cmp("eq", p, r), b.cmp(predicate, q, s), b.cmp(predicate, p, r))
        return b.select(chosen, x, y)

    return lower


# Size and direction


def absolute(b: Builder, x: Value, **_: Any) -> Value:
    return _size(b, *split(b, x))


def _ordered(b: Builder, re: Value, im: Value) -> Parts:
    """The smaller and the larger one of the absolute values of two numbers."""
    x, y = b.abs(re), b.abs(im)
    steep = b.cmp("gt", y, x)
    return b.select(steep, x, y), b.select(steep, y, x)


def _is_extreme(b: Builder, x: Value) -> Value:
    return b.or_(_is(b, x, 0), _is(b, x, math.inf))


def _size(b: Builder, re: Value, im: Value) -> Value:
    """NaN wherever one part is NaN, beside an infinity too."""
    small, large = _ordered(b, re, im)
    ratio = b.fdiv(small, large)
    size = b.mul(large, b.sqrt(b.fma(ratio, ratio, b.like(re, 1))))
    return choose(b, size, (b.cmp("uno", re, im), math.nan), (_is_extreme(b, large), large))


def sign(b: Builder, x: Value, **_: Any) -> Value:
    """x / |x|, part by part; 0 of 0."""
    re, im = split(b, x)
    size = _size(b, re, im)
    none = _is(b, size, 0)
    return joined(b, x.elem, *(b.select(none, part, b.fdiv(part, size)) for part in (re, im)))


# Functions


def _function(name: str, parts: Callable[[Builder, Value, Value], Parts], cost: int) -> Lowering:
    """A function of complex numbers by one from parts to parts."""

    def apply(b: Builder, x: Value) -> Value:
        return joined(b, x.elem, *parts(b, *split(b, x)))

    return Lowering(lambda: lambda b, x, **_: b.call(name, apply, x), cost)


def _exponential(b: Builder, re: Value, im: Value) -> Parts:
    """exp(x) cos y + i exp(x) sin y."""
    size, factor = _in_range(b, re)
    power = _exp(b, size)
    real = b.mul(b.mul(power, _cosine(b, im)), factor)
    imag = b.mul(b.mul(power, _sine(b, im)), factor)
    return real, b.select(_is(b, im, 0), im, imag)


def _in_range(b: Builder, x: Value) -> Parts:
    """A number whose exponential does not overflow where a sine of it could be in range, and the factor that it lacks."""
    large = b.cmp("gt", x, b.like(x, _LARGE[x.elem.bits]))
    less = b.sub(x, b.like(x, _SHIFT))
    return b.select(large, less, x), b.select(large, b.like(x, math.exp(_SHIFT)), b.like(x, 1))


def _logarithm(b: Builder, re: Value, im: Value) -> Parts:
    """log|z| + i arg z."""
    return _log_size(b, re, im), b.call("atan2", trigonometry.atan2, im, re)


def _log_size(b: Builder, re: Value, im: Value) -> Value:
    if re.elem is F32:  # Whose squares are in the range of double precision, and exact there.
        x, y = b.convert(re, F64), b.convert(im, F64)
        square = b.add(b.mul(x, x), b.mul(y, y))
        return b.convert(b.mul(_log(b, square), b.like(x, 0.5)), F32)
    small, large = _ordered(b, re, im)
    one, half = b.like(re, 1), b.like(re, 0.5)
    near = b.and_(b.cmp("gt", large, half), b.cmp("lt", large, b.like(re, 2)))
    # |z|² - 1 where that is small, else the square of the ratio
    ratio = b.select(_is_extreme(b, large), b.like(re, 0), b.fdiv(small, large))
    beyond = b.fma(b.sub(large, one), b.add(large, one), b.mul(small, small))
    rest = b.mul(_log1p(b, b.select(near, beyond, b.mul(ratio, ratio))), half)
    size = b.select(near, rest, b.add(_log(b, large), rest))
    return b.select(b.cmp("uno", re, im), b.like(re, math.nan), size)


def _root(b: Builder, x: Value) -> Value:
    """The root on the right, infinite wherever a part is."""
    re, im = split(b, x)
    bits = re.elem.bits
    _, width = _ordered(b, re, im)
    tiny, huge = b.cmp("lt", width, b.like(re, _TINY[bits])), b.cmp("gt", width, b.like(re, _HUGE[bits]))
    one = b.like(re, 1)
    scale = choose(b, one, (tiny, 2.0**64), (huge, 2.0**-4))
    back = choose(b, one, (tiny, 2.0**-32), (huge, 2.0**2))
    p, q = b.mul(re, scale), b.mul(im, scale)
    half = b.like(re, 0.5)
    larger = b.sqrt(b.mul(b.add(b.abs(p), _size(b, p, q)), half))
    larger = choose(b, larger, (_is_infinite(b, re), math.inf))
    smaller = b.fdiv(b.mul(b.abs(q), half), larger)
    smaller = b.select(_is(b, width, 0), width, smaller)
    left = b.cmp("lt", re, b.like(re, 0))
    real = b.mul(b.select(left, smaller, larger), back)
    imag = b.mul(b.select(left, larger, smaller), back)
    endless = _is_infinite(b, im)
    real, imag = (choose(b, part, (endless, math.inf)) for part in (real, imag))
    return joined(b, x.elem, real, b.copysign(imag, im))


def _root_above(b: Builder, x: Value) -> Value:
    """The root, for which a negative zero lies on the same side of the cut as a positive one; NaN if a part is."""
    re, im = (b.add(part, b.like(part, 0)) for part in split(b, x))
    unknown = b.cmp("uno", re, im)
    root = split(b, _root(b, joined(b, x.elem, re, im)))
    return joined(b, x.elem, *(choose(b, part, (unknown, math.nan)) for part in root))


def _hyperbolic(b: Builder, re: Value, im: Value) -> tuple[Value, Value, Value, Value]:
    """cosh x cos y, sinh x sin y, sinh x cos y and cosh x sin y."""
    size, factor = _in_range(b, b.abs(re))
    even, odd = _cosh(b, size), b.copysign(_sinh(b, size), re)
    cosine, sine = _cosine(b, im), _sine(b, im)
    products = ((even, cosine), (odd, sine), (odd, cosine), (even, sine))
    a, c, d, e = (b.mul(b.mul(x, y), factor) for x, y in products)
    return a, c, d, e


def _hyperbolic_sine(b: Builder, re: Value, im: Value) -> Parts:
    _, _, real, imag = _hyperbolic(b, re, im)
    return real, b.select(_is(b, im, 0), im, imag)


def _hyperbolic_cosine(b: Builder, re: Value, im: Value) -> Parts:
    real, imag, _, _ = _hyperbolic(b, re, im)
    none = b.and_(_is(b, im, 0), b.is_nan(imag))
    return real, b.select(none, b.mul(im, b.copysign(b.like(re, 1), re)), imag)


def _hyperbolic_tangent(b: Builder, re: Value, im: Value) -> Parts:
    """Of e = exp(-2|x|), so that nothing overflows: (1 - e²) and 4 e sin y cos y over (1 - e)² + 4 e cos² y."""
    twice = b.mul(b.abs(re), b.like(re, -2))
    e, less = _exp(b, twice), b.neg(_expm1(b, twice))
    cosine, sine = _cosine(b, im), _sine(b, im)
    four = b.mul(b.like(e, 4), b.mul(e, cosine))
    total = b.fma(less, less, b.mul(four, cosine))
    real = b.copysign(b.fdiv(b.mul(less, b.add(b.like(e, 1), e)), total), re)
    imag = b.fdiv(b.mul(four, sine), total)
    endless = b.and_(_is_infinite(b, re), b.not_(_is_finite(b, im)))
    real = b.select(endless, b.copysign(b.like(re, 1), re), real)
    return real, choose(b, imag, (endless, b.copysign(b.like(im, 0), im)), (_is(b, im, 0), im))


def _turned(parts: Callable[[Builder, Value, Value], Parts]) -> Callable[[Builder, Value, Value], Parts]:
    """-i f(i z): the sine of the hyperbolic one, and the tangent alike."""

    def apply(b: Builder, re: Value, im: Value) -> Parts:
        real, imag = parts(b, b.neg(im), re)
        return imag, b.neg(real)

    return apply


def _cosine_of(b: Builder, re: Value, im: Value) -> Parts:
    return _hyperbolic_cosine(b, b.neg(im), re)


def _lowering(rule: Rule, cost: int = 1) -> Lowering:
    return Lowering(lambda: rule, cost)


_EXP = _function("exp", _exponential, 40)

#: How to compute an element, by primitive.
RULES: dict[str, Rule] = {
    "add": _lowering(lambda b, x, y, **_: b.add(x, y), 2),
    "add_any": _lowering(lambda b, x, y, **_: b.add(x, y), 2),
    "sub": _lowering(lambda b, x, y, **_: b.sub(x, y), 2),
    "mul": _lowering(lambda b, x, y, **_: b.mul(x, y), 6),
    "div": _lowering(div, 40),
    "square": _lowering(square, 6),
    "integer_pow": _lowering(integer_pow, 12),
    "neg": _lowering(neg, 2),
    "conj": _lowering(conj),
    "real": _lowering(lambda b, x, **_: split(b, x).real),
    "imag": _lowering(lambda b, x, **_: split(b, x).imag),
    "complex": _lowering(make_complex),
    "convert_element_type": _lowering(convert),
    "eq": _lowering(equal, 2),
    "ne": _lowering(not_equal, 2),
    "max": _lowering(_extremum("gt"), 4),
    "min": _lowering(_extremum("lt"), 4),
    "select_n": _lowering(elementwise.select_n),
    "abs": _lowering(absolute, 16),
    "sign": _lowering(sign, 24),
    "sqrt": _lowering(lambda b, x, **_: b.call("sqrt", _root_above, x), 30),
    "rsqrt": _lowering(reciprocal_root, 60),
    "exp": _EXP,
    "logistic": _lowering(logistic, 80),
    "log": _function("log", _logarithm, 40),
    "sinh": _function("sinh", _hyperbolic_sine, 60),
    "cosh": _function("cosh", _hyperbolic_cosine, 60),
    "tanh": _function("tanh", _hyperbolic_tangent, 60),
    "sin": _function("sin", _turned(_hyperbolic_sine), 60),
    "cos": _function("cos", _cosine_of, 60),
    "tan": _function("tan", _turned(_hyperbolic_tangent), 60),
}
