"""Functions that flax, haiku, numpyro, diffrax and equinox call for the user, and with what.

Their objects are the user's function (or module) with a name that tells what calling does: `haiku.apply`, `flax.apply`.
Parameters and random keys that they thread through are opaque; everything else is passed on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    Const,
    DictValue,
    Entry,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Level,
    MethodValue,
    Static,
    TransformedValue,
    Tree,
    TupleValue,
    Unknown,
    Value,
)
from .arrays import array_result
from .calls import call
from .classes import find_member
from .containers import row
from .copies import fresh_copy
from .entries import root_for
from .functions import positional_names, underlying
from .library import Call
from .mapping import axes_for
from .traces import Trace
from .transforms import enter, entry_for, leave, outside_level, shown_name

if TYPE_CHECKING:
    from .machine import Interpreter

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
    result = call(interp, function, args[threaded:], own, node)
    if name == "init":
        return UNKNOWN
    return TupleValue((result, TAINTED if interp.staging else UNKNOWN)) if threaded == 3 else result


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
    if not isinstance(function, FunctionValue):
        return TAINTED if interp.staging else UNKNOWN
    setup = find_member(interp, receiver.cls, "setup")
    if setup is not None:
        call(interp, MethodValue(setup, receiver), [], {}, node)
    own = {key: value for key, value in kwargs.items() if key not in THREADED}
    result = call(interp, MethodValue(function, receiver), args[1:], own, node)
    if name == "init":
        return UNKNOWN
    if name == "init_with_output" or kwargs.get("mutable", Const(False)) not in (Const(False), NONE):
        return TupleValue((result, TAINTED if interp.staging else UNKNOWN))
    return result


def sampler(application: Call) -> Value:
    """`NUTS(model)`, `MCMC(kernel)`: the model, which is run when sampling starts."""
    model = application.first()
    while isinstance(model, MethodValue) and model.function == ExternalValue("numpyro.sampler"):
        model = model.receiver
    return MethodValue(ExternalValue("numpyro.sampler"), model)


def _sampling(
    interp: Interpreter,
    name: str,
    receiver: Value,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
) -> Value:
    """`mcmc.run(key, *args)` compiles the model; its arguments are closed over."""
    if name in ("run", "warmup") and isinstance(underlying(receiver), FunctionValue) and interp.trace is None:
        inner = underlying(receiver)
        assert isinstance(inner, FunctionValue)
        entry = Entry(inner.name, "MCMC", node, interp.source, inner)
        own = {key: value for key, value in kwargs.items() if key not in ("extra_fields", "init_params")}
        enter(interp, Trace(entry, True, None, True), receiver, args[1:], own, node)
    return UNKNOWN


def sample(application: Call) -> Value:
    """`numpyro.sample`: what was observed, or an array that inference traces."""
    observed = application.bound.get("obs", NONE)
    if observed == NONE and application.interp.staging:
        return array_result(application.interp, application.inputs, application.node, name="numpyro.sample")
    return observed if observed != NONE and not isinstance(observed, Unknown) else UNKNOWN


def vector_field(application: Call) -> Value:
    """`diffrax.ODETerm(field)`."""
    return MethodValue(ExternalValue("diffrax.term"), application.first())


def solve(application: Call) -> Value:
    """`diffrax.diffeqsolve` calls the vector field with the time, the state and the arguments, all traced."""
    interp, bound = application.interp, application.bound
    term = bound.get("terms", UNKNOWN)
    if isinstance(term, MethodValue) and term.function == ExternalValue("diffrax.term"):
        time, state, rest = (
            Array(Level.CONCRETE, (), "float32"),
            bound.get("y0", UNKNOWN),
            bound.get("args", NONE),
        )
        entry = Entry(
            getattr(underlying(term.receiver), "name", "a function"),
            "diffeqsolve",
            application.node,
            interp.source,
        )
        names = positional_names(term.receiver)

        def inside(value: Value, position: int) -> Value:
            root = root_for(
                interp,
                entry,
                term.receiver,
                names[position] if position < len(names) else f"args[{position}]",
                value,
            )

            def leaf(item: Value) -> Value:
                numeric = position < 2 and isinstance(item, Const | Static)
                if isinstance(item, Array) or numeric:
                    shape, dtype = (item.shape, item.dtype) if isinstance(item, Array) else ((), None)
                    return Array(Level.ABSTRACT, shape, dtype, False, True, (root,))
                return Tree(Level.ABSTRACT, False, (root,)) if isinstance(item, Tree) else item

            return fresh_copy(interp, value, leaf, application.node)

        with interp.doubting(interp.jit_disabled):
            enter(
                interp, Trace(entry, True, interp.trace), term.receiver, [inside(v, k) for k, v in enumerate((time, state, rest))], {},
                application.node,
            )  # fmt: skip
    return TAINTED if interp.staging else UNKNOWN


def run_filter_vmap(
    interp: Interpreter,
    transformed: TransformedValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    """equinox, nnx: arrays lose an axis, the first unless `in_axes` says otherwise; all else is the caller's own."""
    function = transformed.function
    given_axes = transformed.option("in_axes") or Const(0)
    if isinstance(given_axes, DictValue):  # by the names of parameters
        return TAINTED if interp.staging else UNKNOWN
    axes = axes_for(interp, given_axes, len(args))
    entry = entry_for(interp, transformed, shown_name(transformed))
    names = positional_names(function)

    def inside(value: Value, name: str, axis: Value) -> Value:
        if axis == NONE or isinstance(value, FunctionValue | InstanceValue):
            return value
        if not isinstance(axis, Const):  # a tree of axes, a filter, or not known
            return UNKNOWN
        root = root_for(interp, entry, function, name, value)

        def leaf(item: Value) -> Value:
            if isinstance(item, Array):
                shape = item.shape if axis == Const(0) else None
                return row(Array(Level.ABSTRACT, shape, item.dtype, item.weak, True, (root,)))
            return Tree(Level.ABSTRACT, False, (root,)) if isinstance(item, Tree | Unknown) else item

        return fresh_copy(interp, value, leaf, None)

    given = [inside(v, names[k] if k < len(names) else f"args[{k}]", axes[k]) for k, v in enumerate(args)]
    named = {key: inside(v, key, Const(0)) for key, v in kwargs.items()}
    result = enter(interp, Trace(entry, False, interp.trace), function, given, named, node, spread)

    def stacked(item: Value) -> Value:
        return (
            Array(item.level, None, item.dtype, False, item.sure, item.roots, item.trail)
            if isinstance(item, Array)
            else item
        )

    outer = outside_level(interp, [*args, *kwargs.values()])
    return fresh_copy(interp, leave(interp, result, outer, node), stacked, node)


FRAMEWORKS: dict[str, Callable[..., Value]] = {"haiku": _haiku, "flax": _linen, "numpyro": _sampling}
"""Calls of methods of such objects, by the library that the object's name begins with."""

FRAMEWORK_TRACES: dict[str, Callable[[Call], Value]] = {
    "haiku_pair": haiku_pair,
    "haiku_without_rng": haiku_without_rng,
    "numpyro_sampler": sampler,
    "numpyro_sample": sample,
    "diffrax_term": vector_field,
    "diffrax_solve": solve,
}
"""What functions of these libraries make of the callables that they are given."""
