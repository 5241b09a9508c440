"""Models of library functions that build or take apart functions, classes and trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ...domain import (
    NONE,
    UNKNOWN,
    Array,
    Arrays,
    ClassValue,
    Const,
    DictValue,
    ExternalValue,
    InstanceValue,
    Level,
    MethodValue,
    PartialValue,
    Root,
    Static,
    Tree,
    TupleValue,
    Value,
    members,
)
from ...joins import join
from ...knowledge import Parameter, Result
from ..arrays.operators import array_result
from ..calls import call as run
from ..python.attributes import attribute
from ..python.classes import find_member
from ..python.containers import mapping_of, new_list, sequence_of
from ..python.copies import fresh_copy
from ..python.dispatching import dispatch, dispatcher, register
from ..python.equality import mark_comparisons
from ..python.fields import Field
from ..python.flattening import dynamic_fields, flattened_fields, mark_pytree
from ..python.hashing import FIELDS_HASH
from ..python.python_models import PYTHON_MODELS
from ..python.registered import FLATTEN
from ..tracing.buffers import new_buffer
from ..tracing.reverse import REVERSE
from ..tracing.traces import level_of, number_dtype
from ..tracing.trees import leaves_of, sortable
from ..truth import truth
from ..unrolling import unrolling
from .library import Call, check_static, flattened
from .variables import kind_of_object


def _partial(call: Call) -> Value:
    if not call.args:
        return UNKNOWN
    pytree = call.name.startswith("jax.")
    made = PartialValue(call.args[0], tuple(call.args[1:]), tuple(call.kwargs.items()), pytree, call.spread)
    call.interp.repetition.made(call.interp, made)
    return made


def _partialmethod(call: Call) -> Value:
    """A partial of a function, which is bound to the instance through which it is seen."""
    made = _partial(call)
    return MethodValue(ExternalValue("descriptor.partialmethod"), made)


def _wraps(call: Call) -> Value:
    """`functools.wraps(f)` gives a decorator that leaves the function as it is, but for the signature that it shows."""
    return PartialValue(ExternalValue("tracetrap.wraps"), (call.first(),), ())


def _tree_structure(call: Call) -> Value:
    return Static("PyTreeDef") if sortable(call, [call.first()]) else UNKNOWN


def _tree_leaves(call: Call) -> Value:
    leaves = _leaves(call)
    return UNKNOWN if leaves is None else new_list(call.interp, leaves, call.node)


def _tree_leaves_with_path(call: Call) -> Value:
    """A list of pairs: where a leaf stands, which is static, and the leaf."""
    leaves = _leaves(call)
    if leaves is None:
        return UNKNOWN

    def pair(leaf: Value) -> Value:
        return TupleValue((TupleValue((), UNKNOWN), leaf))

    rest = None if leaves.rest is None else pair(leaves.rest)
    return new_list(call.interp, TupleValue(tuple(map(pair, leaves.items)), rest), call.node)


def _leaves(call: Call) -> TupleValue | None:
    """The leaves of a tree, whose number may not be known; None where it surely cannot be taken apart."""
    if not sortable(call, [call.first()]):
        return None
    leaves = leaves_of(call.interp, call.first())
    if leaves is not None and not call.bound.get("is_leaf"):
        return TupleValue(tuple(leaves))
    return TupleValue((), _leaf(call))


def _leaf(call: Call) -> Value:
    content = flattened(call.interp, call.first())
    if not level_of(content):
        return UNKNOWN  # nothing is staged by taking a tree apart
    array = array_result(call.interp, [content], call.node)
    return Array(array.level, None, None, False, array.sure, array.roots, array.trail)


def _stop_gradient(call: Call) -> Value:
    """The same value, which no longer depends on what is differentiated."""

    def leaf(value: Value) -> Value:
        if not isinstance(value, Arrays):
            return value
        roots: dict[int, Root] = {}
        for root in value.roots:
            for kept in (
                root.origins if root.entry is not None and root.entry.transform in REVERSE else (root,)
            ):
                roots.setdefault(id(kept), kept)
        level = Level.CONCRETE if value.level is Level.DUAL else value.level
        return replace(value, level=level, roots=tuple(roots.values()))

    return fresh_copy(call.interp, call.first(), leaf, call.node)


def _tree_flatten(call: Call) -> Value:
    return TupleValue((_tree_leaves(call), Static("PyTreeDef")))


def _tree_flatten_with_path(call: Call) -> Value:
    return TupleValue((_tree_leaves_with_path(call), Static("PyTreeDef")))


def _tree_unflatten(call: Call) -> Value:
    leaves = call.args[1] if len(call.args) > 1 else call.bound.get("leaves", UNKNOWN)
    part = sequence_of(call.interp, leaves)
    content = [*part.items, *((part.rest,) if part.rest is not None else ())]
    if not any(map(level_of, content)):
        return UNKNOWN  # nor by putting one together
    array = array_result(call.interp, content, call.node)
    return Tree(array.level, array.sure, array.roots, array.trail)


def _ravel_pytree(call: Call) -> Value:
    array = array_result(call.interp, [flattened(call.interp, call.first())], call.node, (None,))
    return TupleValue((array, MethodValue(ExternalValue("constant.result"), call.first())))


def _key_sequence(call: Call) -> Value:
    """An iterator that makes a new key each time; inside a trace one from outside advances while tracing alone."""
    key = array_result(call.interp, call.inputs, call.node, (), "key")
    return new_list(call.interp, TupleValue((), key), call.node, "iterator")


def _truth(call: Call) -> Value:
    known = truth(call.interp, call.first(), call.node, "builtin", "bool")
    return Static("bool") if known is None else Const(known)


def _untruth(call: Call) -> Value:
    known = truth(call.interp, call.first(), call.node, "builtin", "bool")
    return Static("bool") if known is None else Const(not known)


def _register(call: Call) -> Value:
    cls = call.first()
    short = call.name.rsplit(".", 1)[-1]
    if isinstance(cls, ClassValue):
        if short == "register_static":
            mark_pytree(cls, [])
        elif short == "register_dataclass":
            fields = call.bound.get("data_fields")
            names = (
                [i.value for i in sequence_of(call.interp, fields).items if isinstance(i, Const)]
                if fields is not None
                else None
            )
            mark_pytree(cls, names if names is not None else dynamic_fields(call.interp, cls))
        else:
            mark_pytree(cls, flattened_fields(call.interp, cls))
            flatten = call.bound.get("flatten_func", find_member(call.interp, cls, "tree_flatten"))
            if flatten is not None:
                cls.box.slots[FLATTEN] = flatten
    elif isinstance(cls, MethodValue) and isinstance(cls.receiver, InstanceValue):
        cls.receiver.box.slots[FLATTEN] = call.bound.get("flatten_func", UNKNOWN)
    return cls


def _pytree_dataclass(call: Call) -> Value:
    cls = call.args[0] if call.args else None
    if not isinstance(cls, ClassValue):
        return PartialValue(ExternalValue(call.name), (), tuple(call.kwargs.items()))
    mark_pytree(cls, dynamic_fields(call.interp, cls))
    return cls


def _dataclass(call: Call) -> Value:
    cls = call.args[0] if call.args else None
    if not isinstance(cls, ClassValue):
        return PartialValue(ExternalValue(call.name), (), tuple(call.kwargs.items()))
    options = {name: call.kwargs.get(name, Const(name == "eq")) for name in ("eq", "frozen", "unsafe_hash")}
    if cls.box.slots.get("__hash__", NONE) == NONE and all(
        isinstance(value, Const) for value in options.values()
    ):
        if options["unsafe_hash"] == Const(True) or options["frozen"] == options["eq"] == Const(True):
            cls.box.slots["__hash__"] = FIELDS_HASH
        elif options["eq"] == Const(True):
            cls.box.slots["__hash__"] = NONE
    mark_comparisons(cls, options["eq"], call.kwargs.get("order", Const(False)))
    return cls


def _joined_by_index(call: Call) -> Value:
    """`jnp.r_[first, start:stop]`: arrays may be traced, the bounds of ranges not."""
    index = call.first()
    parts = index.items if type(index) is TupleValue else (index,)
    name = call.name.removesuffix(".__getitem__")
    for part in parts:
        if isinstance(part, TupleValue):
            check_static(call.interp, RANGE, part, name, call.node)
    return call.array("", "")


RANGE = Parameter("range", "either", category="size")


def _field(call: Call, unless_told: bool = False) -> Value:
    """`dataclasses.field(...)`: its default, whether it is static, what makes a default each time, whether it is compared."""
    default = call.kwargs.get("default", UNKNOWN)
    factory = call.kwargs.get("default_factory", NONE)
    static = call.kwargs.get("static", Const(unless_told)) == Const(True) or call.kwargs.get(
        "pytree_node"
    ) == Const(False)
    metadata = call.kwargs.get("metadata")
    if isinstance(metadata, DictValue):
        mapping = mapping_of(call.interp, metadata)
        static = static or mapping.get("static") == Const(True) or mapping.get("pytree_node") == Const(False)
    compare, hashed = call.kwargs.get("compare", Const(True)), call.kwargs.get("hash", NONE)
    return Field(default, Const(static), factory, compare, hashed).value


def _metadata(name: str) -> Callable[[Call], Value]:
    def run(call: Call) -> Value:
        value = call.first()
        if any(isinstance(m, Arrays) for m in members(value)):
            return attribute(call.interp, value, name, call.node)
        if isinstance(value, Static) and value.kind == "ndarray":
            return attribute(call.interp, value, name, call.node)
        return TupleValue((), Static("int")) if name == "shape" else Static("int")

    return run


def _atleast(call: Call) -> Value:
    results = [array_result(call.interp, (value,), call.node) for value in call.args]
    return results[0] if len(results) == 1 else new_list(call.interp, TupleValue(tuple(results)), call.node)


def _reduce(call: Call) -> Value:
    if len(call.args) < 2:
        return UNKNOWN
    part = sequence_of(call.interp, call.args[1])
    values: list[Value] = [*call.args[2:], *part.items]
    if part.rest is not None:
        # As of a loop: there are some, the first of which goes in as it is
        values += [part.rest] * (1 if values else 2)
    if not values:
        return UNKNOWN
    before = total = values[0]
    with unrolling(call.interp, call.node, part):
        for value in values[1:]:
            before, total = total, run(call.interp, call.args[0], [total, value], {}, call.node)
    return total if part.rest is None else join(before, total)


def _combined(call: Call) -> Value:
    """A sparse matrix times a number, or plus another one, is one again; with a dense array it gives a dense one."""
    other = call.args[0] if call.args else UNKNOWN
    if number_dtype(other) is not None or kind_of_object(other) == kind_of_object(call.first()):
        return call.first()
    error = ":TypeError" if call.name.endswith(("add__", "sub__")) else ""
    return call.result(Result("host", (error,)))


def _fetched(call: Call) -> Value:
    """`device_get`: NumPy's read-only views of the arrays in a tree, once they are there; tracers stay what they are."""
    lifetimes = call.interp.lifetimes
    lifetimes.asked(call.interp, (call.first(),), call.node)

    def leaf(value: Value) -> Value:
        if isinstance(value, Arrays) and (value.traced or not value.sure):
            return value if value.traced else UNKNOWN
        if not isinstance(value, Array) or value.dtype == "key":
            return UNKNOWN if isinstance(value, Tree) else value
        buffer = new_buffer()
        lifetimes.memory.read_only.add(buffer)
        return Static("ndarray", shape=value.shape, buffer=buffer)

    return fresh_copy(call.interp, call.first(), leaf, call.node)


MODELS: dict[str, Callable[[Call], Value]] = {
    **PYTHON_MODELS,
    "partial": _partial,
    "partialmethod": _partialmethod,
    "dispatcher": dispatcher,
    "register": register,
    "dispatch": dispatch,
    "wraps": _wraps,
    "truth": _truth,
    "untruth": _untruth,
    "tree_leaves": _tree_leaves,
    "tree_structure": _tree_structure,
    "stop_gradient": _stop_gradient,
    "fetched": _fetched,
    "tree_flatten": _tree_flatten,
    "tree_leaves_with_path": _tree_leaves_with_path,
    "tree_flatten_with_path": _tree_flatten_with_path,
    "tree_unflatten": _tree_unflatten,
    "key_sequence": _key_sequence,
    "ravel_pytree": _ravel_pytree,
    "register_pytree": _register,
    "pytree_dataclass": _pytree_dataclass,
    "dataclass": _dataclass,
    "field": _field,
    "static_field": partial(_field, unless_told=True),
    "joined_by_index": _joined_by_index,
    "shape": _metadata("shape"),
    "ndim": _metadata("ndim"),
    "size": _metadata("size"),
    "atleast": _atleast,
    "reduce": _reduce,
    "combined": _combined,
}
