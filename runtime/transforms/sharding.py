"""``shard_map`` on a mesh of one device: every shard is the whole, and every named axis has length 1."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from ..arrays.array import asarray
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
from ..pytree.definition import tree_flatten
from ..pytree.mapping import broadcast_prefix
from ..tracing.named_axes import named_axes
from .batching import MappedAxis
from .functions import check_argument
from .signatures import wraps


class ShardMapTracer(Tracer):
    """The shard of an array: here all of it. `varying`: on a larger mesh it might differ from shard to shard."""

    __slots__ = ("value", "varying")
    _trace: ShardMapTrace

    def __init__(self, trace: ShardMapTrace, value: Value, varying: bool) -> None:
        self._trace, self.value, self.varying, self.aval = trace, value, varying, get_aval(value)

    def to_concrete_value(self) -> Array | None:
        if self.varying:
            return None
        if isinstance(self.value, Tracer):
            return self.value.to_concrete_value()

        return asarray(self.value)

    def _error_repr(self) -> str:
        return f"traced array with shape {self.aval.str_short()}"

    def _origin_msg(self) -> str:
        return self.value._origin_msg() if isinstance(self.value, Tracer) else ""


_JOINING = ("psum", "pmax", "pmin")  # The same on all shards.
_PARTING = ("axis_index", "pvary")  # Another on each.


class ShardMapTrace(Trace):
    """Applies each primitive to the whole, under the trace that was current outside. One for each axis of the mesh."""

    __slots__ = ("axis", "parent", "pulled_back")

    def __init__(self, parent: Trace, axis: MappedAxis) -> None:
        self.parent, self.axis = parent, axis
        self.pulled_back = False  # Then gradients were summed over the shards, which nothing here shows.

    def pull_back(self) -> None:
        self.pulled_back = True
        self.parent.pull_back()

    def stage_value(self, value: Value) -> Value:
        return value if isinstance(value, Tracer) else self.box(self.parent.stage_value(value))

    def box(self, value: Value, varying: bool = False) -> ShardMapTracer:
        return ShardMapTracer(self, value, varying)

    def is_varying(self, value: Value) -> bool:
        return type(value) is ShardMapTracer and value._trace is self and value.varying

    def unbox(self, value: Value) -> Value:
        return value.value if type(value) is ShardMapTracer and value._trace is self else value

    def process_primitive(self, primitive: Primitive, args: Sequence[Value], params: Params) -> Any:
        values = [self.unbox(arg) for arg in args]
        name = self.axis.name
        varying = any(map(self.is_varying, args)) and _keeps_apart(primitive, params, name)
        if primitive.name in _PARTING and name in params["axes"]:
            if varying:
                raise ValueError(f"Unsupported pcast from=varying, to='varying' over the axis {name!r}")
            varying = True
        with set_current_trace(self.parent):
            if primitive.batch is not None and _names_axis(primitive, params, name):
                # As over an axis that is mapped, of which there is one example.
                out, dims = primitive.batch(self.axis, values, [None] * len(values), **params)
                if not primitive.multiple_results:
                    return self.box(_only_example(out, dims), varying)
                out = [_only_example(value, dim) for value, dim in zip(out, dims, strict=True)]
            else:
                out = self.parent.process_primitive(primitive, values, params)
        if primitive.multiple_results:
            return [self.box(value, varying) for value in out]
        return self.box(out, varying)

    def within(self, function: Callable[..., Sequence[Value]]) -> Callable[..., list[Value]]:
        """A function of flat lists, made to be called outside of this trace on what its values stand for."""

        def call(*values: Value) -> list[Value]:
            with set_current_trace(self):
                return [self.unbox(out) for out in function(*[self.box(value, True) for value in values])]

        return call


def _names_axis(primitive: Primitive, params: Params, name: Hashable) -> bool:
    """Whether a primitive, or one in a jaxpr that it runs, is a collective over that axis."""
    return any(
        name in params["axes"] for primitive, params in _within(primitive, params) if primitive.collective
    )


def _keeps_apart(primitive: Primitive, params: Params, name: Hashable) -> bool:
    """Whether a primitive surely leaves shards that vary along that axis so. What jaxprs may do is not looked into."""
    if any(inner is not primitive for inner, _ in _within(primitive, params)):
        return False
    return primitive.name not in _JOINING or name not in params["axes"]


def _within(primitive: Primitive, params: Params) -> Iterator[tuple[Primitive, Params]]:
    """A primitive and those in the jaxprs that it runs, with their parameters."""
    yield primitive, params
    for value in params.values():
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, ClosedJaxpr):
                for eqn in inner.jaxpr.eqns:
                    yield from _within(eqn.primitive, eqn.params)


def _only_example(value: Value, dim: int | None) -> Value:
    if dim is None:
        return value
    from ..lax.shaping import squeeze

    return squeeze(value, (dim,))


def shard_map(
    fun: Callable[..., Any] | None = None,
    *,
    mesh: Any = None,
    in_specs: Any = None,
    out_specs: Any = None,
    axis_names: Any = (),
    check_vma: bool = True,
) -> Any:
    """Run `fun` on the shards of its arguments: ``jax.shard_map``, on a mesh of one device.

    Raises, when called:
        ValueError: if the specifications do not fit the arguments or the results, or name an axis that there is not.
    """
    if fun is None:
        return functools.partial(
            shard_map,
            mesh=mesh,
            in_specs=in_specs,
            out_specs=out_specs,
            axis_names=axis_names,
            check_vma=check_vma,
        )
    names: tuple[Hashable, ...] = tuple(getattr(mesh, "axis_names", ()))

    @wraps(fun)
    def mapped(*args: Any) -> Any:
        leaves, in_tree = tree_flatten(args)
        for leaf in leaves:
            check_argument(leaf)
        specs = _specs("in_specs", in_specs, args, leaves, names)
        parent = current_trace()
        traces = [ShardMapTrace(parent, MappedAxis(1))]
        for name in names:
            traces.append(ShardMapTrace(traces[-1], MappedAxis(1, name)))
        boxed = leaves
        with ExitStack() as stack:
            for trace in traces:
                boxed = [
                    trace.box(leaf, trace.axis.name in _named(spec))
                    for leaf, spec in zip(boxed, specs, strict=True)
                ]
            stack.enter_context(named_axes((name, 1) for name in names))
            stack.enter_context(set_current_trace(traces[-1]))
            result = fun(*in_tree.unflatten(boxed))
        outs, out_tree = tree_flatten(result)
        for out in outs:
            check_argument(out)
        specs = _specs("out_specs", out_specs, result, outs, names)
        for trace in reversed(traces):
            if check_vma and trace.axis.name is not None and not trace.pulled_back:
                for out, spec in zip(outs, specs, strict=True):
                    if trace.is_varying(out) and trace.axis.name not in _named(spec):
                        raise _unreplicated(fun, mesh, spec, trace.axis.name)
            outs = [trace.unbox(out) for out in outs]
        return out_tree.unflatten([parent.stage_value(out) for out in outs])

    return mapped


def _unreplicated(fun: Callable[..., Any], mesh: Any, spec: Any, axis: Hashable) -> ValueError:
    return ValueError(
        f"shard_map applied to the function '{getattr(fun, '__name__', fun)}' was given out_specs which require replication "
        f"which can't be statically inferred given the mesh:\n\nThe mesh given has shape {tuple(mesh.shape.values())} "
        f"with corresponding axis names {tuple(mesh.axis_names)}.\n\nout_specs is {spec} which implies that the "
        f"corresponding output value is replicated across mesh axis '{axis}', but could not infer replication over any "
        "axes\n\nCheck if these output values are meant to be replicated over those mesh axes. If not, consider revising "
        "the corresponding out_specs entries. If so, consider disabling the check by passing the check_vma=False argument "
        "to `jax.shard_map`."
    )


def _specs(kind: str, specs: Any, tree: Any, leaves: Sequence[Value], names: Sequence[Hashable]) -> list[Any]:
    """The specification of each leaf. Raises ValueError for one that does not fit."""
    from ..sharding import PartitionSpec

    try:
        found = broadcast_prefix(specs, tree, is_leaf=lambda s: s is None or isinstance(s, PartitionSpec))
    except ValueError as error:
        raise ValueError(
            f"shard_map {kind} specification must be a tree prefix of the values: {error}"
        ) from None
    for spec, leaf in zip(found, leaves, strict=True):
        shape = get_aval(leaf).shape
        if len(spec or ()) > len(shape):
            raise ValueError(
                f"shard_map {kind} {spec} has {len(spec)} entries for an array of rank {len(shape)}"
            )
        for name in _named(spec):
            if name not in names:
                raise ValueError(
                    f"shard_map {kind} {spec} refers to the axis {name!r}; the mesh has {tuple(names)}"
                )
    return found


def _named(spec: Any) -> list[Hashable]:
    """The axes that a specification names."""
    parts = [name for part in spec or () for name in (part if isinstance(part, tuple) else (part,))]
    return [name for name in parts if name is not None]
