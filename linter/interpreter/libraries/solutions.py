"""What solvers of differential equations give: an object that holds times, and at each of them a state like the first one."""

from __future__ import annotations

from ...domain import NONE, Array, InstanceValue, Tree, Value
from ...knowledge.schema import parse_result
from ..arrays import shapes
from ..arrays.precision import default_dtype
from ..python.copies import fresh_copy
from .library import Call, argument, given
from .objects import new_object

# Arguments of `SaveAt` that make the solution hold something else than states of the equation
_OTHERWISE = ("fn", "subs", "dense")


def solution(call: Call) -> Value:
    """`diffrax.diffeqsolve(...)`: `ts` and `ys` have a first axis of unknown length."""
    tree = call.result(parse_result("tree"))
    if not isinstance(tree, Tree):
        return tree

    def saved(item: Value) -> Value:
        shape, dtype = shapes.shape_of(item), shapes.dtype_of(item)[0]
        whole = None if shape is None else (None, *shape)
        return Array(tree.level, whole, dtype, False, True, tree.roots, tree.trail)

    held: dict[str, Value] = dict.fromkeys(("ts", "ys", "stats", "result", "event_mask"), tree)
    if _saves_states(call, call.bound.get("saveat")):
        sure = call.interp.staging or not tree.traced  # a map leaves times alone that it does not go over
        held["ts"] = Array(tree.level, (None,), default_dtype("float32"), False, sure, tree.roots, tree.trail)
        held["ys"] = fresh_copy(call.interp, argument(call, "y0"), saved, call.node)
    return new_object(call.interp, "diffrax.Solution", "DiffraxSolution", held, call.node)


def _saves_states(call: Call, saveat: Value | None) -> bool:
    """Whether a `SaveAt`, if there is one, saves the states themselves."""
    if not given(saveat):
        return True
    return isinstance(saveat, InstanceValue) and all(
        call.interp.state.read(saveat.box, name) in (None, NONE) for name in _OTHERWISE
    )
