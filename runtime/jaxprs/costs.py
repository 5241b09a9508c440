"""What a program costs, counted as XLA counts: an operation for each element, and the bytes that equations read and write."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .jaxpr import JaxprEqn, Literal, sub_jaxprs

if TYPE_CHECKING:
    from .jaxpr import Jaxpr

_TRANSCENDENTAL = frozenset(
    "acos acosh asin asinh atan atan2 atanh cbrt cos cosh digamma erf erf_inv erfc exp exp2 expm1 lgamma log log1p logistic "
    "pow rsqrt sin sinh sqrt tan tanh".split()
)
# These move elements and compute none.
_MOVES = frozenset(
    "bitcast_convert_type broadcast_in_dim concatenate copy copy_p dynamic_slice dynamic_update_slice gather iota pad "
    "reshape rev scatter slice split squeeze stack stop_gradient tile transpose unstack".split()
)


def costs(jaxpr: Jaxpr) -> dict[str, float]:
    """The operations, the elementary functions among them apart, and the bytes; loops count as one of their steps."""
    total: dict[str, float] = {}
    read = {v for v in jaxpr.outvars if not isinstance(v, Literal)}
    for eqn in reversed(jaxpr.eqns):
        if not (eqn.effectful or read.intersection(eqn.outvars)):
            continue  # Nobody reads its results.
        read.update(v for v in eqn.invars if not isinstance(v, Literal))
        inner = [costs(sub) for sub in sub_jaxprs(eqn)]
        if eqn.primitive.name == "cond":  # The dearest of the branches is taken.
            inner = [max(inner, key=lambda cost: cost.get("flops", 0.0))]
        for part in inner or [_own(eqn)]:
            for name, amount in part.items():
                total[name] = total.get(name, 0.0) + amount
    return total


def _own(eqn: JaxprEqn) -> dict[str, float]:
    """What one equation costs that runs no other program."""
    name = eqn.primitive.name
    touched = [v for v in (*eqn.invars, *eqn.outvars) if not isinstance(v, Literal)]
    cost = {"bytes accessed": float(sum(v.aval.size * v.aval.dtype.itemsize for v in touched))}
    size = eqn.outvars[0].aval.size if eqn.outvars else 0
    if name in _TRANSCENDENTAL:
        cost["transcendentals"] = float(size)
    elif name not in _MOVES:
        cost["flops"] = float(_operations(eqn, name, size))
    return cost


def _operations(eqn: JaxprEqn, name: str, size: int) -> int:
    first = eqn.invars[0].aval if eqn.invars else None
    if first is None:
        return 0
    if name == "dot_general":
        contracted = eqn.params["dimension_numbers"][0][0]
        return 2 * size * math.prod(first.shape[axis] for axis in contracted)
    if name == "conv_general_dilated":
        kernel = eqn.invars[1].aval.shape
        out_features = kernel[eqn.params["dimension_numbers"].rhs_spec[0]]
        return 2 * size * math.prod(kernel) // max(out_features, 1)
    if name.startswith(("reduce_", "arg")) and name != "reduce_precision":
        return first.size - size
    if name == "integer_pow":
        exponent = abs(eqn.params["y"])  # By repeated squaring.
        return size * (exponent.bit_length() + exponent.bit_count() - 2 or 1)
    if name == "sort":
        length = first.shape[eqn.params["dimension"]]
        return size * max(length - 1, 1).bit_length()
    return size
