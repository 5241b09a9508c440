"""`jax.lax` functions on corresponding elements: one primitive each, without promotion or broadcasting of ranks."""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable
from typing import Any

from ..arrays.array import from_numpy
from ..arrays.promotion import check_integer
from ..core import Array, Literal, Params, current_trace, get_aval, literal
from ..dtypes import BFLOAT16, FLOAT32, INT32, SMALL_FLOATS, UINT16, UINT32, as_dtype
from ..dtypes import canonical as canonical_dtype
from ..jitting.static import hashable_int
from ..primitives import binary, comparison, conversion, selection, special, unary
from ..primitives.conversion import convert
from ..tracing.references import Ref

_SCALARS = (bool, int, float, complex)
_NO_PARAMS: Params = {}


class RoundingMethod(enum.IntEnum):
    """How ties are rounded."""

    AWAY_FROM_ZERO = 0
    TO_NEAREST_EVEN = 1


class Precision(enum.Enum):
    """How precisely products are computed on accelerators; without effect here."""

    DEFAULT = 0
    HIGH = 1
    HIGHEST = 2

    def __repr__(self) -> str:
        return f"Precision.{self.name}"

    def __str__(self) -> str:
        return self.name


def operand(x: Any) -> Any:
    """Anything array-like as an operand of a primitive; Python scalars become literals. Raises TypeError otherwise."""
    if isinstance(x, (Array, Literal)):
        return x
    if isinstance(x, _SCALARS):
        if type(x) is int:
            check_integer(x)
        aval = get_aval(x)
        return literal(x, aval.dtype, aval.weak_type)
    if hasattr(x, "__jax_array__"):
        return operand(x.__jax_array__())
    if type(x).__module__ == "numpy" and hasattr(x, "dtype"):
        if getattr(x, "shape", None) == ():
            return literal(x.item(), get_aval(x).dtype)

        return from_numpy(x)
    if isinstance(x, Ref):
        raise ValueError(
            f"Attempting to pass a Ref {x.aval} to a primitive -- did you forget to unpack ([...]) the ref?"
        )
    get_aval(x)
    return x


def wrapped(value: Any, dtype: Any, weak: bool = False) -> Literal:
    """A Python number as a constant; integers wrap. Raises OverflowError for one that no integer type holds."""
    if type(value) is int and dtype.kind in "iu" and not -(1 << 63) <= value < 1 << 64:
        raise OverflowError(f"Python integer {value} out of bounds for {dtype}")
    return literal(value, dtype, weak)


def as_array(x: Any) -> Array:
    """An operand as an Array."""
    x = operand(x)
    if isinstance(x, Array):
        return x
    from ..numpy.promotion import asarray

    return asarray(x)


def as_shaped(x: Any) -> Array:
    """An operand whose shape JAX asks for, as an Array. Raises AttributeError for numbers and lists, which have none."""
    if isinstance(x, (int, float, complex, list)) and not hasattr(x, "shape"):
        raise AttributeError(f"'{type(x).__name__}' object has no attribute 'shape'")
    return as_array(x)


def convert_to(x: Any, dtype: Any, weak: bool) -> Any:
    """An array in exactly this type: itself if it has it."""
    return convert(x, dtype, weak)


def refuse_array_as_dtype(dtype: Any) -> None:
    """Raises ValueError for an array where a type belongs."""
    if isinstance(dtype, Array):
        raise ValueError(
            "Passing an array as a dtype argument is no longer supported; instead of dtype=arr use dtype=arr.dtype."
        )


def convert_element_type(operand: Any, new_dtype: Any) -> Array:
    """`operand` in another type, never weak."""
    refuse_array_as_dtype(new_dtype)
    if type(operand) is int and new_dtype is not None:
        return as_array(wrapped(operand, canonical_dtype(as_dtype(new_dtype))))
    x = as_operand_of(operand)
    if new_dtype is None:
        new_dtype = get_aval(x).dtype
    dtype = canonical_dtype(as_dtype(new_dtype))
    if type(operand) is complex and dtype.kind != "c":
        raise TypeError(f"{dtype.name}() argument must be a string or a real number, not 'complex'")
    if isinstance(x, Literal):
        from ..numpy.promotion import asarray

        return asarray(literal(x.val, dtype))
    return convert(x, dtype, False)


as_operand_of = operand


def bitcast_convert_type(operand: Any, new_dtype: Any) -> Array:
    """The same bits read as another type."""
    refuse_array_as_dtype(new_dtype)
    x = as_operand_of(operand)
    dtype = canonical_dtype(as_dtype(new_dtype))
    if x.aval.dtype is BFLOAT16 and dtype.kind in "iuf":
        if dtype is BFLOAT16:
            return x
        conversion.bitcast_convert_type_p.abstract_eval(x.aval, new_dtype=dtype)  # Raises what JAX raises.
        # It is held as float32, of whose bits the upper half are its own.
        wide = conversion.bitcast_convert_type_p.bind(convert_to(x, FLOAT32, False), new_dtype=UINT32)
        x = convert_to(binary.shift_right_logical_p.bind(wide, literal(16, UINT32)), UINT16, False)
    elif x.aval.dtype in SMALL_FLOATS and dtype is not x.aval.dtype:
        from .neighbours import code_of

        x = code_of(x)
    return conversion.bitcast_convert_type_p.bind(x, new_dtype=dtype)


def _unary(name: str, primitive: Any, *, accuracy: bool = False) -> Callable[..., Array]:
    def one(x: Any) -> Any:
        return current_trace().process_primitive(
            primitive, (x if isinstance(x, Array) else operand(x),), _NO_PARAMS
        )

    def rounded(x: Any, *, accuracy: Any = None) -> Any:
        return current_trace().process_primitive(
            primitive, (x if isinstance(x, Array) else operand(x),), _NO_PARAMS
        )

    apply = rounded if accuracy else one

    apply.__name__ = apply.__qualname__ = name
    return apply


def _binary(name: str, primitive: Any) -> Callable[[Any, Any], Array]:
    def apply(x: Any, y: Any) -> Array:
        if not isinstance(x, Array):
            x = operand(x)
        if not isinstance(y, Array):
            y = operand(y)
        return current_trace().process_primitive(primitive, (x, y), _NO_PARAMS)

    apply.__name__ = apply.__qualname__ = name
    return apply


_UNARY = {
    "abs": unary,
    "acos": unary,
    "acosh": unary,
    "asin": unary,
    "asinh": unary,
    "atan": unary,
    "atanh": unary,
    "ceil": unary,
    "clz": unary,
    "cosh": unary,
    "floor": unary,
    "imag": unary,
    "is_finite": unary,
    "neg": unary,
    "population_count": unary,
    "real": unary,
    "sign": unary,
    "sinh": unary,
    "square": unary,
    "bessel_i0e": special,
    "bessel_i1e": special,
    "digamma": special,
    "erf": special,
    "erf_inv": special,
    "erfc": special,
    "lgamma": special,
}
_ACCURATE = (
    "cbrt",
    "cos",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log1p",
    "logistic",
    "rsqrt",
    "sin",
    "sqrt",
    "tan",
    "tanh",
)
_BINARY = {
    "add": binary,
    "atan2": binary,
    "complex": binary,
    "div": binary,
    "max": binary,
    "min": binary,
    "mul": binary,
    "nextafter": binary,
    "pow": binary,
    "rem": binary,
    "shift_left": binary,
    "shift_right_arithmetic": binary,
    "shift_right_logical": binary,
    "sub": binary,
    "eq": comparison,
    "ge": comparison,
    "gt": comparison,
    "le": comparison,
    "lt": comparison,
    "ne": comparison,
}
FUNCTIONS: dict[str, Callable[..., Array]] = {}
for _name, _module in _UNARY.items():
    FUNCTIONS[_name] = _unary(_name, getattr(_module, f"{_name}_p"))
for _name in _ACCURATE:
    FUNCTIONS[_name] = _unary(_name, getattr(unary, f"{_name}_p"), accuracy=True)
for _name, _module in _BINARY.items():
    FUNCTIONS[_name] = _binary(_name, getattr(_module, f"{_name}_p"))
for _name in ("and", "or", "xor"):
    FUNCTIONS[f"bitwise_{_name}"] = _binary(f"bitwise_{_name}", getattr(binary, f"{_name}_p"))


_product = _binary("mul", binary.mul_p)


def _mul(x: Any, y: Any, *, out_dtype: Any = None) -> Array:
    product = _product(x, y)
    return product if out_dtype is None else convert_element_type(product, out_dtype)


def _conj(x: Any) -> Array:
    value = operand(x)
    dtype = get_aval(value).dtype
    if dtype.kind == "f" and dtype.itemsize < 4:
        raise TypeError(
            f"conj does not accept dtype {dtype}. Accepted dtypes are subtypes of float32, complexfloating, float64."
        )
    return unary.conj_p.bind(value, input_dtype=dtype)


def igamma(a: Any, x: Any) -> Array:
    """Regularised lower incomplete gamma function."""
    return special.igamma_p.bind(operand(a), operand(x))


def igammac(a: Any, x: Any) -> Array:
    """Regularised upper incomplete gamma function."""
    return special.igammac_p.bind(operand(a), operand(x))


def igamma_grad_a(a: Any, x: Any) -> Array:
    """Derivative of `igamma` by `a`."""
    return special.igamma_grad_a_p.bind(operand(a), operand(x))


def random_gamma_grad(a: Any, x: Any) -> Array:
    """Derivative of samples of a gamma distribution by its parameter."""
    return special.random_gamma_grad_p.bind(operand(a), operand(x))


def polygamma(m: Any, x: Any) -> Array:
    """m-th derivative of `digamma`."""
    return special.polygamma_p.bind(operand(m), operand(x))


def zeta(x: Any, q: Any) -> Array:
    """Hurwitz zeta function."""
    return special.zeta_p.bind(operand(x), operand(q))


FUNCTIONS["mul"], FUNCTIONS["conj"] = _mul, _conj
FUNCTIONS["bitwise_not"] = _unary("bitwise_not", unary.not_p)


def pow(x: Any, y: Any) -> Array:
    """x ** y; an integer constant y gives `integer_pow`."""
    base, exponent = operand(x), operand(y)
    whole = isinstance(exponent, Literal) and type(exponent.val) is int
    if whole and get_aval(base).dtype.kind in "fc":
        return integer_pow(x, exponent.val)
    return binary.pow_p.bind(base, exponent)


def integer_pow(x: Any, y: int) -> Array:
    """x to a constant integer power."""
    base = operand(x)
    y = int(y) if type(y) is float and y.is_integer() else hashable_int("y of lax.integer_pow", y)
    if get_aval(base).dtype.kind not in "iufc":
        raise TypeError(
            f"integer_pow does not accept dtype {get_aval(base).dtype}. Accepted dtypes are subtypes of integer, floating, "
            "complexfloating."
        )
    if y == 0:
        from .constructors import full_like

        return full_like(base, 1)
    if y == 1:
        return as_array(base)
    if y == 2:
        return unary.square_p.bind(base)
    return unary.integer_pow_p.bind(base, y=y)


def reciprocal(x: Any) -> Array:
    """1 / x."""
    return integer_pow(x, -1)


def round(x: Any, rounding_method: RoundingMethod = RoundingMethod.AWAY_FROM_ZERO) -> Array:
    """The nearest integer."""
    return unary.round_p.bind(operand(x), rounding_method=RoundingMethod(rounding_method))


def reduce_precision(operand: Any, exponent_bits: int, mantissa_bits: int) -> Array:
    """Round to fewer bits, keeping the type."""
    from ..numpy.promotion import concrete

    bits = {"exponent_bits": exponent_bits, "mantissa_bits": mantissa_bits}
    static = {
        name: operator.index(concrete(value, f"{name} argument of lax.reduce_precision"))
        for name, value in bits.items()
    }
    if static["exponent_bits"] < 1 or static["mantissa_bits"] < 0:
        raise ValueError(
            f"reduce_precision takes at least one exponent bit and no negative number, got {static}"
        )
    return unary.reduce_precision_p.bind(as_operand_of(operand), **static)


def clamp(min: Any, x: Any, max: Any) -> Array:
    """x limited to [min, max]."""
    return selection.clamp_p.bind(operand(min), operand(x), operand(max))


def select_n(which: Any, *cases: Any) -> Array:
    """For each element the case that `which` names."""
    if not cases:
        raise ValueError("select_n() must have at least one case")
    index = operand(which)
    dtype = get_aval(index).dtype
    if dtype.kind in "iu" and dtype is not INT32:  # Other integers name the same cases.
        last = min(len(cases) - 1, (1 << (8 * dtype.itemsize - 1)) - 1)
        index = convert(selection.clamp_p.bind(literal(0, dtype), index, literal(last, dtype)), INT32)
    return selection.select_n_p.bind(index, *map(operand, cases))


def select(pred: Any, on_true: Any, on_false: Any) -> Array:
    """Elements of `on_true` where `pred` holds, else of `on_false`."""
    return select_n(pred, on_false, on_true)


def betainc(a: Any, b: Any, x: Any) -> Array:
    """Regularised incomplete beta function."""
    return special.regularized_incomplete_beta_p.bind(operand(a), operand(b), operand(x))


def stop_gradient(x: Any) -> Any:
    """`x`, as a constant for differentiation; pytrees are mapped."""
    from ..tree_util import tree_map

    def stop(leaf: Any) -> Any:
        return unary.stop_gradient_p.bind(operand(leaf))

    return tree_map(stop, x)


def nextafter(x1: Any, x2: Any) -> Array:
    """The next number after x1 towards x2."""
    return binary.nextafter_p.bind(operand(x1), operand(x2))


def mulhi(x: Any, y: Any, /) -> Array:
    """The high half of the product of two integers."""
    first, second = operand(x), operand(y)
    dtype = get_aval(first).dtype
    if dtype.kind not in "iu":
        raise TypeError(f"mulhi takes integers, got {dtype}")
    bits, weak = dtype.itemsize * 4, get_aval(first).weak_type and get_aval(second).weak_type
    low = literal((1 << bits) - 1, dtype, weak)
    shift = literal(bits, dtype, weak)
    right = FUNCTIONS["shift_right_arithmetic" if dtype.kind == "i" else "shift_right_logical"]
    logical, both, add, mul = (FUNCTIONS[n] for n in ("shift_right_logical", "bitwise_and", "add", "mul"))
    a1, a0, b1, b0 = right(first, shift), both(first, low), right(second, shift), both(second, low)
    middle = add(mul(a1, b0), logical(mul(a0, b0), shift))
    carry = add(both(middle, low), mul(a0, b1))
    return add(add(mul(a1, b1), right(middle, shift)), right(carry, shift))
