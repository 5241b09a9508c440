"""``lax.composite``: a function that programs show under a name of its own."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..core import ClosedJaxpr, ShapedArray, get_aval
from ..jaxprs.discharge import HigherOrderPrimitive, discharge_call
from ..pytree.definition import tree_flatten
from .functions import check_argument, trace_function
from .running import kernel, run_compiled

__all__ = ["composite", "composite_p"]

composite_p = HigherOrderPrimitive("composite", multiple_results=True)


def composite(decomposition: Callable[..., Any], name: str, version: int = 0) -> Callable[..., Any]:
    """`decomposition`, applied as the operation `name`. Keyword arguments are static attributes of it.

    As in JAX it has no derivative and cannot be mapped over.
    """

    @functools.wraps(decomposition)
    def applied(*args: Any, **kwargs: Any) -> Any:
        target = functools.partial(decomposition, **kwargs) if kwargs else decomposition
        leaves, in_tree = tree_flatten(args)
        for leaf in leaves:
            check_argument(leaf)
        traced = trace_function(target, in_tree, list(map(get_aval, leaves)), "composite", args)
        attributes = tuple((key, *_flat(value)) for key, value in kwargs.items())
        outs = composite_p.bind(
            *traced.consts,
            *leaves,
            name=name,
            attributes=attributes,
            version=version,
            jaxpr=traced.closed(),
        )
        return traced.out_tree.unflatten(outs)

    return applied


def _flat(value: Any) -> tuple[tuple[Any, ...], Any]:
    leaves, tree = tree_flatten(value)
    return tuple(leaves), tree


def _abstract_eval(*avals: ShapedArray, jaxpr: ClosedJaxpr, **params: Any) -> list[ShapedArray]:
    return jaxpr.out_avals


composite_p.abstract_eval = _abstract_eval
composite_p.impl = kernel("run_call")
run_compiled(composite_p, lambda params: params["jaxpr"])
composite_p.discharge = discharge_call(composite_p)
