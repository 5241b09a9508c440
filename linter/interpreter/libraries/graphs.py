"""Modules that are trees or graphs of arrays and other things: taking the two apart, putting them together, `nnx.scan`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    Arrays,
    Box,
    BoxedValue,
    Const,
    DictValue,
    ExternalValue,
    InstanceValue,
    Level,
    ListValue,
    Mapping,
    MethodValue,
    SequenceValue,
    Tree,
    TupleValue,
    Union,
    Value,
    roots_of,
)
from ...knowledge import Result
from ..calls import call as run
from ..python.containers import contents, items_of, mapping_of, new_dict, new_list, sequence_of
from ..python.copies import fresh_copy
from ..tracing.controlflow import as_arrays, stacked
from ..tracing.entries import root_for, traced
from ..tracing.mapping import axes_for, without_axis
from ..tracing.traces import inner_trace, level_of
from ..tracing.transformed_calls import TransformedCall
from ..tracing.transforms import enter, entry_for, leave, outside_level, shown_name
from .library import Call, argument, flattened
from .objects import new_object

if TYPE_CHECKING:
    from ..machine import Interpreter

FILTERS = frozenset(f"equinox.{name}" for name in ("is_array", "is_inexact_array", "is_array_like"))
"""Filters that tell arrays from everything else."""
CARRY = ExternalValue("flax.nnx.Carry")
_DEPTH = 8


def partition(call: Call) -> Value:
    """`equinox.partition(tree, is_array)`: two trees, the arrays of one and all else."""
    tree = argument(call, "pytree")
    arrays, rest = _half(call, tree, True), _half(call, tree, False)
    if arrays is None or rest is None:
        return TAINTED if call.interp.staging or level_of(tree) else UNKNOWN
    return TupleValue((arrays, rest))


def filtered(call: Call) -> Value:
    """`equinox.filter(tree, is_array)`: the tree with None for all that is no array."""
    tree = argument(call, "pytree")
    arrays = _half(call, tree, call.bound.get("inverse") != Const(True))
    return arrays if arrays is not None else TAINTED if level_of(tree) else UNKNOWN


def _half(call: Call, tree: Value, arrays: bool) -> Value | None:
    chosen = argument(call, "filter_spec")
    if not (isinstance(chosen, ExternalValue) and chosen.name in FILTERS) or not isinstance(
        tree, InstanceValue
    ):
        return None

    def leaf(item: Value) -> Value:
        if isinstance(item, Array):
            return item if arrays else NONE
        return item if isinstance(item, Tree) or not arrays else UNKNOWN if item != NONE else NONE

    return fresh_copy(call.interp, tree, leaf, call.node)


def combine(call: Call) -> Value:
    """`equinox.combine(*trees)`: at each place what is not None."""
    found = call.args[0] if call.args else UNKNOWN
    for other in call.args[1:]:
        found = _joined(call.interp, found, other, call.node)
    return found


def _joined(interp: Interpreter, one: Value, two: Value, node: cst.CSTNode, depth: int = 0) -> Value:
    if one == NONE or depth > _DEPTH:
        return two
    if isinstance(one, InstanceValue) and isinstance(two, InstanceValue):
        box = interp.new_box(one.box.name, site=one.box.site)
        for key in {**one.box.slots, **two.box.slots}:
            first, second = one.box.slots.get(key, NONE), two.box.slots.get(key, NONE)
            box.slots[key] = _joined(interp, first, second, node, depth + 1)
        return InstanceValue(one.cls, box)
    if isinstance(one, SequenceValue) and isinstance(two, SequenceValue):
        first_items, second_items = items_of(interp, one), items_of(interp, two)
        if first_items is None or second_items is None or len(first_items) != len(second_items):
            return TAINTED
        pairs = zip(first_items, second_items, strict=True)
        items = TupleValue(tuple(_joined(interp, a, b, node, depth + 1) for a, b in pairs))
        return new_list(interp, items, node) if isinstance(one, ListValue) else items
    if isinstance(one, DictValue) and isinstance(two, DictValue):
        other = mapping_of(interp, two)
        known = mapping_of(interp, one).items
        pairs_ = tuple((k, _joined(interp, v, other.get(k) or NONE, node, depth + 1)) for k, v in known)
        return new_dict(interp, Mapping(pairs_, other.rest), node)
    return two if not isinstance(one, Arrays) and two != NONE else one


def module_list(call: Call) -> Value:
    """`nnx.List(items)`: a list that is a module."""
    content = sequence_of(call.interp, call.args[0], call.node) if call.args else TupleValue(())
    return new_list(call.interp, content, call.node)


def with_state(call: Call) -> Value:
    """`equinox.nn.make_with_state(Model)(...)`: the model, and an object that holds the arrays of its state."""
    interp, maker = call.interp, call.bound.get("self")
    make = interp.state.read(maker.box, "make_model") if isinstance(maker, InstanceValue) else None
    model = run(interp, make or UNKNOWN, call.args, call.kwargs, call.node, call.spread)
    held: dict[str, Value] = {"states": Tree(Level.CONCRETE)}
    return TupleValue((model, new_object(interp, "equinox.nn.State", "EquinoxState", held, call.node)))


def and_state(call: Call) -> Value:
    """`layer(x, state)`: an array like `x`, and the state after it."""
    return TupleValue((call.result(Result("layer", ("same(x)",))), argument(call, "state")))


def split_graph(call: Call) -> Value:
    """`nnx.split(module, *filters)`: how the module is built, and its state, in as many parts as there are filters."""
    module = call.first()
    if not isinstance(module, InstanceValue) or call.spread is not None:
        return TAINTED if call.interp.staging else UNKNOWN
    inner = flattened(call.interp, module)
    state = Tree(level_of(module), False, roots_of([inner]))  # of arrays or of variables
    definition = MethodValue(ExternalValue("nnx.graphdef"), module)
    return TupleValue((definition, *(state for _ in range(max(len(call.args) - 1, 1)))))


def merge_graph(call: Call) -> Value:
    """`nnx.merge(definition, state, ...)`: the module, its arrays as traced as the state."""
    interp, definition = call.interp, call.first()
    states = [flattened(interp, value) for value in call.args[1:]]
    if not isinstance(definition, MethodValue) or definition.function != ExternalValue("nnx.graphdef"):
        return TAINTED if interp.staging else UNKNOWN
    level = max((level_of(state) for state in states), default=Level.CONCRETE)
    roots = roots_of(states)

    def leaf(item: Value) -> Value:
        return (
            Array(level, item.shape, item.dtype, item.weak, True, roots) if isinstance(item, Array) else item
        )

    return fresh_copy(interp, definition.receiver, leaf, call.node)


MODES = {"eval": Const(True), "train": Const(False)}


def set_mode(call: Call) -> Value:
    """`Module.eval()`, `Module.train()`, `Module.set_attributes(...)`: in all modules inside."""
    chosen = MODES.get(call.name.rsplit(".", 1)[-1], UNKNOWN)
    seen: set[Box] = set()
    waiting: list[Value] = [call.bound.get("self", UNKNOWN)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, BoxedValue) and value.box not in seen:
            seen.add(value.box)
            waiting += contents(value)
            if isinstance(value, InstanceValue):
                waiting += value.box.slots.values()
                for name in ("deterministic", "use_running_average"):
                    call.interp.state.write(value.box, name, chosen)
        elif isinstance(value, TupleValue | Union):
            waiting += value.parts if isinstance(value, TupleValue) else value.members
    return NONE


def run_graph_scan(called: TransformedCall) -> Value:
    """`nnx.scan`: the argument that `in_axes` calls the carry is threaded through, others are sliced."""
    interp, transformed, args, node = called.interp, called.transformed, called.args, called.node
    function = called.function
    default = TupleValue((CARRY, Const(0)))
    entry = entry_for(interp, transformed, shown_name(transformed))
    axes = axes_for(interp, transformed.option("in_axes") or default, len(args))
    inside: list[Value] = []
    for name, value, axis in zip(called.names, args, axes, strict=True):
        root = root_for(interp, entry, function, name, value)
        if axis == CARRY:
            inside.append(traced(interp, as_arrays(interp, value), root, Level.ABSTRACT, None, node))
        elif isinstance(axis, Const) and isinstance(axis.value, int):
            given = traced(interp, value, root, Level.ABSTRACT, None, node)
            inside.append(without_axis(interp, given, axis))
        else:
            inside.append(UNKNOWN)
    trace = inner_trace(entry, True, interp.trace)
    result = enter(interp, trace, function, inside, {}, node, called.spread)
    outer = outside_level(interp, args)
    left = leave(interp, result, outer, node)
    out = transformed.option("out_axes") or default
    if out == CARRY:
        return left
    if out == default and isinstance(left, TupleValue) and len(left.items) == 2:
        return TupleValue((left.items[0], stacked(interp, left.items[1], NONE, outer)))
    return TAINTED if interp.staging else UNKNOWN
