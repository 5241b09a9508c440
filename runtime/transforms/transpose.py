"""Transposition: linear functions run backwards, from cotangents of results to cotangents of arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from ..core import ClosedJaxpr, Value, Var, current_trace, set_current_trace
from ..jaxprs.replay import jaxpr_as_values
from ..primitives.linear import UndefinedPrimal, Zero, add_tangents, instantiate
from ..tracing.staging import trace_to_jaxpr
from .linearize import Linear, TangentTrace


def backward(linear: Linear, cotangents: Sequence[Value | Zero]) -> list[Value | Zero]:
    """Pull the cotangents of the results back to those of the arguments, under the current trace."""
    current_trace().pull_back()
    ct: dict[Var, Value] = {}

    def accumulate(var: Var, value: Value | Zero | None) -> None:
        if value is not None and type(value) is not Zero:
            ct[var] = add_tangents(ct[var], value) if var in ct else value

    for result, cotangent in zip(linear.results, cotangents, strict=True):
        if type(result) is Var:
            accumulate(result, cotangent)
    for eqn in reversed(linear.tape):
        primitive = eqn.primitive
        if primitive.multiple_results:
            if ct.keys().isdisjoint(eqn.outvars):
                continue
            out: Any = [ct.pop(v) if v in ct else Zero(v.aval) for v in eqn.outvars]
        else:
            out = ct.pop(eqn.outvars[0], None)
            if out is None:
                continue
        if primitive.transpose is None:
            raise NotImplementedError(
                f"Transpose rule (for reverse-mode differentiation) for '{primitive}' not implemented"
            )
        operands = eqn.operands
        found = primitive.transpose(
            out, *[UndefinedPrimal(v.aval) if type(v) is Var else v for v in operands], **eqn.params
        )
        for operand, value in zip(operands, found, strict=True):
            if type(operand) is Var:
                accumulate(operand, value)
    return [ct[var] if var in ct else Zero(var.aval) for var in linear.invars]


def transpose_values(
    function: Callable[..., Sequence[Value]],
    args: Sequence[Value | UndefinedPrimal],
    cts: Sequence[Value | Zero],
) -> list[Value | Zero | None]:
    """The transpose of a function that is linear in its undefined arguments, applied to `cts`.

    None for the other arguments.
    """
    parent = current_trace()
    trace = TangentTrace(parent)
    values: list[Any] = [trace.new_arg(arg.aval) if type(arg) is UndefinedPrimal else arg for arg in args]
    with set_current_trace(trace):
        results = function(*values)
    invars = [value.atom for value, arg in zip(values, args, strict=True) if type(arg) is UndefinedPrimal]
    outs = [result.atom if trace.is_unknown(result) else result for result in results]
    found = iter(backward(Linear(invars, trace.tape, outs), cts))
    return [next(found) if type(arg) is UndefinedPrimal else None for arg in args]


Mask: TypeAlias = tuple[bool, ...]

_cache: WeakKeyDictionary[ClosedJaxpr, dict[tuple[Mask, Mask, Mask], tuple[ClosedJaxpr, Mask]]] = (
    WeakKeyDictionary()
)


def transpose_jaxpr(
    closed: ClosedJaxpr, linear: Mask, nonzero: Mask, wanted: Mask | None = None
) -> tuple[ClosedJaxpr, Mask]:
    """The transpose of a jaxpr in its `linear` arguments, as a jaxpr.

    It takes the other arguments and then the cotangents of those results for which they are `nonzero`; it returns the
    cotangents of the linear arguments, except those known to be zero and not `wanted`. The mask tells which.
    """
    wanted = wanted or (False,) * sum(linear)
    known = _cache.setdefault(closed, {})
    key = linear, nonzero, wanted
    if key in known:
        return known[key]
    in_avals, out_avals = closed.in_avals, closed.out_avals
    avals = [aval for aval, undefined in zip(in_avals, linear, strict=True) if not undefined]
    ct_avals = [aval.to_tangent_aval() for aval, live in zip(out_avals, nonzero, strict=True) if live]
    nonzero_out: Mask = ()

    def function(*values: Value) -> list[Value]:
        nonlocal nonzero_out
        given = iter(values)
        args = [
            UndefinedPrimal(aval) if undefined else next(given)
            for aval, undefined in zip(in_avals, linear, strict=True)
        ]
        cts = [next(given) if live else Zero(aval) for aval, live in zip(out_avals, nonzero, strict=True)]
        found = transpose_values(lambda *vs: jaxpr_as_values(closed.jaxpr, closed.consts, *vs), args, cts)
        outs: list[Any] = [ct for ct, undefined in zip(found, linear, strict=True) if undefined]
        nonzero_out = tuple(w or type(ct) is not Zero for ct, w in zip(outs, wanted, strict=True))
        return [instantiate(ct) for ct, live in zip(outs, nonzero_out, strict=True) if live]

    jaxpr, consts = trace_to_jaxpr(function, [*avals, *ct_avals], closed.jaxpr.debug_info)
    known[key] = result = ClosedJaxpr(jaxpr, consts), nonzero_out
    return result
