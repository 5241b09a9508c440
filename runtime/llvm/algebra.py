"""What XLA rewrites before it compiles: what becomes of infinities and NaN in compiled code follows from it.

A boolean mask that is converted and multiplied selects: ``mask * log(x)`` is 0 where the mask is 0, and so is what it adds to
``dot(mask, log(x))`` of vectors. Products, quotients, powers and logarithms of exponentials are computed from their exponents,
logarithms of powers from those of their bases, and ``sqrt(x * x)`` is ``abs(x)``: nothing overflows between. Constants come
together: ``x * 1e30 * 1e-30`` is x. Dividing by what is known, or the same for several elements, multiplies by its
reciprocal, and of several divisions in a row one is left, whose divisor may overflow.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..core import Primitive, ShapedArray, shaped_array
from ..dtypes import BOOL
from ..primitives.binary import add_p, div_p, mul_p, sub_p
from ..primitives.comparison import eq_p
from ..primitives.contraction import dot_general_p
from ..primitives.contraction_kernels import are_vectors
from ..primitives.selection import select_n_p
from ..primitives.unary import abs_p, exp_p, log_p, neg_p

if TYPE_CHECKING:
    from .flat import Atom, Eqn, Flat

Rewrite: TypeAlias = "Callable[[Flat, list[Atom], ShapedArray], Atom | None]"


def rewritten(
    name: str, flat: Flat, inputs: list[Atom], aval: ShapedArray, params: dict[str, Any]
) -> Atom | None:
    """The value that takes the place of an operation's result; None where XLA leaves it as it is."""
    if aval.dtype.kind not in "fc" or aval.dtype.narrow:
        return None
    if name == "dot_general":
        return _inner_product(flat, inputs, aval, params)
    if name == "conv_general_dilated":
        from .transposed_convolution import with_exchanged_operands

        return with_exchanged_operands(flat, inputs, aval, params)
    rewrite = _REWRITES.get(name)
    return None if rewrite is None else rewrite(flat, inputs, aval)


def _operand(flat: Flat, atom: Any, name: str, aval: ShapedArray) -> Atom | None:
    """x, where an atom is the real function of that name of x, in the shape of the result."""
    made: Eqn | None = flat.made.get(atom)
    if made is None or made.name != name or atom.shape != aval.shape or atom.dtype.kind != "f":
        return None
    return made.inputs[0]


def _is_one(flat: Flat, atom: Any) -> bool:
    made: Eqn | None = flat.made.get(atom)
    if made is not None and made.name == "broadcast_in_dim":
        atom = made.inputs[0]
    return getattr(atom, "value", None) == 1


def _made(flat: Flat, atom: Atom, name: str, aval: ShapedArray) -> list[Atom] | None:
    """The operands, where an atom is the result of that operation, in the shape and type of another result."""
    made: Eqn | None = flat.made.get(atom)
    if made is None or made.name != name or atom.shape != aval.shape or atom.dtype is not aval.dtype:
        return None
    return made.inputs


def _constant(flat: Flat, atom: Atom) -> Any:
    """The value of what is known before the program runs, a scalar where all elements are one; else None."""
    made: Eqn | None = flat.made.get(atom)
    if made is not None and made.name == "broadcast_in_dim" and not made.inputs[0].shape:
        atom = made.inputs[0]
    return flat.constants.get(atom) if atom in flat.constants else getattr(atom, "value", None)


def _operation(flat: Flat, primitive: Primitive, inputs: list[Atom], aval: ShapedArray) -> Atom:
    """The result of an operation, as XLA rewrites it in turn."""
    simpler = rewritten(primitive.name, flat, inputs, aval, {})
    return flat.apply(primitive, inputs, aval) if simpler is None else simpler


def _known(flat: Flat, value: Any, aval: ShapedArray) -> Atom:
    return flat.known(np.asarray(value, aval.dtype.storage), aval.dtype)


def _together(
    flat: Flat, inputs: list[Atom], aval: ShapedArray, primitive: Primitive, join: Callable[[Any, Any], Any]
) -> Atom | None:
    """``(x + 1) + 2`` as ``x + (1 + 2)``, and products alike."""
    for outer, other in (inputs, inputs[::-1]):
        last = _constant(flat, outer)
        operands = None if last is None else _made(flat, other, primitive.name, aval)
        if operands is None:
            continue
        for first, x in (operands, operands[::-1]):
            if (value := _constant(flat, first)) is not None:
                with np.errstate(all="ignore"):
                    return _operation(flat, primitive, [x, _known(flat, join(value, last), aval)], aval)
    return None


def _sum(flat: Flat, inputs: list[Atom], aval: ShapedArray) -> Atom | None:
    """``x + 0`` as x, ``(1 - x) + 2`` as ``(1 + 2) - x``, and constants together."""
    for term, other in (inputs, inputs[::-1]):
        last = _constant(flat, term)
        if last is None:
            continue
        if other.shape == aval.shape and not np.any(last):
            return other
        operands = _made(flat, other, "sub", aval)
        if operands is not None and (first := _constant(flat, operands[0])) is not None:
            with np.errstate(all="ignore"):
                return flat.apply(sub_p, [_known(flat, first + last, aval), operands[1]], aval)
    return _together(flat, inputs, aval, add_p, np.add)


def _difference(flat: Flat, inputs: list[Atom], aval: ShapedArray) -> Atom | None:
    """``x - 1`` as ``x + -1``, which joins sums."""
    last = _constant(flat, inputs[1])
    if last is None:
        return None
    return _operation(flat, add_p, [inputs[0], _known(flat, -last, aval)], aval)


def _product(flat: Flat, inputs: list[Atom], aval: ShapedArray) -> Atom | None:
    """``x * 1`` as x, ``mask * x`` as a selection, ``exp(x) * exp(y)`` as ``exp(x + y)``, and constants together."""
    x, y = inputs
    for factor, other in ((x, y), (y, x)):
        if other.shape == aval.shape and _is_one(flat, factor):
            return other
    for factor, other in ((x, y), (y, x)):
        mask = _mask(flat, factor)
        if mask is not None and mask.shape == aval.shape:
            return flat.apply(select_n_p, [mask, flat.scalar(0, aval.dtype), other], aval)
    a, b = (_operand(flat, each, "exp", aval) for each in inputs)
    if a is None or b is None:
        return _together(flat, inputs, aval, mul_p, np.multiply)
    return flat.apply(exp_p, [flat.apply(add_p, [a, b], aval)], aval)


def _mask(flat: Flat, atom: Atom) -> Atom | None:
    """The computed booleans that an atom is, or is made of."""
    made: Eqn | None = flat.made.get(atom)
    mask = made.inputs[0] if made is not None and made.name == "convert_element_type" else atom
    return mask if mask.dtype is BOOL and flat.is_computed(mask) else None


def _inner_product(flat: Flat, inputs: list[Atom], aval: ShapedArray, params: dict[str, Any]) -> Atom | None:
    """``dot(mask, x)`` of vectors, which XLA multiplies and adds up: products with a mask select."""
    x, y = inputs
    if not are_vectors(x.shape, y.shape, params["dimension_numbers"]) or aval.dtype.itemsize < 4:
        return None
    for factor, other in ((x, y), (y, x)):
        mask = _mask(flat, factor)
        if mask is None or other.dtype.kind not in "fc":
            continue
        held = [mask, flat.scalar(0, other.dtype), other]
        other = flat.apply(select_n_p, held, shaped_array(other.shape, other.dtype, False))
        return flat.apply(dot_general_p, [factor, other] if factor is x else [other, factor], aval, params)
    return None


def _quotient(flat: Flat, inputs: list[Atom], aval: ShapedArray) -> Atom | None:
    """``exp(x) / exp(y)`` as ``exp(x - y)``, else a product with a reciprocal, else one division for several."""
    x, y = inputs
    a, b = (_operand(flat, each, "exp", aval) for each in inputs)
    if b is not None:
        if a is not None:
            return flat.apply(exp_p, [flat.apply(sub_p, [a, b], aval)], aval)
        return _operation(flat, mul_p, [x, flat.apply(exp_p, [flat.apply(neg_p, [b], aval)], aval)], aval)
    if (inverse := _reciprocal(flat, y, aval)) is not None:
        return _operation(flat, mul_p, [x, inverse], aval)
    above, below = (_made(flat, each, "div", aval) for each in inputs)
    if above is None and below is None:
        return None
    numerator, denominator = (x, y) if above is None else (above[0], flat.apply(mul_p, [above[1], y], aval))
    if below is not None:
        numerator = flat.apply(mul_p, [numerator, below[1]], aval)
        denominator = below[0] if above is None else flat.apply(mul_p, [above[1], below[0]], aval)
    return flat.apply(div_p, [numerator, denominator], aval)


def _reciprocal(flat: Flat, y: Atom, aval: ShapedArray) -> Atom | None:
    """1 / y, where XLA makes a factor of it."""
    if aval.dtype.kind != "f" or y.dtype is not aval.dtype:
        return None
    if (value := _constant(flat, y)) is not None:
        with np.errstate(all="ignore"):
            return _known(flat, np.divide(1, value, dtype=aval.dtype.storage), aval)
    made: Eqn | None = flat.made.get(y)
    spread = made if made is not None and made.name == "broadcast_in_dim" else None
    source = y if spread is None else spread.inputs[0]
    if prod(source.shape) == prod(aval.shape):
        return None
    one = flat.scalar(1, aval.dtype)
    inverse = flat.apply(div_p, [one, source], shaped_array(source.shape, aval.dtype, False))
    if spread is None:
        return inverse
    return flat.apply(spread.primitive, [inverse], shaped_array(y.shape, aval.dtype, False), spread.params)


def _logarithm(flat: Flat, inputs: list[Atom], aval: ShapedArray) -> Atom | None:
    """``log(exp(x))`` as x, and ``log(x ** y)`` as ``y * log(abs(x))``, 0 where y is."""
    operands = _made(flat, inputs[0], "pow", aval)
    if operands is None or aval.dtype.kind != "f" or operands[1].dtype is not aval.dtype:
        return _operand(flat, inputs[0], "exp", aval)
    base, exponent = operands
    size = shaped_array(base.shape, aval.dtype, False)
    result = flat.apply(mul_p, [exponent, flat.apply(log_p, [flat.apply(abs_p, [base], size)], size)], aval)
    zero = flat.scalar(0, aval.dtype)
    none = flat.apply(eq_p, [exponent, zero], shaped_array(exponent.shape, BOOL, False))
    return flat.apply(select_n_p, [none, result, zero], aval)


def _power(flat: Flat, inputs: list[Atom], aval: ShapedArray) -> Atom | None:
    """Squares and roots of squares, and ``exp(x) ** y`` as ``exp(x * y)``."""
    base, exponent = inputs
    if aval.dtype.kind == "f" and base.shape == aval.shape and base.dtype is aval.dtype:
        if np.array_equal(_constant(flat, exponent), 2):
            return flat.apply(mul_p, [base, base], aval)
    if getattr(exponent, "value", None) == 0.5 and (root := _root(flat, inputs, aval)) is not None:
        return root
    a = _operand(flat, base, "exp", aval)
    if a is None or exponent.dtype is not aval.dtype:
        return None
    return flat.apply(exp_p, [flat.apply(mul_p, [a, exponent], aval)], aval)


def _root(flat: Flat, inputs: list[Atom], aval: ShapedArray) -> Atom | None:
    """``sqrt(x * x)``, however it is squared, as ``abs(x)``."""
    made: Eqn | None = flat.made.get(inputs[0])
    if made is None or aval.dtype.kind != "f" or inputs[0].shape != aval.shape:
        return None
    x = made.inputs[0]
    squared = (
        made.name == "square"
        or (made.name == "integer_pow" and made.params["y"] == 2)
        or (made.name == "mul" and x is made.inputs[1])
    )
    return flat.apply(abs_p, [x], aval) if squared else None


_REWRITES: dict[str, Rewrite] = {
    "add": _sum,
    "sub": _difference,
    "mul": _product,
    "div": _quotient,
    "log": _logarithm,
    "pow": _power,
    "sqrt": _root,
}
