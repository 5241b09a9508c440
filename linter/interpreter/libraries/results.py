"""What a call of a library function gives, for each word that the knowledge tables use of results."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from ...domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    Const,
    DictValue,
    Level,
    RangeValue,
    SequenceValue,
    Static,
    Tree,
    TupleValue,
    Unknown,
    Value,
    members,
)
from ...events import ArrayMutation, ControlFlow, DynamicShape, Effect
from ...knowledge import Result
from ...knowledge.schema import parse_result
from ..arrays.operators import array_result
from ..arrays.shape_rules import dtype_rule, shape_rule
from ..calls import opaque
from ..python.containers import sequence_of
from ..python.conversion import convert
from ..python.copies import fresh_copy
from ..tracing.axis_names import collective
from ..tracing.conditionals import BRANCHES
from ..tracing.controlflow import TRACES
from ..tracing.derivatives import DERIVATIVES
from ..tracing.solves import SOLVES
from ..tracing.traces import level_of, map_leaves, runs_once
from ..tracing.transforms import apply_transform, unknown_option
from .callbacks import calls, maps, traces
from .frameworks import FRAMEWORK_TRACES
from .guarded import changes
from .haiku_parameters import making
from .host_results import HOST_WORDS, buffer_of, refused_tracer
from .library import Call, chosen_result, dtype_name, flattened, given, holds_tracer, short_name
from .models import MODELS
from .objects import initialised, layer, make_object, variable

_FIELD = re.compile(r"(?:(?P<name>\w+)=)?(?P<result>.+)", re.DOTALL)


def _array(call: Call, result: Result) -> Value:
    arrays = [call.array(result.rule(0, k), result.rule(1, k)) for k in range(result.count)]
    return arrays[0] if result.count == 1 else TupleValue(tuple(arrays))


def _list(call: Call, result: Result) -> Value:
    return TupleValue((), call.array(result.argument(0), result.argument(1)))


def _dynamic(call: Call, result: Result) -> Value:
    names, _, error = result.argument(0).partition(":")
    names, _, deciding = names.partition(" of ")
    parameters = [name for name in names.split("|") if name]
    sized = any(given(call.bound.get(name)) for name in parameters)
    if not sized:
        only = "" if call.interp.staging else deciding
        arrays = [
            call.bound[p.name]
            for p in call.signature.parameters
            if p.category is None and p.name in call.bound and only in ("", p.name)
        ]
        tracer = next(
            (found for value in arrays if (found := holds_tracer(value, Level.ABSTRACT)) is not None), None
        )
        constant = [m for v in call.inputs for m in members(v) if isinstance(m, Array)]
        if tracer is None and call.interp.staging and constant:
            tracer = array_result(call.interp, constant, call.node, name=short_name(call.name))
        if tracer is not None:
            first = call.first()
            sure = len(members(first)) == 1 and getattr(first, "sure", True) and tracer.sure
            call.interp.tell(
                DynamicShape, call.node, sure, value=tracer, function=call.name,
                parameter=parameters[0] if parameters else "", error=error or "ConcretizationTypeError",
            )  # fmt: skip
    inner = result.argument(1)
    value = call.result(parse_result(inner)) if inner else call.array("", "")
    return value if sized else map_leaves(value, _unsized)


def _unsized(value: Value) -> Value:
    """An array whose lengths depend on values."""
    return replace(value, shape=None) if isinstance(value, Array) else value


def _when(call: Call, result: Result) -> Value:
    return call.result(chosen_result(call.signature, result, call.bound))


def _static(call: Call, result: Result) -> Value:
    kind, rule = result.argument(0) or None, result.argument(1)
    shape = shape_rule(call.interp, rule, call.bound) if rule else None
    dtype = (
        dtype_rule(call.interp, result.argument(2), call.bound, dtype_name)[0] if result.argument(2) else None
    )
    likely = Const(dtype) if dtype else None
    return Static(kind, likely, shape, buffer=buffer_of(call) if kind == "ndarray" else 0)


def _same(call: Call, result: Result) -> Value:
    return call.bound.get(result.argument(0) or "", call.first())


def _like(call: Call, result: Result) -> Value:
    def leaf(value: Value) -> Value:
        if isinstance(value, Array):
            return array_result(
                call.interp, (value,), call.node, value.shape, value.dtype, value.weak, short_name(call.name)
            )
        return value

    like = call.bound.get(result.argument(0), call.first())
    if isinstance(like, Unknown):
        return _taint(call, result)
    return fresh_copy(call.interp, like, leaf, call.node)


def _record(call: Call, result: Result) -> Value:
    if not result.arguments:
        names = tuple(parameter.name for parameter in call.signature.parameters)
        return TupleValue(tuple(call.bound.get(name, NONE) for name in names), None, names)
    fields = [_FIELD.match(part) for part in result.arguments]
    items = [call.result(parse_result(part["result"])) for part in fields if part is not None]
    return TupleValue(tuple(items), None, tuple(part["name"] for part in fields if part and part["name"]))


def _tree(call: Call, result: Result) -> Value:
    array = array_result(
        call.interp, [flattened(call.interp, v) for v in call.inputs], call.node, name=short_name(call.name)
    )
    return Tree(array.level, array.sure, array.roots, array.trail)


def _taint(call: Call, result: Result) -> Value:
    tainted = call.interp.staging or any(level_of(value) for value in call.inputs)
    return TAINTED if tainted else opaque(call.interp, call.inputs, {})


def _mutate(call: Call, result: Result) -> Value:
    receiver = call.first()
    call.interp.tell(
        ArrayMutation,
        call.node,
        getattr(receiver, "sure", True),
        value=receiver,
        how=result.argument(0),
        error="AttributeError",
    )
    return UNKNOWN


def _concrete(call: Call, result: Result) -> Value:
    refused = (
        refused_tracer(call, "", result.argument(0))
        if call.inputs[:1] and holds_tracer(call.first())
        else None
    )
    return refused if refused is not None else call.result(parse_result(result.argument(1)))


def _convert(call: Call, result: Result) -> Value:
    return convert(call.interp, result.argument(0), call.first(), call.node)


FOR_ALL_ROWS = frozenset(("environment", "file", "time", "print", "log", "warning"))
"""Effects that nobody wants once more for each row."""


def _effect(call: Call, result: Result) -> Value:
    interp = call.interp
    kind, _, error = result.argument(0).partition(":")
    if error:
        refused = refused_tracer(call, "", error)
        if refused is not None:
            return refused
    if interp.trace is not None:
        # who warns of a setting, not of a traced value, is content with once
        told = kind != "warning" or any(holds_tracer(value) for value in call.inputs)
        # a map alone asks, or logs, anew at every call, and for every row alike
        once = interp.staging if kind in FOR_ALL_ROWS else runs_once(interp.trace)
        interp.tell(
            Effect,
            call.node,
            told and once,
            function=call.name,
            kind=kind,
            arguments=tuple(call.inputs),
        )
    own = result.argument(1)
    return call.result(parse_result(own)) if own else Static()


ALL_TRACES = {**TRACES, **SOLVES, **BRANCHES, **DERIVATIVES, **FRAMEWORK_TRACES}


def _transform(call: Call, result: Result) -> Value:
    return apply_transform(call, result.argument(0))


def _trace(call: Call, result: Result) -> Value:
    run = ALL_TRACES.get(result.argument(0))
    wrong = unknown_option(call)
    if wrong:
        call.interp.tell(
            ControlFlow, call.node, function=call.name, problem="arity", detail=wrong, error="TypeError"
        )
        return UNKNOWN
    if run is None:
        return opaque(call.interp, call.inputs, {})
    with making(call.interp, None if call.name.startswith("haiku.") else call.interp.haiku_making):
        return run(call)


def _iterator(call: Call, result: Result) -> Value:
    """`iterator[RESULT]`: an iterator of the function's type over what RESULT gives."""
    value = call.result(parse_result(result.argument(0)))
    if isinstance(value, SequenceValue | RangeValue | DictValue):
        return sequence_of(call.interp, value, call.node).iterated(call.name)
    return value


def _model(call: Call, result: Result) -> Value:
    run = MODELS.get(result.argument(0))
    return run(call) if run is not None else opaque(call.interp, call.inputs, {})


WORDS: dict[str, Callable[[Call, Result], Value]] = {
    "array": _array,
    "list": _list,
    "iterator": _iterator,
    "dynamic": _dynamic,
    "when": _when,
    **HOST_WORDS,
    "static": _static,
    "several": lambda call, result: TupleValue((Static(result.argument(0)),), Static(result.argument(0))),
    "none": lambda call, result: NONE,
    "object": make_object,
    "layer": layer,
    "initialised": initialised,
    "variable": variable,
    "traces": traces,
    "collective": collective,
    "maps": maps,
    "calls": calls,
    "same": _same,
    "like": _like,
    "record": _record,
    "tree": _tree,
    "taint": _taint,
    "unknown": lambda call, result: opaque(call.interp, call.inputs, {}),
    "mutate": _mutate,
    "concrete": _concrete,
    "changes": changes,
    "convert": _convert,
    "effect": _effect,
    "transform": _transform,
    "trace": _trace,
    "handles": _trace,
    "model": _model,
}
