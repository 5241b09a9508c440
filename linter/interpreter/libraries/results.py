"""What a call of a library function gives, for each word that the knowledge tables use of results."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ...domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    Arrays,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Level,
    MethodValue,
    RangeValue,
    SequenceValue,
    Shape,
    Static,
    Tree,
    TupleValue,
    Union,
    Unknown,
    Value,
    is_settled,
    members,
)
from ...events import ArrayMutation, ControlFlow, DynamicShape, Effect, HostCall
from ...joins import join
from ...knowledge import Result
from ...knowledge.schema import Signature, parse_result
from ..arrays.operators import array_result
from ..arrays.shape_rules import dtype_rule, shape_rule
from ..calls import call as run
from ..calls import opaque
from ..python.classes import find_member
from ..python.containers import sequence_of
from ..python.conversion import convert
from ..python.copies import fresh_copy
from ..tracing.axis_names import collective
from ..tracing.buffers import holds_wide, new_buffer
from ..tracing.conditionals import BRANCHES
from ..tracing.controlflow import TRACES
from ..tracing.derivatives import DERIVATIVES
from ..tracing.solves import SOLVES
from ..tracing.traces import level_of, map_leaves, runs_once
from ..tracing.transforms import apply_transform, unknown_option
from .callbacks import answers, calls, maps, traces
from .frameworks import FRAMEWORK_TRACES
from .guarded import changes
from .haiku_parameters import making
from .library import Bound, Call, apply, bind, dtype_name, flattened, given, holds_tracer, short_name
from .models import MODELS
from .objects import initialised, layer, make_object, variable

if TYPE_CHECKING:
    from ..machine import Interpreter

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


def _ask_for_array(call: Call) -> None:
    """NumPy asks an object of the analysed code for its array."""
    interp = call.interp
    for value in call.inputs[:1]:
        if isinstance(value, InstanceValue) and find_member(interp, value.cls, "__array_function__") is None:
            method = find_member(interp, value.cls, "__array__")
            if isinstance(method, FunctionValue):
                run(interp, MethodValue(method, value), [], {}, call.node)


def _refused(call: Call, twin: str, error: str, wrapper: str = "") -> Value | None:
    """Tells of a tracer given to a function that needs concrete values; None where there is none."""
    call.interp.lifetimes.asked(call.interp, call.inputs, call.node)
    _ask_for_array(call)
    for value in (*call.inputs, *_made_of(call)):
        tracer = holds_tracer(value)
        if tracer is not None:
            # NumPy makes one object of a dict
            numeric = call.name.startswith(("numpy.", "scipy."))
            looked_into = bool(wrapper) or not (numeric and isinstance(value, DictValue))
            sure = len(members(value)) == 1 and tracer.sure and looked_into
            call.interp.tell(
                HostCall, call.node, sure, value=tracer, function=call.name, error=error, replacement=twin,
                wrapper=wrapper,
            )  # fmt: skip
            return TAINTED
    return None


def _made_of(call: Call) -> tuple[Value, ...]:
    """What the library's object was made of whose method is called."""
    receiver = call.bound.get("self")
    made = isinstance(receiver, InstanceValue) and isinstance(receiver.cls, ExternalValue)
    return tuple(receiver.box.slots.values()) if made and isinstance(receiver, InstanceValue) else ()


def _when(call: Call, result: Result) -> Value:
    return call.result(_chosen(call.signature, result, call.bound))


def _chosen(signature: Signature, result: Result, bound: Bound) -> Result:
    """The result that is given with these options; False is what an array may be, and a flag that is not set."""
    if result.word != "when":
        return result
    names = result.argument(0).split("|")
    data = {p.name for p in signature.parameters if p.category is None}
    chosen = any(given(bound.get(n)) and (n in data or bound[n] != Const(False)) for n in names)
    return parse_result(result.argument(1 if chosen else 2))


def _host(call: Call, result: Result) -> Value:
    twin, _, error = result.argument(0).partition(":")
    refused = _refused(call, twin, error or "TracerArrayConversionError")
    if refused is not None:
        return refused
    kind = result.argument(2, "ndarray")
    if call.name.startswith("math.") and call.args and all(isinstance(arg, Const) for arg in call.args):
        return _math_constant(call, kind)
    settled = bool(call.inputs) and all(map(is_settled, call.inputs))
    varies = any(isinstance(value, Static) and value.varies for value in call.inputs)
    own = result.argument(1)
    shape = shape_rule(call.interp, own, call.bound) if own else _twin_shape(call, twin)
    other = _element_type(call)
    if other:
        return Static(f"array of {other}", None, shape)
    if kind.startswith("Host"):
        return make_object(call, Result("object", (kind,)))
    if kind != "ndarray":
        return Static(kind, None, shape, varies, settled=settled)
    buffer = _buffer(call)
    if _is_view_of_array(call):
        call.interp.lifetimes.memory.read_only.add(buffer)
    return Static(kind, None, shape, varies, _gives_mask(call, twin), settled, buffer=buffer)


def _consults(call: Call, result: Result) -> Value:
    """A host function calls functions of the user's with concrete values, and needs concrete results."""
    error, calling, own = result.arguments
    for answer in answers(call, calling, "calls"):
        tracer = holds_tracer(answer)
        if tracer is not None:
            sure = len(members(answer)) == 1 and tracer.sure
            call.interp.tell(HostCall, call.node, sure, value=tracer, function=call.name, error=error)
            return TAINTED
    return call.result(parse_result(own))


def _checks(call: Call, result: Result) -> Value:
    """A check of values; what wraps the function that is traced may stand where it is called from."""
    wrapper = result.argument(0).partition(":")[0]
    if wrapper not in call.interp.wrappers and call.interp.seen_from_module:
        _refused(call, "", result.error(), wrapper)
    return NONE


def _is_view_of_array(call: Call) -> bool:
    """Whether NumPy gets at the memory of a jax array, which is read-only, and makes no copy of it."""
    if call.name not in ("numpy.asarray", "numpy.asanyarray", "numpy.ascontiguousarray"):
        return False
    return isinstance(call.first(), Array) and not given(call.bound.get("dtype"))


MADE_OF_PYTHON = frozenset(("numpy.array", "numpy.asarray", "numpy.asanyarray"))
OBJECT = (ExternalValue("builtins.object"), Const("object"), Const("O"))


def _element_type(call: Call) -> str:
    """What a new NumPy array holds, if it is no numbers: `objects`, of which each may be anything, or `strings`."""
    dtype = call.bound.get("dtype")
    if given(dtype) or call.name not in MADE_OF_PYTHON:
        return "objects" if dtype in OBJECT else ""
    kinds = set(_kinds_of_elements(call.interp, call.first()))
    return "objects" if "object" in kinds else "strings" if "string" in kinds else ""


def _kinds_of_elements(interp: Interpreter, value: Value, depth: int = 4) -> Iterator[str]:
    """Which elements of a nested list surely are no numbers."""
    if isinstance(value, SequenceValue) and depth:
        for item in sequence_of(interp, value).parts:
            yield from _kinds_of_elements(interp, item, depth - 1)
    elif (isinstance(value, Const) and isinstance(value.value, str | bytes)) or (
        isinstance(value, Static) and value.kind in ("str", "bytes")
    ):
        yield "string"
    elif value == NONE or isinstance(value, DictValue | FunctionValue) or value == Static("object"):
        yield "object"


MAX_FACTORIAL = 300  # from which on results are not worth computing

VIEWS = frozenset(
    "view reshape ravel transpose squeeze swapaxes asarray asanyarray ascontiguousarray atleast_1d".split()
)


def _buffer(call: Call) -> int:
    """The buffer of a NumPy result: that of the array it views, or a new one."""
    first, out = call.first(), call.kwargs.get("out")
    if isinstance(out, Static) and out.buffer:
        return out.buffer
    if call.name.rsplit(".", 1)[-1] in VIEWS and isinstance(first, Static) and first.buffer:
        return first.buffer
    number = new_buffer()
    if holds_wide(call.name, call.bound.get("dtype", NONE)):
        call.interp.lifetimes.memory.wide.add(number)
    return number


def _math_constant(call: Call, kind: str) -> Value:
    name = call.name.rsplit(".", 1)[-1]
    values = [arg.value for arg in call.args if isinstance(arg, Const)]
    if name in ("factorial", "comb", "perm") and any(
        value > MAX_FACTORIAL for value in values if isinstance(value, int)
    ):
        return Static(kind)
    function = getattr(math, name, None)
    try:
        value = function(*values) if function else None
    except (ArithmeticError, TypeError, ValueError):
        return UNKNOWN
    return Const(value) if isinstance(value, int | float | bool) else Static(kind)


def _twin_shape(call: Call, twin: str) -> Shape:
    result, bound = _twin_result(call, twin)
    return shape_rule(call.interp, result.argument(0), bound) if result is not None else None


def _gives_mask(call: Call, twin: str) -> bool:
    """Whether a NumPy function gives an array of booleans, as its twin does."""
    result, bound = _twin_result(call, twin)
    if result is None or not result.argument(1):
        return False
    return dtype_rule(call.interp, result.argument(1), bound, dtype_name)[0] == "bool"


def _twin_result(call: Call, twin: str) -> tuple[Result | None, Bound]:
    """What the twin of a NumPy function gives, where that is one array, and the arguments as its own."""
    signature = call.interp.catalogue.function(twin) if twin else None
    if signature is None:
        return None, {}
    bound, _ = bind(signature, call.args, call.kwargs)
    result = _chosen(signature, signature.result, bound)
    return (result if result.word == "array" and result.count == 1 else None), bound


def _delegate(call: Call, result: Result) -> Value:
    twin = result.argument(0)
    _ask_for_array(call)
    if any(
        holds_tracer(value) is not None and isinstance(value, Array | Tree | Union)
        for value in call.inputs[:1]
    ):
        signature = call.interp.catalogue.function(twin)
        if signature is None:
            return array_result(call.interp, call.inputs, call.node, name=short_name(call.name))
        given = apply(call.interp, signature, call.name, call.args, call.kwargs, call.node, call.spread)
        ways = members(call.first())
        return given if all(isinstance(m, Arrays) for m in ways) else join(given, Static("ndarray"))
    for value in call.inputs[:1]:
        tracer = holds_tracer(value)
        if tracer is not None and not isinstance(value, Arrays):
            call.interp.tell(
                HostCall, call.node, tracer.sure and not isinstance(value, DictValue), value=tracer, function=call.name,
                error="TracerArrayConversionError", replacement=twin,
            )  # fmt: skip
            return TAINTED
    if any(isinstance(m, Array) for v in call.inputs[:1] for m in members(v)):
        return array_result(call.interp, call.inputs, call.node, name=short_name(call.name))
    return Static("ndarray", None, _twin_shape(call, twin))


def _delegate_concrete(call: Call, result: Result) -> Value:
    """NumPy calls the method of its first argument; where that refuses what is staged, it converts the array itself."""
    first = call.inputs[:1]
    staged = any(holds_tracer(value, Level.ABSTRACT) is not None for value in first)
    differentiated = not staged and any(holds_tracer(value) is not None for value in first)
    return _delegate(call, result) if differentiated else _host(call, result)


def _static(call: Call, result: Result) -> Value:
    kind, rule = result.argument(0) or None, result.argument(1)
    shape = shape_rule(call.interp, rule, call.bound) if rule else None
    dtype = (
        dtype_rule(call.interp, result.argument(2), call.bound, dtype_name)[0] if result.argument(2) else None
    )
    likely = Const(dtype) if dtype else None
    return Static(kind, likely, shape, buffer=_buffer(call) if kind == "ndarray" else 0)


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
        _refused(call, "", result.argument(0)) if call.inputs[:1] and holds_tracer(call.first()) else None
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
        refused = _refused(call, "", error)
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
    "host": _host,
    "delegate": _delegate,
    "delegate_concrete": _delegate_concrete,
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
    "consults": _consults,
    "checks": _checks,
    "changes": changes,
    "convert": _convert,
    "effect": _effect,
    "transform": _transform,
    "trace": _trace,
    "handles": _trace,
    "model": _model,
}
