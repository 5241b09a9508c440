"""What XLA rewrites before it compiles: what becomes of infinities and NaN in compiled code follows from it.

A boolean mask that is converted and multiplied selects: ``mask * log(x)`` is 0 where the mask is 0. Exponentials are
multiplied, divided and taken logarithms of by their exponents, and ``sqrt(x * x)`` is ``abs(x)``: nothing overflows between.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..dtypes import BOOL
from ..primitives.binary import add_p, mul_p, sub_p
from ..primitives.selection import select_n_p
from ..primitives.unary import abs_p, exp_p, neg_p

if TYPE_CHECKING:
    from ..core import ShapedArray
    from .flat import Atom, Eqn, Flat

Rewrite = Callable[["Flat", "list[Atom]", "ShapedArray"], "Atom | None"]


def rewritten(name: str, flat: Flat, inputs: list[Atom], aval: ShapedArray) -> Atom | None:
    """The value that takes the place of an operation's result; None where XLA leaves it as it is."""
    rewrite = _REWRITES.get(name)
    if rewrite is None or aval.dtype.kind not in "fc" or aval.dtype.narrow:
        return None
    return rewrite(flat, inputs, aval)


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


def _product(flat: Flat, inputs: list[Atom], aval: ShapedArray) -> Atom | None:
    x, y = inputs
    for factor, other in ((x, y), (y, x)):
        if other.shape == aval.shape and _is_one(flat, factor):
            return other
    for factor, other in ((x, y), (y, x)):
        made: Eqn | None = flat.made.get(factor)
        if made is None or made.name != "convert_element_type":
            continue
        mask = made.inputs[0]
        if mask.dtype is BOOL and mask.shape == aval.shape and flat.is_computed(mask):
            return flat.apply(select_n_p, [mask, flat.scalar(0, aval.dtype), other], aval)
    a, b = (_operand(flat, each, "exp", aval) for each in inputs)
    if a is None or b is None:
        return None
    return flat.apply(exp_p, [flat.apply(add_p, [a, b], aval)], aval)


def _quotient(flat: Flat, inputs: list[Atom], aval: ShapedArray) -> Atom | None:
    a, b = (_operand(flat, each, "exp", aval) for each in inputs)
    if b is None:
        return None
    if a is not None:
        return flat.apply(exp_p, [flat.apply(sub_p, [a, b], aval)], aval)
    factors = [inputs[0], flat.apply(exp_p, [flat.apply(neg_p, [b], aval)], aval)]
    return _product(flat, factors, aval) or flat.apply(mul_p, factors, aval)


def _logarithm(flat: Flat, inputs: list[Atom], aval: ShapedArray) -> Atom | None:
    return _operand(flat, inputs[0], "exp", aval)


def _power(flat: Flat, inputs: list[Atom], aval: ShapedArray) -> Atom | None:
    base, exponent = inputs
    if getattr(exponent, "value", None) == 0.5 and (root := _root(flat, inputs, aval)) is not None:
        return root
    a = _operand(flat, base, "exp", aval)
    if a is None or exponent.dtype is not aval.dtype:
        return None
    return flat.apply(exp_p, [flat.apply(mul_p, [a, exponent], aval)], aval)


def _root(flat: Flat, inputs: list[Atom], aval: ShapedArray) -> Atom | None:
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
    "mul": _product,
    "div": _quotient,
    "log": _logarithm,
    "pow": _power,
    "sqrt": _root,
}
