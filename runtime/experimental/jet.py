"""`jax.experimental.jet`: higher derivatives of a function along a curve, all at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ..core import Jaxpr, get_aval
from ..jaxprs.discharge import HigherOrderPrimitive
from ..jaxprs.jaxpr import sub_jaxprs
from ..primitives.call import jit_p
from ..primitives.conversion import convert
from ..pytree.definition import tree_flatten
from ..tracing.inspection import make_jaxpr
from ..transforms.custom_calls import CustomCall
from ..transforms.differentiation import jvp

__all__ = ["jet"]


def jet(
    fun: Callable[..., Any],
    primals: Sequence[Any],
    series: Sequence[Sequence[Any]],
    factorial_scaled: bool = True,
    **ignored: Any,
) -> tuple[Any, Any]:
    """The value of `fun` at `primals` and the derivatives of ``t -> fun(*curve(t))`` at 0, a list for each array.

    `series` holds, for each argument, the derivatives of the curve at 0: the first, the second, ...; without
    `factorial_scaled`, these and the results are Taylor coefficients.

    Raises:
        ValueError: if an argument is no array, or has more terms than another.
        KeyError: if the function has loops or branches.
    """
    for i, primal in enumerate(primals):
        if tree_flatten(primal)[1].kind is not None:
            raise ValueError(f"primal value at position {i} is not an array")
    orders = {len(terms) for terms in series}
    if len(orders) > 1:
        raise ValueError("jet terms have inconsistent lengths for different arguments")
    order = orders.pop() if orders else 0
    _refuse_control_flow(make_jaxpr(fun)(*primals).jaxpr)
    scales = [1.0 if factorial_scaled else float(math.factorial(k)) for k in range(order + 1)]
    out_tree: Any = None

    def along(t: Any) -> list[Any]:
        nonlocal out_tree
        outs, out_tree = tree_flatten(
            fun(*[_curve(x, terms, scales, t) for x, terms in zip(primals, series)])
        )
        return outs

    columns = _derivatives(along, order)(0.0)
    leaves = [[column[i] for column in columns] for i in range(len(columns[0]))]
    terms = [[d / scale for d, scale in zip(leaf[1:], scales[1:])] for leaf in leaves]
    return out_tree.unflatten([leaf[0] for leaf in leaves]), out_tree.unflatten(terms)


def _refuse_control_flow(jaxpr: Jaxpr) -> None:
    for eqn in jaxpr.eqns:
        primitive = eqn.primitive
        if isinstance(primitive, HigherOrderPrimitive) and not (
            primitive is jit_p or isinstance(primitive, CustomCall)
        ):
            raise KeyError(primitive.name)
        for inner in sub_jaxprs(eqn):
            _refuse_control_flow(inner)


def _curve(x: Any, terms: Sequence[Any], scales: Sequence[float], t: Any) -> Any:
    """The polynomial with these derivatives at 0."""
    if not terms:
        return x
    rest: Any = 0.0
    for k in range(len(terms), 0, -1):
        rest = (scales[k] * terms[k - 1] + rest) * (t / k)
    start = get_aval(x + 0.0)
    return convert(x + rest, start.dtype, start.weak_type)


def _derivatives(function: Callable[[Any], list[Any]], order: int) -> Callable[[Any], list[list[Any]]]:
    """The values of a function of a scalar, and of its derivatives up to this order."""
    if not order:
        return lambda t: [function(t)]
    lower = _derivatives(function, order - 1)

    def both(t: Any) -> list[list[Any]]:
        values, slopes = jvp(lower, (t,), (1.0,))
        return [*values, slopes[-1]]

    return both
