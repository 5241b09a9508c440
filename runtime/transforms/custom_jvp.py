"""``custom_jvp``: functions with a JVP rule that the user writes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..core import JaxprEqn, Params, ShapedArray, Value, current_trace, get_aval
from ..primitives.linear import Zero, instantiate
from ..pytree.definition import PyTreeDef, tree_flatten
from ..pytree.mapping import tree_map
from .batching import Dim, MappedAxis, batch_flat, to_front
from .custom_calls import CustomCall, CustomFunction
from .signatures import name_of

Rule = Callable[[Sequence[Value], Sequence[Value | Zero]], tuple[list[Value], list[Value | Zero]]]


class SymbolicZero:
    """A tangent that is zero, as rules defined with ``symbolic_zeros=True`` see it."""

    def __init__(self, aval: ShapedArray) -> None:
        self.aval = aval

    shape = property(lambda self: self.aval.shape)
    dtype = property(lambda self: self.aval.dtype)
    ndim = property(lambda self: self.aval.ndim)


class custom_jvp(CustomFunction):
    """A function whose derivative is given by a rule.

        @jax.custom_jvp
        def f(x, y): ...

        @f.defjvp
        def f_jvp(primals, tangents): return f(*primals), ...

    Arguments at `nondiff_argnums` need not be arrays; the rule gets them before primals and tangents.
    """

    traced_for = "custom_jvp fun"

    def __init__(
        self,
        fun: Callable[..., Any],
        nondiff_argnums: Sequence[int] = (),
        nondiff_argnames: Sequence[str] = (),
    ) -> None:
        super().__init__(fun, nondiff_argnums, nondiff_argnames)
        self.jvp: Callable[..., Any] | None = None

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

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.jvp is None:
            raise AttributeError(f"No JVP defined for custom_jvp function {name_of(self.fun)} using defjvp.")
        arguments, leaves, flat, labels = self.flattened(args, kwargs)
        in_tree = arguments.tree

        def rule(primals: Sequence[Value], tangents: Sequence[Value | Zero]) -> Any:
            stage = current_trace().stage_value
            given = [_symbolic(t) if self.symbolic_zeros else stage(instantiate(t)) for t in tangents]
            # Integers may be static to what the rule calls.
            points = in_tree.unflatten([p if type(p) in (int, bool) else stage(p) for p in primals])
            pair = self.jvp(*arguments.static.values(), points, in_tree.unflatten(given))  # type: ignore[misc]
            outs, out_tangents, out_tree = _checked(pair, name_of(self.jvp), name_of(self.fun))
            flat.trees.append(out_tree)
            return outs, out_tangents

        labels |= {"rule": self.jvp}
        outs = custom_jvp_call_p.apply(flat, rule, leaves, flat.info, labels)
        return flat.trees[-1].unflatten(outs)


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


# ------------------------------------------------------------------------------------------------ the primitive


def _differentiate(
    rule: Rule, primals: Sequence[Value], tangents: Sequence[Value | Zero]
) -> tuple[list[Value], list[Value | Zero]]:
    return rule(primals, tangents)


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


def _pretty(eqn: JaxprEqn) -> Params:
    labels = eqn.params["labels"]
    return {
        "name": labels["name"],
        "call_jaxpr": eqn.params["call_jaxpr"],
        "jvp": name_of(labels["rule"]),
        "symbolic_zeros": labels["symbolic_zeros"],
    }


custom_jvp_call_p = CustomCall("custom_jvp_call", _differentiate, _batched_rule)
custom_jvp_call_p.pretty = _pretty
