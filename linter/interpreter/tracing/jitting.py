"""What calling a jitted function does, or one made by the kin of jit: checkpoint, make_jaxpr, checkify."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    UNKNOWN,
    Array,
    Arrays,
    Const,
    Entry,
    FunctionValue,
    InstanceValue,
    Level,
    Root,
    Static,
    TransformedValue,
    TupleValue,
    Union,
    Unknown,
    Value,
    members,
)
from ...events import TracedCall
from ..arrays.described import described
from ..functions import parameter_names, positional_names
from ..libraries.variables import kind_of_object
from ..python.flattening import pytree_fields
from ..python.hashing import without_hash
from ..python.signatures import of_any_class, refuses, spreads
from .axis_names import axis_name
from .boundaries import check_result
from .entries import arrays_traced, generic, root_for, traced
from .named_arguments import constants, static_parameters
from .traces import inner_trace
from .transformed_calls import TransformedCall
from .transforms import enter, entry_for, leave, outside_level, shown_module, shown_name

if TYPE_CHECKING:
    from ..machine import Interpreter


def run_jit(called: TransformedCall) -> Value:
    """`jit`: arguments are traced but for the static ones, which have to be hashable."""
    interp, transformed, node = called.interp, called.transformed, called.node
    args, kwargs, spread = called.args, called.kwargs, called.spread
    function, names = called.function, called.names
    if spread is None and not spreads(node) and _counted_too_far(called):
        return UNKNOWN
    static = static_parameters(transformed, len(args) if spread is None else None)
    positional = positional_names(function)
    by_name, by_number = (static.names, static.numbers) if static is not None else ((), ())
    refusals = interp.refusals
    entry = entry_for(interp, transformed, "jit", (("static", Const(" ".join(sorted(by_name)))),))

    def inside(name: str, value: Value, is_static: bool, parameters: Collection[str]) -> Value:
        if static is None:
            return _perhaps(value)
        if is_static:
            return _static_argument(interp, transformed, value, name, node)
        if isinstance(value, Unknown) and name in parameters:
            return generic_once(interp, function, name, entry, value)
        root = root_for(interp, entry, function, name, value)
        return traced(interp, value, root, Level.ABSTRACT, transformed, node)

    known = parameter_names(function)
    by_keyword = known[0] if known is not None else ()
    values = [inside(names[k], value, k in by_number, positional) for k, value in enumerate(args)]
    named = {name: inside(name, value, name in by_name, by_keyword) for name, value in kwargs.items()}
    if spread is None and call_refused(interp, transformed, args, list(kwargs), node):
        return UNKNOWN
    if interp.refusals > refusals:
        return UNKNOWN  # it raises before the function is traced
    if interp.lifetimes.metadata.passed(interp, transformed, called.inputs, node):
        return UNKNOWN
    if interp.loop_nodes and static is not None:
        given = dict(zip(names, args, strict=True)) | kwargs
        fixed_names = static.among(names)
        fixed = {name: value for name, value in given.items() if name in fixed_names}
        others = {name: value for name, value in given.items() if name not in fixed}
        interp.repetition.arguments(interp, transformed, node, fixed, others)
    rest = None
    if spread is not None:
        root = Root("parameter", "args", entry, transformed.node, transformed.source)
        rest = traced(interp, spread, root, Level.ABSTRACT, None, node)
        unseen = [name for k, name in enumerate(positional) if k in by_number and k >= len(args)]
        named = {name: UNKNOWN for name in (*by_name, *unseen) if name in by_keyword} | named
    result = enter(interp, inner_trace(entry, True, interp.trace), function, values, named, node, rest)
    check_result(interp, result, transformed.kind, node)
    return leave(interp, result, outside_level(interp, called.inputs), node)


def _counted_too_far(called: TransformedCall) -> bool:
    """Tells of a position counted from the end, beyond the first of the arguments that a call passes."""
    transformed, count = called.transformed, len(called.args)
    numbers = constants(transformed.option("static_argnums"), int) or []
    beyond = next((n for n in numbers if n < -count), None)
    if beyond is None:
        return False
    called.interp.tell(
        TracedCall, called.node, transformed=transformed, problem="arity", error="ValueError",
        detail=f"static_argnums is {beyond}, and the call passes {count} argument{'s' if count != 1 else ''} by position",
    )  # fmt: skip
    return True


def call_refused(
    interp: Interpreter,
    transformed: TransformedValue,
    args: Sequence[Value],
    keywords: Collection[str],
    node: cst.CSTNode,
) -> bool:
    """Tells of a function that cannot be called with so many arguments; whether it cannot."""
    overridden = bool(args) and of_any_class(args[0])  # perhaps by a method that takes others
    detail = refuses(transformed.function, len(args), keywords) if not (spreads(node) or overridden) else ""
    if detail:
        interp.tell(
            TracedCall, node, transformed=transformed, problem="arity", detail=detail, error="TypeError"
        )
        interp.called.discard(transformed.serial)  # what it does otherwise is still to be seen
    return bool(detail)


def generic_once(interp: Interpreter, function: Value, name: str, entry: Entry, value: Value) -> Value:
    """A traced argument of which nothing is known at the call: what the function itself tells of its parameter."""
    result = generic(interp, function, name, root_for(interp, entry, function, name, value), Level.ABSTRACT)
    if isinstance(result, Union):  # it is passed, so its default does not matter
        kept = [m for m in result.members if isinstance(m, Arrays)]
        if kept and Const(None) not in result.members:
            return replace(kept[0], sure=True)
    return result


def _perhaps(value: Value) -> Value:
    """An argument of which it is not known whether it is static."""
    return UNKNOWN if not isinstance(value, FunctionValue | InstanceValue) else value


def _static_argument(
    interp: Interpreter, transformed: TransformedValue, value: Value, name: str, node: cst.CSTNode
) -> Value:
    """A static argument is passed as it is; it has to be hashable."""
    for member in members(value):
        lacking = without_hash(interp, member)
        if lacking is not None and len(members(value)) == 1:
            holds_data = isinstance(lacking, Array) or (
                isinstance(lacking, Static) and lacking.kind == "ndarray"
            )
            problem = "array-static" if holds_data else "unhashable-static"
            interp.tell(
                TracedCall,
                node,
                transformed=transformed,
                problem=problem,
                parameter=name,
                value=value,
                error="ValueError",
                part=lacking if lacking is not member else None,
            )
            interp.refusals += 1
    return value


def run_filter_jit(called: TransformedCall) -> Value:
    """equinox: arrays are traced, everything else is static."""
    interp, transformed, node = called.interp, called.transformed, called.node
    entry = entry_for(interp, transformed, shown_name(transformed))

    def inside(name: str, value: Value) -> Value:
        root = root_for(interp, entry, called.function, name, value)
        return arrays_traced(interp, value, root, node)

    if interp.lifetimes.metadata.passed(interp, transformed, called.inputs, node):
        return UNKNOWN
    values = list(map(inside, called.names, called.args))
    named = {name: inside(name, value) for name, value in called.kwargs.items()}
    if interp.loop_nodes:
        given = dict(zip(called.names, called.args, strict=True)) | called.kwargs
        parts = dict(part for name, value in given.items() for part in _parts(interp, value, name))
        arrays = {name: part for name, part in parts.items() if isinstance(part, Array)}
        fixed = {name: part for name, part in parts.items() if name not in arrays}
        interp.repetition.arguments(interp, transformed, node, fixed, arrays)
    trace = inner_trace(entry, True, interp.trace)
    result = enter(interp, trace, called.function, values, named, node, called.spread)
    return leave(interp, result, outside_level(interp, called.inputs), node, filtered=True)


def _parts(interp: Interpreter, value: Value, name: str, depth: int = 3) -> Iterator[tuple[str, Value]]:
    """What stands inside a pytree, each part with the name of its place: `model.layers[0].weight`."""
    inner: list[tuple[str, Value]] = []
    if isinstance(value, TupleValue):
        inner = [(f"{name}[{k}]", item) for k, item in enumerate(value.items)]
    elif isinstance(value, InstanceValue) and pytree_fields(interp, value.cls) is not None:
        if kind_of_object(value) is None:
            inner = [(f"{name}.{key}", item) for key, item in value.box.slots.items()]
    if not inner or not depth:
        yield name, value
    for place, item in inner:
        yield from _parts(interp, item, place, depth - 1)


def run_checkpoint(called: TransformedCall) -> Value:
    """`checkpoint` and `shard_map`: arguments are traced but for those that `static_argnums` sets apart."""
    interp, transformed, node = called.interp, called.transformed, called.node
    args, kwargs, spread = called.args, called.kwargs, called.spread
    function = called.function
    numbers = constants(transformed.option("static_argnums"), int)
    staged = transformed.kind != "shard_map"
    if spread is None and staged and shown_module(transformed) == "jax":
        beyond = [n for n in numbers or () if not -len(args) <= n < len(args)]
        if beyond:
            interp.tell(
                TracedCall, node, transformed=transformed, problem="arity", error="ValueError",
                detail=f"static_argnums is {beyond[0]}, but the call passes {len(args)} arguments by position",
            )  # fmt: skip
            return UNKNOWN
        if call_refused(interp, transformed, args, list(kwargs), node):
            return UNKNOWN
    level = Level.ABSTRACT if staged or interp.staging else Level.DUAL
    shown = shown_name(transformed) if transformed.kind == "lift" else transformed.kind
    entry = entry_for(interp, transformed, shown)
    static = {n % len(args) for n in numbers or () if args}
    inside = []
    for position, (name, value) in enumerate(zip(called.names, args, strict=True)):
        if numbers is None:
            inside.append(_perhaps(value))
        elif position in static:
            inside.append(value)
        else:
            inside.append(
                traced(
                    interp, value, root_for(interp, entry, function, name, value), level, transformed, node
                )
            )
    named = {
        k: traced(interp, v, root_for(interp, entry, function, k, v), level, transformed, node)
        for k, v in kwargs.items()
    }
    meshed = None if staged else UNKNOWN  # the names of a mesh are not known
    with axis_name(interp, meshed):
        result = enter(
            interp, inner_trace(entry, staged, interp.trace), function, inside, named, node, spread
        )
    check_result(interp, result, transformed.kind, node)
    return leave(interp, result, outside_level(interp, called.inputs), node)


def run_make_jaxpr(called: TransformedCall) -> Value:
    """`make_jaxpr`: a program, of which nothing is known."""
    interp, node = called.interp, called.node
    args = [described(interp, value, node) for value in called.args]
    kwargs = {name: described(interp, value, node) for name, value in called.kwargs.items()}
    with axis_name(interp, called.transformed.option("axis_env")):
        run = run_jit if shown_module(called.transformed) == "jax" else run_filter_jit
        run(replace(called, args=args, kwargs=kwargs))
    return Static("jaxpr")


def run_checkify(called: TransformedCall) -> Value:
    """`checkify`: an error beside the result; the function closes over its arguments, which may be anything."""
    interp, transformed, node, function = called.interp, called.transformed, called.node, called.function
    entry = entry_for(interp, transformed, "checkify")

    def inside(name: str, value: Value) -> Value:
        return generic_once(interp, function, name, entry, value) if isinstance(value, Unknown) else value

    args = [inside(name, value) for name, value in zip(called.names, called.args, strict=True)]
    kwargs = {name: inside(name, value) for name, value in called.kwargs.items()}
    result = enter(
        interp, inner_trace(entry, True, interp.trace), function, args, kwargs, node, called.spread
    )
    check_result(interp, result, transformed.kind, node)
    return TupleValue((UNKNOWN, leave(interp, result, outside_level(interp, called.inputs), node)))
