"""Forward-mode differentiation: each value carries its tangent (Jacobian-vector products)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from ..arrays.array import asarray
from ..arrays.avals import AbstractValue
from ..core import (
    Array,
    ClosedJaxpr,
    Params,
    Primitive,
    Trace,
    Tracer,
    Value,
    current_trace,
    get_aval,
    set_current_trace,
)
from ..jaxprs.replay import jaxpr_as_values
from ..primitives.linear import Zero, instantiate, zero_of
from ..tracing.references import ForeignStoreError, Ref, read, write
from ..tracing.staging import trace_to_jaxpr


class JVPTracer(Tracer):
    """A value with its tangent."""

    __slots__ = ("primal", "tangent")
    _trace: JVPTrace

    def __init__(self, trace: JVPTrace, primal: Value, tangent: Value) -> None:
        self._trace, self.primal, self.tangent = trace, primal, tangent
        self.aval = get_aval(primal)

    def to_concrete_value(self) -> Array | None:
        primal = self.primal
        if isinstance(primal, Tracer):
            return primal.to_concrete_value()

        return asarray(primal)

    def _origin_msg(self) -> str:
        return self.primal._origin_msg() if isinstance(self.primal, Tracer) else ""

    def _error_repr(self) -> str:
        return f"traced array with shape {self.aval.str_short()}"

    def _short_repr(self) -> str:
        tangent = self.tangent
        if isinstance(tangent, Tracer) and tangent.to_concrete_value() is None:
            shown = tangent.aval.str_short(short_dtypes=True)
            return f"GradTracer(primal={self.primal}, typeof(tangent)={shown})"
        return f"JVPTracer(primal={self.primal}, tangent={tangent})"


class JVPTrace(Trace):
    """Applies the JVP rule of each primitive, under the trace that was current outside."""

    __slots__ = ("parent",)

    def __init__(self, parent: Trace) -> None:
        self.parent = parent

    def stage_value(self, value: Value) -> Value:
        return value if isinstance(value, Tracer) else self.parent.stage_value(value)

    def selects(self, mask: Value, x: Value) -> bool:
        mask, x = (v.primal if type(v) is JVPTracer and v._trace is self else v for v in (mask, x))
        return self.parent.selects(mask, x)

    def selected(self, mask: Value, zeros: Value, product: Value) -> Value:
        """Of the value alone where tangents are written down: cotangents are multiplied by the mask one by one."""
        primal, tangent = self.split(product)
        if not self.parent.writes_down(tangent):
            return super().selected(mask, zeros, product)
        with set_current_trace(self.parent):
            return self.pair(self.parent.selected(self.split(mask)[0], zeros, primal), tangent)

    def process_primitive(self, primitive: Primitive, args: Sequence[Value], params: Params) -> Any:
        primals: list[Value] = []
        tangents: list[Value | None] = []
        live = False
        for arg in args:
            if type(arg) is JVPTracer and arg._trace is self:
                primals.append(arg.primal)
                tangents.append(arg.tangent)
                live = True
            else:
                primals.append(arg)
                tangents.append(None)
        with set_current_trace(self.parent):
            if not live:
                return self.parent.process_primitive(primitive, primals, params)
            rule = primitive.jvp
            if rule is None:
                raise NotImplementedError(f"Differentiation rule for '{primitive}' not implemented")
            for i, tangent in enumerate(tangents):
                if tangent is None:
                    tangents[i] = zero_of(primals[i])
            out, tangent = rule(primals, tangents, **params)
        if primitive.multiple_results:
            return [self.pair(*both) for both in zip(out, tangent, strict=True)]
        return self.pair(out, tangent)

    def check_store(self, operation: str, value: Value, aval: AbstractValue) -> None:
        if type(value) is JVPTracer and value._trace is self:
            raise ForeignStoreError(
                f"performing {operation} operation with a differentiated value on a non-differentiated array reference "
                f"of type {aval}. Move the array reference to be an argument of the differentiated function?"
            )

    def pair(self, primal: Value, tangent: Value | Zero) -> Value:
        """The value that carries `tangent`: `primal` itself when that is zero."""
        if isinstance(primal, Ref) and isinstance(tangent, Ref):
            return DualRef(self, primal, tangent)
        return primal if type(tangent) is Zero else JVPTracer(self, primal, tangent)

    def split(self, value: Value) -> tuple[Value, Value | Zero]:
        """A value's primal and tangent."""
        if type(value) is JVPTracer and value._trace is self:
            return value.primal, value.tangent
        return value, zero_of(value)


class DualRef(Ref):
    """A reference with one to its tangent: what is read carries what is read there, and so with what is written."""

    __slots__ = ("primal", "tangent")

    def __init__(self, trace: JVPTrace, primal: Ref, tangent: Ref) -> None:
        self.trace, self.aval, self.primal, self.tangent = trace, primal.aval, primal, tangent

    def _load(self) -> Value:
        trace: Any = self.trace
        with set_current_trace(trace.parent):
            return trace.pair(read(self.primal), read(self.tangent))

    def _store(self, value: Value) -> None:
        trace: Any = self.trace
        primal, tangent = trace.split(value)
        with set_current_trace(trace.parent):
            write("a set/swap", self.primal, primal)
            write("a set/swap", self.tangent, instantiate(tangent))


def jvp_flat(
    function: Callable[..., Sequence[Value]], primals: Sequence[Value], tangents: Sequence[Value | Zero]
) -> tuple[list[Value], list[Value | Zero]]:
    """The results of a function of flat lists, and their tangents."""
    parent = current_trace()
    trace = JVPTrace(parent)
    with set_current_trace(trace):
        results = function(*map(trace.pair, primals, tangents))
    pairs = [trace.split(result) for result in results]
    return [primal for primal, _ in pairs], [tangent for _, tangent in pairs]


Mask: TypeAlias = tuple[bool, ...]

_cache: WeakKeyDictionary[ClosedJaxpr, dict[tuple[Mask, Mask], tuple[ClosedJaxpr, Mask]]] = (
    WeakKeyDictionary()
)


def jvp_jaxpr(closed: ClosedJaxpr, nonzero: Mask, wanted: Mask | None = None) -> tuple[ClosedJaxpr, Mask]:
    """The JVP of a jaxpr, as a jaxpr.

    It takes the primals and then the tangents that are `nonzero`; it returns the results and then those tangents that
    may be nonzero, or that are `wanted` in any case. The mask tells which.
    """
    wanted = wanted or (False,) * len(closed.jaxpr.outvars)
    known = _cache.setdefault(closed, {})
    if (nonzero, wanted) in known:
        return known[nonzero, wanted]
    avals = closed.in_avals
    tangent_avals = [aval.to_tangent_aval() for aval, live in zip(avals, nonzero, strict=True) if live]
    nonzero_out: Mask = ()

    def function(*args: Value) -> list[Value]:
        nonlocal nonzero_out
        primals, given = args[: len(avals)], iter(args[len(avals) :])
        tangents = [next(given) if live else zero_of(p) for p, live in zip(primals, nonzero, strict=True)]
        outs, out_tangents = jvp_flat(
            lambda *values: jaxpr_as_values(closed.jaxpr, closed.consts, *values), primals, tangents
        )
        nonzero_out = tuple(w or type(t) is not Zero for t, w in zip(out_tangents, wanted, strict=True))
        return outs + [instantiate(t) for t, live in zip(out_tangents, nonzero_out, strict=True) if live]

    jaxpr, consts = trace_to_jaxpr(function, [*avals, *tangent_avals], closed.jaxpr.debug_info)
    known[nonzero, wanted] = result = ClosedJaxpr(jaxpr, consts), nonzero_out
    return result
