"""Tracing into jaxprs: `JaxprTrace` writes every primitive down as an equation."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

from ..arrays.array import asarray
from ..arrays.avals import AbstractRef
from ..config import state
from ..core import (
    Array,
    Atom,
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
    get_aval,
    set_current_trace,
)
from ..rounding import rounded
from .references import Ref, StagedRef
from .sources import current_source, is_internal, summarize

_SCALARS = (bool, int, float, complex)
_new = object.__new__


class DebugInfo:
    """What error messages say of a traced function: which transform, ``f at FILE:LINE``, the names of its arguments."""

    __slots__ = ("arg_names", "func_src_info", "result_paths", "traced_for")

    def __init__(
        self,
        traced_for: str,
        func_src_info: str,
        arg_names: tuple[str, ...] | None = None,
        result_paths: tuple[str, ...] | None = None,  # Libraries give it; nothing is said of results here.
    ) -> None:
        self.traced_for, self.func_src_info = traced_for, func_src_info
        self.arg_names, self.result_paths = arg_names, result_paths

    @property
    def func_name(self) -> str:
        return self.func_src_info.split(" ")[0]


class DynamicJaxprTracer(Tracer):
    """Stands for a variable of the jaxpr being written, or for a literal in it."""

    __slots__ = ("atom",)
    _trace: JaxprTrace
    atom: Atom

    def _short_repr(self) -> str:
        return f"JitTracer({self.aval})"

    def _origin_msg(self) -> str:
        return self._trace.describe_origin(self)


def _standing_for(atom: Atom, trace: JaxprTrace) -> DynamicJaxprTracer:
    tracer = DynamicJaxprTracer()
    tracer._trace, tracer.atom, tracer.aval = trace, atom, atom.aval
    return tracer


class JaxprTrace(Trace):
    """Writes equations. `consts` maps the variables of closed-over values to these values."""

    __slots__ = ("_const_tracers", "_kept", "consts", "debug_info", "eqns", "invars")

    def __init__(self, debug_info: DebugInfo | None = None) -> None:
        self.debug_info = debug_info
        self.invars: list[Var] = []
        self.eqns: list[JaxprEqn] = []
        self.consts: dict[Var, Value] = {}
        self._const_tracers: dict[int, DynamicJaxprTracer] = {}
        self._kept: list[Value] = []  # What the keys of `_const_tracers` are the identities of.

    def new_arg(self, aval: ShapedArray, source_info: Any = None) -> Any:
        var = Var(aval)
        self.invars.append(var)
        return self.tracer(var)

    def tracer(self, var: Var) -> DynamicJaxprTracer | StagedRef:
        """What stands for a variable in Python."""
        return StagedRef(self, var) if isinstance(var.aval, AbstractRef) else _standing_for(var, self)

    def process_primitive(self, primitive: Primitive, args: Sequence[Value], params: Params) -> Any:
        # This runs for each equation, so what most have, two operands or one, is told apart from any number of them.
        if len(args) == 2:
            x, y = args
            a = x.atom if type(x) is DynamicJaxprTracer and x._trace is self else self.atom(x)
            b = y.atom if type(y) is DynamicJaxprTracer and y._trace is self else self.atom(y)
            atoms: list[Atom] = [a, b]
            avals: tuple[ShapedArray, ...] = (a.aval, b.aval)
        elif len(args) == 1:
            (x,) = args
            a = x.atom if type(x) is DynamicJaxprTracer and x._trace is self else self.atom(x)
            atoms, avals = [a], (a.aval,)
        else:
            atoms = [self.atom(arg) for arg in args]
            avals = tuple([atom.aval for atom in atoms])
        if params or primitive.multiple_results:
            out = primitive.abstract_eval(*avals, **params)
            if primitive.multiple_results:
                outvars = [Var(aval) for aval in out]
                self.eqns.append(JaxprEqn(atoms, outvars, primitive, params, current_source(3)))
                return [_standing_for(var, self) for var in outvars]
            if primitive.forward is not None and primitive.forward(avals[0], params):
                return self.stage_value(args[0])
            if primitive.fold is not None and type(atoms[0]) is Literal:
                return _standing_for(primitive.fold(atoms[0], out), self)
        else:
            out = primitive.known_avals.get(avals)
            if out is None:
                out = primitive.known_avals[avals] = primitive.abstract_eval(*avals)
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and is_internal[(code := frame.f_code).co_filename]:
            frame = frame.f_back
        # These three are filled in here: calls of `__init__` would take longer than the rest.
        var = _new(Var)
        var.aval = out
        eqn = _new(JaxprEqn)
        eqn.invars, eqn.outvars, eqn.primitive = atoms, [var], primitive
        eqn.params = params
        if frame is None:
            eqn.code, eqn.offset = None, 0
        else:
            eqn.code, eqn.offset = code, frame.f_lasti
        self.eqns.append(eqn)
        if type(out) is not ShapedArray:
            return self.tracer(var)
        tracer = DynamicJaxprTracer()
        tracer._trace, tracer.atom, tracer.aval = self, var, out
        return tracer

    def atom(self, value: Value) -> Atom:
        """What an equation is applied to, for a value of this trace or from outside."""
        if type(value) is DynamicJaxprTracer and value._trace is self:
            return value.atom
        return value if type(value) is Literal else self.constant(value)

    def constant(self, value: Value) -> Atom:
        """The atom of a value from outside: a scalar becomes a literal, an array a constvar."""
        if isinstance(value, _SCALARS):
            aval = get_aval(value)
            return Literal(rounded(value, aval.dtype), aval)
        key = id(value)
        if isinstance(value, StagedRef):
            if value.trace is self:
                return value.atom
        elif (
            type(value) is DynamicJaxprTracer
        ):  # Several tracers may stand for one variable, or for a literal.
            if type(value.atom) is Literal:
                return value.atom
            key = id(value.atom)
        known = self._const_tracers.get(key)
        if known is None:
            aval = get_aval(value)
            plain = aval.dtype.kind != "V"  # Tangents of integers have no value.
            if not aval.shape and plain and not isinstance(value, Array) and hasattr(value, "item"):
                return Literal(rounded(value.item(), aval.dtype), aval)
            var = Var(aval)
            if not isinstance(value, (Array, Ref)):
                # NumPy memory of the type that the variable has: the program will read it as such.

                self._kept.append(value)
                value = asarray(value)
            self.consts[var] = value
            known = self._const_tracers[key] = _standing_for(var, self)
        return known.atom

    def stage_value(self, value: Value) -> Any:
        if (type(value) is DynamicJaxprTracer and value._trace is self) or isinstance(value, Ref):
            return value
        return _standing_for(self.atom(value), self)

    def to_jaxpr(self, results: Sequence[Value]) -> tuple[Jaxpr, list[Value]]:
        """The jaxpr of the equations so far, and the values of its constvars."""
        for result in results:
            if type(result) is int:
                _check_size(result)
        outvars = [self.stage_value(result).atom for result in results]
        jaxpr = Jaxpr(list(self.consts), self.invars, outvars, self.eqns, self.debug_info)
        return jaxpr, list(self.consts.values())

    def describe_origin(self, tracer: DynamicJaxprTracer) -> str:
        """On which arguments or, for want of any, on which operations the value of `tracer` depends."""
        info = self.debug_info
        if info is None:
            return ""
        needed: set[Atom] = {tracer.atom}
        for eqn in reversed(self.eqns):
            if not needed.isdisjoint(eqn.outvars):
                needed.update(v for v in eqn.invars if isinstance(v, Var))
        positions = [i for i, v in enumerate(self.invars) if v in needed]
        text = f"\nThe error occurred while tracing the function {info.func_src_info} for {info.traced_for}. "
        if positions and info.arg_names is not None:
            names = [info.arg_names[i] for i in positions if i < len(info.arg_names)]
            if not names:
                return text
            listed = f"the argument {names[0]}" if len(names) == 1 else f"the arguments {_listed(names)}"
            plural = "s" if len(names) > 1 else ""
            return (
                f"{text}This concrete value was not available in Python because it depends on the value{plural} of "
                f"{listed}."
            )
        origins = [
            eqn for eqn in self.eqns if any(isinstance(v, Literal) or v in self.consts for v in eqn.invars)
        ]
        if origins:
            shown = [f"  operation {eqn}\n    from line {summarize(eqn.source)}" for eqn in origins[:5]]
            text += "This value became a tracer due to JAX operations on these lines:\n\n" + "\n\n".join(
                shown
            )
            if len(origins) > 5:
                text += "\n\n(Additional originating lines are not shown.)"
        return text

    def describe_leak(self, tracer: DynamicJaxprTracer) -> str:
        """Which function was being traced, and the line on which the value of `tracer` was made."""
        info = self.debug_info
        if info is None:
            return ""
        text = f"\nThe function being traced when the value leaked was {info.func_src_info} traced for {info.traced_for}."
        made = next((eqn for eqn in self.eqns if tracer.atom in eqn.outvars), None)
        if made is not None:
            text += f"\nThe leaked intermediate value was created on line {summarize(made.source)}."
        elif tracer.atom in self.invars and info.arg_names is not None:
            text += f"\nThe leaked value is the argument {info.arg_names[self.invars.index(tracer.atom)]}."
        return text


def _listed(names: list[str]) -> str:
    return f"{names[0]} and {names[1]}" if len(names) == 2 else f"{', '.join(names[:-1])}, and {names[-1]}"


def _check_size(result: int) -> None:
    """Raises OverflowError for an integer that the type of integers cannot hold."""
    dtype = get_aval(result).dtype
    limit = 1 << (8 * dtype.itemsize - 1)
    if not -limit <= result < limit:
        raise OverflowError(f"Python int {result} too large to convert to {dtype}")


def trace_to_jaxpr(
    function: Callable[..., Sequence[Value]],
    avals: Sequence[ShapedArray],
    debug_info: DebugInfo | None = None,
) -> tuple[Jaxpr, list[Value]]:
    """Trace `function`, which takes and returns flat lists of values, on arguments of these avals.

    Returns the jaxpr and the values of its constvars: arrays that the function closes over, and tracers of the traces
    around this one.
    """
    if state.values["jax_check_tracer_leaks"]:
        return _without_leaks(function, avals, debug_info)
    trace = JaxprTrace(debug_info)
    args = [trace.new_arg(aval) for aval in avals]
    with set_current_trace(trace):
        results = function(*args)
        return trace.to_jaxpr(results)


def _without_leaks(
    function: Callable[..., Sequence[Value]], avals: Sequence[ShapedArray], debug_info: DebugInfo | None
) -> tuple[Jaxpr, list[Value]]:
    """`trace_to_jaxpr`, with an error when a tracer outlives the trace."""
    from .checks import check_leaks

    trace = JaxprTrace(debug_info)
    with set_current_trace(trace):
        traced = trace.to_jaxpr(function(*[trace.new_arg(aval) for aval in avals]))
    check = check_leaks(trace)
    del trace
    check()
    return traced
