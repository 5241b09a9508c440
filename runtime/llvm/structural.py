"""The primitives that are more than an expression: reductions, products, updates, cumulative sums."""

from __future__ import annotations

import importlib
from collections.abc import Callable

import numpy as np

from . import elementwise, product
from .builder import Builder, Rule, Value
from .control import plan_cond, plan_scan, plan_while
from .flat import Atom, Const, Eqn, Var
from .index import Affine, Index, flatten, identity, zero
from .nest import REDUCERS, Reducer, Stage
from .node import Leaf, Node, Nodes
from .prefix import Prefix
from .scope import Scope
from .types import BF16, BOOL, F16, F32, U64, Element, NotLowered, element

Planner = Callable[[Scope, Eqn], None]


def _reduce(name: str) -> Planner:
    def plan(scope: Scope, eqn: Eqn) -> None:
        operand, out = eqn.inputs[0], eqn.outputs[0]
        axes = {d % len(operand.shape) for d in eqn.params["axes"]}
        if all(operand.shape[d] == 1 for d in axes):
            _without_axes(scope, operand, out, axes)
            return
        nodes, puller = scope.domain(operand.shape)
        root = puller.at(operand, identity(operand.shape))
        kept = tuple(d for d in range(len(operand.shape)) if d not in axes)
        _plan_reduction(scope, out, operand.shape, nodes, root, kept, REDUCERS[name])

    return plan


def _plan_reduction(
    scope: Scope,
    out: Var,
    domain: tuple[int, ...],
    nodes: Nodes,
    root: Node,
    kept: tuple[int, ...],
    reducer: Reducer,
) -> None:
    """Plans a reduction; sums and products of bfloat16 are of float32, and rounded at the end."""
    if element(out.dtype) is not BF16 or reducer.name not in ("sum", "prod"):
        scope.reduce(out, domain, nodes, root, kept, reducer)
        return
    wide = Var(out.shape, np.dtype(np.float32))
    scope.reduce(wide, domain, nodes, _converted(nodes, root, F32), kept, reducer)
    leaf = scope.leaves[out] = scope.new_leaf(out, f"v{out.id}")
    places = identity(out.shape)
    nodes, puller = scope.domain(out.shape)
    total = _converted(nodes, puller.at(wide, places), BF16)
    scope.place(out.shape, nodes, Stage(leaf, total, flatten(places, out.shape, len(out.shape))))


def _converted(nodes: Nodes, node: Node, elem: Element) -> Node:
    return nodes.compute("convert_element_type", elementwise.convert, (node,), elem, {"new_dtype": elem.name})


def _without_axes(scope: Scope, operand: Atom, out: Var, axes: set[int]) -> None:
    """Nothing is added to single elements: the sum of -0 is -0."""
    nodes, puller = scope.domain(out.shape)
    places, rank = identity(out.shape), len(out.shape)
    rest = iter(places)
    at = tuple(zero(rank) if d in axes else next(rest) for d in range(len(operand.shape)))
    leaf = scope.leaves[out] = scope.new_leaf(out, f"v{out.id}")
    scope.place(out.shape, nodes, Stage(leaf, puller.at(operand, at), flatten(places, out.shape, rank)))


def _arg(name: str) -> Planner:
    """The first place of the extremum, where NaN counts as extreme: the extremum, then the least index that has it."""

    def plan(scope: Scope, eqn: Eqn) -> None:
        operand, out = eqn.inputs[0], eqn.outputs[0]
        (axis,) = eqn.params["axes"]
        shape = operand.shape
        if shape[axis] == 0:
            raise NotLowered(eqn.name, "of nothing")
        nodes, puller = scope.domain(shape)
        places = identity(shape)
        kept = tuple(d for d in range(len(shape)) if d != axis)
        x = puller.at(operand, places)

        extremum = Var(out.shape, operand.dtype)
        scope.reduce(extremum, shape, nodes, x, kept, REDUCERS[name])
        best = puller.at(extremum, tuple(places[d] for d in kept))
        found = nodes.compute("eq", elementwise.eq, (x, best), BOOL)
        if x.elem.is_float:
            is_nan = nodes.compute("ne", elementwise.ne, (x, x), BOOL)
            found = nodes.compute("or", Builder.or_, (found, is_nan), BOOL)
        elem = element(out.dtype)
        at, beyond = nodes.index(places[axis], elem), nodes.const(shape[axis], elem)
        scope.reduce(out, shape, nodes, puller.select(found, at, beyond), kept, REDUCERS["min"])

    return plan


def _dot_general(scope: Scope, eqn: Eqn) -> None:
    """A product: by tiles where memory allows, else as loops over batch, rows, columns and the contracted dimensions."""
    left, right = eqn.inputs
    out = eqn.outputs[0]
    elem = element(out.dtype)
    if elem is F16:
        raise NotLowered("dot_general", "of half precision")
    (contract_l, contract_r), (batch_l, batch_r) = eqn.params["dimension_numbers"]
    rows = [d for d in range(len(left.shape)) if d not in (*contract_l, *batch_l)]
    columns = [d for d in range(len(right.shape)) if d not in (*contract_r, *batch_r)]
    operands = scope.materialise(left), scope.materialise(right)
    leaf = scope.new_leaf(out, f"v{out.id}")
    dimensions = (batch_l, rows, contract_l), (batch_r, contract_r, columns)
    # A scalar may be in no memory at all.
    if elem.part is None and left.shape and right.shape and product.plan(scope, *operands, leaf, dimensions):
        scope.leaves[out] = leaf
        return
    nb, nm, nn = len(batch_l), len(rows), len(columns)
    domain = (
        *(left.shape[d] for d in batch_l),
        *(left.shape[d] for d in rows),
        *(right.shape[d] for d in columns),
        *(left.shape[d] for d in contract_l),
    )
    places = identity(domain)
    index_l: list[Affine] = [zero(len(domain))] * len(left.shape)
    index_r: list[Affine] = [zero(len(domain))] * len(right.shape)
    for k, d in enumerate((*batch_l, *rows)):
        index_l[d] = places[k]
    for k, d in enumerate(contract_l):
        index_l[d] = places[nb + nm + nn + k]
    for k, d in enumerate(batch_r):
        index_r[d] = places[k]
    for k, d in enumerate(columns):
        index_r[d] = places[nb + nm + k]
    for k, d in enumerate(contract_r):
        index_r[d] = places[nb + nm + nn + k]
    nodes, puller = scope.domain(domain)
    x, y = puller.at(left, tuple(index_l)), puller.at(right, tuple(index_r))
    if x.elem is BF16:
        elem, x, y = F32, _converted(nodes, x, F32), _converted(nodes, y, F32)
    if {x.elem, y.elem} != {elem}:
        raise NotLowered("dot_general", "with operands converted to another type")
    terms = nodes.compute("mul", Builder.mul, (x, y), elem)
    _plan_reduction(scope, out, domain, nodes, terms, tuple(range(nb + nm + nn)), REDUCERS["sum"])


def _dynamic_update_slice(scope: Scope, eqn: Eqn) -> None:
    operand, update, *starts = eqn.inputs
    out = eqn.outputs[0]
    _, puller = scope.domain(update.shape)
    at = [*identity(update.shape)]
    moving: dict[int, Node] = {}
    for d, start in enumerate(starts):
        if not isinstance(start, Const):
            scope.materialise(start)
        if operand.shape[d] != update.shape[d]:
            high = operand.shape[d] - update.shape[d]
            _start(puller.bounded(puller.integer(start, ()), high), d, at, moving)
    _update(scope, operand, update, out, at, moving)


def _start(start: Node, d: int, at: list[Affine], moving: dict[int, Node]) -> None:
    """Moves what stands `at` places of a dimension: at once by what is known, else when the program runs."""
    if start.is_known:
        at[d] = at[d].plus(start.attr)
    else:
        moving[d] = start


def _update(
    scope: Scope,
    operand: Atom,
    update: Atom,
    out: Var,
    at: list[Affine],
    moving: dict[int, Node],
    mask: Node | None = None,
    accumulate: Rule | None = None,
) -> None:
    """Plans ``out = operand`` and ``out[at + moving] = update``, accumulated, where the mask allows."""
    rank = len(update.shape)
    shape = operand.shape
    target = flatten(tuple(at), shape, rank)
    # Loops that run in vectors may compute what they store, unless that would keep the operand from being overwritten.
    contiguous = not moving and mask is None and bool(rank) and target.coefs[-1] == 1
    if not contiguous or scope.may_overwrite(operand):
        scope.materialise(update)
    leaf = scope.updated(operand, out)
    if 0 in update.shape or 0 in shape:
        return
    nodes, puller = scope.domain(update.shape)
    offset = puller.linear([(start, leaf.strides[d]) for d, start in moving.items()])
    root = puller.at(update, identity(update.shape))
    stage = Stage(leaf, root, target, accumulate=accumulate, offset=offset, mask=mask)
    scope.place(update.shape, nodes, stage, exclusive=True)


_SCATTERS: dict[str, Rule | None] = {
    "scatter": None,
    "scatter-add": lambda b, x, y: b.add(x, y),
    "scatter-mul": lambda b, x, y: b.mul(x, y),
    "scatter-min": lambda b, x, y: b.min(x, y),
    "scatter-max": lambda b, x, y: b.max(x, y),
    "scatter-sub": lambda b, x, y: b.sub(x, y),
}


def _scatter(scope: Scope, eqn: Eqn) -> None:
    operand, indices, updates = eqn.inputs
    out = eqn.outputs[0]
    if eqn.name == "scatter" and eqn.params["update_jaxpr"] is not None:
        raise NotLowered("scatter", "of a function")
    numbers = eqn.params["dimension_numbers"]
    mode = str(eqn.params["mode"]).rsplit(".", 1)[-1].lower()
    if not scope.is_cheap(indices):  # these loops are not vectorised
        scope.materialise(indices)
    nodes, puller = scope.domain(updates.shape)
    places = identity(updates.shape)
    rank = len(updates.shape)
    batch = [places[d] for d in range(rank) if d not in numbers.update_window_dims]
    window = iter([(places[d], updates.shape[d]) for d in numbers.update_window_dims])
    dropped = set(numbers.inserted_window_dims) | set(numbers.operand_batching_dims)
    at: list[Affine] = []
    extents: list[int] = []
    for d in range(len(operand.shape)):
        place, extent = (zero(rank), 1) if d in dropped else next(window)
        at.append(place)
        extents.append(extent)
    for d, source in zip(numbers.operand_batching_dims, numbers.scatter_indices_batching_dims, strict=True):
        at[d] = batch[source]
    moving: dict[int, Node] = {}
    inside: Node | None = None
    for k, d in enumerate(numbers.scatter_dims_to_operand_dims):
        index: Index = (*batch, zero(rank).plus(k))
        start = puller.integer(indices, index)
        high = operand.shape[d] - extents[d]
        if "clip" in mode or mode == "0":
            start = puller.bounded(start, high)
        elif not start.is_known or not 0 <= start.attr <= high:
            # Nothing is read or written where this does not hold.
            unsigned = nodes.compute(
                "convert_element_type", elementwise.convert, (start,), U64, {"new_dtype": "uint64"}
            )
            inside = puller.both(
                inside, nodes.compute("le", elementwise.le, (unsigned, nodes.const(high, U64)), BOOL)
            )
        _start(start, d, at, moving)
    _update(scope, operand, updates, out, at, moving, inside, _SCATTERS[eqn.name])


def _cumulative(name: str) -> Planner:
    def plan(scope: Scope, eqn: Eqn) -> None:
        operand, out = eqn.inputs[0], eqn.outputs[0]
        axis, backwards = eqn.params["axis"], eqn.params["reverse"]
        reducer = REDUCERS[name]
        source = scope.materialise(operand)
        if source.elem is F16 or (source.elem.is_half and name == "logaddexp"):
            raise NotLowered(eqn.name, "of half precision")
        leaf = scope.new_leaf(out, f"v{out.id}")
        scope.leaves[out] = leaf
        shape = operand.shape
        if 0 in shape or shape[axis] == 1 or all(n == 1 for n in shape[axis + 1 :]):
            if 0 in shape:
                scope.store(leaf, operand)
            else:
                scope.add(Prefix(source, leaf, shape[axis], reducer, backwards))
            return
        _by_planes(scope, source, leaf, axis, backwards, reducer)

    return plan


def _by_planes(
    scope: Scope, source: object, leaf: object, axis: int, backwards: bool, reducer: Reducer
) -> None:
    """Along an axis that is not the last: each plane is the one before combined with its own values."""
    assert isinstance(source, Leaf) and isinstance(leaf, Leaf)
    shape = source.shape
    count = shape[axis]
    for first in (True, False):
        domain = tuple(
            1 if first and d == axis else count - 1 if d == axis else n for d, n in enumerate(shape)
        )
        if 0 in domain:
            continue
        nodes, puller = scope.domain(domain)
        step = zero(len(shape)) if first else identity(domain)[axis].plus(1)
        if domain[axis] == 1 and not first:
            step = zero(len(shape)).plus(1)
        at_axis = step.times(-1).plus(count - 1) if backwards else step
        places = tuple(at_axis if d == axis else a for d, a in enumerate(identity(domain)))
        target = flatten(places, shape, len(shape))
        value = puller.load(source, places)
        if not first:
            before = leaf.strides[axis] * (1 if backwards else -1)
            held = nodes.load(leaf, target.plus(before))
            value = nodes.compute(reducer.name, _ignoring(reducer), (held, value), leaf.elem)
        scope.place(domain, nodes, Stage(leaf, value, target), exclusive=True, alone=axis)


def _ignoring(reducer: Reducer) -> Rule:
    def rule(b: Builder, x: Value, y: Value) -> Value:
        return reducer.combine(b, x, y)

    return rule


def _in_module(module: str, name: str) -> Planner:
    """A planner in a module that few programs need."""

    def plan(scope: Scope, eqn: Eqn) -> None:
        getattr(importlib.import_module(f".{module}", __package__), name)(scope, eqn)

    return plan


STRUCTURAL: dict[str, Planner] = {
    **{f"reduce_{name}": _reduce(name) for name in ("sum", "prod", "max", "min", "and", "or", "xor")},
    "argmax": _arg("max"),
    "argmin": _arg("min"),
    "dot_general": _dot_general,
    "dynamic_update_slice": _dynamic_update_slice,
    **dict.fromkeys(_SCATTERS, _scatter),
    "cumsum": _cumulative("sum"),
    "cumprod": _cumulative("prod"),
    "cummax": _cumulative("max"),
    "cummin": _cumulative("min"),
    "cumlogsumexp": _cumulative("logaddexp"),
    "conv_general_dilated": _in_module("convolution", "plan_convolution"),
    "cholesky": _in_module("factorization", "plan_cholesky"),
    "lu": _in_module("factorization", "plan_lu"),
    "triangular_solve": _in_module("factorization", "plan_triangular_solve"),
    "qr": _in_module("orthogonal", "plan_qr"),
    "sort": _in_module("sorting", "plan_sort"),
    "top_k": _in_module("largest", "plan_top_k"),
    "while": plan_while,
    "scan": plan_scan,
    "cond": plan_cond,
}
