"""`TrainState` of flax: parameters, the optimiser and its state in one object, which each step replaces.

Source: `flax.training.train_state`; the step, the parameters and the optimiser's state are leaves, functions are not.
"""

from __future__ import annotations

from ...domain import TAINTED, UNKNOWN, Array, ClassValue, Const, ExternalValue, InstanceValue, Unknown, Value
from ..arrays.operators import array_result, binary
from ..calls import call as run
from ..python.attributes import attribute
from ..python.classes import field_default, fields_of
from ..python.copies import fresh_copy
from .library import Call, argument, flattened
from .optimisers import update_of


def create(call: Call) -> Value:
    """`TrainState.create(apply_fn=..., params=..., tx=..., **fields)`, also of a class derived from it."""
    interp, cls = call.interp, call.bound.get("self", ExternalValue(call.name.rpartition(".")[0]))
    box = interp.new_box(str(getattr(cls, "name", "")).rpartition(".")[2], site=call.node)
    for name in fields_of(cls) if isinstance(cls, ClassValue) else ():
        default = field_default(interp, cls, name)
        if default is not None:
            box.slots[name] = default
    box.slots.update(call.kwargs)
    tx, params = argument(call, "tx"), argument(call, "params")
    init = tx if isinstance(tx, Unknown) else attribute(interp, tx, "init", call.node)
    box.slots["step"] = Const(0)
    box.slots["opt_state"] = run(interp, init, [params], {}, call.node)
    return InstanceValue(cls, box)


def apply_gradients(call: Call) -> Value:
    """`state.apply_gradients(grads=..., **fields)`: the state after one more step."""
    interp, state, grads = call.interp, call.bound.get("self"), argument(call, "grads")
    if not isinstance(state, InstanceValue):
        return TAINTED if interp.staging else UNKNOWN
    held = {
        name: interp.state.read(state.box, name) or UNKNOWN for name in ("step", "params", "tx", "opt_state")
    }
    _, opt_state = update_of(call, held["tx"], [grads, held["opt_state"], held["params"]])
    inputs = flattened(interp, grads)

    def leaf(value: Value) -> Value:
        if not isinstance(value, Array):
            return value
        return array_result(
            interp, (value, inputs), call.node, value.shape, value.dtype, value.weak, "apply_gradients"
        )

    box = interp.new_box(state.box.name, site=state.box.site)
    box.slots.update(state.box.slots)
    box.slots["step"] = binary(interp, "Add", held["step"], Const(1), call.node)
    box.slots["params"] = fresh_copy(interp, held["params"], leaf, call.node)
    box.slots["opt_state"] = opt_state
    box.slots.update({name: value for name, value in call.kwargs.items() if name != "grads"})
    return InstanceValue(state.cls, box)
