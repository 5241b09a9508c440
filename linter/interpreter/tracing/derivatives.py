"""`jvp`, `vjp`, `linearize` and `linear_transpose`: derivatives that are taken at once, and the functions they return."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    UNKNOWN,
    Array,
    Const,
    ExternalValue,
    Level,
    MethodValue,
    SequenceValue,
    Static,
    TupleValue,
    Value,
)
from ...events import ControlFlow
from ..arrays import shapes
from ..arrays.described import described
from ..arrays.operators import array_result
from ..functions import argument_names, find_parameter, positional_names
from ..libraries.library import Call
from ..python.containers import elements, sequence_of
from ..python.copies import fresh_copy
from ..python.signatures import spreads
from .boundaries import check_operand, check_result, first_of_pair
from .callables import unfit
from .controlflow import entry_of
from .differentiation import differentiated, gradient, no_pair
from .entries import root_for, traced
from .reverse import check_reversible
from .tangents import integral, misfit
from .traces import Trace
from .transforms import enter, leave, outside_level
from .trees import leaves_of

if TYPE_CHECKING:
    from ..machine import Interpreter


def _primals(call_: Call, name: str) -> tuple[Value, list[Value], bool]:
    """The function, what it is differentiated at, and whether it is known how many these are."""
    interp, function = call_.interp, call_.first()
    given = call_.bound.get("primals", UNKNOWN)
    content = sequence_of(interp, given) if isinstance(given, SequenceValue) else None
    if name == "jvp" and (content is None or content.rest is not None):
        found = (find_parameter(function, parameter) for parameter in positional_names(function))
        required = [parameter for parameter in found if parameter is not None and parameter.default is None]
        return function, [elements(interp, given)] * len(required), False
    return function, list(call_.args[1:] if content is None else content.items), True


def _told(call_: Call, function: str, detail: str, error: str) -> bool:
    """Tells what does not fit, if anything does not."""
    if detail:
        call_.interp.tell(
            ControlFlow, call_.node, function=function, problem="arity", detail=detail, error=error
        )
    return bool(detail)


def _forward(
    call_: Call, name: str, reverse: bool, abstract: bool = False
) -> tuple[Value, Value, list[Value]]:
    """The result as the caller sees it, the part of it that is differentiated, and the arguments."""
    interp = call_.interp
    function, primals, counted = _primals(call_, name)
    if abstract:
        primals = [described(interp, value, call_.node) for value in primals]
    entry = entry_of(call_, function, name)
    inside = []
    for parameter, value in zip(argument_names(function, len(primals)), primals, strict=True):
        root = root_for(interp, entry, function, parameter, value)
        inside.append(
            traced(interp, value, root, Level.ABSTRACT, None, call_.node)
            if abstract
            else differentiated(interp, value, root, call_.node)
        )
    own = call_.name.startswith("jax.")  # filtered twins leave alone what is no array
    if own and any(check_operand(interp, value, name, call_.node) for value in primals):
        return UNKNOWN, UNKNOWN, primals
    if (
        call_.spread is None
        and counted
        and not spreads(call_.node)
        and _told(call_, name, unfit(interp, function, len(primals), name), "TypeError")
    ):
        return UNKNOWN, UNKNOWN, primals
    trace = Trace(entry, False, interp.trace, reverse, not reverse, derivative=True)
    result = enter(interp, trace, function, inside, {}, call_.node)
    aux = call_.bound.get("has_aux") == Const(True)
    pairless = "with has_aux=True it must return a pair (value, auxiliary data)"
    if aux and _told(call_, name, pairless if no_pair(result) else "", "TypeError"):
        return UNKNOWN, UNKNOWN, primals
    if own:
        check_result(interp, first_of_pair(result) if aux else result, name, call_.node)
    if reverse:
        check_reversible(interp, first_of_pair(result) if aux else result, None)
    left = leave(interp, result, outside_level(interp, primals), call_.node)
    return left, first_of_pair(left) if aux else left, primals


def _jvp(call_: Call) -> Value:
    primals, tangents = call_.bound.get("primals", UNKNOWN), call_.bound.get("tangents", UNKNOWN)
    if call_.name.startswith("jax.") and _wrong_tangents(call_, primals, tangents):
        return UNKNOWN
    result, _, _ = _forward(call_, "jvp", False)
    return TupleValue((result, result))


def _wrong_tangents(call_: Call, primals: Value, tangents: Value) -> bool:
    """Tells of tangents that do not fit the primals; whether they do not."""
    for name, value in (("primals", primals), ("tangents", tangents)):
        if isinstance(value, Array) and value.sure:
            return _told(call_, "jvp", f"{name} must be a tuple or list, one for each argument", "TypeError")
    kind, detail = misfit(call_.interp, primals, tangents)
    if not detail:
        given = [leaves_of(call_.interp, value) or [] for value in (primals, tangents)]
        for value, tangent in zip(*given, strict=False):
            dtype, other = integral(value), shapes.dtype_of(tangent)[0]
            if dtype is not None and other not in (None, "float0"):
                kind, detail = "dtype", f"a number for {dtype}, whose tangents are of dtype float0"
    return _told(
        call_, "jvp", f"the tangents give {detail}" if detail else "", "ValueError" if kind == "shape" else "TypeError"
    )  # fmt: skip


def _vjp(call_: Call) -> Value:
    result, out, primals = _forward(call_, "vjp", True)
    level = outside_level(call_.interp, primals)
    cotangents = TupleValue(tuple(gradient(call_.interp, p, level, call_.node) for p in primals))
    pullback = _linear(cotangents, TupleValue((out,)), "vjp")
    if (
        call_.bound.get("has_aux") == Const(True)
        and isinstance(result, TupleValue)
        and len(result.items) == 2
    ):
        return TupleValue((result.items[0], pullback, result.items[1]))
    return TupleValue((result, pullback))


def _linear(result: Value, expected: TupleValue, transform: str) -> Value:
    """A linear function of which the result is known, and what it expects."""
    return MethodValue(ExternalValue(f"linear.{transform}"), TupleValue((result, expected)))


def call_linear(
    interp: Interpreter, name: str, receiver: Value, args: list[Value], node: cst.CSTNode
) -> Value:
    """Calls what `vjp`, `linearize` or `linear_transpose` returned."""
    assert isinstance(receiver, TupleValue)
    result, expected = receiver.items
    assert isinstance(expected, TupleValue)
    for value, given in zip(expected.items, args, strict=False):
        _, detail = misfit(interp, value, given)
        if detail:
            what = "tangent" if name == "linearize" else "cotangent"
            interp.tell(
                ControlFlow, node, function=name, problem="arity", detail=f"the {what} gives {detail}",
                error="TypeError" if name == "linear_transpose" else "ValueError",
            )  # fmt: skip
            return UNKNOWN

    def filled(leaf: Value) -> Value:
        if not (isinstance(leaf, Static) and leaf.kind == "ShapeDtypeStruct"):
            return leaf
        dtype = str(leaf.likely.value) if leaf.likely is not None else None
        return array_result(interp, args, node, leaf.shape, dtype)

    return fresh_copy(interp, result, filled, node) if name == "linear_transpose" else result


def _linearize(call_: Call) -> Value:
    result, out, primals = _forward(call_, "linearize", False)
    return TupleValue((result, _linear(out, TupleValue(tuple(primals)), "linearize")))


def _linear_transpose(call_: Call) -> Value:
    """Its function sees abstract values, though nothing else is staged."""
    _, out, primals = _forward(call_, "linear_transpose", False, abstract=True)
    return _linear(TupleValue(tuple(primals)), TupleValue((out,)), "linear_transpose")


DERIVATIVES: dict[str, Callable[[Call], Value]] = {
    "jvp": _jvp,
    "vjp": _vjp,
    "linearize": _linearize,
    "linear_transpose": _linear_transpose,
}
