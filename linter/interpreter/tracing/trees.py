"""Functions on pytrees: their callables see corresponding leaves, in the trace that is under way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ...domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    Const,
    DictValue,
    InstanceValue,
    Level,
    ListValue,
    Mapping,
    SequenceValue,
    Static,
    Tree,
    TupleValue,
    Union,
    Unknown,
    Value,
    surely_traced,
)
from ...events import ControlFlow
from ..arrays.operators import array_result
from ..calls import call, opaque
from ..libraries.library import Call, argument, flattened, given
from ..libraries.variables import kind_of_object
from ..python.containers import elements, items_of, mapping_of, new_dict, new_list, sequence_of
from ..python.flattening import pytree_fields
from ..python.registered import places_of
from ..python.signatures import spreads
from .callables import unfit
from .tangents import misfit
from .traces import level_of
from .untraceable import PYTREES, unsortable

if TYPE_CHECKING:
    from ..machine import Interpreter

_DEPTH = 8  # containers inside each other


def run_tree_map(call_: Call) -> Value:
    """Calls its function on corresponding leaves, in the trace that is under way."""
    interp = call_.interp
    function = argument(call_, "f")
    trees = list(call_.args[1:])
    if "tree" in call_.kwargs:
        trees.insert(0, call_.kwargs["tree"])
    if not trees or not sortable(call_, trees):
        return UNKNOWN
    leafy = call_.bound.get("is_leaf")
    if call_.name.startswith("jax.") and call_.spread is None:
        detail = _misfit(interp, trees[0], trees[1:]) if not given(leafy) else ""
        with_path = "path" in call_.name
        error = "ValueError" if detail else "TypeError"
        if not detail and not spreads(call_.node):
            detail = unfit(interp, function, len(trees) + with_path, call_.name)
        if detail:
            _tell(call_, detail, error)
            return UNKNOWN
    if given(leafy):
        return TAINTED if any(level_of(flattened(interp, t)) for t in trees) else opaque(interp, trees, {})
    return _mapped(call_, function, trees, 0, "path" in call_.name)


def sortable(call_: Call, trees: list[Value], depth: int = 0) -> bool:
    """Whether dicts may be taken apart, whose keys are sorted for it; what surely may not is told of."""
    for tree in trees if depth < _DEPTH else ():
        if isinstance(tree, DictValue):
            if unsortable(call_.interp, tree):
                _tell(
                    call_,
                    "the keys of a dict cannot be sorted: some are strings, others numbers",
                    "ValueError",
                )
                return False
            parts = [item for _, item in mapping_of(call_.interp, tree).items]
        else:
            parts = items_of(call_.interp, tree) or [] if isinstance(tree, SequenceValue) else []
        if not sortable(call_, parts, depth + 1):
            return False
    return True


def _tell(call_: Call, detail: str, error: str) -> None:
    call_.interp.tell(
        ControlFlow, call_.node, function=call_.name, problem="arity", detail=detail, error=error
    )


def _misfit(interp: Interpreter, tree: Value, others: list[Value]) -> str:
    """How one of the other trees lacks the structure of the first; empty if none surely does."""
    if NONE in (tree, *others) and not interp.seen_from_module:
        return ""  # by default, where nobody is seen to call
    for other in others:
        _, detail = misfit(interp, tree, other, prefix=True)
        if detail:
            return f"the trees differ in structure: {detail}"
    return ""


def _mapped(call_: Call, function: Value, trees: list[Value], depth: int, with_path: bool) -> Value:
    """What the function gives for corresponding leaves, in the structure of the first tree."""
    if depth > _DEPTH:
        return TAINTED
    interp, first = call_.interp, trees[0]

    def inside(row: list[Value]) -> Value:
        return _mapped(call_, function, row, depth + 1, with_path)

    if isinstance(first, Union) and any(not isinstance(m, Array | Static) for m in first.members):
        return interp.each(first, lambda one: inside([one, *trees[1:]]))
    if isinstance(first, TupleValue):
        rows = [
            [
                t.items[k] if isinstance(t, TupleValue) and k < len(t.items) else _part(interp, t)
                for t in trees
            ]
            for k in range(len(first.items))
        ]
        rest = None if first.rest is None else inside([_part(interp, t) for t in trees])
        places = places_of(interp, first)
        if places is None:
            return TAINTED
        items = (inside(row) if k in places else first.items[k] for k, row in enumerate(rows))
        return replace(first, items=tuple(items), rest=rest)
    if isinstance(first, ListValue) and first.kind == "list":
        return _mapped_list(call_, trees, inside)
    if isinstance(first, DictValue):
        return _mapped_dict(call_, first, trees, inside)
    if first == NONE:
        return NONE
    if kind_of_object(first) == "Variable":
        return TAINTED  # a leaf or a tree of one array, as it was made
    fields = pytree_fields(interp, first.cls) if isinstance(first, InstanceValue) else None
    if isinstance(first, InstanceValue) and fields is not None:
        box = interp.new_box(first.box.name, site=first.box.site)
        for key, item in first.box.slots.items():
            others = [
                t.box.slots.get(key, UNKNOWN) if isinstance(t, InstanceValue) else UNKNOWN for t in trees[1:]
            ]
            node = isinstance(fields, bool) or key in fields
            box.slots[key] = inside([item, *others]) if node else item
        return InstanceValue(first.cls, box)
    return _at_leaf(call_, function, trees, with_path)


def _mapped_list(call_: Call, trees: list[Value], inside: Callable[[list[Value]], Value]) -> Value:
    interp = call_.interp
    parts = [sequence_of(interp, t) for t in trees]
    if parts[0].rest is not None:
        rest = inside([_part(interp, t) for t in trees])
        return new_list(interp, TupleValue((), rest), call_.node)
    rows = [
        [p.items[k] if k < len(p.items) else (p.rest or UNKNOWN) for p in parts]
        for k in range(len(parts[0].items))
    ]
    return new_list(interp, TupleValue(tuple(map(inside, rows))), call_.node)


def _mapped_dict(
    call_: Call, first: DictValue, trees: list[Value], inside: Callable[[list[Value]], Value]
) -> Value:
    interp = call_.interp
    known = mapping_of(interp, first)
    pairs = [(mapping_of(interp, t) if isinstance(t, DictValue) else None, t) for t in trees]
    items = tuple(
        (key, inside([(m.get(key) or UNKNOWN) if m is not None else _part(interp, t) for m, t in pairs]))
        for key, _ in known.items
    )
    rest = None
    if known.rest is not None:
        rest = inside([(m.rest or UNKNOWN) if m is not None else _part(interp, t) for m, t in pairs])
    return new_dict(interp, Mapping(items, rest), call_.node, first.kind)


def _at_leaf(call_: Call, function: Value, trees: list[Value], with_path: bool) -> Value:
    """What the function gives for leaves, of which those that are trees stand for any array in them."""
    unknown = isinstance(trees[0], Tree | Unknown)

    def leaf(tree: Value) -> Value:
        if unknown and isinstance(tree, SequenceValue | DictValue):
            tree = elements(call_.interp, tree)  # where the first tree has leaves is not known
            return UNKNOWN if isinstance(tree, SequenceValue | DictValue) else tree
        if isinstance(tree, Tree):
            return Array(tree.level, None, None, False, tree.sure, tree.roots, tree.trail)
        return tree

    leaves = [leaf(tree) for tree in trees]
    result = call(call_.interp, function, [UNKNOWN, *leaves] if with_path else leaves, {}, call_.node)
    if isinstance(trees[0], Unknown):
        return TAINTED if level_of(result) else result if isinstance(result, Unknown) else UNKNOWN
    if isinstance(trees[0], Tree) and isinstance(result, Array):
        return Tree(result.level, result.sure, result.roots, result.trail)
    return result


def _part(interp: Interpreter, value: Value) -> Value:
    return elements(interp, value) if not isinstance(value, Tree) else value


def run_tree_reduce(call_: Call) -> Value:
    interp = call_.interp
    function = argument(call_, "function")
    tree = argument(call_, "tree")
    if not sortable(call_, [tree]):
        return UNKNOWN
    leaves = leaves_of(interp, tree)
    start = call_.bound.get("initializer")
    if leaves is None:
        array = array_result(interp, [flattened(interp, v) for v in call_.inputs[1:]], call_.node)
        if not surely_traced(flattened(interp, tree), Level.CONCRETE):
            array = replace(array, sure=False)  # the leaves may be numbers
        result = call(interp, function, [start if start is not None else array, array], {}, call_.node)
        return result
    values = ([start] if start is not None else []) + leaves
    if not values:
        _tell(call_, "the tree has no leaves, and no initializer is given", "TypeError")
        return UNKNOWN
    total = values[0]
    for value in values[1:]:
        total = call(interp, function, [total, value], {}, call_.node)
    return total


def surely_empty(interp: Interpreter, values: list[Value]) -> bool:
    """Whether there is no array in any of these trees.

    What a function is called with that nobody is seen to call may well hold some: its `*args`, or what is None by default.
    """
    return interp.seen_from_module and all(leaves_of(interp, value) == [] for value in values)


def leaves_of(interp: Interpreter, value: Value, depth: int = 0) -> list[Value] | None:
    """The leaves of a tree in order, None where they or their number are not known."""
    if depth > _DEPTH:
        return None
    match value:
        case Tree() | Unknown() | Static(kind=None | "list" | "tuple" | "dict"):
            return None
        case Const(value=None):
            return []
        case Union():
            each = [leaves_of(interp, member, depth + 1) for member in value.members]
            return [value] if all(found is not None and len(found) == 1 for found in each) else None
        case TupleValue(kind="tuple"):
            places = places_of(interp, value) if value.rest is None else None
            parts = [value.items[k] for k in sorted(places)] if places is not None else None
        case ListValue(kind="list"):
            parts = items_of(interp, value)
        case DictValue() if value.kind in PYTREES:
            mapping = mapping_of(interp, value)
            ordered = sorted(mapping.items, key=lambda pair: str(pair[0]))
            parts = [item for _, item in ordered] if mapping.rest is None else None
        case InstanceValue():
            fields = pytree_fields(interp, value.cls)
            parts = None
            if isinstance(fields, set) and fields <= value.box.slots.keys():
                parts = [interp.state.read(value.box, name) or UNKNOWN for name in sorted(fields)]
        case _:
            return [value]
    found = [leaves_of(interp, part, depth + 1) for part in parts] if parts is not None else [None]
    if None in found:
        return None
    return [leaf for leaves in found for leaf in leaves or ()]
