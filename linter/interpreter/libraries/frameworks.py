"""Functions that flax, haiku, numpyro and equinox call for the user, and with what.

Their objects are the user's function (or module) with a name that tells what calling does: `haiku.apply`, `flax.apply`.
Parameters and random keys that they thread through are opaque; everything else is passed on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from ...domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Level,
    MethodValue,
    TransformedValue,
    Tree,
    TupleValue,
    Unknown,
    Value,
    surely_traced,
)
from ...knowledge.schema import parse_result
from ..arrays.operators import array_result
from ..calls import call
from ..python.classes import find_member
from ..python.containers import mapping_of, row, sequence_of
from ..python.copies import fresh_copy
from ..tracing.axis_names import axis_name
from ..tracing.entries import root_for
from ..tracing.mapping import axes_for
from ..tracing.traces import inner_trace, level_of
from ..tracing.transformed_calls import TransformedCall
from ..tracing.transforms import enter, entry_for, leave, outside_level, shown_name
from .callbacks import traces
from .graphs import (
    and_state,
    combine,
    filtered,
    merge_graph,
    module_list,
    partition,
    set_mode,
    split_graph,
    with_state,
)
from .haiku_parameters import Making, making, with_leaked
from .library import Call, argument, flattened
from .lifting import bound_module, control_flow, derivative, lifted, parameters, threaded_through, unrolled
from .objects import site_parameter
from .optimisers import chain, chain_init, chain_update, transformation, updates_and_state
from .replacing import tree_at
from .solutions import root, solution, states
from .train_state import apply_gradients, create

if TYPE_CHECKING:
    from ..machine import Interpreter

THREADED = frozenset(("rngs", "mutable", "method", "capture_intermediates"))
"""Keywords of `Module.apply` that are not the module's own."""


def haiku_pair(application: Call) -> Value:
    """`haiku.transform(f)`: `init(key, ...)` and `apply(params, key, ...)`, with a state after the parameters perhaps."""
    state = application.name.endswith("_with_state")
    function = application.first()
    return TupleValue(
        (
            MethodValue(ExternalValue("haiku.init"), TupleValue((function, Const(1)))),
            MethodValue(ExternalValue("haiku.apply"), TupleValue((function, Const(3 if state else 2)))),
        ),
        None,
        ("init", "apply"),
    )


def haiku_without_rng(application: Call) -> Value:
    """`haiku.without_apply_rng(pair)`: `apply` takes no key."""
    pair = application.first()
    if isinstance(pair, TupleValue) and pair.fields == ("init", "apply"):
        init, apply = pair.items
        if isinstance(apply, MethodValue) and isinstance(apply.receiver, TupleValue):
            function, threaded = apply.receiver.items
            if isinstance(threaded, Const):
                fewer = TupleValue((function, Const(threaded.value - 1)))
                return TupleValue((init, MethodValue(apply.function, fewer)), None, pair.fields)
    return UNKNOWN


def _haiku(
    interp: Interpreter,
    name: str,
    receiver: Value,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
) -> Value:
    if not isinstance(receiver, TupleValue) or not isinstance(receiver.items[1], Const):
        return UNKNOWN
    function, threaded = receiver.items[0], int(receiver.items[1].value)
    own = {key: value for key, value in kwargs.items() if key not in ("rng", "params", "state")}
    params = (
        TupleValue((*args[:threaded], *kwargs.values())) if name == "apply" else TupleValue(tuple(args[:1]))
    )
    if name == "apply":
        interp.lifetimes.used(interp, params.items, node)
    now = Making(interp.trace)
    with (
        parameters(interp, threaded_through(interp, params)),
        making(interp, now if name == "init" else None),
    ):
        result = call(interp, function, args[threaded:], own, node)
    made = with_leaked(made_parameters(interp, args, node), now)
    if name == "init":
        return TupleValue((made, made)) if threaded == 3 else made
    return TupleValue((result, made)) if threaded == 3 else result


def made_parameters(interp: Interpreter, inputs: list[Value], node: cst.CSTNode) -> Value:
    """The parameters or the state that a library makes: a tree of arrays."""
    array = array_result(interp, [flattened(interp, value) for value in inputs], node)
    return Tree(array.level, array.sure, array.roots, array.trail)


def haiku_many(application: Call) -> Value:
    """`haiku.multi_transform(f)`, of an `f` that returns a function for `init` and a tree of functions for `apply`."""
    interp = application.interp
    threaded = Const(3 if application.name.endswith("_with_state") else 2)
    result = call(interp, application.first(), [], {}, application.node)
    if not isinstance(result, TupleValue) or len(result.items) != 2:
        return UNKNOWN

    def transformed(name: str) -> Callable[[Value], Value]:
        return lambda function: MethodValue(ExternalValue(f"haiku.{name}"), TupleValue((function, threaded)))

    init = transformed("init")(result.items[0])
    apply = fresh_copy(interp, result.items[1], transformed("apply"), application.node)
    return TupleValue((init, apply), None, ("init", "apply"))


def _linen(
    interp: Interpreter,
    name: str,
    receiver: Value,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
) -> Value:
    if not isinstance(receiver, InstanceValue):
        return UNKNOWN
    method = kwargs.get("method", NONE)
    function = find_member(interp, receiver.cls, "__call__") if method == NONE else method
    if isinstance(method, Const) and isinstance(method.value, str):
        function = find_member(interp, receiver.cls, method.value)
    if isinstance(function, MethodValue):
        function = function.function
    if isinstance(function, FunctionValue):
        function = lifted(receiver, function.name, function) or function
    if not isinstance(function, FunctionValue | TransformedValue):
        return TAINTED if interp.staging else UNKNOWN
    own = {key: value for key, value in kwargs.items() if key not in THREADED}
    with parameters(interp, threaded_through(interp, args[0] if args else UNKNOWN)):
        result = call(interp, MethodValue(function, bound_module(interp, receiver)), args[1:], own, node)
    made = made_parameters(interp, args, node)
    if name == "init":
        return made
    if name == "init_with_output" or kwargs.get("mutable", Const(False)) not in (Const(False), NONE):
        return TupleValue((result, made))
    return result


def sample(application: Call) -> Value:
    """`numpyro.sample`: what was observed, or an array that inference traces."""
    interp = application.interp
    observed = application.bound.get("obs", NONE)
    if observed != NONE:
        return observed if not isinstance(observed, Unknown) else UNKNOWN
    inputs = [*application.inputs, interp.parameters]
    return array_result(interp, inputs, application.node, name="numpyro.sample") if interp.trace else UNKNOWN


def prediction(application: Call) -> Value:
    """`numpyro.infer.Predictive(model, num_samples=n)(key, ...)`: of several samples, a `lax.map` over keys."""
    receiver = application.bound.get("self")
    slots = receiver.box.slots if isinstance(receiver, InstanceValue) else {}
    number = slots.get("num_samples")
    if isinstance(number, Const) and number.value not in (None, 1) and "parallel" not in slots:
        return traces(application, parse_result("traces[model(*args:own, **kwargs:own), unknown]"))
    return TAINTED if application.interp.staging else UNKNOWN


def rearranged(application: Call) -> Value:
    """`einops.rearrange(x, ...)` gives a jax array for a jax array, or for a list of them."""
    interp = application.interp
    first = flattened(interp, application.first())
    parts = first.items if isinstance(first, TupleValue) and first.rest is None else (first,)
    if parts and all(surely_traced(part, Level.CONCRETE) for part in parts):
        return array_result(interp, [flattened(interp, v) for v in application.inputs], application.node)
    return TAINTED if interp.staging or any(level_of(part) for part in parts) else UNKNOWN


def log_density(application: Call) -> Value:
    """`numpyro.infer.util.log_density`: runs the model, its sites as traced as the values given for them."""
    interp = application.interp
    given = [argument(application, name) for name in ("model", "model_args", "model_kwargs", "params")]
    model, args, kwargs, params = given
    with parameters(interp, threaded_through(interp, params)):
        call(
            interp, model, list(sequence_of(interp, args).items),
            {str(k): v for k, v in mapping_of(interp, kwargs).items} if isinstance(kwargs, DictValue) else {},
            application.node,
        )  # fmt: skip
    value = array_result(interp, [flattened(interp, params)], application.node, ())
    return TupleValue((value, TAINTED if interp.trace else UNKNOWN))


def run_filter_vmap(called: TransformedCall) -> Value:
    """equinox, nnx: arrays lose an axis, the first unless `in_axes` says otherwise; all else is the caller's own."""
    interp, transformed, args, node = called.interp, called.transformed, called.args, called.node
    function = called.function
    given_axes = transformed.option("in_axes") or Const(0)
    if isinstance(given_axes, DictValue):  # by the names of parameters
        return TAINTED if interp.staging else UNKNOWN
    axes = axes_for(interp, given_axes, len(args))
    entry = entry_for(interp, transformed, shown_name(transformed))

    def inside(name: str, value: Value, axis: Value) -> Value:
        if axis == NONE or isinstance(value, FunctionValue):
            return value
        if not isinstance(axis, Const):  # a tree of axes, a filter, or not known
            return UNKNOWN
        root = root_for(interp, entry, function, name, value)

        def leaf(item: Value) -> Value:
            if isinstance(item, Array):
                shape = item.shape if axis == Const(0) else None
                return row(Array(Level.ABSTRACT, shape, item.dtype, item.weak, item.sure, (root,)))
            return Tree(Level.ABSTRACT, False, (root,)) if isinstance(item, Tree | Unknown) else item

        return fresh_copy(interp, value, leaf, None)

    given = list(map(inside, called.names, args, axes))
    named = {name: inside(name, value, Const(0)) for name, value in called.kwargs.items()}
    with axis_name(interp, transformed.option("axis_name")):
        result = enter(
            interp, inner_trace(entry, False, interp.trace), function, given, named, node, called.spread
        )

    def stacked(item: Value) -> Value:
        return (
            Array(item.level, None, item.dtype, False, item.sure, item.roots, item.trail)
            if isinstance(item, Array)
            else item
        )

    outer = outside_level(interp, called.inputs)
    return fresh_copy(interp, leave(interp, result, outer, node), stacked, node)


Applied: TypeAlias = "Callable[[Interpreter, str, Value, list[Value], dict[str, Value], cst.CSTNode], Value]"
"""Calls a method by its name: of what, with which arguments, and where."""

FRAMEWORKS: dict[str, Applied] = {"haiku": _haiku, "flax": _linen}
"""Calls of methods of such objects, by the library that the object's name begins with."""

FRAMEWORK_TRACES: dict[str, Callable[[Call], Value]] = {
    "haiku_pair": haiku_pair,
    "haiku_without_rng": haiku_without_rng,
    "haiku_many": haiku_many,
    "numpyro_sample": sample,
    "numpyro_log_density": log_density,
    "lifted_control_flow": control_flow,
    "lifted_derivative": derivative,
    "sequential": unrolled,
    "numpyro_param": site_parameter,
    "numpyro_prediction": prediction,
    "rearranged": rearranged,
    "module_list": module_list,
    "partition": partition,
    "filtered": filtered,
    "combine": combine,
    "tree_at": tree_at,
    "split_graph": split_graph,
    "set_mode": set_mode,
    "with_state": with_state,
    "and_state": and_state,
    "merge_graph": merge_graph,
    "optax_transformation": transformation,
    "optax_chain": chain,
    "optax_chain_init": chain_init,
    "optax_chain_update": chain_update,
    "optax_updates": updates_and_state,
    "solution": solution,
    "states": states,
    "root": root,
    "train_state": create,
    "train_state_after": apply_gradients,
}
"""What functions of these libraries make of the callables that they are given."""
