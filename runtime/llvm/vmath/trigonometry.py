"""sin, cos, tan and their inverses."""

from __future__ import annotations

import math

from ..builder import Builder, Value
from ..types import BOOL, integer_of
from .exponential import FORMATS
from .polynomial import horner

#: pi / 2 in parts, each as precise as the format (Cody and Waite 1980, with fused multiply-adds).
_HALF_PI = {
    32: (1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15, 1.056299898220315e-23),
    64: (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33, 5.612805891193611e-50),
}
#: Arguments beyond this are left to the C library, which reduces them with as many digits as it takes.
_LIMIT = {32: 30000.0, 64: 1.0e6}
_SINE_TERMS = {32: 4, 64: 8}
_COSINE_TERMS = {32: 4, 64: 8}

_ATAN = {
    32: (
        0.9999999971605454,
        -0.3333327629198255,
        0.19998075281148714,
        -0.14260016082820906,
        0.10932341501303093,
        -0.08349724968301601,
        0.05708955593030619,
        -0.030351864785781172,
        0.010487649254949306,
        -0.0017011700640685973,
    ),
    64: (
        1.0,
        -0.3333333333333286,
        0.19999999999929946,
        -0.14285714281592693,
        0.11111110982087126,
        -0.09090906605656898,
        0.0769227555520563,
        -0.06666371187721098,
        0.05880342002401543,
        -0.052527255573225747,
        0.04719723992321112,
        -0.042125723963855326,
        0.03651081352721035,
        -0.02970071773623423,
        0.021740213830758134,
        -0.013674139288399478,
        0.007038646202989813,
        -0.0028047655531701315,
        0.0008033604181626027,
        -0.00014617088163625013,
        1.2631178430477426e-05,
    ),
}
_ASIN = {
    32: (
        1.0000000002307783,
        0.16666657639575913,
        0.07500571381024686,
        0.04450870949865153,
        0.03185718889411276,
        0.014295256037820107,
        0.0376771383418486,
    ),
    64: (
        1.0,
        0.16666666666666796,
        0.07499999999966611,
        0.04464285717686322,
        0.030381942642327187,
        0.022372216106072148,
        0.017351600625343435,
        0.01398088299217101,
        0.011398850408440755,
        0.010778675120995992,
        0.0037180577483250537,
        0.02166805886905636,
        -0.02093065818515245,
        0.03257934796692842,
    ),
}


def _quadrant(b: Builder, x: Value) -> tuple[Value, Value, Value]:
    """The multiple q of pi / 2 nearest to x, and the sine and cosine of what remains."""
    form = FORMATS[x.elem.bits]
    shifted = b.fma(x, b.like(x, 2 / math.pi), b.like(x, form.shift))
    whole = b.sub(shifted, b.like(x, form.shift))
    r = x
    for part in _HALF_PI[x.elem.bits]:
        r = b.fma(whole, b.like(x, -part), r)
    z = b.mul(r, r)
    sines = [(-1) ** k / math.factorial(2 * k + 1) for k in range(1, _SINE_TERMS[x.elem.bits] + 1)]
    cosines = [(-1) ** k / math.factorial(2 * k) for k in range(1, _COSINE_TERMS[x.elem.bits] + 2)]
    sine = b.fma(b.mul(r, z), horner(b, z, sines), r)
    cosine = b.fma(z, horner(b, z, cosines), b.like(x, 1))
    return b.bitcast(shifted, integer_of(x.elem)), sine, cosine


def _bit(b: Builder, q: Value, mask: int) -> Value:
    return b.cmp("ne", b.and_(q, b.like(q, mask)), b.like(q, 0))


def _fast_sine(b: Builder, x: Value) -> Value:
    q, sine, cosine = _quadrant(b, x)
    result = b.select(_bit(b, q, 1), cosine, sine)
    result = b.select(_bit(b, q, 2), b.neg(result), result)
    return b.select(b.cmp("eq", x, b.like(x, 0)), x, result)


def _fast_cosine(b: Builder, x: Value) -> Value:
    q, sine, cosine = _quadrant(b, x)
    result = b.select(_bit(b, q, 1), sine, cosine)
    return b.select(_bit(b, b.add(q, b.like(q, 1)), 2), b.neg(result), result)


def _fast_tangent(b: Builder, x: Value) -> Value:
    q, sine, cosine = _quadrant(b, x)
    odd = _bit(b, q, 1)
    result = b.fdiv(b.select(odd, b.neg(cosine), sine), b.select(odd, sine, cosine))
    return b.select(b.cmp("eq", x, b.like(x, 0)), x, result)


def sin(b: Builder, x: Value) -> Value:
    return with_library(b, (x,), "sin", _fast_sine(b, x), _too_large(b, x))


def cos(b: Builder, x: Value) -> Value:
    return with_library(b, (x,), "cos", _fast_cosine(b, x), _too_large(b, x))


def tan(b: Builder, x: Value) -> Value:
    return with_library(b, (x,), "tan", _fast_tangent(b, x), _too_large(b, x))


def _too_large(b: Builder, x: Value) -> Value:
    size = b.abs(x)
    return b.and_(b.cmp("gt", size, b.like(x, _LIMIT[x.elem.bits])), b.cmp("lt", size, b.like(x, math.inf)))


def with_library(b: Builder, args: tuple[Value, ...], name: str, fast: Value, hard: Value) -> Value:
    """``fast``, or the C library's results for the whole vector if any lane is ``hard``.

    It branches, so the rule that uses it must be a function of its own (``shared``).
    """
    x = args[0]
    anywhere = hard
    if b.width > 1:
        reduce = f"llvm.vector.reduce.or.v{b.width}i1"
        b.module.declare(reduce, f"i1 @{reduce}({hard.type})")
        anywhere = Value(b.module.fresh(), BOOL, 1)
        b.lines.append(f"  {anywhere.name} = call i1 @{reduce}({hard.type} {hard.name})")
    slow, done, before = b.module.label(), b.module.label(), b.module.label()
    b.lines.append(
        f"  br label %{before}\n{before}:\n  br i1 {anywhere.name}, label %{slow}, label %{done}\n{slow}:"
    )
    function = name if x.elem.bits == 64 or name.endswith("f") else f"{name}f"
    scalar = x.elem.llvm
    b.module.declare(function, f"{scalar} @{function}({', '.join([scalar] * len(args))})")
    exact = b.like(x, 0)
    for k in range(b.width):
        lanes = [
            a if b.width == 1 else b.emit(f"extractelement {a.type} {a.name}, i32 {k}", a.elem) for a in args
        ]
        value = b.emit(f"call {scalar} @{function}({', '.join(f'{scalar} {v.name}' for v in lanes)})", x.elem)
        exact = (
            value
            if b.width == 1
            else b.emit(f"insertelement {x.type} {exact.name}, {scalar} {value.name}, i32 {k}", x.elem)
        )
    b.lines.append(f"  br label %{done}\n{done}:")
    return b.emit(f"phi {x.type} [ {fast.name}, %{before} ], [ {exact.name}, %{slow} ]", x.elem)


def atan(b: Builder, x: Value) -> Value:
    size = b.abs(x)
    steep = b.cmp("gt", size, b.like(x, 1))
    u = b.select(steep, b.fdiv(b.like(x, -1), size), size)
    z = b.mul(u, u)
    series = _atan_series(b, u, z)
    high, low = _HALF_PI[x.elem.bits][:2]
    turned = b.add(b.like(x, high), b.add(series, b.like(x, low)))
    return b.copysign(b.select(steep, turned, series), x)


def _atan_series(b: Builder, u: Value, z: Value) -> Value:
    first, *others = _ATAN[u.elem.bits]
    return b.fma(b.mul(u, z), horner(b, z, others), b.mul(u, b.like(u, first)) if first != 1.0 else u)


def atan2(b: Builder, y: Value, x: Value) -> Value:
    """The angle of the point (x, y), with C's values on the axes and at infinity."""
    ax, ay = b.abs(x), b.abs(y)
    steep = b.cmp("gt", ay, ax)
    small, large = b.select(steep, ax, ay), b.select(steep, ay, ax)
    equal = b.cmp("eq", ax, ay)  # settles inf / inf, and 0 / 0 below
    u = b.select(equal, b.like(x, 1), b.fdiv(small, large))
    u = b.select(b.cmp("eq", small, b.like(x, 0)), b.like(x, 0), u)
    angle = _atan_series(b, u, b.mul(u, u))
    high, low = _HALF_PI[x.elem.bits][:2]
    angle = b.select(steep, b.add(b.sub(b.like(x, high), angle), b.like(x, low)), angle)
    ints = integer_of(x.elem)
    left = b.cmp("lt", b.bitcast(x, ints), b.const(ints, 0))
    turned = b.add(b.sub(b.like(x, 2 * high), angle), b.like(x, 2 * low))
    result = b.copysign(b.select(left, turned, angle), y)
    return b.select(b.cmp("uno", x, y), b.add(x, y), result)


def _asin_parts(b: Builder, x: Value) -> tuple[Value, Value, Value]:
    """Whether |x| > 1/2, and the arcsine of |x| or of sqrt((1 - |x|) / 2)."""
    size = b.abs(x)
    far = b.cmp("gt", size, b.like(x, 0.5))
    z = b.select(far, b.mul(b.sub(b.like(x, 1), size), b.like(x, 0.5)), b.mul(size, size))
    u = b.select(far, b.sqrt(z), size)
    others = _ASIN[x.elem.bits][1:]
    series = b.fma(b.mul(u, z), horner(b, z, others), u)
    return far, series, size


def asin(b: Builder, x: Value) -> Value:
    far, series, _ = _asin_parts(b, x)
    high, low = _HALF_PI[x.elem.bits][:2]
    turned = b.add(b.sub(b.like(x, high), b.add(series, series)), b.like(x, low))
    return b.copysign(b.select(far, turned, series), x)


def acos(b: Builder, x: Value) -> Value:
    far, series, _ = _asin_parts(b, x)
    high, low = _HALF_PI[x.elem.bits][:2]
    twice = b.add(series, series)
    left = b.cmp("lt", x, b.like(x, 0))
    outer = b.select(left, b.add(b.sub(b.like(x, 2 * high), twice), b.like(x, 2 * low)), twice)
    signed = b.copysign(series, x)
    inner = b.add(b.sub(b.like(x, high), signed), b.like(x, low))
    return b.select(far, outer, inner)
