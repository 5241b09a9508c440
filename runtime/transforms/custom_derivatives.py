"""``jax.custom_derivatives``: functions with derivatives that the user writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core import Tracer, get_aval
from ..jaxprs.replay import jaxpr_as_values
from ..pytree.definition import tree_flatten
from .custom_jvp import SymbolicZero, custom_jvp
from .custom_vjp import CustomVJPPrimal, custom_vjp
from .functions import trace_function

__all__ = [
    "CustomVJPPrimal",
    "SymbolicZero",
    "closure_convert",
    "custom_gradient",
    "custom_jvp",
    "custom_vjp",
]


def custom_gradient(fun: Callable[..., Any]) -> Callable[..., Any]:
    """A function that returns its result and the function that pulls cotangents back (as in TensorFlow)."""
    wrapped = custom_vjp(lambda *args, **kwargs: fun(*args, **kwargs)[0])

    def forward(*args: Any, **kwargs: Any) -> Any:
        result, pull = fun(*args, **kwargs)
        from ..pytree.partial import Partial

        outs, tree = tree_flatten(result)
        converted, consts = closure_convert(pull, tree.unflatten(outs))
        return result, (Partial(converted), consts, args)

    def backward(held: Any, ct: Any) -> Any:
        pull, consts, args = held
        found = pull(ct, *consts)
        return found if len(args) > 1 or isinstance(found, tuple) else (found,)

    wrapped.defvjp(forward, backward)
    return wrapped


def closure_convert(fun: Callable[..., Any], *example_args: Any) -> tuple[Callable[..., Any], list[Any]]:
    """`fun` as a function that takes the differentiable values it closes over, and these values."""
    leaves, in_tree = tree_flatten(example_args)
    traced = trace_function(
        fun, in_tree, [get_aval(leaf) for leaf in leaves], "closure_convert", example_args
    )
    moved = [isinstance(c, Tracer) and get_aval(c).dtype.kind in "fc" for c in traced.consts]
    hoisted = [const for const, move in zip(traced.consts, moved, strict=True) if move]
    kept = [None if move else const for const, move in zip(traced.consts, moved, strict=True)]
    jaxpr, out_tree = traced.jaxpr, traced.out_tree

    def converted(*args: Any) -> Any:
        count = len(args) - sum(moved)
        given = iter(args[count:])
        consts = [next(given) if move else const for const, move in zip(kept, moved, strict=True)]
        values, tree = tree_flatten(args[:count])
        if tree != in_tree:
            raise TypeError(
                f"closure-converted function called with structure {tree}, but was made for {in_tree}"
            )
        return out_tree.unflatten(jaxpr_as_values(jaxpr, [], *consts, *values))

    return converted, hoisted
