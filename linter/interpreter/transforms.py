"""Transforms: applying them to a function, and calling what they return."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import (
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
    ListValue,
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
    members,
)
from ..events import TracedCall, TransformApplied
from .boundaries import check_result
from .calls import call
from .classes import find_member
from .copies import fresh_copy
from .entries import generic, root_for, traced
from .functions import is_generator, parameter_names, positional_names, underlying
from .library import Call
from .lifetimes import active_entries
from .traces import Trace, level_of, origins

if TYPE_CHECKING:
    from .machine import Interpreter

_serials = count(1)
KEEPS_VALUES = frozenset(
    "grad value_and_grad jacfwd jacrev jacobian hessian jvp vjp linearize shard_map filter_grad filter_value_and_grad "
    "filter_jvp filter_vjp".split()
)
"""Transforms whose tracers know the values that they stand for."""


def apply_transform(application: Call, kind: str) -> Value:
    """`jax.jit(f, ...)`: a transformed function; without a function, what applies the transform to one."""
    interp = application.interp
    bound = dict(application.bound)
    first = next(
        (p.name for p in application.signature.parameters if p.kind in ("positional", "either")), "fun"
    )
    function = bound.pop(first, None)
    if function is None or function == NONE:
        return PartialValue(ExternalValue(application.name), (), tuple(application.kwargs.items()))
    if kind == "transparent":
        return function
    if kind == "opaque":
        return UNKNOWN
    return interp.each(function, lambda one: _apply(interp, application, kind, one, bound))


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
    if isinstance(function, Unknown | Array | Tree | Static):
        return transformed
    if interp.source is interp.frames[0].source:  # other files' own are theirs to run
        interp.pending[transformed.serial] = transformed
    problem, detail, error = _problem(interp, kind, function, transformed)
    fresh = isinstance(function, PartialValue | MethodValue | TransformedValue) or (
        isinstance(function, FunctionValue)
        and (isinstance(function.node, cst.Lambda) or function.scope.parent is not None)
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
        return "staticmethod", "", "TypeError"
    if isinstance(function, MethodValue) and function.function == ExternalValue("descriptor.classmethod"):
        return "classmethod", "", "TypeError"
    if isinstance(function, Const) or (
        isinstance(function, Static) and function.kind in ("int", "float", "str")
    ):
        return "not-callable", "", "TypeError"
    if kind == "jit":
        names = parameter_names(function)
        if names is not None:
            known, has_args, has_kwargs = names
            for name in constants(transformed.option("static_argnames"), str) or ():
                if name not in known and not has_kwargs:
                    return "unknown-name", str(name), "ValueError"
            positional = positional_names(function)
            for number in constants(transformed.option("static_argnums"), int) or ():
                if not has_args and not -len(positional) <= int(str(number)) < len(positional):
                    return "out-of-range", str(number), "ValueError"
    return "", "", None


def constants(value: Value | None, kind: type) -> list[object] | None:
    """The constants of an option that is one or a sequence of them; None where they are not known."""
    if value is None or value == NONE:
        return []
    if isinstance(value, Const):
        return [value.value] if isinstance(value.value, kind) else None
    if isinstance(value, TupleValue | ListValue):
        items = value.items if isinstance(value, TupleValue) else ()
        if isinstance(value, ListValue):
            content = value.box.slots.get("items")
            items = content.items if isinstance(content, TupleValue) else ()
        if all(isinstance(item, Const) and isinstance(item.value, kind) for item in items):
            return [item.value for item in items if isinstance(item, Const)]
    return None


def static_names(transformed: TransformedValue) -> tuple[set[str], set[int]] | None:
    """The parameters that `jit` makes static, by name and by position, as JAX infers one from the other."""
    function = transformed.function
    names = constants(transformed.option("static_argnames"), str)
    numbers = constants(
        transformed.option("static_argnums") or transformed.option("static_broadcasted_argnums"), int
    )
    if names is None or numbers is None:
        return None
    positional = positional_names(function)
    by_number = {
        n if n >= len(positional) else n % max(len(positional), 1) for n in map(int, map(str, numbers))
    }
    by_name = {str(name) for name in names}
    if numbers and transformed.option("static_argnames") in (None, NONE):
        by_name |= {positional[n] for n in by_number if n < len(positional)}
    if names and transformed.option("static_argnums") in (None, NONE):
        by_number |= {k for k, name in enumerate(positional) if name in by_name}
    return by_name, by_number


def shown_name(transformed: TransformedValue) -> str:
    """What people call the transform: the last part of its name."""
    name = transformed.option("name")
    return str(name.value).rsplit(".", 1)[-1] if isinstance(name, Const) else transformed.kind


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
    interp.lifetimes.entered(interp, transformed.serial)
    interp.lifetimes.used(interp, [*args, *kwargs.values()], node)
    from .kinds import KINDS

    run = KINDS.get(transformed.kind)
    if interp.jit_disabled and transformed.kind in ("jit", "filter_jit"):
        return call(interp, transformed.function, args, kwargs, node, spread)
    if run is None:
        return TAINTED if any(level_of(a) for a in args) else UNKNOWN
    interp.lifetimes.running.append(transformed.serial)
    try:
        result = run(interp, transformed, args, kwargs, node, spread)
    finally:
        interp.lifetimes.running.pop()
    if transformed.kind == "jit":
        _donate(interp, transformed, node, result)
    return result


def _donate(interp: Interpreter, transformed: TransformedValue, node: cst.CSTNode, result: Value) -> None:
    """The arguments of a call that it gives away are deleted."""
    numbers = constants(transformed.option("donate_argnums"), int) or []
    names = set(map(str, constants(transformed.option("donate_argnames"), str) or []))
    if not (numbers or names) or not isinstance(node, cst.Call):
        return
    positional = positional_names(transformed.function)
    positions = {int(str(n)) for n in numbers} | {positional.index(n) for n in names if n in positional}
    names |= {positional[k] for k in positions if k < len(positional)}
    given = [a for a in node.args if a.keyword is None and not a.star]
    chosen = [given[k].value for k in sorted(positions) if k < len(given)]
    chosen += [a.value for a in node.args if a.keyword is not None and a.keyword.value in names]
    for argument in chosen:
        interp.lifetimes.donations.give(interp, argument, node, result)


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
    try:
        with interp.tracing(trace):
            return call(interp, function, args, kwargs, node, spread)
    finally:
        interp.swallowed, interp.caught = swallowed, caught
        interp.in_loop = loop


def leave(interp: Interpreter, value: Value, level: Level, node: cst.CSTNode) -> Value:
    """A result as it is outside the trace: arrays of the level outside, depending on what was passed in."""

    active = active_entries(interp)

    def leaf(item: Value) -> Value:
        if isinstance(item, Array) and item.traced:
            roots = origins(item.roots, active)
            own = max(level, level_of_roots(item.roots, active))
            return Array(
                own,
                item.shape,
                item.dtype,
                item.weak,
                True,
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


# --- jit and its kin -------------------------------------------------------------------------------------------


def run_jit(
    interp: Interpreter,
    transformed: TransformedValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    function = transformed.function
    static = static_names(transformed)
    positional = positional_names(function)
    by_name, by_number = static if static is not None else (set(), set())
    refusals = interp.refusals
    entry = entry_for(interp, transformed, "jit", (("static", Const(" ".join(sorted(by_name)))),))
    inside: list[Value] = []
    for position, value in enumerate(args):
        name = positional[position] if position < len(positional) else f"args[{position}]"
        if static is None or position in by_number:
            inside.append(
                _static_argument(interp, transformed, value, name, node)
                if static is not None
                else _perhaps(value)
            )
        else:
            if isinstance(value, Unknown) and name in positional:
                inside.append(generic_once(interp, function, name, entry, value))
            else:
                inside.append(
                    traced(
                        interp,
                        value,
                        root_for(interp, entry, function, name, value),
                        Level.ABSTRACT,
                        transformed,
                        node,
                    )
                )
    named: dict[str, Value] = {}
    for name, value in kwargs.items():
        if static is None or name in by_name:
            named[name] = (
                _static_argument(interp, transformed, value, name, node)
                if static is not None
                else _perhaps(value)
            )
        elif (
            isinstance(value, Unknown)
            and parameter_names(function)
            and name in (parameter_names(function) or ([],))[0]
        ):
            named[name] = generic_once(interp, function, name, entry, value)
        else:
            named[name] = traced(
                interp,
                value,
                root_for(interp, entry, function, name, value),
                Level.ABSTRACT,
                transformed,
                node,
            )
    if interp.refusals > refusals:
        return UNKNOWN  # it raises before the function is traced
    if interp.loop_nodes and static is not None:
        given = {
            positional[k] if k < len(positional) else f"args[{k}]": v for k, v in enumerate(args)
        } | kwargs
        by_position = {
            positional[k] if k < len(positional) else f"args[{k}]" for k in by_number if k < len(args)
        }
        fixed = {k: v for k, v in given.items() if k in by_name | by_position}
        interp.repetition.arguments(
            interp, transformed, node, fixed, {k: v for k, v in given.items() if k not in fixed}
        )
    extra = None
    if spread is not None:
        extra = traced(
            interp,
            spread,
            Root("parameter", "args", entry, transformed.node, transformed.source),
            Level.ABSTRACT,
            None,
            node,
        )
    trace = Trace(entry, True, interp.trace)
    result = enter(interp, trace, function, inside, named, node, extra)
    check_result(interp, result, transformed.kind, node)
    return leave(interp, result, outside_level(interp, [*args, *kwargs.values()]), node)


def generic_once(interp: Interpreter, function: Value, name: str, entry: Entry, value: Value) -> Value:
    """A traced argument of which nothing is known at the call: what the function itself tells of its parameter."""
    result = generic(interp, function, name, root_for(interp, entry, function, name, value), Level.ABSTRACT)
    if isinstance(result, Union):  # it is passed, so its default does not matter
        kept = [m for m in result.members if isinstance(m, Array | Tree)]
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
        unhashable = (
            isinstance(member, ListValue)
            or type(member).__name__ == "DictValue"
            or (isinstance(member, Array) and True)
            or (
                isinstance(member, InstanceValue)
                and find_member(interp, member.cls, "__hash__") == Const(None)
            )
            or (isinstance(member, Static) and member.kind == "ndarray" and member.shape not in (None, ()))
        )
        if unhashable and len(members(value)) == 1:
            problem = "array-static" if isinstance(member, Array | Static) else "unhashable-static"
            interp.tell(
                TracedCall,
                node,
                transformed=transformed,
                problem=problem,
                parameter=name,
                value=value,
                error="ValueError",
            )
            interp.refusals += 1
    return value


def run_filter_jit(
    interp: Interpreter,
    transformed: TransformedValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    """equinox: arrays are traced, everything else is static."""
    entry = entry_for(interp, transformed, "filter_jit")
    positional = positional_names(transformed.function)

    def inside(value: Value, name: str) -> Value:
        root = root_for(interp, entry, transformed.function, name, value)

        def leaf(item: Value) -> Value:
            if isinstance(item, Array):
                return Array(Level.ABSTRACT, item.shape, item.dtype, item.weak, True, (root,), None)
            if isinstance(item, Tree):
                return Tree(Level.ABSTRACT, False, (root,), None)
            return Tree(Level.ABSTRACT, False, (root,), None) if isinstance(item, Unknown) else item

        return fresh_copy(interp, value, leaf, node)

    values = [inside(v, positional[k] if k < len(positional) else f"args[{k}]") for k, v in enumerate(args)]
    named = {k: inside(v, k) for k, v in kwargs.items()}
    result = enter(
        interp, Trace(entry, True, interp.trace), transformed.function, values, named, node, spread
    )
    return leave(interp, result, outside_level(interp, [*args, *kwargs.values()]), node)


def run_checkpoint(
    interp: Interpreter,
    transformed: TransformedValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    function = transformed.function
    numbers = constants(transformed.option("static_argnums"), int) or []
    staged = transformed.kind == "checkpoint"
    level = Level.ABSTRACT if staged or interp.staging else Level.DUAL
    entry = entry_for(interp, transformed, transformed.kind)
    positional = positional_names(function)
    inside = []
    for position, value in enumerate(args):
        name = positional[position] if position < len(positional) else f"args[{position}]"
        if position in numbers:
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
    result = enter(interp, Trace(entry, staged, interp.trace), function, inside, named, node, spread)
    check_result(interp, result, transformed.kind, node)
    return leave(interp, result, outside_level(interp, [*args, *kwargs.values()]), node)


# --- vmap ------------------------------------------------------------------------------------------------------


# --- differentiation -------------------------------------------------------------------------------------------


def run_custom(
    interp: Interpreter,
    transformed: TransformedValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    """`custom_jvp` and `custom_vjp` functions run as they are, their arguments as traced as they come."""
    trace = interp.trace
    with interp.tracing(
        replace(trace, reverse=False) if trace is not None and transformed.kind == "custom_vjp" else trace
    ):
        return call(interp, transformed.function, args, kwargs, node, spread)


def run_make_jaxpr(
    interp: Interpreter,
    transformed: TransformedValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    run_jit(interp, transformed, args, kwargs, node, spread)
    return Static("jaxpr")


def run_checkify(
    interp: Interpreter,
    transformed: TransformedValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    return TupleValue((UNKNOWN, run_jit(interp, transformed, args, kwargs, node, spread)))


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
        call_transformed(interp, transformed, args, kwargs, node, None)
        return UNKNOWN
    if name in ("defjvp", "defvjp", "defjvps", "def_vmap"):
        return args[0] if args else NONE
    return UNKNOWN
