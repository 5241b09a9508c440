"""Calls of functions that bring derivative rules: what ``custom_jvp`` and ``custom_vjp`` have in common.

Such a call passes through the traces outside of it unopened, until one of them differentiates and asks for its rules.
"""

from __future__ import annotations

import functools
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple, TypeAlias

from ..core import ClosedJaxpr, Value, current_trace, get_aval, make_current, set_current_trace
from ..jaxprs.discharge import HigherOrderPrimitive
from ..jaxprs.replay import jaxpr_as_values
from ..primitives.linear import Zero
from ..pytree.definition import PyTreeDef, tree_flatten
from ..tracing.scopes import CompileTimeTrace
from ..tracing.staging import DebugInfo, JaxprTrace, trace_to_jaxpr
from .batching import BatchTrace, Dim, MappedAxis, batch_flat, batch_jaxpr, to_front
from .functions import check_argument, check_result
from .jvp import JVPTrace
from .linearize import TangentTrace
from .running import kernel
from .sharding import ShardMapTrace
from .signatures import leaf_names, name_of, source_of

Flat: TypeAlias = Callable[..., Sequence[Value]]

# ------------------------------------------------------------------------------------------------ arguments


def nondiff_positions(
    fun: Callable[..., Any], numbers: Sequence[int], names: Sequence[str]
) -> tuple[int, ...]:
    """The positions of the arguments that are set apart, by number or by name."""
    order = list(inspect.signature(fun).parameters) if names else []
    return tuple(sorted({*numbers, *(order.index(name) for name in names)}))


class Arguments(NamedTuple):
    """The arguments of a call without their leaves: those that are set apart, by position, and the tree of the others.

    Rules hold this, and jaxprs hold rules: leaves in here would outlive their trace.
    """

    static: dict[int, Any]
    total: int
    tree: PyTreeDef

    @staticmethod
    def of(nondiff: Sequence[int], args: Sequence[Any]) -> tuple[Arguments, list[Value]]:
        """The arguments, and their leaves. Raises TypeError for a leaf that is no array."""
        static = {n % len(args): args[n % len(args)] for n in nondiff}
        leaves, tree = tree_flatten(tuple(arg for i, arg in enumerate(args) if i not in static))
        for leaf in leaves:
            check_argument(leaf)
        return Arguments(static, len(args), tree), leaves

    def with_leaves(self, values: Sequence[Any]) -> list[Any]:
        """All arguments in order."""
        rest = iter(self.tree.unflatten(values))
        return [self.static[i] if i in self.static else next(rest) for i in range(self.total)]


def resolve_kwargs(fun: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """All arguments by position, defaults included. Raises TypeError for those passed that have none."""
    code = getattr(fun, "__code__", None)
    if not kwargs and code is not None and len(args) == code.co_argcount:
        return tuple(args)
    try:
        bound = inspect.signature(fun).bind(*args, **kwargs)
    except ValueError:
        return tuple(args)
    bound.apply_defaults()
    passed = [
        name for name in bound.kwargs if name in kwargs
    ]  # Defaults of the others are left to the function.
    if passed:
        raise TypeError(
            f"The following keyword arguments could not be resolved to positions: {', '.join(passed)}"
        )
    return bound.args


class FlatFunction:
    """A function of the leaves of its arguments, to the leaves of its result, whose structure `trees` ends with."""

    def __init__(
        self, fun: Callable[..., Any], args: Sequence[Any], arguments: Arguments, traced_for: str
    ) -> None:
        self._fun, self._arguments = fun, arguments
        self.info = DebugInfo(traced_for, source_of(fun), leaf_names(fun, args, {}))
        self.trees: list[PyTreeDef] = []

    def __call__(self, *values: Value) -> list[Value]:
        result = self._fun(*self._arguments.with_leaves(values))
        outs, out_tree = tree_flatten(result)
        for out in outs:
            check_result(out, result, self.info)
        self.trees.append(out_tree)
        return outs


class CustomFunction(ABC):
    """A function and its derivative rules, called as the function is."""

    traced_for: ClassVar[str]

    def __init__(
        self,
        fun: Callable[..., Any],
        nondiff_argnums: Sequence[int] = (),
        nondiff_argnames: Sequence[str] = (),
    ) -> None:
        functools.update_wrapper(self, fun)
        self.fun = fun
        self.nondiff_argnums = nondiff_positions(fun, nondiff_argnums, nondiff_argnames)
        self.symbolic_zeros = False

    @abstractmethod
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function so that transforms outside find its rules."""

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def flattened(
        self, args: Sequence[Any], kwargs: dict[str, Any]
    ) -> tuple[Arguments, list[Value], FlatFunction, dict[str, Any]]:
        """The arguments of a call and their leaves, the function of these, and what jaxprs show of it."""
        args = resolve_kwargs(self.fun, args, kwargs)
        arguments, leaves = Arguments.of(self.nondiff_argnums, args)
        labels = {"name": name_of(self.fun), "symbolic_zeros": self.symbolic_zeros}
        return arguments, leaves, FlatFunction(self.fun, args, arguments, self.traced_for), labels


# ------------------------------------------------------------------------------------------------ calls


class CustomCall(HigherOrderPrimitive):
    """The primitive of such calls.

    `differentiate(rules, primals, tangents)` gives the results and their tangents; `map_rules(rules, axis, dims)` gives
    the rules of the function mapped over `axis`, whose results have it in front.
    """

    def __init__(self, name: str, differentiate: Callable[..., Any], map_rules: Callable[..., Any]) -> None:
        super().__init__(name, multiple_results=True)
        self._differentiate, self._map_rules = differentiate, map_rules
        self.abstract_eval = lambda *avals, call_jaxpr, **params: call_jaxpr.out_avals
        self.impl = lambda *args, call_jaxpr, **params: kernel("run_call")(*args, jaxpr=call_jaxpr)
        self.jvp, self.batch, self.partial_eval = self._jvp, self._batch, self._partial_eval

    def apply(
        self, function: Flat, rules: Any, args: Sequence[Value], info: DebugInfo, labels: dict[str, Any]
    ) -> list[Value]:
        """Call a flat function so that transforms outside find its rules. Concrete values stay concrete."""
        trace = current_trace()
        if isinstance(trace, CompileTimeTrace):
            with set_current_trace(trace.chosen(args)):
                return self.apply(function, rules, args, info, labels)
        if isinstance(trace, JaxprTrace):
            jaxpr, consts = trace_to_jaxpr(function, [get_aval(arg) for arg in args], info)
            closed = ClosedJaxpr(jaxpr.replace(constvars=[], invars=[*jaxpr.constvars, *jaxpr.invars]))
            outs: list[Value] = self.bind(
                *consts, *args, call_jaxpr=closed, rules=rules, num_consts=len(consts), labels=labels
            )
            return outs
        if isinstance(trace, ShardMapTrace):
            with set_current_trace(trace.parent):
                inner = [trace.unbox(arg) for arg in args]
                outs = self.apply(trace.within(function), rules, inner, info, labels)
            return [trace.box(out) for out in outs]
        if isinstance(trace, JVPTrace):
            primals, tangents = _unzip(map(trace.split, args))
            with set_current_trace(trace.parent):
                if all(type(t) is Zero for t in tangents):
                    return self.apply(function, rules, primals, info, labels)
                outs, dots = self._differentiate(rules, primals, tangents)
            return [trace.pair(*both) for both in zip(outs, dots, strict=True)]
        if isinstance(trace, BatchTrace):
            values, dims = _unzip(map(trace.split, args))
            with set_current_trace(trace.parent):
                if all(dim is None for dim in dims):
                    return self.apply(function, rules, values, info, labels)
                mapped_rules = self._map_rules(rules, trace.axis, dims)
                outs = self.apply(_mapped(function, trace.axis, dims), mapped_rules, values, info, labels)
            return [trace.box(out, 0) for out in outs]
        if isinstance(trace, TangentTrace) and not any(map(trace.is_unknown, args)):
            with set_current_trace(trace.parent):
                return self.apply(function, rules, args, info, labels)
        return list(function(*args))

    def _jvp(
        self, primals: Sequence[Value], tangents: Sequence[Any], *, rules: Any, num_consts: int, **params: Any
    ) -> Any:
        return self._differentiate(rules, primals[num_consts:], tangents[num_consts:])

    def _batch(
        self,
        axis: MappedAxis,
        args: Sequence[Value],
        dims: Sequence[Dim],
        *,
        call_jaxpr: ClosedJaxpr,
        rules: Any,
        num_consts: int,
        **params: Any,
    ) -> tuple[list[Value], list[Dim]]:
        fronts = [
            arg if dim is None else to_front(arg, dim, axis) for arg, dim in zip(args, dims, strict=True)
        ]
        batched = tuple(dim is not None for dim in dims)
        mapped, _ = batch_jaxpr(call_jaxpr, axis, batched, (True,) * len(call_jaxpr.jaxpr.outvars))
        front_dims: list[Dim] = [0 if on else None for on in batched[num_consts:]]
        mapped_rules = self._map_rules(rules, axis, front_dims)
        outs = self.bind(*fronts, call_jaxpr=mapped, rules=mapped_rules, num_consts=num_consts, **params)
        return outs, [0] * len(outs)

    @staticmethod
    def _partial_eval(
        trace: TangentTrace,
        unknown: Sequence[bool],
        args: Sequence[Value],
        *,
        call_jaxpr: ClosedJaxpr,
        **params: Any,
    ) -> list[Value]:
        make_current(trace)
        return jaxpr_as_values(call_jaxpr.jaxpr, call_jaxpr.consts, *args)


def _unzip(pairs: Any) -> tuple[Sequence[Any], Sequence[Any]]:
    firsts, seconds = [], []
    for first, second in pairs:
        firsts.append(first)
        seconds.append(second)
    return firsts, seconds


def _mapped(function: Flat, axis: MappedAxis, dims: Sequence[Dim]) -> Flat:
    """The function mapped over an axis, which its results have in front."""

    def mapped(*values: Value) -> list[Value]:
        outs, out_dims = batch_flat(function, axis, values, dims)
        return [to_front(out, dim, axis) for out, dim in zip(outs, out_dims, strict=True)]

    return mapped
