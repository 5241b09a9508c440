"""What `scan` and `map` go along: leading axes, and one length of them."""

from __future__ import annotations

from ...domain import NONE, Array, Const, Level, Value
from ...events import ControlFlow
from ..libraries.library import Call
from .donation import leaves
from .traces import number_dtype


def sliceable(call: Call, xs: Value, transform: str) -> bool:
    """Whether all that is scanned over may have a leading axis, and these one length; what surely not is told of."""
    wanted = call.bound.get("length", NONE)
    length = wanted.value if isinstance(wanted, Const) and isinstance(wanted.value, int) else None
    first = "length is" if length is not None else ""
    for leaf in leaves(xs):
        number = number_dtype(leaf) is not None
        if number or (isinstance(leaf, Array) and leaf.shape == () and leaf.sure):
            call.interp.tell(
                ControlFlow, call.node, function=transform, problem="operand",
                error="ValueError" if number or transform == "associative_scan" else "IndexError",
                value=Array(Level.CONCRETE) if isinstance(leaf, Array) else leaf,
                detail="is passed, which has no leading axis to go along (for a number of steps: xs=None, length=...)",
            )  # fmt: skip
            return False
        steps = leaf.shape[0] if isinstance(leaf, Array) and leaf.shape and leaf.sure else None
        if steps is not None and length is not None and steps != length:
            call.interp.tell(
                ControlFlow, call.node, function=transform, problem="lengths", error="ValueError",
                detail=f"{first} {length}, another array has {steps} along its leading axis",
            )  # fmt: skip
            return False
        if steps is not None and length is None:
            length, first = steps, "one array has"
    return True
