"""Vectorization: each value carries the axis along which it is batched."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary

from ..arrays.avals import AbstractValue
from ..config import state
from ..core import (
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
from ..primitives.apply import broadcast_in_dim
from ..primitives.shape import move_axis
from ..tracing.references import ForeignStoreError, Ref, read, write
from ..tracing.sources import current_source, summarize
from ..tracing.staging import trace_to_jaxpr

if TYPE_CHECKING:
    from typing_extensions import Self

Dim = int | None


class MappedAxis(int):
    """The size of a mapped axis, which knows the name that the user gave it."""

    name: Hashable

    def __new__(cls, size: int, name: Hashable = None) -> Self:
        axis = super().__new__(cls, size)
        axis.name = name
        return axis


class BatchTracer(Tracer):
    """One example of a batch; `value` holds them all, along axis `dim`."""

    __slots__ = ("dim", "source", "value")
    _trace: BatchTrace

    def __init__(self, trace: BatchTrace, value: Value, dim: int) -> None:
        self._trace, self.value, self.dim = trace, value, dim
        aval = get_aval(value)
        self.aval = aval.update(shape=aval.shape[:dim] + aval.shape[dim + 1 :])
        self.source = current_source()

    def _short_repr(self) -> str:
        return f"VmapTracer(aval={self.aval.str_short()}, batched={get_aval(self.value).str_short()})"

    def _origin_msg(self) -> str:
        return (
            f"\nThis BatchTracer with object id {id(self)} was created on line:\n  {summarize(self.source)}"
        )


class BatchTrace(Trace):
    """Applies the batching rule of each primitive, under the trace that was current outside."""

    __slots__ = ("axis", "parent")

    def __init__(self, parent: Trace, axis: MappedAxis) -> None:
        self.parent, self.axis = parent, axis

    def stage_value(self, value: Value) -> Value:
        return value if isinstance(value, Tracer) else self.parent.stage_value(value)

    def selects(self, mask: Value, x: Value) -> bool:
        mapped = [type(v) is BatchTracer and v._trace is self for v in (mask, x)]
        # A mask that all examples share is converted first.
        mask, x = (v.value if own else v for v, own in zip((mask, x), mapped))
        return mapped[0] and self.parent.selects(mask, x)

    def process_primitive(self, primitive: Primitive, args: Sequence[Value], params: Params) -> Any:
        values: list[Value] = []
        dims: list[Dim] = []
        batched = False
        for arg in args:
            if type(arg) is BatchTracer and arg._trace is self:
                values.append(arg.value)
                dims.append(arg.dim)
                batched = True
            else:
                values.append(arg)
                dims.append(None)
        with set_current_trace(self.parent):
            if not batched and not (primitive.collective and self.axis.name in params["axes"]):
                return self.parent.process_primitive(primitive, values, params)
            rule = primitive.batch
            if rule is None:
                raise NotImplementedError(f"Batching rule for '{primitive}' not implemented")
            out, dim = rule(self.axis, values, dims, **params)
        if primitive.multiple_results:
            return [self.box(*both) for both in zip(out, dim, strict=True)]
        return self.box(out, dim)

    def check_store(self, operation: str, value: Value, aval: AbstractValue) -> None:
        raise ForeignStoreError(
            f"performing {operation} operation with vmapped value on an unbatched array reference of type {aval}. Move "
            "the array reference to be an argument to the vmapped function?"
        )

    def box(self, value: Value, dim: Dim) -> Value:
        """The value that stands for one example of `value`."""
        if isinstance(value, Ref) and dim is not None:
            return MappedRef(self, value, dim)
        return value if dim is None else BatchTracer(self, value, dim)

    def split(self, value: Value) -> tuple[Value, Dim]:
        """All examples of a value, and the axis along which they lie."""
        if type(value) is BatchTracer and value._trace is self:
            return value.value, value.dim
        return value, None


class MappedRef(Ref):
    """The reference to one example, where one to a batch of them, along axis `dim`, was mapped over."""

    __slots__ = ("batch", "dim")

    def __init__(self, trace: BatchTrace, batch: Ref, dim: int) -> None:
        aval = batch.aval
        self.trace, self.batch, self.dim = trace, batch, dim
        self.aval = aval.update(shape=aval.shape[:dim] + aval.shape[dim + 1 :])

    def _load(self) -> Value:
        trace: Any = self.trace
        with set_current_trace(trace.parent):
            return trace.box(read(self.batch), self.dim)

    def _store(self, value: Value) -> None:
        trace: Any = self.trace
        values, dim = trace.split(value)
        with set_current_trace(trace.parent):
            write("a set/swap", self.batch, move_to(values, dim, self.dim, trace.axis))


def batch_flat(
    function: Callable[..., Sequence[Value]], axis: MappedAxis, args: Sequence[Value], dims: Sequence[Dim]
) -> tuple[list[Value], list[Dim]]:
    """Map a function of flat lists over `dims` of its arguments: the results, and their batched axes."""
    parent = current_trace()
    trace = BatchTrace(parent, axis)
    boxed = [trace.box(arg, dim) for arg, dim in zip(args, dims, strict=True)]
    with set_current_trace(trace):
        results = function(*boxed)
    pairs = [trace.split(result) for result in results]
    if state.values["jax_check_tracer_leaks"]:
        from ..tracing.checks import check_leaks

        check = check_leaks(trace)
        del trace, boxed, results
        check()
    return [value for value, _ in pairs], [dim for _, dim in pairs]


def to_front(value: Value, dim: Dim, size: int) -> Value:
    """`value` with its batched axis first; broadcast along a new one if it is not batched."""
    return move_to(value, dim, 0, size)


def move_to(value: Value, dim: Dim, target: int, size: int) -> Value:
    """`value` with its batched axis at `target`; broadcast along a new one if it is not batched."""
    if dim is not None:
        return value if dim == target else move_axis(value, dim, target)
    shape = get_aval(value).shape
    axes = tuple(i for i in range(len(shape) + 1) if i != target)
    full = (*shape[:target], int(size), *shape[target:])
    return broadcast_in_dim(value, shape=full, broadcast_dimensions=axes, sharding=None)


Mask: TypeAlias = tuple[bool, ...]

_cache: WeakKeyDictionary[ClosedJaxpr, dict[Any, tuple[ClosedJaxpr, Mask]]] = WeakKeyDictionary()


def batch_jaxpr(
    closed: ClosedJaxpr, axis: MappedAxis, batched: Mask, wanted: Mask | None = None
) -> tuple[ClosedJaxpr, Mask]:
    """A jaxpr that maps `closed` over the first axis of its `batched` arguments.

    The mask tells which results are batched, along their first axis; those `wanted` are in any case.
    """
    wanted = wanted or (False,) * len(closed.jaxpr.outvars)
    known = _cache.setdefault(closed, {})
    key = int(axis), axis.name, batched, wanted
    if key in known:
        return known[key]
    avals = [
        aval.update(shape=(int(axis), *aval.shape)) if live else aval
        for aval, live in zip(closed.in_avals, batched, strict=True)
    ]
    batched_out: Mask = ()

    def function(*args: Value) -> list[Value]:
        nonlocal batched_out
        outs, dims = batch_flat(
            lambda *values: jaxpr_as_values(closed.jaxpr, closed.consts, *values),
            axis,
            args,
            [0 if live else None for live in batched],
        )
        batched_out = tuple(w or dim is not None for dim, w in zip(dims, wanted, strict=True))
        return [
            to_front(out, dim, axis) if live else out
            for out, dim, live in zip(outs, dims, batched_out, strict=True)
        ]

    jaxpr, consts = trace_to_jaxpr(function, avals, closed.jaxpr.debug_info)
    known[key] = result = ClosedJaxpr(jaxpr, consts), batched_out
    return result
