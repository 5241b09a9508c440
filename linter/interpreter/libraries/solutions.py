"""What solvers give: of differential equations a state like the first one at each time, of others a value like the guess."""

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
    held: dict[str, Value] = dict.fromkeys(("ts", "ys", "stats", "result", "event_mask"), tree)
    if _saves_states(call, call.bound.get("saveat")):
        sure = call.interp.staging or not tree.traced  # a map leaves times alone that it does not go over
        held["ts"] = Array(tree.level, (None,), default_dtype("float32"), False, sure, tree.roots, tree.trail)
        held["ys"] = _like(call, tree, None)
    return new_object(call.interp, "diffrax.Solution", "DiffraxSolution", held, call.node)


def states(call: Call) -> Value:
    """`odeint(...)`: the state at each time."""
    tree, times = call.result(parse_result("tree")), shapes.shape_of(argument(call, "t"))
    return _like(call, tree, times[0] if times else None) if isinstance(tree, Tree) else tree


def root(call: Call) -> Value:
    """`optimistix.root_find(...)` and the like: its `value` is like the guess."""
    tree = call.result(parse_result("tree"))
    if not isinstance(tree, Tree):
        return tree
    held: dict[str, Value] = dict.fromkeys(("result", "aux", "stats", "state"), tree)
    held["value"] = _like(call, tree)
    return new_object(call.interp, "optimistix.Solution", "OptimistixSolution", held, call.node)


def _like(call: Call, tree: Tree, *axes: int | None) -> Value:
    """The argument `y0`, its leaves arrays as traced as the tree, with further axes in front."""

    def leaf(item: Value) -> Value:
        shape, dtype = shapes.shape_of(item), shapes.dtype_of(item)[0]
        whole = None if shape is None else (*axes, *shape)
        return Array(tree.level, whole, dtype, False, True, tree.roots, tree.trail)

    return fresh_copy(call.interp, argument(call, "y0"), leaf, call.node)


def _saves_states(call: Call, saveat: Value | None) -> bool:
    """Whether a `SaveAt`, if there is one, saves the states themselves."""
    if not given(saveat):
        return True
    return isinstance(saveat, InstanceValue) and all(
        call.interp.state.read(saveat.box, name) in (None, NONE) for name in _OTHERWISE
    )
