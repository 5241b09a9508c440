"""Entry points that nobody is seen to call, traced with what may be assumed of their parameters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import (
    NONE,
    UNKNOWN,
    Array,
    ClassValue,
    Const,
    FunctionValue,
    InstanceValue,
    Level,
    MethodValue,
    PartialValue,
    Root,
    Static,
    TransformedValue,
    Tree,
    Value,
    Wrapper,
    members,
    unsure,
)
from .functions import annotation_of, find_parameter, parameters, positional_names, underlying
from .python.construction import specimen
from .tracing.boundaries import first_of_pair
from .tracing.entries import SETTINGS, alternatives, annotation_name, by_annotation, generic, root_for, traced
from .tracing.kinds import KINDS
from .tracing.mapping import axes_of_arguments, most_positional
from .tracing.named_arguments import constants, static_parameters
from .tracing.reverse import check_reversible
from .tracing.traces import Trace
from .tracing.transforms import enter, entry_for, shown_name
from .tracing.vectorizing import excluded_from
from .usage import used_as_array

if TYPE_CHECKING:
    from .machine import Interpreter


FILTERED = frozenset(("filter_jit", "filter_vmap", "filter_checkpoint"))
"""Transforms that trace arrays and leave numbers as they are."""


def run_generic(interp: Interpreter, transformed: TransformedValue) -> None:
    """Traces a transformed function that nobody is seen to call, with what may be assumed of its parameters."""
    function = transformed.function
    inner = function
    while isinstance(inner, Wrapper):
        if isinstance(inner, TransformedValue) and inner.kind not in KINDS:
            return
        inner = inner.function
    if not isinstance(inner, FunctionValue) or transformed.kind not in KINDS:
        return
    if transformed.kind in ("custom_jvp", "custom_vjp", "lift", "graph_scan"):
        return
    args: list[Value] = []
    kwargs: dict[str, Value] = {}
    positional = positional_names(function)
    if len(positional) < (most_positional(transformed) or 0) and (
        type(inner.node.params.star_arg) is cst.Param or transformed.serial in interp.alternatives
    ):
        return  # what it is called with is up to the function that it wraps, or meant for another one
    defaults = dict(inner.defaults)
    static = static_parameters(transformed)
    by_name = static.among(positional) if static is not None else set(positional)
    names = positional[: most_positional(transformed)]

    for position, name in enumerate(names):
        if (
            position == 0
            and name == "self"
            and inner.owner is not None
            and not isinstance(function, MethodValue)
        ):
            args.append(specimen(interp, inner.owner) if isinstance(inner.owner, ClassValue) else UNKNOWN)
        elif name in by_name:
            annotation = annotation_of(find_parameter(inner, name))
            args.append(_static(interp, annotation, defaults.get(name)))
        elif name in defaults and not isinstance(defaults[name], Const):
            break
        else:
            args.append(_Assumed(name))
    bound = dict(_bound_names(function))
    for param in parameters(inner):
        name = param.name.value
        by_keyword = param in inner.node.params.kwonly_params or name in positional[len(names) :]
        if name in bound or not by_keyword:
            continue
        if name in defaults and isinstance(function, TransformedValue):
            continue  # a transform inside may map what is given by keyword
        if name in by_name:
            kwargs[name] = _static(interp, annotation_of(param), defaults.get(name))
        elif name not in defaults or isinstance(defaults[name], Const):
            kwargs[name] = _Assumed(name)
    _run_assumed(interp, transformed, args, kwargs)


def _static(interp: Interpreter, annotation: cst.BaseExpression | None, default: Value | None) -> Value:
    """A static argument, which has a hash: `Int` of a type checker for arrays means a number here."""
    value = by_annotation(interp, annotation, default)
    return UNKNOWN if any(isinstance(part, Array) for part in members(value)) else value


class _Assumed(Value):
    """Stands for an argument that is made from the parameter itself once the entry point is known."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


def _bound_names(function: Value) -> list[tuple[str, Value]]:
    found: list[tuple[str, Value]] = []
    while isinstance(function, Wrapper):
        if isinstance(function, PartialValue):
            found.extend(function.kwargs)
        function = function.function
    return found


def _others(function: Value) -> str | None:
    """The parameter that takes any further arguments, if there is one."""
    inner = underlying(function)
    if not isinstance(inner, FunctionValue):
        return None
    params = inner.node.params
    star = params.star_arg if type(params.star_arg) is cst.Param else params.star_kwarg
    return star.name.value if star is not None else None


def _filtered(interp: Interpreter, function: Value, name: str, root: Root) -> Value:
    """A parameter as equinox hands it over: a number is static, so that only what must be an array is surely traced."""
    annotation, inner = annotation_of(find_parameter(function, name)), underlying(function)
    parts = [annotation_name(part) for part in alternatives(annotation)] if annotation is not None else []
    if parts and set(parts) <= {*SETTINGS, "None"}:
        return by_annotation(interp, annotation, None)
    array = isinstance(inner, FunctionValue) and used_as_array(inner.node, name)
    default = dict(inner.defaults).get(name) if isinstance(inner, FunctionValue) else None
    if not parts and not array and isinstance(default, Const) and isinstance(default.value, int | str):
        return Static(default.kind, default)  # a setting, by its default
    value = generic(interp, function, name, root, Level.ABSTRACT, alone=True)
    if array and isinstance(value, Tree):
        return replace(value, sure=True)
    return value if parts or array else unsure(value)


def _run_assumed(
    interp: Interpreter, transformed: TransformedValue, args: list[Value], kwargs: dict[str, Value]
) -> None:
    """Enters the trace with assumed tracers for the assumed arguments."""
    function = transformed.function
    static = static_parameters(transformed)
    shown = shown_name(transformed)
    names = " ".join(sorted(static.names)) if static is not None else ""
    entry = entry_for(interp, transformed, shown, (("static", Const(names)),))
    differentiating = transformed.kind in ("grad", "value_and_grad", "jacobian")
    numbers = constants(transformed.option("argnums"), int)
    picked = set(numbers) if numbers else {0} if numbers is not None else set()
    mapped = transformed.kind in ("vmap", "pmap", "filter_vmap")
    axes = axes_of_arguments(interp, transformed, len(args)) if mapped else None
    excluded = excluded_from(transformed) if transformed.kind == "vectorize" else set()

    def make(value: Value, position: int) -> Value:
        if not isinstance(value, _Assumed):
            if (
                position == 0
                and isinstance(value, InstanceValue)
                and transformed.kind == "jit"
                and static is not None
                and "self" not in static.among(["self"])
            ):
                return traced(
                    interp,
                    value,
                    root_for(interp, entry, function, "self", None),
                    Level.ABSTRACT,
                    transformed,
                    transformed.node,
                )
            return value
        root = root_for(interp, entry, function, value.name, None)
        if axes is not None and position < len(axes) and axes[position] in (NONE, UNKNOWN):
            return UNKNOWN
        if excluded is None or position in excluded or value.name in excluded:
            return UNKNOWN
        if differentiating:
            if position not in picked:
                return UNKNOWN
            return generic(interp, function, value.name, root, Level.DUAL)
        if static is None:
            return UNKNOWN
        if transformed.kind in FILTERED:
            return _filtered(interp, function, value.name, root)
        return generic(interp, function, value.name, root, Level.ABSTRACT)

    inside = [make(value, position) for position, value in enumerate(args)]
    named = {key: make(value, 0) for key, value in kwargs.items()}
    staged = transformed.kind not in ("vmap", "grad", "value_and_grad", "jacobian", "vectorize")
    trace = Trace(entry, staged, None, reverse=differentiating, derivative=differentiating)
    rest = _others(function)
    spread: Value | None = None
    if rest is not None:
        own = {*positional_names(function)[: len(args)], *kwargs}
        # What is static beyond the named parameters is among the others
        known = (
            static is not None
            and not (differentiating or mapped)
            and excluded == set()
            and static.names <= own
            and static.numbers <= {*range(len(args))}
        )
        root = root_for(interp, entry, function, rest, None)
        spread = unsure(generic(interp, function, rest, root, Level.ABSTRACT)) if known else UNKNOWN
    result = enter(interp, trace, function, inside, named, transformed.node, spread)
    if differentiating:
        aux = transformed.option("has_aux") == Const(True)
        check_reversible(interp, first_of_pair(result) if aux else result, None)
