"""Reading a value at an index: what an equation's result at a place is made of.

Nothing is computed here. A value that is in memory becomes a load; a lazy one becomes the operation of its equation on
its operands, read where the operation needs them. Broadcasts, transposes, slices, pads and their like only change the
index, so they cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from . import elementwise
from .builder import Builder
from .flat import Atom, Const, Eqn, Var
from .index import Index, flatten, zero
from .node import Leaf, Node, Nodes
from .types import BOOL, I64, Element, element


class Puller:
    """Builds the graph of one loop domain over the values of a scope."""

    def __init__(
        self, nodes: Nodes, leaves: Mapping[Var, Leaf], lazy: Mapping[Var, Eqn], rules: Mapping[str, LazyRule]
    ) -> None:
        self.nodes = nodes
        self.rules = rules
        self.leaves = leaves
        self.lazy = lazy
        self._memo: dict[Any, Node] = {}

    @property
    def rank(self) -> int:
        return self.nodes.rank

    def at(self, atom: Atom, index: Index, mask: Node | None = None) -> Node:
        """The value of ``atom`` at ``index``; where ``mask`` is false it may be anything, and is not read."""
        leaf = None if isinstance(atom, Const) else self.leaves.get(atom)
        key = (
            atom if leaf is None else leaf,
            index,
            mask and mask.id,
        )  # What was lazy may be in memory by now.
        node = self._memo.get(key)
        if node is None:
            node = self.load(leaf, index, mask) if leaf is not None else self._at(atom, index, mask)
            self._memo[key] = node
        return node

    def _at(self, atom: Atom, index: Index, mask: Node | None) -> Node:
        if isinstance(atom, Const):
            return self.nodes.const(atom.value, element(atom.dtype))
        eqn = self.lazy[atom]
        if eqn.rule is not None:
            return self._elementwise(eqn, index, mask)
        return self.rules[eqn.name](self, eqn, atom, index, mask)

    def load(self, leaf: Leaf, index: Index, mask: Node | None = None, offset: Node | None = None) -> Node:
        return self.nodes.load(leaf, flatten(index, leaf.shape, self.rank), offset, mask)

    def _elementwise(self, eqn: Eqn, index: Index, mask: Node | None) -> Node:
        (out,) = eqn.outputs
        shape = out.shape
        args = tuple(
            self.at(a, index if a.shape == shape else self.within(a.shape, index), mask) for a in eqn.inputs
        )
        assert eqn.rule is not None
        return self.nodes.compute(eqn.name, eqn.rule, args, element(out.dtype), eqn.params)

    def within(self, shape: tuple[int, ...], index: Index) -> Index:
        """The index into an operand of this shape: where it has one element, all of the result's read that one."""
        return tuple(a if n != 1 else zero(self.rank) for a, n in zip(index, shape)) if shape else ()

    def select(self, mask: Node, yes: Node, no: Node) -> Node:
        if mask.is_known:
            return yes if mask.attr else no
        return self.nodes.compute("select_n", elementwise.select_n, (mask, no, yes), yes.elem)

    def both(self, a: Node | None, b: Node) -> Node:
        return b if a is None else self.nodes.compute("and", Builder.and_, (a, b), BOOL)

    def integer(self, atom: Atom, index: Index, mask: Node | None = None, elem: Element = I64) -> Node:
        """A value of an integer array, as an index."""
        node = self.at(atom, index, mask)
        if node.is_known:
            return self.nodes.const(int(node.attr), elem)
        return self.nodes.compute(
            "convert_element_type", elementwise.convert, (node,), elem, {"new_dtype": np.dtype(elem.name)}
        )

    def bounded(self, node: Node, high: int) -> Node:
        """``node`` clamped to 0 .. high."""
        if node.is_known:
            return self.nodes.const(min(max(node.attr, 0), high), node.elem)
        low, top = self.nodes.const(0, node.elem), self.nodes.const(high, node.elem)
        return self.nodes.compute("clamp", elementwise.clamp, (low, node, top), node.elem)

    def linear(self, terms: list[tuple[Node, int]]) -> Node | None:
        """The sum of nodes times strides."""
        total: Node | None = None
        for node, step in terms:
            elem = node.elem
            if step != 1:
                node = self.nodes.compute("mul", Builder.mul, (node, self.nodes.const(step, elem)), elem)
            total = node if total is None else self.nodes.compute("add", Builder.add, (total, node), elem)
        return total


#: What the result of an equation at an index is, given the index and the mask of the lanes that matter.
LazyRule = Callable[[Puller, Eqn, Var, Index, "Node | None"], Node]
