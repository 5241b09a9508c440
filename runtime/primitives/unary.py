"""Mathematics on each element of one array."""

from __future__ import annotations

from typing import Any

from ..core import Primitive, ShapedArray, Value, get_aval
from ..dtypes import COMPLEX64, complex_dtype
from .apply import (
    add,
    conj,
    cos,
    cosh,
    div,
    eq,
    exactly,
    ge,
    integer_pow,
    mul,
    neg,
    number,
    real,
    rsqrt,
    sin,
    sinh,
    square,
    sub,
    where,
)
from .family import (
    ANY,
    BITS,
    COMPLEX,
    FLOAT,
    INEXACT,
    INTEGER,
    NUMERIC,
    SIGNED,
    Kernel,
    Rule,
    boolean,
    unary,
)
from .family import real as real_part
from .lowering import Lowering, function, instruction, rule

_ANGLES = (0.5, -1.5, 2.0)
_POSITIVE = (0.5, 1.5, 4.0)
_INSIDE = (0.5, -0.25, 0.9)
_HALVES = (0.5, 1.5, -2.5, 2.7)


def _float(
    name: str,
    impl: str,
    lower: Lowering,
    jvp: Rule | None,
    examples: tuple[float, ...] = _ANGLES,
    kinds: str = INEXACT,
) -> Any:
    return unary(name, accepts=kinds, impl=impl, lower=lower, jvp=jvp, examples=examples)


def _one(x: Value) -> Value:
    return exactly(1, x)


neg_p = unary(
    "neg",
    accepts=NUMERIC,
    impl="np:negative",
    lower=instruction("neg"),
    linear=lambda ct: neg(ct),
    examples=_ANGLES,
)
sign_p = unary(
    "sign", accepts=NUMERIC, impl="elementwise_kernels:sign", lower=rule("sign"), examples=(0.5, -1.5, 0.0)
)
floor_p = unary("floor", accepts=FLOAT, impl="np:floor", lower=rule("floor"), examples=_HALVES)
ceil_p = unary("ceil", accepts=FLOAT, impl="np:ceil", lower=rule("ceil"), examples=_HALVES)
round_p = unary(
    "round", accepts=FLOAT, impl="elementwise_kernels:round_half", lower=rule("round_"), examples=_HALVES
)
round_p.examples = [(([*_HALVES],), {"rounding_method": method}) for method in (0, 1)]
is_finite_p = unary(
    "is_finite", accepts=FLOAT, impl="np:isfinite", lower=rule("is_finite"), result=boolean, examples=_ANGLES
)

exp_p = _float(
    "exp", "complex_kernels:exp", function("exponential:exp", cost=10), lambda t, out, x: mul(t, out)
)
exp2_p = _float(
    "exp2",
    "elementwise_kernels:exp2",
    rule("exp2", cost=10),
    lambda t, out, x: mul(number(0.6931471805599453, out), mul(t, out)),
)
exp2_p.narrow_impl = Kernel("elementwise_kernels:narrow_exp2")
log_p = _float(
    "log", "complex_kernels:log", function("logarithm:log", cost=14), lambda t, out, x: div(t, x), _POSITIVE
)
expm1_p = _float(
    "expm1", "np:expm1", function("exponential:expm1", cost=12), lambda t, out, x: mul(t, add(out, _one(out)))
)
log1p_p = _float(
    "log1p",
    "np:log1p",
    function("logarithm:log1p", cost=18),
    lambda t, out, x: div(t, add(x, _one(x))),
    _POSITIVE,
)
tanh_p = _float(
    "tanh",
    "complex_kernels:tanh",
    function("exponential:tanh", cost=16),
    lambda t, out, x: mul(t, sub(_one(x), square(out))),
)
logistic_p = _float(
    "logistic",
    "elementwise_kernels:logistic",
    rule("logistic", cost=16),
    lambda t, out, x: mul(t, mul(out, sub(_one(out), out))),
)
logistic_p.narrow_impl = Kernel("elementwise_kernels:narrow_logistic")
sin_p = _float(
    "sin",
    "complex_kernels:sin",
    function("trigonometry:sin", cost=16, shared=True),
    lambda t, out, x: mul(t, cos(x)),
)
cos_p = _float(
    "cos",
    "complex_kernels:cos",
    function("trigonometry:cos", cost=16, shared=True),
    lambda t, out, x: neg(mul(t, sin(x))),
)
tan_p = _float(
    "tan",
    "complex_kernels:tan",
    function("trigonometry:tan", cost=20, shared=True),
    lambda t, out, x: mul(t, add(number(1, x), square(out))),
)
asin_p = _float(
    "asin",
    "complex_kernels:asin",
    function("trigonometry:asin", cost=16),
    lambda t, out, x: mul(t, rsqrt(sub(number(1, x), square(x)))),
    _INSIDE,
)
acos_p = _float(
    "acos",
    "complex_kernels:acos",
    function("trigonometry:acos", cost=16),
    lambda t, out, x: mul(t, neg(rsqrt(sub(number(1, x), square(x))))),
    _INSIDE,
)
atan_p = _float(
    "atan",
    "np:arctan",
    function("trigonometry:atan", cost=16),
    lambda t, out, x: div(t, add(number(1, x), square(x))),
)
sinh_p = _float(
    "sinh", "complex_kernels:sinh", function("exponential:sinh", cost=20), lambda t, out, x: mul(t, cosh(x))
)
cosh_p = _float(
    "cosh", "complex_kernels:cosh", function("exponential:cosh", cost=16), lambda t, out, x: mul(t, sinh(x))
)
asinh_p = _float(
    "asinh",
    "complex_kernels:asinh",
    function("logarithm:asinh", cost=24),
    lambda t, out, x: mul(t, rsqrt(add(square(x), _one(x)))),
)
acosh_p = _float(
    "acosh",
    "complex_kernels:acosh",
    function("logarithm:acosh", cost=24),
    lambda t, out, x: mul(t, rsqrt(sub(square(x), _one(x)))),
    (1.5, 2.0, 4.0),
)
atanh_p = _float(
    "atanh",
    "np:arctanh",
    function("logarithm:atanh", cost=22),
    lambda t, out, x: mul(div(_one(x), add(_one(x), x)), div(t, sub(_one(x), x))),
    _INSIDE,
)
sqrt_p = _float(
    "sqrt",
    "complex_kernels:sqrt",
    instruction("sqrt", cost=4),
    lambda t, out, x: mul(t, div(number(0.5, out), out)),
    _POSITIVE,
)
rsqrt_p = _float(
    "rsqrt",
    "elementwise_kernels:rsqrt",
    function("power:rsqrt", cost=6),
    lambda t, out, x: mul(t, mul(number(-0.5, out), div(out, x))),
    _POSITIVE,
)
cbrt_p = _float(
    "cbrt",
    "np:cbrt",
    function("power:cbrt", cost=30),
    lambda t, out, x: mul(t, mul(number(1 / 3, out), integer_pow(out, y=-2))),
    _POSITIVE,
    FLOAT,
)
square_p = unary(
    "square",
    accepts=NUMERIC,
    impl="complex_kernels:square",
    lower=rule("square"),
    jvp=lambda t, out, x: mul(t, mul(number(2, x), x)),
    examples=_ANGLES,
)


def _abs_jvp(t: Value, out: Value, x: Value) -> Value:
    if get_aval(x).dtype.kind != "c":
        return where(ge(x, number(0, x)), t, neg(t))
    length = where(eq(out, number(0, out)), number(1, out), out)
    unit = div(conj(x, input_dtype=get_aval(x).dtype), _complex(length, number(0, out)))
    return real(mul(t, unit))


abs_p = unary(
    "abs",
    accepts=SIGNED,
    impl="elementwise_kernels:absolute",
    lower=instruction("abs"),
    jvp=_abs_jvp,
    result=real_part,
    examples=_ANGLES,
)


def _integer_pow_jvp(t: Value, out: Value, x: Value, *, y: int) -> Value:
    if y == 0:
        return mul(t, number(0, x))
    slope = _one(x) if y == 1 else x if y == 2 else integer_pow(x, y=y - 1)
    return mul(t, mul(number(y, x), slope))


integer_pow_p = unary(
    "integer_pow",
    accepts=NUMERIC,
    impl="elementwise_kernels:integer_power",
    lower=rule("integer_pow", cost=2),
    jvp=_integer_pow_jvp,
)
integer_pow_p.examples = [(([0.5, -1.5, 2.0],), {"y": y}) for y in (-2, 0, 1, 2, 3)] + [
    (([3, -2],), {"y": 3})
]


def _integer_pow_abstract_eval(x: ShapedArray, *, y: int) -> ShapedArray:
    if x.dtype.kind in INTEGER and y < 0:
        raise TypeError(f"Integers cannot be raised to negative powers, got integer_pow({x}, {y})")
    if x.dtype.kind not in NUMERIC:
        raise TypeError(f"integer_pow does not accept dtype {x.dtype}.")
    return x


integer_pow_p.abstract_eval = _integer_pow_abstract_eval

# ------------------------------------------------------------------------------------------------ complex numbers

real_p = unary(
    "real",
    accepts=COMPLEX,
    impl="np:real",
    result=real_part,
    linear=lambda ct: _complex(ct, number(0, ct)),
)
imag_p = unary(
    "imag",
    accepts=COMPLEX,
    impl="np:imag",
    result=real_part,
    linear=lambda ct: _complex(number(0, ct), neg(ct)),
)
conj_p = unary("conj", accepts=INEXACT, impl="elementwise_kernels:conjugate", result=complex_dtype)


def _complex(x: Value, y: Value) -> Value:
    from .binary import complex_p

    return complex_p.bind(x, y)


def _conj_transpose(ct: Value, x: Value, *, input_dtype: Any) -> list[Value]:
    flipped = conj_p.bind(ct, input_dtype=get_aval(ct).dtype)
    return [flipped if input_dtype.kind == "c" else real(flipped)]


conj_p.jvp = lambda primals, tangents, **params: (
    conj_p.bind(*primals, **params),
    conj_p.bind(*tangents, **params),
)
conj_p.transpose = _conj_transpose

_COMPLEX = [1.5 + 2.0j, -0.5 - 1.0j]
real_p.examples = imag_p.examples = [((_COMPLEX,), {})]
conj_p.examples = [((_COMPLEX,), {"input_dtype": COMPLEX64})]

# ------------------------------------------------------------------------------------------------ bits and the rest

not_p = unary("not", accepts=BITS, impl="np:invert", lower=instruction("not_"))
not_p.examples = [(([5, -3],), {})]
population_count_p = unary(
    "population_count",
    accepts=INTEGER,
    impl="elementwise_kernels:population_count",
    lower=rule("population_count"),
)
population_count_p.examples = [(([5, -3],), {})]
clz_p = unary("clz", accepts=INTEGER, impl="elementwise_kernels:count_leading_zeros", lower=rule("clz"))
clz_p.examples = [(([5, -3, 0],), {})]
reduce_precision_p: Primitive = unary(
    "reduce_precision",
    accepts=FLOAT,
    impl="elementwise_kernels:reduce_precision",
    lower=rule("reduce_precision", cost=8),
    linear=lambda ct, **params: reduce_precision_p.bind(ct, **params),
)
reduce_precision_p.examples = [
    (
        ([0.1, -3.3, 1e6, -1e-6, 65519.0, 65520.0],),
        {"exponent_bits": exponent, "mantissa_bits": mantissa},
    )
    for exponent, mantissa in ((5, 10), (4, 7), (8, 23), (11, 52), (3, 0))
]
copy_p = unary("copy", accepts=ANY + "k", impl="np:copy", linear=lambda ct: ct, examples=_ANGLES)
stop_gradient_p = unary(
    "stop_gradient", accepts=ANY + "k", impl="elementwise_kernels:identity", examples=_ANGLES
)
