"""Arithmetic on corresponding elements of two arrays."""

from __future__ import annotations

from ..core import Primitive, ShapedArray, Value, get_aval, literal, shaped_array
from ..dtypes import DType, complex_dtype
from .apply import (
    abs_,
    add,
    convert_element_type,
    div,
    eq,
    exactly,
    imag,
    log,
    mul,
    neg,
    number,
    pow_,
    real,
    sign,
    square,
    sub,
    where,
)
from .family import (
    BITS,
    COMPLEX,
    FLOAT,
    INEXACT,
    INTEGER,
    NUMERIC,
    ORDERED,
    REAL,
    Kernel,
    broadcast_shapes,
    check_same_dtypes,
    nary,
)
from .linear import defined
from .lowering import function, instruction, rule
from .unary import floor_p

_FLOATS = ([0.5, -1.5, 2.0], [2.0, 0.25, -3.0])
_POSITIVE = ([0.5, 1.5, 2.0], [2.0, 0.25, 3.0])
_INTEGERS = ([7, -7, 3], [2, 3, -2])
_BITS = ([6, 5, 1], [3, 1, 4])


add_p = nary(
    "add",
    accepts=NUMERIC,
    impl="np:add",
    lower=instruction("add"),
    jvps=(lambda t, out, x, y: t, lambda t, out, x, y: t),
    transposes=(lambda ct, x, y: ct, lambda ct, x, y: ct),
    examples=(_FLOATS, _INTEGERS),
)
sub_p = nary(
    "sub",
    accepts=NUMERIC,
    impl="np:subtract",
    lower=instruction("sub"),
    jvps=(lambda t, out, x, y: t, lambda t, out, x, y: neg(t)),
    transposes=(lambda ct, x, y: ct, lambda ct, x, y: neg(ct)),
    examples=(_FLOATS, _INTEGERS),
)
mul_p = nary(
    "mul",
    accepts=NUMERIC,
    impl="np:multiply",
    lower=instruction("mul"),
    jvps=(lambda t, out, x, y: mul(t, y), lambda t, out, x, y: mul(x, t)),
    transposes=(lambda ct, x, y: mul(ct, defined(y)), lambda ct, x, y: mul(defined(x), ct)),
    examples=(_FLOATS, _INTEGERS),
)
div_p = nary(
    "div",
    accepts=NUMERIC,
    impl="elementwise_kernels:divide",
    lower=rule("div", cost=4),
    jvps=(
        lambda t, out, x, y: div(t, y),
        lambda t, out, x, y: mul(mul(neg(t), x), div(exactly(1, y), square(y))),
    ),
    transposes=(lambda ct, x, y: div(ct, y), None),
    examples=(_FLOATS, _INTEGERS),
)
rem_p = nary(
    "rem",
    accepts=REAL,
    impl="elementwise_kernels:remainder",
    lower=rule("rem", cost=8),
    jvps=(lambda t, out, x, y: t, lambda t, out, x, y: mul(neg(t), _truncated(div(x, y)))),
    examples=(_FLOATS, _INTEGERS),
)


def _truncated(x: Value) -> Value:
    return mul(sign(x), floor_p.bind(abs_(x)))


def _extremum(t: Value, out: Value, mine: Value, other: Value) -> Value:
    """The tangent through max or min: all of it where `mine` won, half of it where both are equal."""
    weight = where(eq(mine, other), exactly(0.5, out), exactly(1, out))
    return mul(t, where(eq(mine, out), weight, exactly(0, out)))


max_p = nary(
    "max",
    accepts=ORDERED + COMPLEX,
    impl="elementwise_kernels:maximum",
    lower=instruction("max"),
    jvps=(_extremum, lambda t, out, x, y: _extremum(t, out, y, x)),
    examples=(_FLOATS, _INTEGERS),
)
min_p = nary(
    "min",
    accepts=ORDERED + COMPLEX,
    impl="elementwise_kernels:minimum",
    lower=instruction("min"),
    jvps=(_extremum, lambda t, out, x, y: _extremum(t, out, y, x)),
    examples=(_FLOATS, _INTEGERS),
)
atan2_p = nary(
    "atan2",
    accepts=INEXACT,
    impl="elementwise_kernels:atan2",
    lower=function("trigonometry:atan2", cost=20),
    jvps=(
        lambda t, out, x, y: mul(t, div(y, add(square(x), square(y)))),
        lambda t, out, x, y: mul(t, div(neg(x), add(square(x), square(y)))),
    ),
    examples=(_FLOATS,),
)
nextafter_p = nary(
    "nextafter", accepts=FLOAT, impl="np:nextafter", lower=rule("nextafter"), examples=(_FLOATS,)
)

nextafter_p.narrow_impl = Kernel("elementwise_kernels:narrow_nextafter")
nextafter_p.jvp = None  # As in JAX.


# ------------------------------------------------------------------------------------------------ powers


def _pow_x(t: Value, out: Value, x: Value, y: Value) -> Value:
    one = literal(1, get_aval(y).dtype)
    if get_aval(y).dtype.kind in INEXACT:
        return mul(t, mul(y, pow_(x, sub(y, one))))
    # A constant has the derivative 0, also at 0.
    lower = pow_(x, where(eq(y, number(0, y)), one, sub(y, one)))
    exponent = convert_element_type(y, new_dtype=get_aval(x).dtype, weak_type=False, sharding=None)
    return mul(t, mul(exponent, lower))


def _pow_y(t: Value, out: Value, x: Value, y: Value) -> Value:
    # 0 ** y has derivative 0 in y, where log(0) would give NaN.
    return mul(t, mul(log(where(eq(x, exactly(0, x)), exactly(1, x), x)), out))


def _pow_abstract_eval(x: ShapedArray, y: ShapedArray) -> ShapedArray:
    if x.dtype.kind not in INEXACT:
        raise TypeError(
            f"pow does not accept dtype {x.dtype} at position 0. Accepted dtypes at position 0 are subtypes of "
            "floating, complexfloating."
        )
    if y.dtype.kind not in INTEGER:
        check_same_dtypes("pow", (x, y))
    return shaped_array(broadcast_shapes("pow", (x.shape, y.shape)), x.dtype, x.weak_type and y.weak_type)


pow_p = nary(
    "pow",
    accepts=INEXACT,
    impl="elementwise_kernels:power",
    lower=rule("pow_", cost=40),
    jvps=(_pow_x, _pow_y),
    examples=(_POSITIVE, ([0.5, 1.5, 2.0], [2, -1, 0])),
)
pow_p.abstract_eval = _pow_abstract_eval


# ------------------------------------------------------------------------------------------------ complex numbers

complex_p: Primitive = nary(
    "complex",
    accepts=FLOAT,
    impl="elementwise_kernels:make_complex",
    result=lambda dtype: _complex_of(dtype),
    jvps=(
        lambda t, out, x, y: complex_p.bind(t, number(0, t)),
        lambda t, out, x, y: complex_p.bind(number(0, t), t),
    ),
    transposes=(
        lambda ct, x, y: real(ct),
        lambda ct, x, y: neg(imag(ct)),
    ),
    examples=(_FLOATS,),
)


def _complex_of(dtype: DType) -> DType:
    if dtype.itemsize < 4:
        raise TypeError(
            f"complex does not accept dtype {dtype} at position 0. Accepted dtypes at position 0 are subtypes of float32, "
            "float64."
        )
    return complex_dtype(dtype)


# ------------------------------------------------------------------------------------------------ bits

and_p = nary(
    "and",
    accepts=BITS,
    impl="np:bitwise_and",
    lower=instruction("and_"),
    jvps=(None, None),
    examples=(_BITS,),
)
or_p = nary(
    "or", accepts=BITS, impl="np:bitwise_or", lower=instruction("or_"), jvps=(None, None), examples=(_BITS,)
)
xor_p = nary(
    "xor", accepts=BITS, impl="np:bitwise_xor", lower=instruction("xor"), jvps=(None, None), examples=(_BITS,)
)
shift_left_p = nary(
    "shift_left",
    accepts=INTEGER,
    impl="elementwise_kernels:shift_left",
    lower=rule("shift_left"),
    jvps=(None, None),
    examples=(_BITS,),
)
shift_right_logical_p = nary(
    "shift_right_logical",
    accepts=INTEGER,
    impl="elementwise_kernels:shift_right_logical",
    lower=rule("shift_right_logical"),
    jvps=(None, None),
    examples=(_BITS, ([-6, 5, -1], [3, 1, 40])),
)
shift_right_arithmetic_p = nary(
    "shift_right_arithmetic",
    accepts=INTEGER,
    impl="elementwise_kernels:shift_right_arithmetic",
    lower=rule("shift_right_arithmetic"),
    jvps=(None, None),
    examples=(_BITS, ([-6, 5, -1], [3, 1, 40])),
)
