"""Transforms: applying them to a function, and calling what they return."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import count
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    Const,
    Entry,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Level,
    MethodValue,
    PartialValue,
    Root,
    Static,
    TransformedValue,
    Tree,
    TupleValue,
    Union,
    Unknown,
    Value,
    Wrapper,
    members,
)
from ...events import TracedCall, TransformApplied
from ..arrays.described import described
from ..calls import call, callee
from ..functions import argument_names, is_generator, positional_names, underlying
from ..libraries.library import Call, flattened
from ..python.classes import has_base
from ..python.copies import fresh_copy
from .callables import not_callable, unhashable
from .named_arguments import constants, jit_problem, static_parameters
from .programs import Seen, seen_by_cache
from .traces import Trace, entries_of, level_of, origins, staged_by
from .transformed_calls import BY_POSITION, TransformedCall, by_position

if TYPE_CHECKING:
    from ..machine import Interpreter

_serials = count(1)
KEEPS_VALUES = frozenset(
    "grad value_and_grad jacfwd jacrev jacobian hessian jvp vjp linearize shard_map filter_grad filter_value_and_grad "
    "filter_jvp filter_vjp".split()
)
"""Transforms whose tracers know the values that they stand for."""


CHECKED_AT_ONCE = frozenset("jit vmap pmap grad value_and_grad jacobian make_jaxpr".split())
"""The kinds of transforms that refuse what cannot be called when they are applied; others do when they are called."""


def apply_transform(application: Call, kind: str) -> Value:
    """`jax.jit(f, ...)`: a transformed function; without a function, what applies the transform to one."""
    interp = application.interp
    bound = dict(application.bound)
    wrong = unknown_option(application)
    if wrong:
        nothing = TransformedValue(kind, UNKNOWN, application.node, interp.source, serial=next(_serials))
        interp.tell(
            TransformApplied,
            application.node,
            transformed=nothing,
            problem="no-option",
            detail=wrong,
            error="TypeError",
        )
        return UNKNOWN
    first = next(
        (p.name for p in application.signature.parameters if p.kind in ("positional", "either")), "fun"
    )
    function = bound.pop(first, None)
    if function == NONE and application.name == "jax.jit":
        function = Const(None)
    elif function is None and _needs_function(application):
        nothing = TransformedValue(kind, UNKNOWN, application.node, interp.source, serial=next(_serials))
        interp.tell(
            TransformApplied, application.node, transformed=nothing, problem="no-function",
            detail=application.name.rpartition(".")[2], error="TypeError",
        )  # fmt: skip
        return UNKNOWN
    elif function is None or function == NONE:
        return PartialValue(ExternalValue(application.name), (), tuple(application.kwargs.items()))
    if kind == "transparent":
        interp.wrappers.add(application.name)
        return function
    if kind == "opaque":
        return UNKNOWN
    made = interp.each(function, lambda one: _apply(interp, application, kind, one, bound))
    if isinstance(function, Union):
        interp.alternatives.update(one.serial for one in members(made) if isinstance(one, TransformedValue))
    return made


def unknown_option(call: Call) -> str:
    """What a call of a function of JAX gives that it does not take, in words; empty if nothing."""
    module, _, name = call.name.rpartition(".")
    if module not in ("jax", "jax.lax"):
        return ""
    parameters = call.signature.parameters
    by_position, by_name = call.signature.bind(len(call.args), tuple(call.kwargs))
    extra = next(
        (key for key, parameter in zip(call.kwargs, by_name, strict=True) if parameter is None), None
    )
    if extra is not None:
        known = [p.name for p in parameters if p.kind in ("either", "keyword")]
        similar = get_close_matches(extra, known, 1)
        return f"{name} has no parameter {extra!r}{f' (it has {similar[0]!r})' if similar else ''}"
    if None in by_position and call.spread is None:
        most = by_position.index(None)
        return f"{name} takes {most} argument{'s' if most != 1 else ''} by position, not {len(call.args)}"
    return ""


def _needs_function(application: Call) -> bool:
    """Whether a transform is called without the function that it cannot do without: it is no decorator with options."""
    first = application.signature.parameters[0]
    named = application.name.startswith("jax.") and not application.args and application.spread is None
    return named and bool(application.kwargs) and not first.optional


def _is_of_module(function: Value) -> bool:
    """Whether a function, be it in a partial, is a method that is bound to a module of nnx."""
    while isinstance(function, PartialValue):
        function = function.function
    receiver = function.receiver if isinstance(function, MethodValue) else None
    return isinstance(receiver, InstanceValue) and has_base(receiver.cls, ("flax.nnx.Module",))


def _apply(
    interp: Interpreter, application: Call, kind: str, function: Value, options: dict[str, Value]
) -> Value:
    transformed = TransformedValue(
        kind,
        function,
        application.node,
        interp.source,
        (("name", Const(application.name)), *options.items()),
        next(_serials),
    )
    if application.name.startswith("flax.nnx.") and _is_of_module(function):
        interp.tell(
            TransformApplied, application.node, transformed=transformed, problem="bound-method", error="ValueError",
            detail=getattr(underlying(function), "name", ""),
        )  # fmt: skip
        return UNKNOWN
    interp.repetition.made(interp, transformed)
    if isinstance(function, Unknown | Tree) or (
        isinstance(function, Array | Static) and not not_callable(interp, function)
    ):
        return transformed
    if interp.source is interp.frames[0].source:  # other files' own are theirs to run
        interp.pending[transformed.serial] = transformed
    problem, detail, error = _problem(interp, kind, function, transformed)
    fresh = isinstance(function, Wrapper) or (
        isinstance(function, FunctionValue)
        and (
            type(function.node) is cst.Lambda
            or function.scope.parent is not None
            or interp.repetition.in_loop(function)
        )
    )
    interp.tell(
        TransformApplied,
        application.node,
        transformed=transformed,
        fresh=fresh,
        problem=problem,
        detail=detail,
        error=error,
    )
    if problem and error:
        interp.pending.pop(transformed.serial, None)
        return UNKNOWN  # it never gets further than this
    if fresh and interp.in_loop:
        event = TransformApplied(
            node=application.node, source=interp.source, entry=interp.trace.entry if interp.trace else None,
            sure=interp.certain and interp.trace is None, statement=interp.frame.statement, transformed=transformed,
            loop=True, fresh=True,
        )  # fmt: skip
        interp.repetition.applied(interp, event)
    return transformed


def _problem(
    interp: Interpreter, kind: str, function: Value, transformed: TransformedValue
) -> tuple[str, str, str | None]:
    """What is wrong with applying the transform to this function: a word, a detail, the exception."""
    inner = function
    while isinstance(inner, MethodValue | PartialValue) and not isinstance(inner.function, ExternalValue):
        inner = inner.function
    if (
        isinstance(inner, FunctionValue)
        and kind in ("jit", "vmap", "pmap", "filter_jit")
        and is_generator(inner)
    ):
        return "generator", inner.name, "TypeError"
    if isinstance(function, MethodValue) and function.function == ExternalValue("descriptor.staticmethod"):
        # What has rules of its own calls it when it is called, and so does equinox
        called = kind in ("custom_jvp", "custom_vjp", "filter_jit")
        return ("", "", None) if called else ("staticmethod", "", "TypeError")
    if isinstance(function, MethodValue) and function.function == ExternalValue("descriptor.classmethod"):
        return "classmethod", "", "TypeError"
    # What an object that nobody is seen to make begins with, heirs and callers have set by then
    unset = function == NONE and not interp.seen_from_module
    if kind in CHECKED_AT_ONCE and not unset and not_callable(interp, function):
        return "not-callable", "", "TypeError"
    if kind == "jit":
        if shown_module(transformed) == "flax":
            return "", "", None
        problem, detail = jit_problem(function, transformed)
        return (
            problem,
            detail,
            "TypeError" if problem == "not-a-choice" else "ValueError" if problem else None,
        )
    if kind == "make_jaxpr" and shown_module(transformed) == "jax":
        problem, detail = jit_problem(function, transformed)
        return problem, detail, "ValueError" if problem else None
    return "", "", None


def shown_name(transformed: TransformedValue) -> str:
    """What people call the transform: the last part of its name."""
    name = transformed.option("name")
    return str(name.value).rsplit(".", 1)[-1] if isinstance(name, Const) else transformed.kind


def shown_module(transformed: TransformedValue) -> str:
    """The library that the transform belongs to."""
    name = transformed.option("name")
    return str(name.value).split(".", 1)[0] if isinstance(name, Const) else ""


def entry_for(
    interp: Interpreter,
    transformed: TransformedValue,
    transform: str,
    options: tuple[tuple[str, Value], ...] = (),
) -> Entry:
    """The entry point that calling a transformed function begins."""
    function = transformed.function
    inner = underlying(function)
    name = (
        inner.name
        if isinstance(inner, FunctionValue)
        else inner.name.rsplit(".", 1)[-1]
        if isinstance(inner, ExternalValue)
        else "a function"
    )
    if isinstance(inner, FunctionValue) and inner.owner is not None and hasattr(inner.owner, "name"):
        name = f"{inner.owner.name}.{name}"
    return Entry(
        name,
        transform,
        transformed.node,
        transformed.source,
        inner if isinstance(inner, FunctionValue) else None,
        options,
    )


@callee(TransformedValue)
def call_transformed(
    interp: Interpreter,
    transformed: TransformedValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    """Calling what a transform returned traces the function with these arguments."""
    interp.called.add(transformed.serial)
    interp.repetition.called(interp, transformed)
    program = interp.lifetimes.frozen.program(transformed, lambda: _seen(transformed, args, kwargs))
    interp.lifetimes.frozen.entered(interp, program)
    if type(node) is cst.Call and type(node.func) is cst.Attribute:
        interp.lifetimes.frozen.kept(interp, interp.frame, transformed, node)
    interp.lifetimes.used(interp, [*args, *kwargs.values()], node)
    interp.lifetimes.memory.hand_over(interp, [*args, *kwargs.values()], node)
    run = interp.kinds.get(transformed.kind)
    if interp.jit_disabled and transformed.kind in ("jit", "filter_jit"):
        return call(interp, transformed.function, args, kwargs, node, spread)
    if run is None:
        return TAINTED if any(level_of(a) for a in args) else UNKNOWN
    if transformed.kind == "checkpoint" and not_callable(interp, transformed.function):
        interp.tell(
            TransformApplied, node, transformed=transformed, problem="not-callable", error="TypeError"
        )
        return UNKNOWN
    if shown_module(transformed) == "jax" and unhashable(interp, transformed.function, transformed.kind):
        interp.tell(
            TracedCall, node, transformed=transformed, problem="unhashable-function",
            value=transformed.function, error="TypeError",
        )  # fmt: skip
        return UNKNOWN
    if transformed.kind in BY_POSITION and shown_module(transformed) == "flax":
        args, kwargs = by_position(transformed.function, args, kwargs)
    interp.lifetimes.frozen.running.append(program)
    try:
        result = run(TransformedCall(interp, transformed, args, kwargs, node, spread))
    finally:
        interp.lifetimes.frozen.left()
    if transformed.kind == "jit" and shown_module(transformed) != "flax":  # flax writes back what was donated
        _donate(interp, transformed, args, kwargs, node, result)
    return result


def _seen(
    transformed: TransformedValue, args: list[Value], kwargs: dict[str, Value]
) -> tuple[tuple[str, Seen], ...]:
    """What the cache of a compiled function sees of the arguments of a call."""
    static = static_parameters(transformed)
    if static is None:
        return ()
    positional = argument_names(transformed.function, len(args))
    names = static.among(positional)
    given = [*zip(positional, args, strict=True), *kwargs.items()]
    return seen_by_cache((name, value, name in names) for name, value in given)


@callee(TransformedValue, of_method=True)
def _call_transformed_method(
    interp: Interpreter,
    method: MethodValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    transformed = method.function
    assert isinstance(transformed, TransformedValue)
    return call_transformed(interp, transformed, [method.receiver, *args], kwargs, node, spread)


def _donate(
    interp: Interpreter,
    transformed: TransformedValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    result: Value,
) -> None:
    """The arguments of a call that it gives away are deleted."""
    numbers = constants(transformed.option("donate_argnums"), int) or []
    names = set(constants(transformed.option("donate_argnames"), str) or [])
    if not (numbers or names) or type(node) is not cst.Call:
        return
    positional = positional_names(transformed.function)
    positions = set(numbers) | {positional.index(n) for n in names if n in positional}
    names |= {positional[k] for k in positions if k < len(positional)}
    written = [a for a in node.args if a.keyword is None and not a.star]
    bound = len(args) - len(written)  # what a method is bound to is not written
    if any(a.star for a in node.args):
        positions = set()
    given = [
        (written[position - bound].value, args[position])
        for position in sorted(positions)
        if bound <= position < len(args)
    ]
    for argument in node.args:
        if argument.keyword is not None and argument.keyword.value in names & kwargs.keys():
            given.append((argument.value, kwargs[argument.keyword.value]))
    others = [value for position, value in enumerate(args) if position not in positions]
    others += [value for name, value in kwargs.items() if name not in names]
    interp.lifetimes.donations.shared(interp, given, others, node, result)
    for expression, value in given:
        interp.lifetimes.donations.give(interp, expression, value, node, result)


def enter(
    interp: Interpreter,
    trace: Trace,
    function: Value,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None = None,
) -> Value:
    """Runs a function inside a trace; what surrounds the call does not catch what tracing raises inside."""
    swallowed, caught = interp.swallowed, interp.caught
    if interp.trace is None:
        interp.swallowed, interp.caught = False, frozenset()
    loop, interp.in_loop = interp.in_loop, 0
    leaks = interp.lifetimes.leaks
    waiting, recording = len(leaks.escapes), leaks.recording
    if trace.staging and staged_by(interp.trace) is None:
        leaks.recording = node, interp.source
    interp.entered.append((trace.entry, node, interp.source))
    try:
        with interp.tracing(trace):
            result = call(interp, function, args, kwargs, node, spread)
            with_data = trace.entry.transform in KEEPS_VALUES and isinstance(result, TupleValue)
            if not with_data:  # of a pair the second may be anything
                leaks.kept_alive(interp, [flattened(interp, result)], node)
        if len(leaks.escapes) > waiting:
            leaks.settle(interp, trace, waiting)
            waiting = len(leaks.escapes)
        return result
    finally:
        interp.entered.pop()
        leaks.recording = recording
        del leaks.escapes[waiting:]
        interp.swallowed, interp.caught = swallowed, caught
        interp.in_loop = loop


def leave(
    interp: Interpreter, value: Value, level: Level, node: cst.CSTNode, filtered: bool = False
) -> Value:
    """A result as it is outside the trace: arrays of the level outside, depending on what was passed in.

    `filtered`: what may be no array stays what it was; `jit` itself makes an array of it.
    """
    active = entries_of(interp.trace)

    def leaf(item: Value) -> Value:
        if isinstance(item, Array) and item.traced:
            roots = origins(item.roots, active)
            own = max(level, level_of_roots(item.roots, active))
            return Array(
                own,
                item.shape,
                item.dtype,
                item.weak,
                item.sure or not filtered,
                roots if own else (),
                item.trail if own else None,
            )
        if isinstance(item, Tree) and item.traced:
            own = max(level, level_of_roots(item.roots, active))
            return Tree(
                own, item.sure, origins(item.roots, active) if own else (), item.trail if own else None
            )
        if isinstance(item, Unknown) and item.may_trace and not level:
            return UNKNOWN
        return item

    return fresh_copy(interp, value, leaf, node)


def level_of_roots(roots: tuple[Root, ...], active: set[int]) -> Level:
    """How traced a value is that depends on these roots, by those of the traces that are still under way."""
    entries = [root.entry for root in roots if root.entry is not None and id(root.entry) in active]
    if not entries:
        return Level.CONCRETE
    return Level.DUAL if all(entry.transform in KEEPS_VALUES for entry in entries) else Level.ABSTRACT


def outside_level(interp: Interpreter, values: list[Value]) -> Level:
    """How traced a result is outside the transform."""
    if interp.trace is None:
        return Level.CONCRETE
    if interp.staging:
        return Level.ABSTRACT
    return max((level_of(value) for value in values), default=Level.CONCRETE)


def transformed_method(
    interp: Interpreter,
    transformed: TransformedValue,
    name: str,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
) -> Value:
    """Methods of transformed functions: `lower`, `trace`, `eval_shape`, `defjvp`, `defvjp`, ..."""
    if name in ("lower", "trace", "eval_shape"):
        args = [described(interp, value, node) for value in args]
        kwargs = {key: described(interp, value, node) for key, value in kwargs.items()}
        with interp.beside_loops():  # who compiles by hand wants a program for each turn
            call_transformed(interp, transformed, args, kwargs, node, None)
        return UNKNOWN
    if name in ("defjvp", "defvjp", "defjvps", "def_vmap", "def_fwd", "def_bwd"):
        from .custom_rules import define_rules

        define_rules(interp, transformed, name, args, kwargs)
        return args[0] if args else NONE
    return UNKNOWN
