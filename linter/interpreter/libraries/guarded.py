"""State of flax.nnx, which refuses to be changed from a trace that it was not made in.

Source: `flax.nnx`, `Variable` and `Object.__setattr__`, which ask for the trace under way (`flax.errors.TraceContextError`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import libcst as cst

from ...domain import NONE, UNKNOWN, Const, ExternalValue, InstanceValue, Value
from ...events import ForeignState
from ...knowledge import Result
from ...knowledge.schema import parse_result
from ..discarding import called_by, is_plain
from ..functions import parameters
from ..imports import dotted
from ..later_use import holds
from ..python.classes import ancestors
from ..tracing.traces import outward

if TYPE_CHECKING:
    from ..machine import Interpreter
    from ..tracing.traces import Trace
    from .library import Call


def changed_from_another_trace(
    interp: Interpreter, owner: InstanceValue, target: str, node: cst.CSTNode
) -> bool:
    """Whether a change of a module's attribute or of a variable is refused, which is told."""
    if not any(isinstance(one, ExternalValue) and _guards(interp, one.name) for one in ancestors(owner.cls)):
        return False
    if owner.box.slots.get("ref") == Const(True):
        return False  # it is a reference of JAX, which traces may change
    return _refuses(interp, owner, target, node)


def changes(call: Call, result: Result) -> Value:
    """`changes[FLAG, OWNER|OWNER, RESULT]`: a layer draws a key, or keeps statistics."""
    interp, flag, receiver = call.interp, result.argument(0), call.bound.get("self")
    owners = [call.bound.get(name, NONE) for name in result.argument(1).split("|")]
    owner = next((owner for owner in owners if owner != NONE), UNKNOWN)
    if isinstance(receiver, InstanceValue) and isinstance(owner, InstanceValue):
        slots = [interp.state.read(receiver.box, name) for name in (flag, "rate", "rngs")]
        set_by_call, (set_before, rate, _) = call.bound.get(flag), slots
        setting = set_before if set_by_call in (None, NONE) else set_by_call
        if setting in (None, NONE, Const(False)) and rate not in (Const(0.0), Const(0)):
            # a layer whose rate a setting gives may drop nothing, and 0 is what most settings are
            sure = rate is None or isinstance(rate, Const)
            _refuses(interp, owner, _shown(interp, owner, call.node), call.node, sure)
    return call.result(parse_result(result.argument(2)))


def _shown(interp: Interpreter, owner: InstanceValue, node: cst.CSTNode) -> str:
    """The object that a call calls, in words."""
    if type(node) is cst.Call and is_plain(node.func):
        if isinstance(called_by(interp, node), InstanceValue):
            return dotted(node.func)
    return f"the {getattr(owner.cls, 'name', 'state').rsplit('.', 1)[-1]}"


def _refuses(
    interp: Interpreter, owner: InstanceValue, target: str, node: cst.CSTNode, sure: bool = True
) -> bool:
    """Whether state that was made in another trace is changed here, which is told."""
    home = cast("Trace | None", owner.box.context)
    if interp.trace is None or (home is not None and home.within(interp.trace)):
        return False
    if _is_passed(interp, owner):
        return False  # nnx takes it into the trace, and its changes out
    interp.tell(ForeignState, node, sure, target=target)
    return True


def _is_passed(interp: Interpreter, owner: InstanceValue) -> bool:
    """Whether a function that is traced is given the object, or something with it inside, as an argument."""
    entries = [trace.entry for trace in outward(interp.trace)]
    if any(entry.transform[:1].isupper() for entry in entries):
        return True  # a layer takes its parts into the traces that it begins
    traced = {id(entry.function.node) for entry in entries if entry.function is not None}
    for frame in interp.frames:
        function = frame.function
        if function is not None and id(function.node) in traced:
            given = [frame.scope.slots.get(param.name.value) for param in parameters(function)]
            bound = frame.receiver is not None  # no transform sees what a method is bound to
            if any(value is not None and holds(value, owner.box) for value in given[bound:]):
                return True
    return False


def _guards(interp: Interpreter, name: str) -> bool:
    """Whether a library's class is that of modules of nnx, or of their variables."""
    if interp.catalogue.object(name) == "class:graph":
        return True
    made = interp.catalogue.function(name) if name.startswith("flax.nnx.") else None
    return made is not None and made.result.word == "variable"
