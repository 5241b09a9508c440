"""The elementwise primitives as instructions. A rule takes a builder, the operands and the equation's parameters."""

from __future__ import annotations

import math
from typing import Any

from .builder import Builder, Rule, Value
from .types import BF16, BOOL, F32, NotLowered, element, integer_of
from .vmath import exponential, power, trigonometry


def div(b: Builder, x: Value, y: Value, **_: Any) -> Value:
    """Division; of integers, truncating: x / 0 is all ones, and the smallest integer / -1 is itself."""
    if x.elem.is_float:
        return b.fdiv(x, y)
    if b.known(y) not in (None, 0, -1):  # Which the processor need not divide by: LLVM multiplies.
        return b.op("sdiv" if x.elem.is_signed else "udiv", x, y)
    zero = b.cmp("eq", y, b.like(y, 0))
    safe = b.select(zero, b.like(y, 1), y)
    if not x.elem.is_signed:
        return b.select(zero, b.like(x, -1), b.op("udiv", x, safe))
    minus = b.cmp("eq", y, b.like(y, -1))
    safe = b.select(minus, b.like(y, 1), safe)
    result = b.select(minus, b.neg(x), b.op("sdiv", x, safe))
    return b.select(zero, b.like(x, -1), result)


def rem(b: Builder, x: Value, y: Value, **_: Any) -> Value:
    """The remainder with the sign of x; x rem 0 is x for integers, NaN for floats."""
    if x.elem.is_float:
        return b.call("rem", _float_remainder, x, y, shared=True)
    if b.known(y) not in (None, 0, -1):
        return b.op("srem" if x.elem.is_signed else "urem", x, y)
    zero = b.cmp("eq", y, b.like(y, 0))
    safe = b.select(zero, b.like(y, 1), y)
    if x.elem.is_signed:
        minus = b.cmp("eq", y, b.like(y, -1))
        safe = b.select(minus, b.like(y, 1), safe)
    result = b.op("srem" if x.elem.is_signed else "urem", x, safe)
    return b.select(zero, x, result)


def _float_remainder(b: Builder, x: Value, y: Value) -> Value:
    """fmod: exact from one division while the quotient is small, by the C library's function otherwise."""
    quotient = b.intrinsic("trunc", b.fdiv(x, y))
    r = b.fma(b.neg(quotient), y, x)
    # The rounded quotient may be one too large: then the remainder has the wrong sign.
    wrong = b.cmp("lt", b.mul(r, b.copysign(b.like(x, 1), x)), b.like(x, 0))
    r = b.select(wrong, b.add(r, b.copysign(b.abs(y), x)), r)
    near = b.copysign(r, x)
    limit = b.like(x, 2.0 ** (exponential.FORMATS[x.elem.bits].mantissa - 1))
    plain = b.cmp("lt", b.abs(quotient), limit)
    size = b.abs(x)
    kept = b.and_(b.cmp("lt", size, b.like(x, math.inf)), b.cmp("eq", b.abs(y), b.like(y, math.inf)))
    near = b.select(kept, x, near)
    undefined = b.or_(
        b.or_(b.cmp("uno", x, y), b.cmp("eq", y, b.like(y, 0))), b.cmp("eq", size, b.like(x, math.inf))
    )
    near = b.select(undefined, b.like(x, math.nan), near)
    settled = b.or_(b.or_(plain, kept), undefined)
    name = "fmodf" if x.elem is F32 else "fmod"
    return trigonometry.with_library(b, (x, y), name, near, b.not_(settled))


def exp2(b: Builder, x: Value, **_: Any) -> Value:
    """2**x; of half precision exp of a product that is rounded, as XLA has it."""
    if not x.elem.is_half:
        return b.function("exp2", exponential.exp2, x)
    ln2 = b.convert(b.convert(b.const(F32, math.log(2)), x.elem), F32)
    product = b.convert(b.mul(b.convert(x, F32), ln2), x.elem)
    return b.convert(b.function("exp", exponential.exp, b.convert(product, F32)), x.elem)


def logistic(b: Builder, x: Value, **_: Any) -> Value:
    """1 / (1 + exp(-x)); of half precision each step is rounded."""
    if not x.elem.is_half:
        return b.function("logistic", exponential.logistic, x)
    e = b.function("exp", exponential.exp, b.convert(b.neg(x), F32))
    e = b.convert(b.convert(e, x.elem), F32)
    total = b.convert(b.add(e, b.like(e, 1)), x.elem)
    return b.convert(b.fdiv(b.like(e, 1), b.convert(total, F32)), x.elem)


def sign(b: Builder, x: Value, **_: Any) -> Value:
    zero, one = b.like(x, 0), b.like(x, 1)
    if x.elem.is_float:
        unit = b.copysign(one, x)
        return b.select(b.or_(b.cmp("eq", x, zero), b.is_nan(x)), x, unit)
    if not x.elem.is_signed:
        return b.intrinsic("umin", x, one)
    return b.intrinsic("smax", b.intrinsic("smin", x, one), b.like(x, -1))


def _comparison(predicate: str) -> Rule:
    def lower(b: Builder, x: Value, y: Value, **_: Any) -> Value:
        return b.cmp(predicate, x, y)

    return lower


eq, ne, lt, le, gt, ge = map(_comparison, ("eq", "ne", "lt", "le", "gt", "ge"))


def _shift(opcode: str) -> Rule:
    """Shifts by at least the width, or by a negative amount, move every bit out."""

    def lower(b: Builder, x: Value, y: Value, **_: Any) -> Value:
        bits = x.elem.bits
        inside = b.emit(f"icmp ult {y.type} {y.name}, {b.like(y, bits).name}", BOOL)
        if opcode == "ashr":
            return b.op(opcode, x, b.select(inside, y, b.like(y, bits - 1)))
        return b.select(inside, b.op(opcode, x, b.select(inside, y, b.like(y, 0))), b.like(x, 0))

    return lower


shift_left, shift_right_logical, shift_right_arithmetic = map(_shift, ("shl", "lshr", "ashr"))


def _intrinsic(name: str) -> Rule:
    def lower(b: Builder, x: Value, **_: Any) -> Value:
        return b.intrinsic(name, x) if x.elem.is_float else x

    return lower


floor, ceil = map(_intrinsic, ("floor", "ceil"))


def select_n(b: Builder, which: Value, *cases: Value, **_: Any) -> Value:
    result = cases[0]
    if which.elem is BOOL:
        return b.select(which, cases[1], cases[0]) if len(cases) == 2 else result
    for k, case in enumerate(cases[1:], 1):
        result = b.select(b.cmp("ge", which, b.like(which, k)), case, result)
    return result


def clamp(b: Builder, low: Value, x: Value, high: Value, **_: Any) -> Value:
    return b.min(b.max(x, low), high)


def convert(b: Builder, x: Value, *, new_dtype: Any, **_: Any) -> Value:
    return b.convert(x, element(new_dtype))


def bitcast(b: Builder, x: Value, *, new_dtype: Any, **_: Any) -> Value:
    elem = element(new_dtype)
    if elem.bits != x.elem.bits or BOOL in (elem, x.elem):
        raise NotLowered("bitcast_convert_type", "between sizes")
    return b.bitcast(x, elem)


def integer_pow(b: Builder, x: Value, *, y: int, **_: Any) -> Value:
    if y < 0 and not x.elem.is_float:
        raise NotLowered("integer_pow", "negative power of an integer")
    return power.integer_power(b, x, y)


def pow_(b: Builder, x: Value, y: Value, **_: Any) -> Value:
    if not x.elem.is_float:
        raise NotLowered("pow", f"on {x.elem.name}")
    if not y.elem.is_float:
        y = b.convert(y, x.elem)
    return b.call("pow", power.power, x, y)


def round_(b: Builder, x: Value, *, rounding_method: Any, **_: Any) -> Value:
    if not x.elem.is_float:
        return x
    if int(rounding_method) == 1:
        return b.intrinsic("rint", x)
    # Half away from zero: x - trunc(x) is exact.
    whole = b.intrinsic("trunc", x)
    up = b.cmp("ge", b.abs(b.sub(x, whole)), b.like(x, 0.5))
    return b.copysign(b.select(up, b.add(whole, b.copysign(b.like(x, 1), x)), whole), x)


def is_finite(b: Builder, x: Value, **_: Any) -> Value:
    if not x.elem.is_float:
        return b.const(BOOL, True)
    return b.cmp("lt", b.abs(x), b.like(x, math.inf))


def population_count(b: Builder, x: Value, **_: Any) -> Value:
    return b.intrinsic("ctpop", x)


def clz(b: Builder, x: Value, **_: Any) -> Value:
    return b.intrinsic("ctlz", x, immediate="false")


def reduce_precision(b: Builder, x: Value, *, exponent_bits: int, mantissa_bits: int, **_: Any) -> Value:
    """Rounded, as bits, to a shorter mantissa; to infinity above the range of the exponent, to zero below it."""
    if x.elem.is_half or not x.elem.is_float:
        raise NotLowered("reduce_precision", f"of {x.elem.name}")
    form = exponential.FORMATS[x.elem.bits]
    ints = integer_of(x.elem)
    bits = b.bitcast(x, ints)
    dropped = form.mantissa - mantissa_bits
    if dropped > 0:
        odd = b.and_(b.lshr(bits, dropped), b.like(bits, 1))
        raised = b.add(bits, b.add(odd, b.like(bits, (1 << (dropped - 1)) - 1)))
        bits = b.and_(raised, b.like(bits, -(1 << dropped)))
    kept = b.bitcast(bits, x.elem)
    bias = 2 ** (exponent_bits - 1) - 1
    if bias < form.bias:
        size = b.abs(kept)
        largest = b.like(x, (2.0 - 2.0**-mantissa_bits) * 2.0**bias)
        kept = b.select(b.cmp("gt", size, largest), b.copysign(b.like(x, math.inf), x), kept)
        vanished = b.cmp("lt", size, b.like(x, 2.0 ** (1 - bias)))
        kept = b.select(vanished, b.copysign(b.like(x, 0), x), kept)
    return b.select(is_finite(b, x), kept, x)


def square(b: Builder, x: Value, **_: Any) -> Value:
    return b.mul(x, x)


def nextafter(b: Builder, x: Value, y: Value, **_: Any) -> Value:
    """The neighbour of x towards y: one step of its bits."""
    ints, unit = integer_of(x.elem), 1 << 16 if x.elem is BF16 else 1
    bits, zero = b.bitcast(x, ints), b.like(x, 0)
    away = b.cmp("eq", b.cmp("lt", x, y), b.cmp("gt", x, zero))
    step = b.select(away, b.const(ints, unit), b.const(ints, -unit))
    moved = b.bitcast(b.add(bits, step), x.elem)
    least = b.copysign(b.bitcast(b.const(ints, unit), x.elem), y)
    result = b.select(b.cmp("eq", x, zero), least, moved)
    result = b.select(b.cmp("eq", x, y), y, result)
    return b.select(b.cmp("uno", x, y), b.add(x, y), result)
