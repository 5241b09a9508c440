"""``custom_vmap`` and ``sequential_vmap``: functions with a rule of their own for ``vmap``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..core import ClosedJaxpr, Primitive, Value, get_aval
from ..primitives.linear import instantiate
from ..pytree.definition import PyTreeDef, tree_flatten
from ..pytree.mapping import tree_map
from .batching import Dim, MappedAxis, move_to
from .custom_calls import resolve_kwargs
from .functions import check_argument, trace_function
from .jvp import jvp_flat, jvp_jaxpr
from .running import kernel, run_compiled
from .signatures import check_function

custom_vmap_call_p = Primitive("custom_vmap_call", multiple_results=True)


class FlatRule(NamedTuple):
    """The rule of a function, for flat lists. It raises ValueError when its results and their flags do not match."""

    rule: Callable[..., Any]
    in_tree: PyTreeDef

    def __call__(
        self, size: int, batched: Sequence[bool], args: Sequence[Value]
    ) -> tuple[list[Value], list[bool]]:
        result = self.rule(size, list(self.in_tree.unflatten(batched)), *self.in_tree.unflatten(args))
        if not isinstance(result, tuple) or len(result) != 2:
            raise ValueError(
                f"The vmap rule {_name(self.rule)} must return a pair, its output and which parts of that are batched; "
                f"got {result!r}"
            )
        (outs, out_tree), (flags, flag_tree) = map(tree_flatten, result)
        if out_tree != flag_tree:
            raise ValueError(
                "structure of output value and output batching specification returned by custom vmap rule "
                f"({_name(self.rule)}) do not match.\nOutput values: {out_tree}\nBatching spec: {flag_tree}"
            )
        return outs, [bool(flag) for flag in flags]


class TangentRule(NamedTuple):
    """The rule of a function's JVP, which takes the primals and then the tangents: the JVP of the rule."""

    primal: Callable[..., Any]

    def __call__(
        self, size: int, batched: Sequence[bool], args: Sequence[Value]
    ) -> tuple[list[Value], list[bool]]:
        count = len(args) // 2
        flags = [a or b for a, b in zip(batched[:count], batched[count:], strict=True)]
        full = [
            move_to(arg, None, 0, size) if wanted and not given else arg
            for arg, given, wanted in zip(args, batched, [*flags, *flags], strict=True)
        ]
        found: list[bool] = []

        def rule(*primals: Value) -> list[Value]:
            outs, found[:] = self.primal(size, flags, primals)
            return outs

        outs, tangents = jvp_flat(rule, full[:count], full[count:])
        return [*outs, *map(instantiate, tangents)], [*found, *found]


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", str(function))


class custom_vmap:
    """A function that ``vmap`` maps by the rule given with `def_vmap`: ``jax.custom_batching.custom_vmap``.

    The rule takes the size of the mapped axis, for each argument which of its arrays are batched (along their first
    axis), and the arguments; it returns the result and, in the same structure, which of its arrays are batched. The
    function can be differentiated forward, not in reverse.

    Raises, when called:
        AttributeError: if there is no rule.
    """

    def __init__(self, fun: Callable[..., Any]) -> None:
        check_function(fun)
        functools.update_wrapper(self, fun)
        self.fun = fun
        self.vmap_rule: Callable[..., Any] | None = None

    def def_vmap(self, vmap_rule: Callable[..., Any]) -> Callable[..., Any]:
        """Set the rule; returned as it is, to serve as a decorator."""
        self.vmap_rule = vmap_rule
        return vmap_rule

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        args = resolve_kwargs(self.fun, args, kwargs)
        if self.vmap_rule is None:
            raise AttributeError(
                f"No batching rule defined for custom_vmap function {_name(self.fun)} using def_vmap."
            )
        leaves, in_tree = tree_flatten(args)
        for leaf in leaves:
            check_argument(leaf)
        traced = trace_function(self.fun, in_tree, [get_aval(leaf) for leaf in leaves], "custom_vmap", args)
        rule = _WithConstants(FlatRule(self.vmap_rule, in_tree), len(traced.consts))
        outs = custom_vmap_call_p.bind(*traced.consts, *leaves, jaxpr=traced.closed(), rule=rule)
        return traced.out_tree.unflatten(outs)


class _WithConstants(NamedTuple):
    """A rule for what is called with the values it closes over first; these are the rule's own affair."""

    rule: FlatRule
    constants: int

    def __call__(self, size: int, batched: Sequence[bool], args: Sequence[Value]) -> Any:
        return self.rule(size, batched[self.constants :], args[self.constants :])


def sequential_vmap(f: Callable[..., Any]) -> custom_vmap:
    """A function that ``vmap`` applies to one example after the other: ``jax.custom_batching.sequential_vmap``."""
    from .map import map as map_in_order

    mapped = custom_vmap(f)

    @mapped.def_vmap
    def rule(axis_size: int, in_batched: Any, *args: Any) -> Any:
        leaves, tree = tree_flatten(args)
        flags = tree_flatten(tuple(in_batched))[0]

        def one(batched: list[Value]) -> Any:
            given = iter(batched)
            return mapped(
                *tree.unflatten(
                    [next(given) if flag else leaf for leaf, flag in zip(leaves, flags, strict=True)]
                )
            )

        outs = map_in_order(one, [leaf for leaf, flag in zip(leaves, flags, strict=True) if flag])
        return outs, tree_map(lambda _: True, outs)

    return mapped


def _batch(
    axis: MappedAxis,
    args: Sequence[Value],
    dims: Sequence[Dim],
    *,
    jaxpr: ClosedJaxpr,
    rule: Callable[..., Any],
) -> tuple[list[Value], list[Dim]]:
    fronts = [arg if dim is None else move_to(arg, dim, 0, axis) for arg, dim in zip(args, dims, strict=True)]
    outs, flags = rule(int(axis), [dim is not None for dim in dims], fronts)
    return outs, [0 if flag else None for flag in flags]


def _jvp(
    primals: Sequence[Value], tangents: Sequence[Any], *, jaxpr: ClosedJaxpr, rule: Callable[..., Any]
) -> tuple[list[Value], list[Value]]:
    both, _ = jvp_jaxpr(jaxpr, (True,) * len(primals), (True,) * len(jaxpr.jaxpr.outvars))
    outs = custom_vmap_call_p.bind(*primals, *map(instantiate, tangents), jaxpr=both, rule=TangentRule(rule))
    return outs[: len(outs) // 2], outs[len(outs) // 2 :]


def _partial_eval(*args: Any, **params: Any) -> list[Value]:
    raise ValueError(
        "Linearization failed to produce known values for all output primals: a custom_vmap function cannot be "
        "differentiated in reverse mode. Give it a custom_vjp or custom_jvp rule."
    )


custom_vmap_call_p.abstract_eval = lambda *avals, jaxpr, **params: jaxpr.out_avals
custom_vmap_call_p.impl = kernel("run_call")
run_compiled(custom_vmap_call_p, lambda params: params["jaxpr"])
custom_vmap_call_p.batch, custom_vmap_call_p.jvp, custom_vmap_call_p.partial_eval = (
    _batch,
    _jvp,
    _partial_eval,
)
