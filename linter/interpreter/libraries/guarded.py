"""State of flax.nnx, which refuses to be changed from a trace that it was not made in.

Source: `flax.nnx`, `Variable` and `Object.__setattr__`, which ask for the trace under way (`flax.errors.TraceContextError`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import libcst as cst

from ...domain import Const, ExternalValue, InstanceValue
from ...events import ForeignState
from ..functions import parameters
from ..later_use import holds
from ..python.classes import ancestors
from ..tracing.traces import outward

if TYPE_CHECKING:
    from ..machine import Interpreter
    from ..tracing.traces import Trace


def changed_from_another_trace(
    interp: Interpreter, owner: InstanceValue, target: str, node: cst.CSTNode
) -> bool:
    """Whether a change of a module's attribute or of a variable is refused, which is told."""
    home = cast("Trace | None", owner.box.context)
    if interp.trace is None or (home is not None and home.within(interp.trace)):
        return False
    if not any(isinstance(one, ExternalValue) and _guards(interp, one.name) for one in ancestors(owner.cls)):
        return False
    if owner.box.slots.get("ref") == Const(True):
        return False  # it is a reference of JAX, which traces may change
    if _is_passed(interp, owner):
        return False  # nnx takes it into the trace, and its changes out
    interp.tell(ForeignState, node, target=target)
    return True


def _is_passed(interp: Interpreter, owner: InstanceValue) -> bool:
    """Whether a function that is traced is given the object, or something with it inside, as an argument."""
    functions = (trace.entry.function for trace in outward(interp.trace))
    traced = {id(function.node) for function in functions if function is not None}
    for frame in interp.frames:
        function = frame.function
        if function is not None and id(function.node) in traced:
            given = (frame.scope.slots.get(param.name.value) for param in parameters(function))
            if any(value is not None and holds(value, owner.box) for value in given):
                return True
    return False


def _guards(interp: Interpreter, name: str) -> bool:
    """Whether a library's class is that of modules of nnx, or of their variables."""
    if interp.catalogue.object(name) == "class:graph":
        return True
    made = interp.catalogue.function(name) if name.startswith("flax.nnx.") else None
    return made is not None and made.result.word == "variable"
