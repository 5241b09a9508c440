"""``custom_jvp``: functions with a JVP rule that the user writes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ..core import (
    ClosedJaxpr,
    JaxprEqn,
    Params,
    Primitive,
    ShapedArray,
    Value,
    context,
    get_aval,
    set_current_trace,
)
from ..linear import Zero, instantiate
from ..pytree.definition import PyTreeDef, tree_flatten
from ..pytree.mapping import tree_map
from ..replay import jaxpr_as_values
from ..scopes import CompileTimeTrace
from ..signatures import leaf_names, name_of, source_of
from ..staging import DebugInfo, JaxprTrace, trace_to_jaxpr
from .batching import BatchTrace, Dim, MappedAxis, batch_flat, batch_jaxpr, to_front
from .functions import check_argument, check_result
from .jvp import JVPTrace
from .linearize import TangentTrace
from .running import kernel
from .sharding import ShardMapTrace

Flat: TypeAlias = Callable[..., Sequence[Value]]
Rule = Callable[[Sequence[Value], Sequence[Value | Zero]], tuple[list[Value], list[Value | Zero]]]


class SymbolicZero:
    """A tangent that is zero, as rules defined with ``symbolic_zeros=True`` see it."""

    def __init__(self, aval: ShapedArray) -> None:
        self.aval = aval

    shape = property(lambda self: self.aval.shape)
    dtype = property(lambda self: self.aval.dtype)
    ndim = property(lambda self: self.aval.ndim)


class custom_jvp:
    """A function whose derivative is given by a rule.

        @jax.custom_jvp
        def f(x, y): ...

        @f.defjvp
        def f_jvp(primals, tangents): return f(*primals), ...

    Arguments at `nondiff_argnums` need not be arrays; the rule gets them before primals and tangents.
    """

    def __init__(
        self,
        fun: Callable[..., Any],
        nondiff_argnums: Sequence[int] = (),
        nondiff_argnames: Sequence[str] = (),
    ) -> None:
        functools.update_wrapper(self, fun)
        self.fun = fun
        names = list(inspect.signature(fun).parameters) if nondiff_argnames else []
        self.nondiff_argnums = tuple(
            sorted({*nondiff_argnums, *(names.index(name) for name in nondiff_argnames)})
        )
        self.jvp: Callable[..., Any] | None = None
        self.symbolic_zeros = False

    def defjvp(self, jvp: Callable[..., Any], symbolic_zeros: bool = False) -> Callable[..., Any]:
        """Define the rule: ``jvp(primals, tangents)`` gives the result and its tangent."""
        self.jvp, self.symbolic_zeros = jvp, symbolic_zeros
        return jvp

    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Define a rule for each argument: ``jvp(tangent, result, *primals)``; None where there is no dependence."""
        if self.nondiff_argnums:
            raise TypeError("Can't use ``defjvps`` with ``nondiff_argnums``.")

        def jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
            from ..numpy import add, zeros_like

            out = self(*primals)
            parts = [
                rule(t, out, *primals) for rule, t in zip(jvps, tangents, strict=True) if rule is not None
            ]
            return out, tree_map(lambda *ts: functools.reduce(add, ts), *parts) if parts else tree_map(
                zeros_like, out
            )

        self.defjvp(jvp)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.jvp is None:
            raise AttributeError(f"No JVP defined for custom_jvp function {name_of(self.fun)} using defjvp.")
        args = resolve_kwargs(self.fun, args, kwargs)
        static = {n % len(args): args[n % len(args)] for n in self.nondiff_argnums}
        leaves, in_tree = tree_flatten(tuple(arg for i, arg in enumerate(args) if i not in static))
        for leaf in leaves:
            check_argument(leaf)
        trees: list[PyTreeDef] = []
        info = DebugInfo("custom_jvp fun", source_of(self.fun), leaf_names(self.fun, args, {}))

        def flat(*values: Value) -> list[Value]:
            result = self.fun(*with_static(static, len(args), in_tree.unflatten(values)))
            outs, out_tree = tree_flatten(result)
            for out in outs:
                check_result(out, result, info)
            trees.append(out_tree)
            return outs

        def rule(primals: Sequence[Value], tangents: Sequence[Value | Zero]) -> Any:
            stage = context.trace.stage_value
            given = [_symbolic(t) if self.symbolic_zeros else stage(instantiate(t)) for t in tangents]
            points = in_tree.unflatten([stage(p) for p in primals])
            pair = self.jvp(*static.values(), points, in_tree.unflatten(given))  # type: ignore[misc]
            outs, out_tangents, out_tree = _checked(pair, name_of(self.jvp), name_of(self.fun))
            trees.append(out_tree)
            return outs, out_tangents

        outs = apply_custom_jvp(
            flat,
            rule,
            leaves,
            info,
            {"name": name_of(self.fun), "rule": self.jvp, "symbolic_zeros": self.symbolic_zeros},
        )
        return trees[-1].unflatten(outs)


def resolve_kwargs(fun: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """All arguments by position, defaults included. Raises TypeError for those that have none."""
    code = getattr(fun, "__code__", None)
    if not kwargs and code is not None and len(args) == code.co_argcount:
        return tuple(args)
    try:
        bound = inspect.signature(fun).bind(*args, **kwargs)
    except ValueError:
        return tuple(args)
    bound.apply_defaults()
    if bound.kwargs:
        raise TypeError(
            f"The following keyword arguments could not be resolved to positions: {', '.join(bound.kwargs)}"
        )
    return bound.args


def with_static(static: dict[int, Any], count: int, traced: Sequence[Any]) -> list[Any]:
    """All arguments, in order."""
    rest = iter(traced)
    return [static[i] if i in static else next(rest) for i in range(count)]


def _symbolic(tangent: Value | Zero) -> Any:
    return SymbolicZero(tangent.aval) if type(tangent) is Zero else tangent


def _checked(pair: Any, rule: str, function: str) -> tuple[list[Value], list[Value | Zero], PyTreeDef]:
    if not isinstance(pair, (list, tuple)) or len(pair) != 2:
        raise TypeError(
            f"Custom JVP rule {rule} for function {function} must produce a pair (list or tuple of length two) "
            f"representing primal and tangent outputs, but got {pair!r}."
        )
    outs, out_tree = tree_flatten(pair[0])
    tangents, tangent_tree = tree_flatten(pair[1])
    if out_tree != tangent_tree:
        raise TypeError(
            f"Custom JVP rule {rule} for function {function} must produce primal and tangent outputs with equal container "
            f"(pytree) structures, but got {out_tree} and {tangent_tree} respectively."
        )
    checked: list[Value | Zero] = []
    for out, tangent in zip(outs, tangents, strict=True):
        expected = get_aval(out).to_tangent_aval()
        if isinstance(tangent, SymbolicZero) or expected.dtype.kind == "V":
            checked.append(Zero(expected))
            continue
        given = get_aval(tangent)
        if given.shape != expected.shape or given.dtype is not expected.dtype:
            raise TypeError(
                "Custom JVP rule must produce primal and tangent outputs with corresponding shapes and dtypes. "
                f"Expected {expected.str_short()} (tangent type of {get_aval(out).str_short()}) but got "
                f"{given.str_short()} from {rule}, the rule of {function}."
            )
        checked.append(tangent)
    return outs, checked, out_tree


# ------------------------------------------------------------------------------------------------ under each trace

custom_jvp_call_p = Primitive("custom_jvp_call", multiple_results=True)


def apply_custom_jvp(
    function: Flat, rule: Rule, args: Sequence[Value], info: DebugInfo, labels: dict[str, Any]
) -> list[Value]:
    """Call a flat function so that transforms outside find its rule. Concrete values stay concrete."""
    trace = context.trace
    if isinstance(trace, CompileTimeTrace):
        with set_current_trace(trace.chosen(args)):
            return apply_custom_jvp(function, rule, args, info, labels)
    if isinstance(trace, ShardMapTrace):
        with set_current_trace(trace.parent):
            outs = apply_custom_jvp(
                trace.within(function), rule, [trace.unbox(arg) for arg in args], info, labels
            )
        return [trace.box(out) for out in outs]
    if isinstance(trace, JaxprTrace):
        jaxpr, consts = trace_to_jaxpr(function, [get_aval(arg) for arg in args], info)
        closed = ClosedJaxpr(jaxpr.replace(constvars=[], invars=[*jaxpr.constvars, *jaxpr.invars]))
        return custom_jvp_call_p.bind(
            *consts, *args, call_jaxpr=closed, jvp=rule, num_consts=len(consts), labels=labels
        )
    if isinstance(trace, JVPTrace):
        primals, tangents = zip(*map(trace.split, args), strict=True) if args else ((), ())
        context.trace = trace.parent
        try:
            if all(type(t) is Zero for t in tangents):
                return apply_custom_jvp(function, rule, primals, info, labels)
            outs, out_tangents = rule(primals, tangents)
        finally:
            context.trace = trace
        return [trace.pair(*both) for both in zip(outs, out_tangents, strict=True)]
    if isinstance(trace, BatchTrace):
        values, dims = zip(*map(trace.split, args), strict=True) if args else ((), ())
        context.trace = trace.parent
        try:
            if all(dim is None for dim in dims):
                return apply_custom_jvp(function, rule, values, info, labels)
            axis = trace.axis
            outs = apply_custom_jvp(
                _batched(function, axis, dims), _batched_rule(rule, axis, dims), values, info, labels
            )
        finally:
            context.trace = trace
        return [trace.box(out, 0) for out in outs]
    if isinstance(trace, TangentTrace) and not any(map(trace.is_unknown, args)):
        context.trace = trace.parent
        try:
            return apply_custom_jvp(function, rule, args, info, labels)
        finally:
            context.trace = trace
    return list(function(*args))


def _batched(function: Flat, axis: MappedAxis, dims: Sequence[Dim]) -> Flat:
    def batched(*values: Value) -> list[Value]:
        outs, out_dims = batch_flat(function, axis, values, dims)
        return [to_front(out, dim, axis) for out, dim in zip(outs, out_dims, strict=True)]

    return batched


def _batched_rule(rule: Rule, axis: MappedAxis, dims: Sequence[Dim]) -> Rule:
    def batched(primals: Sequence[Value], tangents: Sequence[Value | Zero]) -> Any:
        count = len(primals)
        zero = [type(t) is Zero for t in tangents]
        live: list[bool] = []

        def both(*values: Value) -> list[Value]:
            given = iter(values[count:])
            dots = [
                Zero(get_aval(p).to_tangent_aval()) if z else next(given)
                for p, z in zip(values[:count], zero, strict=True)
            ]
            outs, out_tangents = rule(values[:count], dots)
            live.extend(type(t) is not Zero for t in out_tangents)
            return [*outs, *[t for t in out_tangents if type(t) is not Zero]]

        dots = [t for t in tangents if type(t) is not Zero]
        dot_dims = [dim for dim, z in zip(dims, zero, strict=True) if not z]
        outs, out_dims = batch_flat(both, axis, [*primals, *dots], [*dims, *dot_dims])
        fronts = [to_front(out, dim, axis) for out, dim in zip(outs, out_dims, strict=True)]
        given = iter(fronts[len(live) :])
        return fronts[: len(live)], [
            next(given) if on else Zero(get_aval(out).to_tangent_aval())
            for out, on in zip(fronts, live, strict=False)
        ]

    return batched


# ------------------------------------------------------------------------------------------------ in jaxprs


def _jvp(
    primals: Sequence[Value], tangents: Sequence[Any], *, jvp: Rule, num_consts: int, **params: Any
) -> tuple[list[Value], list[Any]]:
    return jvp(primals[num_consts:], tangents[num_consts:])


def _batch(
    axis: MappedAxis,
    args: Sequence[Value],
    dims: Sequence[Dim],
    *,
    call_jaxpr: ClosedJaxpr,
    jvp: Rule,
    num_consts: int,
    **params: Any,
) -> tuple[list[Value], list[Dim]]:
    fronts = [arg if dim is None else to_front(arg, dim, axis) for arg, dim in zip(args, dims, strict=True)]
    batched = tuple(dim is not None for dim in dims)
    mapped, _ = batch_jaxpr(call_jaxpr, axis, batched, (True,) * len(call_jaxpr.jaxpr.outvars))
    front_dims: list[Dim] = [0 if on else None for on in batched[num_consts:]]
    outs = custom_jvp_call_p.bind(
        *fronts, call_jaxpr=mapped, jvp=_batched_rule(jvp, axis, front_dims), num_consts=num_consts, **params
    )
    return outs, [0] * len(outs)


def _partial_eval(
    trace: TangentTrace,
    unknown: Sequence[bool],
    args: Sequence[Value],
    *,
    call_jaxpr: ClosedJaxpr,
    **params: Any,
) -> list[Value]:
    context.trace = trace
    return jaxpr_as_values(call_jaxpr.jaxpr, call_jaxpr.consts, *args)


def _pretty(eqn: JaxprEqn) -> Params:
    labels = eqn.params["labels"]
    return {
        "name": labels["name"],
        "call_jaxpr": eqn.params["call_jaxpr"],
        "jvp": name_of(labels["rule"]),
        "symbolic_zeros": labels["symbolic_zeros"],
    }


custom_jvp_call_p.abstract_eval = lambda *avals, call_jaxpr, **params: call_jaxpr.out_avals
custom_jvp_call_p.impl = lambda *args, call_jaxpr, **params: kernel("run_call")(*args, jaxpr=call_jaxpr)
custom_jvp_call_p.jvp = _jvp
custom_jvp_call_p.batch = _batch
custom_jvp_call_p.partial_eval = _partial_eval
custom_jvp_call_p.pretty = _pretty
