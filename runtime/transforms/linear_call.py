"""``jax.custom_derivatives.linear_call``: a linear function whose transpose the user writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import ClosedJaxpr, ShapedArray, Value
from ..extend.user_primitives import Primitive, jvps, lower_fun, register_lowering, transposes
from ..jaxprs.replay import jaxpr_as_values
from ..primitives.linear import Zero, instantiate
from ..pytree.definition import tree_flatten, tree_structure
from ..tracing.inspection import make_jaxpr

linear_call_p = Primitive("linear_call")
linear_call_p.multiple_results = True


def linear_call(
    fun: Callable[..., Any], fun_transpose: Callable[..., Any], residual_args: Any, linear_args: Any
) -> Any:
    """``fun(residual_args, linear_args)``, which must be linear in the second argument.

    ``fun_transpose(residual_args, cotangents)`` gives the cotangents of `linear_args`, and its transpose is `fun`.

    Raises, where it is differentiated:
        AssertionError: by the residuals.
        TypeError: when `fun_transpose` gives another structure than `linear_args` has.
    """
    residuals, _ = tree_flatten(residual_args)
    operands, linear_tree = tree_flatten(linear_args)
    callee, shapes = make_jaxpr(fun, return_shape=True)(residual_args, linear_args)
    out_tree = tree_structure(shapes)

    def transpose(cotangents: Sequence[Value]) -> list[Value]:
        result = linear_call(fun_transpose, fun, residual_args, out_tree.unflatten(cotangents))
        leaves, tree = tree_flatten(result)
        if tree != linear_tree:
            raise TypeError(
                f"transpose output pytree structure must match that of linear inputs, got output structure {tree} and "
                f"input structure {linear_tree}."
            )
        return leaves

    known = [*callee.consts, *residuals]
    outs = linear_call_p.bind(*known, *operands, callee=callee, transpose=transpose, num_known=len(known))
    return out_tree.unflatten(outs)


def _run(*args: Value, callee: ClosedJaxpr, **params: Any) -> list[Value]:
    consts = args[: len(callee.consts)]
    return list(jaxpr_as_values(callee.jaxpr, consts, *args[len(consts) :]))


def _abstract_eval(*avals: ShapedArray, callee: ClosedJaxpr, **params: Any) -> list[ShapedArray]:
    return callee.out_avals


def _jvp(
    primals: Sequence[Value], tangents: Sequence[Any], *, num_known: int, **params: Any
) -> tuple[list[Value], list[Any]]:
    """Linear in the operands; what is known has no tangents."""
    assert all(type(t) is Zero for t in tangents[:num_known]), "linear_call: derivatives by the residuals"
    known = primals[:num_known]
    return tuple(
        linear_call_p.bind(*known, *operands, num_known=num_known, **params)
        for operands in (primals[num_known:], map(instantiate, tangents[num_known:]))
    )


def _transpose(
    cts: Sequence[Any], *args: Any, transpose: Any, num_known: int, **params: Any
) -> list[Value | None]:
    return [*[None] * num_known, *transpose([instantiate(ct) for ct in cts])]


linear_call_p.def_impl(_run)
linear_call_p.def_abstract_eval(_abstract_eval)
jvps[linear_call_p], transposes[linear_call_p] = _jvp, _transpose
register_lowering(linear_call_p, lower_fun(_run))
