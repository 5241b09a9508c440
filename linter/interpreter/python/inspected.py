"""`inspect.signature(f).bind(...)`: which parameter of a function gets which argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    FunctionValue,
    InstanceValue,
    Mapping,
    MethodValue,
    TupleValue,
    Value,
)
from ..functions import bind, parameters, shown_by
from ..libraries.objects import new_object
from .containers import new_dict

if TYPE_CHECKING:
    from ..libraries.library import Call

DEFAULTS = "__defaults__"
"""The slot of what all parameters are bound to, with their defaults."""


def bound_arguments(call: Call) -> Value:
    """`signature.bind(*args, **kwargs)`: the parameters that arguments are given for, and the arguments."""
    interp, signature = call.interp, call.bound.get("self")
    function = (
        shown_by(signature.box.slots.get("obj", UNKNOWN)) if isinstance(signature, InstanceValue) else UNKNOWN
    )
    args, kwargs, hidden = [*call.args], call.kwargs, 0
    if isinstance(function, MethodValue):
        args.insert(0, function.receiver)
        function, hidden = function.function, 1
    if not isinstance(function, FunctionValue) or call.spread is not None:
        return TAINTED
    names = [param.name.value for param in parameters(function)]
    whole = bind(interp, function, args, kwargs, None)
    for name in names[:hidden]:
        whole.pop(name, None)
    given = {*names[: len(args)], *kwargs}
    known = Mapping(
        tuple((name, value) for name, value in whole.items() if name in given or name not in names)
    )
    slots = {
        "arguments": new_dict(interp, known, call.node, "OrderedDict"),
        DEFAULTS: new_dict(interp, Mapping(tuple(whole.items())), call.node, "OrderedDict"),
        "args": TupleValue(tuple(args[hidden:])),
        "kwargs": new_dict(interp, Mapping(tuple(kwargs.items())), call.node),
    }
    return new_object(interp, "inspect.BoundArguments", "InspectBoundArguments", slots, call.node)


def defaults_applied(call: Call) -> Value:
    """`bound.apply_defaults()`."""
    made = call.bound.get("self")
    if isinstance(made, InstanceValue):
        call.interp.state.write(made.box, "arguments", made.box.slots.get(DEFAULTS, UNKNOWN))
    return NONE
