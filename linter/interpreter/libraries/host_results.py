"""What functions of the host give, NumPy's above all: they need concrete values, or hand a tracer on to its own method."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
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
    SequenceValue,
    Shape,
    Static,
    Tree,
    Union,
    Value,
    is_settled,
    members,
)
from ...events import HostCall
from ...joins import join
from ...knowledge import Result
from ...knowledge.schema import parse_result
from ..arrays.operators import array_result
from ..arrays.shape_rules import dtype_rule, shape_rule
from ..calls import call as run
from ..python.classes import find_member
from ..python.containers import sequence_of
from ..tracing.buffers import holds_wide, new_buffer
from .callbacks import answers
from .library import Bound, Call, apply, bind, chosen_result, dtype_name, given, holds_tracer, short_name
from .objects import make_object

if TYPE_CHECKING:
    from ..machine import Interpreter


def _ask_for_array(call: Call) -> None:
    """NumPy asks an object of the analysed code for its array."""
    interp = call.interp
    for value in call.inputs[:1]:
        if isinstance(value, InstanceValue) and find_member(interp, value.cls, "__array_function__") is None:
            method = find_member(interp, value.cls, "__array__")
            if isinstance(method, FunctionValue):
                run(interp, MethodValue(method, value), [], {}, call.node)


def refused_tracer(call: Call, twin: str, error: str, wrapper: str = "") -> Value | None:
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


def _host(call: Call, result: Result) -> Value:
    twin, _, error = result.argument(0).partition(":")
    refused = refused_tracer(call, twin, error or "TracerArrayConversionError")
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
    buffer = buffer_of(call)
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
        refused_tracer(call, "", result.error(), wrapper)
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


def buffer_of(call: Call) -> int:
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
    result = chosen_result(signature, signature.result, bound)
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


HOST_WORDS: dict[str, Callable[[Call, Result], Value]] = {
    "host": _host,
    "delegate": _delegate,
    "delegate_concrete": _delegate_concrete,
    "consults": _consults,
    "checks": _checks,
}
"""What the words of the tables stand for."""
