"""`functools.singledispatch` and `singledispatchmethod`: functions that are chosen by the type of an argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    TAINTED,
    Array,
    Arrays,
    ClassValue,
    Const,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    MethodValue,
    PartialValue,
    TupleValue,
    Value,
)
from ...events import HostCall
from ..calls import call as run
from ..functions import parameters
from ..imports import dotted
from ..libraries.objects import new_object
from .classes import ancestors
from .instances import is_instance

if TYPE_CHECKING:
    from ..libraries.library import Call
    from ..machine import Interpreter

KIND = "Dispatcher"
ARRAY = ExternalValue("jax.Array")
REGISTRY = "<registry>"  # the slot with the pairs of a class and its function, in order


def dispatcher(call: Call) -> Value:
    """`singledispatch(f)`: f for the types that nothing is registered for."""
    position = Const(1 if call.name.endswith("method") else 0)
    slots = {"func": call.first(), "position": position, REGISTRY: TupleValue(())}
    return new_object(call.interp, call.name, KIND, slots, call.node)


def register(call: Call) -> Value:
    """`f.register(cls, function)`; without the function, or with it alone, a decorator."""
    interp, made = call.interp, call.bound.get("self")
    if not isinstance(made, InstanceValue) or not call.args:
        return TAINTED
    chosen = call.args[0]
    if len(call.args) > 1:
        return _registered(interp, made, chosen, call.args[1])
    if isinstance(chosen, FunctionValue):
        annotation = next((p.annotation for p in _dispatched(made, chosen)), None)
        cls = TAINTED if annotation is None else interp.evaluate(annotation.annotation)
        return _registered(interp, made, cls, chosen)
    return PartialValue(MethodValue(ExternalValue(f"{KIND}.register"), made), (chosen,), ())


def _registered(interp: Interpreter, made: InstanceValue, cls: Value, function: Value) -> Value:
    known = interp.state.read(made.box, REGISTRY)
    before = known.items if isinstance(known, TupleValue) else ()
    interp.state.write(made.box, REGISTRY, TupleValue((*before, TupleValue((cls, function)))))
    return function


def _dispatched(made: InstanceValue, function: FunctionValue) -> list[cst.Param]:
    """The parameter by whose annotation a function is registered, if it has so many."""
    position = _position(made)
    return parameters(function)[position : position + 1]


def _position(made: InstanceValue) -> int:
    return 1 if made.box.slots.get("position") == Const(1) else 0


def dispatch(call: Call) -> Value:
    """Calls the function of the nearest class; where the type is not known, nothing is known of the result."""
    interp, made = call.interp, call.bound.get("self")
    if not isinstance(made, InstanceValue):
        return TAINTED
    position = _position(made)
    registry = interp.state.read(made.box, REGISTRY)
    if len(call.args) <= position or not isinstance(registry, TupleValue):
        return TAINTED
    pairs = [(pair.items[0], pair.items[1]) for pair in registry.items if isinstance(pair, TupleValue)]
    answers = [_fits(interp, call.args[position], cls) for cls, _ in pairs]
    if None in answers:
        return TAINTED
    fitting = [pair for pair, answer in zip(pairs, answers, strict=True) if answer]
    chosen = made.box.slots["func"]
    for cls, function in fitting:
        if not any(other is not cls and _derives(other, cls) for other, _ in fitting):
            chosen = function
    value = call.args[position]
    if chosen is made.box.slots["func"] and isinstance(value, Array) and _passed_over(value, pairs):
        raised = _refusal(chosen)
        if raised is not None and isinstance(chosen, FunctionValue):
            error = dotted(raised.func if type(raised) is cst.Call else raised).rpartition(".")[2]
            interp.tell(
                HostCall, raised, value.sure, source=chosen.source, value=value, function="functools.singledispatch",
                error=error,
            )  # fmt: skip
            return TAINTED
    return run(interp, chosen, call.args, call.kwargs, call.node, call.spread)


def _passed_over(value: Array, pairs: list[tuple[Value, Value]]) -> bool:
    """Whether a function is registered for arrays, and not chosen, as the value is a tracer."""
    return value.traced and any(cls == ARRAY for cls, _ in pairs)


def _refusal(function: Value) -> cst.BaseExpression | None:
    """The exception that a function raises whatever it is given; None if it does anything else."""
    body = function.node.body if isinstance(function, FunctionValue) else None
    statements = body.body if isinstance(body, cst.IndentedBlock) else ()
    first = next((one for one in statements if not _is_docstring(one)), None)
    raised = first.body[0] if type(first) is cst.SimpleStatementLine else None
    return raised.exc if type(raised) is cst.Raise else None


def _is_docstring(statement: cst.BaseStatement) -> bool:
    only = statement.body[0] if type(statement) is cst.SimpleStatementLine else None
    return type(only) is cst.Expr and isinstance(only.value, cst.SimpleString | cst.ConcatenatedString)


def _fits(interp: Interpreter, value: Value, cls: Value) -> bool | None:
    """Whether the type of a value is a class or derives from it; tracers only pass for instances of `jax.Array`."""
    if isinstance(value, Arrays) and isinstance(cls, ClassValue):
        return None  # it may be a pytree of arrays
    if isinstance(value, Arrays) and value.traced and cls == ARRAY:
        return False
    return is_instance(interp, value, cls)


def _derives(cls: Value, base: Value) -> bool:
    if isinstance(cls, ExternalValue):
        return (cls.name, getattr(base, "name", "")) == ("builtins.bool", "builtins.int")
    return isinstance(cls, ClassValue) and base in ancestors(cls)
