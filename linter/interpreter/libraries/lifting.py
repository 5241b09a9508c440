"""flax.linen's lifted transforms: of Module classes, of methods, and of functions that take a module first.

Called with a class, such a transform gives a class whose instances remember it in the slot `LIFT`; calling one of their
methods then traces it.  Parameters and random keys are threaded through by flax; what the user sees is that a method is
called with traced arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Arrays,
    ClassValue,
    Const,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Level,
    MethodValue,
    PartialValue,
    SequenceValue,
    TransformedValue,
    Tree,
    TupleValue,
    Value,
)
from ...events import ControlFlow
from ..calls import call
from ..functions import argument_names
from ..python.classes import find_member
from ..python.containers import items_of, sequence_of
from ..python.copies import fresh_copy
from ..tracing.boundaries import check_scalar
from ..tracing.carries import differs
from ..tracing.conditionals import BRANCHES
from ..tracing.controlflow import TRACES, as_arrays, entry_of, stacked
from ..tracing.differentiation import differentiated
from ..tracing.entries import root_for, traced
from ..tracing.jitting import run_checkpoint, run_jit
from ..tracing.mapping import axes_for, run_vmap, without_axis
from ..tracing.named_arguments import constants
from ..tracing.traces import Trace, inner_trace, level_of
from ..tracing.transformed_calls import Runner, TransformedCall
from ..tracing.transforms import enter, entry_for, leave, outside_level, shown_name
from .library import Call, argument

if TYPE_CHECKING:
    from ..machine import Interpreter

LIFT = "<lifted>"
SET_UP = "<set up>"
BROADCAST = ExternalValue("flax.linen.broadcast")


def lifted(instance: InstanceValue, name: str, member: Value | None) -> Value | None:
    """A member of an instance as a transform of its class has it."""
    transform = instance.box.slots.get(LIFT)
    if not isinstance(transform, TransformedValue) or not isinstance(member, FunctionValue):
        return member
    methods = constants(transform.option("methods"), str)
    if methods is None or name not in (methods or ["__call__"]):
        return member
    return replace(transform, function=member)


def run_lifted(called: TransformedCall) -> Value:
    """Calling what `flax.linen.jit`, `remat`, `vmap` or `scan` returned."""
    interp, transformed = called.interp, called.transformed
    args, kwargs, node = called.args, called.kwargs, called.node
    function = called.function
    target = function
    while isinstance(target, PartialValue):
        target = target.function
    nested = isinstance(target, TransformedValue) and not isinstance(target.function, FunctionValue)
    if nested or isinstance(target, ClassValue | ExternalValue):
        made = call(interp, function, args, kwargs, node, called.spread)
        if isinstance(made, InstanceValue) and isinstance(target, ClassValue):
            made.box.slots[LIFT] = transformed
        return made
    if not args or called.spread is not None:
        return TAINTED if interp.staging else UNKNOWN
    inner = PartialValue(function, (args[0],), ())
    run = _RUNS.get(shown_name(transformed), run_checkpoint)
    numbers = constants(transformed.option("static_argnums"), int)
    options = {key: value for key, value in transformed.options if key != "static_argnums"}
    if numbers is None:
        return TAINTED if interp.staging else UNKNOWN
    if numbers:  # of which the module is the first
        options["static_argnums"] = TupleValue(tuple(Const(n - 1) for n in numbers))
    bound = replace(transformed, function=inner, options=tuple(options.items()))
    return run(replace(called, transformed=bound, args=args[1:]))


def _scan(called: TransformedCall) -> Value:
    """The carry and slices along `in_axes` are traced; what is broadcast stays the caller's own."""
    interp, transformed, args, node = called.interp, called.transformed, called.args, called.node
    function = called.function
    if not args or called.kwargs:
        return TAINTED if interp.staging else UNKNOWN
    entry = entry_for(interp, transformed, "scan")
    axes = axes_for(interp, transformed.option("in_axes") or Const(0), len(args) - 1)
    carry = as_arrays(interp, args[0])
    inside: list[Value] = []
    for position, (name, value) in enumerate(zip(called.names, [carry, *args[1:]], strict=True)):
        axis = axes[position - 1] if position else NONE
        if position and axis == BROADCAST:
            inside.append(value)
            continue
        if position and not isinstance(axis, Const):
            inside.append(UNKNOWN)
            continue
        root = root_for(interp, entry, function, name, args[position])
        given = traced(interp, value, root, Level.ABSTRACT, None, node)
        inside.append(without_axis(interp, given, axis) if position else given)
    result = enter(interp, inner_trace(entry, True, interp.trace), function, inside, {}, node)
    outer = outside_level(interp, args)
    if not isinstance(result, TupleValue) or len(result.items) != 2 or result.rest is not None:
        return TAINTED if interp.staging else UNKNOWN
    difference = differs(interp, carry, result.items[0])
    if difference:
        interp.tell(ControlFlow, node, function="scan", problem="carry", detail=difference, error="TypeError")
    after, y = (leave(interp, part, outer, node) for part in result.items)
    return TupleValue((after, stacked(interp, y, NONE, outer)))


_RUNS: dict[str, Runner] = {"jit": run_jit, "vmap": run_vmap, "scan": _scan}
"""What a lifted transform does with arguments, by its name; the others stage everything."""


# --- functions that are lifted and called at once -------------------------------------------------------------------


def _with_module(function: Value, module: Value) -> Value:
    """A function that is given the module first; of a bound method that is the only module."""
    if isinstance(function, MethodValue) and isinstance(function.function, FunctionValue):
        function = function.function
    return PartialValue(function, (module,), ()) if function != NONE else NONE


def control_flow(call_: Call) -> Value:
    """`cond`, `switch` and `while_loop` of functions that take the module first."""
    word = call_.name.rsplit(".", 1)[-1]
    module = argument(call_, "mdl")
    bound = dict(call_.bound)
    names = {"cond": ("true_fun", "false_fun"), "switch": (), "while_loop": ("cond_fn", "body_fn")}[word]
    for name in names:
        inner = name.replace("_fn", "_fun")
        bound[inner] = _with_module(bound.get(name, UNKNOWN), module)
    if word == "switch":
        branches = items_of(call_.interp, argument(call_, "branches")) or []
        bound["branches"] = TupleValue(tuple(_with_module(one, module) for one in branches))
    if word == "while_loop":
        bound["init_val"] = bound.get("init", UNKNOWN)
    at = {"cond": 3, "switch": 2, "while_loop": 2}[word]
    args = [*call_.args[:at], *call_.args[at + 1 :]]
    if word == "cond":
        args[1:3] = [bound["true_fun"], bound["false_fun"]]
    inner_call = Call(
        call_.interp, call_.name, bound, args, call_.kwargs, call_.node, call_.spread, call_.signature
    )
    return {**TRACES, **BRANCHES}[word](inner_call)


@contextmanager
def parameters(interp: Interpreter, value: Value) -> Iterator[None]:
    """The parameters that layers and `param` give while the body runs."""
    outer, interp.parameters = interp.parameters, value
    try:
        yield
    finally:
        interp.parameters = outer


def derivative(call_: Call) -> Value:
    """`grad`, `value_and_grad`, `vjp` and `jvp`: parameters and other arguments are differentiated."""
    interp, word = call_.interp, call_.name.rsplit(".", 1)[-1]
    function, module = argument(call_, "fn"), argument(call_, "mdl")
    given = call_.args[2:]
    if word == "jvp":
        given = list(sequence_of(interp, argument(call_, "primals")).items)
    entry = entry_of(call_, function, word)
    names = argument_names(function, len(given) + 1)[1:]  # the first is the module
    inside = []
    for name, value in zip(names, given, strict=True):
        inside.append(
            differentiated(interp, value, root_for(interp, entry, function, name, value), call_.node)
        )
    threaded = root_for(interp, entry, function, "variables", interp.parameters)
    level = max(Level.DUAL, level_of(interp.parameters))
    trace = Trace(entry, False, interp.trace, word != "jvp", derivative=True)
    with parameters(interp, Tree(level, True, (threaded,))):
        result = enter(interp, trace, function, [module, *inside], {}, call_.node)
    aux = call_.bound.get("has_aux") == Const(True)
    if word in ("grad", "value_and_grad"):
        check_scalar(interp, result, word, aux, call_.node)
    value = leave(interp, result, outside_level(interp, [*given, interp.parameters]), call_.node)
    rest: Value = TAINTED if interp.trace is not None else UNKNOWN
    return rest if word == "grad" else TupleValue((value, rest))


def unrolled(call_: Call) -> Value:
    """`Sequential(layers)(x)`: each layer takes what the one before gives."""
    interp = call_.interp
    receiver = call_.bound.get("self")
    layers = interp.state.read(receiver.box, "layers") if isinstance(receiver, InstanceValue) else None
    parts = items_of(interp, layers) if isinstance(layers, SequenceValue) else None
    value = call_.args[0] if call_.args else UNKNOWN
    if parts is None:
        return TAINTED if interp.staging else UNKNOWN
    for part in parts:
        value = call(interp, part, [value], {}, call_.node)
    return value


# --- modules ---------------------------------------------------------------------------------------------------------


def bound_module(interp: Interpreter, receiver: InstanceValue) -> InstanceValue:
    """A module as `apply` binds it: a copy, which is set up when somebody asks for what `setup` makes."""
    box = interp.new_box(receiver.box.name, site=receiver.box.site)
    box.slots.update(receiver.box.slots)
    return InstanceValue(receiver.cls, box)


def threaded_through(interp: Interpreter, value: Value) -> Value:
    """Parameters that were passed to `apply`: their arrays as one tree."""

    def leaf(item: Value) -> Value:
        return item if isinstance(item, Arrays) else NONE

    return fresh_copy(interp, value, leaf, None)


def set_up(interp: Interpreter, instance: InstanceValue, name: str, node: cst.CSTNode) -> Value | None:
    """What a module's `setup`, which is run now if it was not yet, has stored by this name."""
    setup = find_member(interp, instance.cls, "setup")
    if setup is None or interp.state.read(instance.box, SET_UP) is not None:
        return None
    interp.state.write(instance.box, SET_UP, Const(True))
    call(interp, MethodValue(setup, instance), [], {}, node)
    return interp.state.read(instance.box, name)
