"""What of a function is known before its arguments are: `PartialVal` and `trace_to_jaxpr_nounits`, for libraries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import (
    Params,
    Primitive,
    ShapedArray,
    Trace,
    Tracer,
    Value,
    current_trace,
    get_aval,
    set_current_trace,
)
from ..jaxprs.replay import jaxpr_as_values
from .absent import Absent
from .linear_util import WrappedFun

__all__ = ["PartialVal", "trace_to_jaxpr_nounits"]


class PartialVal(tuple[Any, Any]):
    """A pair: the aval of an unknown value, or None; and the value of a known one, or None."""

    __slots__ = ()

    @classmethod
    def known(cls, value: Value) -> PartialVal:
        return cls((None, value))

    @classmethod
    def unknown(cls, aval: ShapedArray) -> PartialVal:
        return cls((aval, None))

    def is_known(self) -> bool:
        return self[0] is None

    def get_known(self) -> Value | None:
        return self[1]

    def get_aval(self) -> Any:
        return self[0]


_CALLS = ("jit", "remat2")


class _UnknownTracer(Tracer):
    """A value that depends on an unknown argument."""

    __slots__ = ()

    def __init__(self, trace: Trace, aval: ShapedArray) -> None:
        self._trace, self.aval = trace, aval


class _PartialTrace(Trace):
    """Hands what depends on no unknown value to the trace around it; of all else it knows the types."""

    __slots__ = ("parent",)

    def __init__(self, parent: Trace) -> None:
        self.parent = parent

    def process_primitive(self, primitive: Primitive, args: Sequence[Value], params: Params) -> Any:
        if not any(isinstance(arg, _UnknownTracer) and arg._trace is self for arg in args):
            with set_current_trace(self.parent):
                return primitive.bind(*args, **params)
        if primitive.name in _CALLS:  # Parts of what is called may be known.
            called = params["jaxpr"]
            with set_current_trace(self):
                return jaxpr_as_values(called.jaxpr, called.consts, *args)
        out = primitive.abstract_eval(*map(get_aval, args), **params)
        if primitive.multiple_results:
            return [_UnknownTracer(self, aval) for aval in out]
        return _UnknownTracer(self, out)


def trace_to_jaxpr_nounits(
    fun: WrappedFun, values: Sequence[PartialVal], **options: Any
) -> tuple[Any, list[PartialVal], list[Any]]:
    """A jaxpr for what is unknown, which this runtime lacks; what is known of the results; and constants."""
    trace = _PartialTrace(current_trace())
    args = [v.get_known() if v.is_known() else _UnknownTracer(trace, v.get_aval()) for v in values]
    with set_current_trace(trace):
        outs = fun.call_wrapped(*args)
    found = [
        PartialVal.unknown(out.aval)
        if isinstance(out, _UnknownTracer) and out._trace is trace
        else PartialVal.known(out)
        for out in outs
    ]
    return Absent("the jaxpr of jax.interpreters.partial_eval.trace_to_jaxpr_nounits"), found, []
