"""Reading a value at an index: what an equation's result at a place is made of.

Nothing is computed here. A value that is in memory becomes a load; a lazy one becomes the operation of its equation on
its operands, read where the operation needs them. Broadcasts, transposes, slices, pads and their like only change the
index, so they cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .elementwise import RULES
from .flat import Atom, Const, Eqn, Var
from .index import Affine, Index, flatten, reshape, zero
from .node import Leaf, Node, Nodes
from .types import BOOL, I64, NotLowered, element


class Puller:
    """Builds the graph of one loop domain over the values of a scope."""

    def __init__(self, nodes: Nodes, leaves: Mapping[Var, Leaf], lazy: Mapping[Var, Eqn]) -> None:
        self.nodes = nodes
        self.leaves = leaves
        self.lazy = lazy
        self._memo: dict[Any, Node] = {}

    @property
    def rank(self) -> int:
        return self.nodes.rank

    def at(self, atom: Atom, index: Index, mask: Node | None = None) -> Node:
        """The value of ``atom`` at ``index``; where ``mask`` is false it may be anything, and is not read."""
        if isinstance(atom, Const):
            return self.nodes.const(atom.value, element(atom.dtype))
        leaf = self.leaves.get(atom)
        if leaf is not None:
            return self.load(leaf, index, mask)
        key = (atom, index, mask and mask.id)
        node = self._memo.get(key)
        if node is None:
            node = self._memo[key] = self._at(atom, index, mask)
        return node

    def _at(self, var: Var, index: Index, mask: Node | None) -> Node:
        eqn = self.lazy[var]
        if eqn.name in RULES:
            return self._elementwise(eqn, index, mask)
        return LAZY[eqn.name](self, eqn, var, index, mask)

    def load(self, leaf: Leaf, index: Index, mask: Node | None = None, offset: Node | None = None) -> Node:
        return self.nodes.load(leaf, flatten(index, leaf.shape, self.rank), offset, mask)

    def _elementwise(self, eqn: Eqn, index: Index, mask: Node | None) -> Node:
        args = tuple(self.at(a, index if a.shape else (), mask) for a in eqn.inputs)
        (out,) = eqn.outputs
        return self.nodes.compute(eqn.name, RULES[eqn.name], args, element(out.dtype), eqn.params)

    def select(self, mask: Node, yes: Node, no: Node) -> Node:
        return self.nodes.compute("select_n", RULES["select_n"], (mask, no, yes), yes.elem)

    def both(self, a: Node | None, b: Node) -> Node:
        return b if a is None else self.nodes.compute("and", RULES["and"], (a, b), BOOL)

    def integer(self, atom: Atom, index: Index, mask: Node | None = None) -> Node:
        """A value of an integer array, as a 64-bit index."""
        node = self.at(atom, index, mask)
        return self.nodes.compute("convert_element_type", RULES["convert_element_type"], (node,), I64,
                                  {"new_dtype": np.dtype(np.int64)})

    def bounded(self, node: Node, high: int) -> Node:
        """``node`` clamped to 0 .. high."""
        low, top = self.nodes.const(0, I64), self.nodes.const(high, I64)
        return self.nodes.compute("clamp", RULES["clamp"], (low, node, top), I64)

    def linear(self, terms: list[tuple[Node, int]]) -> Node | None:
        """The sum of nodes times strides."""
        total: Node | None = None
        for node, step in terms:
            if step != 1:
                node = self.nodes.compute("mul", RULES["mul"], (node, self.nodes.const(step, I64)), I64)
            total = node if total is None else self.nodes.compute("add", RULES["add"], (total, node), I64)
        return total


LazyRule = Callable[[Puller, Eqn, Var, Index, "Node | None"], Node]


def _broadcast(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    operand = eqn.inputs[0]
    dims = eqn.params["broadcast_dimensions"]
    at = tuple(index[d] if n != 1 else zero(p.rank) for d, n in zip(dims, operand.shape, strict=True))
    return p.at(operand, at, mask)


def _reshape(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    operand = eqn.inputs[0]
    at = reshape(index, operand.shape, out.shape, p.rank)
    if at is None:
        raise NotLowered("reshape", "not affine")
    return p.at(operand, at, mask)


def _squeeze(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    dims = {d % len(eqn.inputs[0].shape) for d in eqn.params["dimensions"]}
    rest = iter(index)
    at = tuple(zero(p.rank) if d in dims else next(rest) for d in range(len(eqn.inputs[0].shape)))
    return p.at(eqn.inputs[0], at, mask)


def _expand_dims(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    dims = {d % len(out.shape) for d in eqn.params["dimensions"]}
    return p.at(eqn.inputs[0], tuple(a for d, a in enumerate(index) if d not in dims), mask)


def _transpose(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    at = [zero(p.rank)] * len(index)
    for d, source in enumerate(eqn.params["permutation"]):
        at[source] = index[d]
    return p.at(eqn.inputs[0], tuple(at), mask)


def _rev(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    dims = set(eqn.params["dimensions"])
    at = tuple(a.times(-1).plus(out.shape[d] - 1) if d in dims else a for d, a in enumerate(index))
    return p.at(eqn.inputs[0], at, mask)


def _slice(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    starts = eqn.params["start_indices"]
    steps = eqn.params["strides"] or (1,) * len(starts)
    at = tuple(a.times(int(s)).plus(int(o)) for a, s, o in zip(index, steps, starts, strict=True))
    return p.at(eqn.inputs[0], at, mask)


def _split(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    start = sum(int(n) for n in eqn.params["sizes"][: eqn.outputs.index(out)])
    axis = eqn.params["axis"]
    at = tuple(a.plus(start) if d == axis else a for d, a in enumerate(index))
    return p.at(eqn.inputs[0], at, mask)


def _iota(p: Puller, eqn: Eqn, out: Var, index: Index, _: Node | None) -> Node:
    at = index[eqn.params["dimension"]]
    return p.nodes.index(at, element(out.dtype))


def _pad(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    operand, fill = eqn.inputs
    value = p.at(fill, ())
    if 0 in operand.shape:
        return value
    at: list[Affine] = []
    inside: Node | None = None
    for a, n, total, (low, _high, _) in zip(index, operand.shape, out.shape, eqn.params["padding_config"],
                                            strict=True):
        low = int(low)
        at.append(a.plus(-low))
        if low > 0 or low + n < total:
            inside = p.both(inside, p.nodes.inside(a, low, low + n))
    if inside is None:
        return p.at(operand, tuple(at), mask)
    return p.select(inside, p.at(operand, tuple(at), p.both(mask, inside)), value)


def _concatenate(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    axis = eqn.params["dimension"]
    result: Node | None = None
    start = 0
    for operand in eqn.inputs:
        size = operand.shape[axis]
        if size:
            inside = p.nodes.inside(index[axis], start, start + size)
            at = tuple(a.plus(-start) if d == axis else a for d, a in enumerate(index))
            value = p.at(operand, at, p.both(mask, inside))
            result = value if result is None else p.select(inside, value, result)
        start += size
    assert result is not None
    return result


def _stack(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    axis = eqn.params["axis"]
    at = (*index[:axis], *index[axis + 1:])
    first, *others = eqn.inputs
    if not others:
        return p.at(first, at, mask)
    result = p.at(first, at, p.both(mask, p.nodes.inside(index[axis], 0, 1)))
    for k, operand in enumerate(others, 1):
        inside = p.nodes.inside(index[axis], k, k + 1)
        result = p.select(inside, p.at(operand, at, p.both(mask, inside)), result)
    return result


def _unstack(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    axis = eqn.params["axis"]
    place = zero(p.rank).plus(eqn.outputs.index(out))
    return p.at(eqn.inputs[0], (*index[:axis], place, *index[axis:]), mask)


def _dynamic_slice(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    operand, *starts = eqn.inputs
    leaf = p.leaves[operand]  # type: ignore[index]
    terms = [(p.bounded(p.integer(s, ()), n - m), step)
             for s, n, m, step in zip(starts, operand.shape, out.shape, leaf.strides, strict=True) if n != m]
    return p.load(leaf, index, mask, p.linear(terms))


def _gather(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    operand, indices = eqn.inputs
    numbers, sizes = eqn.params["dimension_numbers"], eqn.params["slice_sizes"]
    batch = [index[d] for d in range(len(out.shape)) if d not in numbers.offset_dims]
    window = [index[d] for d in numbers.offset_dims]
    dropped = set(numbers.collapsed_slice_dims) | set(numbers.operand_batching_dims)
    rest = iter(window)
    at = [zero(p.rank) if d in dropped else next(rest) for d in range(len(operand.shape))]
    for d, source in zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True):
        at[d] = batch[source]
    starts = [p.integer(indices, (*batch, zero(p.rank).plus(k)), mask) for k in range(len(numbers.start_index_map))]
    leaf = p.leaves[operand]  # type: ignore[index]
    mode = str(eqn.params["mode"]).rsplit(".", 1)[-1].lower()
    fills = "fill" in mode or mode == "1"
    inside: Node | None = None
    terms: list[tuple[Node, int]] = []
    for d, start in zip(numbers.start_index_map, starts, strict=True):
        high = operand.shape[d] - int(sizes[d])
        safe = p.bounded(start, high)
        terms.append((safe, leaf.strides[d]))
        if fills:
            inside = p.both(inside, p.nodes.compute("eq", RULES["eq"], (safe, start), BOOL))
    value = p.load(leaf, tuple(at), mask, p.linear(terms))
    if inside is None:
        return value
    return p.select(inside, value, p.nodes.const(_fill_value(eqn, value), value.elem))


def _fill_value(eqn: Eqn, value: Node) -> Any:
    """JAX's default: NaN, the smallest signed or the largest unsigned integer, True."""
    if eqn.params.get("fill_value") is not None:
        return eqn.params["fill_value"]
    elem = value.elem
    if elem.is_float:
        return float("nan")
    return True if elem is BOOL else -(1 << (elem.bits - 1)) if elem.is_signed else (1 << elem.bits) - 1


LAZY: dict[str, LazyRule] = {
    "broadcast_in_dim": _broadcast, "reshape": _reshape, "squeeze": _squeeze, "expand_dims": _expand_dims,
    "transpose": _transpose, "rev": _rev, "slice": _slice, "split": _split, "iota": _iota, "pad": _pad,
    "concatenate": _concatenate, "stack": _stack, "unstack": _unstack, "dynamic_slice": _dynamic_slice, "gather": _gather,
}
#: Operands that are read at places computed at run time, and so must be in memory.
IN_MEMORY = {"dynamic_slice": (0,), "gather": (0,)}
