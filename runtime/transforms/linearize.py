"""Linearization: a function's value, and its derivative as a tape of linear equations.

`TangentTrace` evaluates what does not depend on the tangents under the trace outside, and writes down the rest: linear
equations, whose other operands are the values just computed. `JVPTrace` on top of it linearizes a function; see
`transpose` for what runs the tape backwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..core import (
    ClosedJaxpr,
    Jaxpr,
    JaxprEqn,
    Literal,
    Params,
    Primitive,
    ShapedArray,
    Trace,
    Tracer,
    Value,
    Var,
    current_trace,
    get_aval,
    set_current_trace,
)
from ..jaxprs.replay import jaxpr_as_values
from ..tracing.staging import DynamicJaxprTracer, JaxprTrace
from .jvp import JVPTrace, JVPTracer


class TangentTracer(Tracer):
    """A value that depends on the tangents of the function being linearized."""

    __slots__ = ("atom",)
    _trace: TangentTrace

    def __init__(self, trace: TangentTrace, var: Var) -> None:
        self._trace, self.atom, self.aval = trace, var, var.aval


def identity(value: Value) -> int:
    """A number that tells values apart. Tracers are made anew for the same variable, so the variable counts."""
    return id(value.atom if type(value) in (DynamicJaxprTracer, TangentTracer) else value)


class LinearEqn(NamedTuple):
    """A linear equation: the operands that depend on tangents are variables, the others are values."""

    primitive: Primitive
    params: Params
    operands: list[Value | Var]
    outvars: list[Var]


class TangentTrace(Trace):
    """Computes what is known, and writes down what depends on tangents."""

    __slots__ = ("parent", "tape")

    def __init__(self, parent: Trace) -> None:
        self.parent = parent
        self.tape: list[LinearEqn] = []

    def stage_value(self, value: Value) -> Value:
        return value if isinstance(value, Tracer) else self.parent.stage_value(value)

    def selects(self, mask: Value, x: Value) -> bool:
        return self.parent.selects(mask, x)

    def new_arg(self, aval: ShapedArray) -> TangentTracer:
        return TangentTracer(self, Var(aval))

    def writes_down(self, tangent: Any) -> bool:
        return self.is_unknown(tangent)

    def is_unknown(self, value: Value) -> bool:
        return type(value) is TangentTracer and value._trace is self

    def process_primitive(self, primitive: Primitive, args: Sequence[Value], params: Params) -> Any:
        for arg in args:
            if type(arg) is TangentTracer and arg._trace is self:
                break
        else:
            return self.evaluate(primitive, args, params)
        if primitive.partial_eval is None:
            return self.record(primitive, args, params)
        with set_current_trace(self.parent):
            return primitive.partial_eval(self, [self.is_unknown(arg) for arg in args], args, **params)

    def evaluate(self, primitive: Primitive, args: Sequence[Value], params: Params) -> Any:
        """Apply the primitive under the trace outside."""
        with set_current_trace(self.parent):
            return self.parent.process_primitive(primitive, args, params)

    def record(self, primitive: Primitive, args: Sequence[Value], params: Params) -> Any:
        """Write the application down."""
        avals = tuple([get_aval(arg) for arg in args])
        out: Any = primitive.known_avals.get(avals) if not params else None
        if out is None:
            out = primitive.abstract_eval(*avals, **params)
        operands = [a.atom if type(a) is TangentTracer and a._trace is self else a for a in args]
        if primitive.multiple_results:
            outvars = [Var(aval) for aval in out]
            self.tape.append(LinearEqn(primitive, params, operands, outvars))
            return [TangentTracer(self, var) for var in outvars]
        var = Var(out)
        self.tape.append(LinearEqn(primitive, params, operands, [var]))
        return TangentTracer(self, var)


class Linear(NamedTuple):
    """A linear function: from `invars` through `tape` to the results, variables or values; None for zero."""

    invars: list[Var]
    tape: list[LinearEqn]
    results: list[Var | Value | None]

    def pruned(self) -> list[LinearEqn]:
        """The equations on which results depend."""
        needed = {result for result in self.results if type(result) is Var}
        kept = []
        for eqn in reversed(self.tape):
            if not needed.isdisjoint(eqn.outvars):
                kept.append(eqn)
                needed.update(v for v in eqn.operands if type(v) is Var)
        return kept[::-1]

    def to_jaxpr(self) -> tuple[Jaxpr, list[Value]]:
        """The function as a jaxpr that takes residuals and then `invars`, and the values of the residuals.

        Every result must be a variable or a value.
        """
        residuals: dict[int, tuple[Var, Value]] = {}

        def atom(operand: Any) -> Any:
            if type(operand) is Var or type(operand) is Literal:
                return operand
            aval = get_aval(operand)
            if type(operand) in (bool, int, float, complex):
                return Literal(operand, aval)
            return residuals.setdefault(identity(operand), (Var(aval), operand))[0]

        eqns = [
            JaxprEqn([atom(v) for v in eqn.operands], eqn.outvars, eqn.primitive, eqn.params)
            for eqn in self.pruned()
        ]
        results = [atom(result) for result in self.results]
        held = list(residuals.values())
        return Jaxpr([], [var for var, _ in held] + self.invars, results, eqns), [value for _, value in held]


def linearize_flat(
    function: Callable[..., Sequence[Value]], primals: Sequence[Value], wanted: Sequence[bool]
) -> tuple[list[Value], Linear]:
    """Evaluate a function of flat lists, and its derivative with respect to the `wanted` primals."""
    parent = current_trace()
    tangents = TangentTrace(parent)
    trace = JVPTrace(tangents)
    args, invars = [], []
    for primal, live in zip(primals, wanted, strict=True):
        if live:
            tangent = tangents.new_arg(get_aval(primal).to_tangent_aval())
            invars.append(tangent.atom)
            args.append(trace.pair(primal, tangent))
        else:
            args.append(primal)
    with set_current_trace(trace):
        results = function(*args)
    outs, out_tangents = [], []
    for result in results:
        if type(result) is JVPTracer and result._trace is trace:
            tangent = result.tangent
            outs.append(result.primal)
            out_tangents.append(tangent.atom if tangents.is_unknown(tangent) else tangent)
        else:
            outs.append(result)
            out_tangents.append(None)
    return outs, Linear(invars, tangents.tape, out_tangents)


class PartialJaxpr(NamedTuple):
    """A jaxpr in two parts: what can be computed from the known arguments, and the rest."""

    known: ClosedJaxpr
    """From the known arguments to the known results, and then the residuals."""
    unknown: ClosedJaxpr
    """From the residuals and the unknown arguments to the unknown results."""
    unknown_out: tuple[bool, ...]
    residual_avals: list[ShapedArray]


def split_jaxpr(
    closed: ClosedJaxpr, unknown: Sequence[bool], wanted: Sequence[bool] | None = None
) -> PartialJaxpr:
    """Divide a jaxpr by which of its arguments are `unknown`. Results that are `wanted` count as unknown."""
    wanted = wanted or [False] * len(closed.jaxpr.outvars)
    staged = JaxprTrace(closed.jaxpr.debug_info)
    trace = TangentTrace(staged)
    args = [
        trace.new_arg(aval) if hidden else staged.new_arg(aval)
        for aval, hidden in zip(closed.in_avals, unknown, strict=True)
    ]
    with set_current_trace(trace):
        results = jaxpr_as_values(closed.jaxpr, closed.consts, *args)
    unknown_out = tuple(w or trace.is_unknown(r) for r, w in zip(results, wanted, strict=True))
    linear = Linear(
        [arg.atom for arg in args if type(arg) is TangentTracer],
        trace.tape,
        [
            r.atom if trace.is_unknown(r) else r
            for r, hidden in zip(results, unknown_out, strict=True)
            if hidden
        ],
    )
    unknown_jaxpr, residuals = linear.to_jaxpr()
    outs = [result for result, hidden in zip(results, unknown_out, strict=True) if not hidden]
    known_jaxpr, consts = staged.to_jaxpr(outs + residuals)
    return PartialJaxpr(
        ClosedJaxpr(known_jaxpr, consts),
        ClosedJaxpr(unknown_jaxpr),
        unknown_out,
        [get_aval(r) for r in residuals],
    )
