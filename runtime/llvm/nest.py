"""Loop nests: what is computed together, in which loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .builder import Builder, Rule, Value
from .index import Affine, identity, zero
from .node import Leaf, Node, Nodes, reachable
from .types import Element
from .vmath.logarithm import logaddexp


class Reducer(NamedTuple):
    """An associative operation and the value that it leaves unchanged."""

    name: str
    combine: Callable[[Builder, Value, Value], Value]
    identity: Callable[[Element], Any]


def _lowest(elem: Element) -> Any:
    return float("-inf") if elem.is_float else -(1 << (elem.bits - 1)) if elem.is_signed else 0


def _highest(elem: Element) -> Any:
    if elem.is_float:
        return float("inf")
    return (1 << (elem.bits - 1)) - 1 if elem.is_signed else (1 << elem.bits) - 1


REDUCERS = {
    "sum": Reducer("sum", lambda b, x, y: b.add(x, y), lambda e: 0),
    "prod": Reducer("prod", lambda b, x, y: b.mul(x, y), lambda e: 1),
    "max": Reducer("max", lambda b, x, y: b.extreme("gt", x, y) if x.elem.is_float else b.max(x, y), _lowest),
    "min": Reducer(
        "min", lambda b, x, y: b.extreme("lt", x, y) if x.elem.is_float else b.min(x, y), _highest
    ),
    "and": Reducer("and", lambda b, x, y: b.and_(x, y), lambda e: -1),
    "or": Reducer("or", lambda b, x, y: b.or_(x, y), lambda e: 0),
    "xor": Reducer("xor", lambda b, x, y: b.xor(x, y), lambda e: 0),
    "logaddexp": Reducer("logaddexp", logaddexp, lambda e: float("-inf")),
}


class Stage:
    """One array computed by a nest: its elements stored, or combined along the inner dimensions."""

    def __init__(
        self,
        leaf: Leaf,
        root: Node,
        target: Affine,
        *,
        reducer: Reducer | None = None,
        accumulate: Rule | None = None,
        offset: Node | None = None,
        mask: Node | None = None,
    ) -> None:
        self.leaf = leaf
        self.root = root
        self.target = target  # where in the leaf, over the domain (over the outer dimensions if reduced)
        self.reducer = reducer
        self.accumulate = accumulate  # combines with what the leaf holds, in place of overwriting it
        self.offset = offset
        self.mask = mask
        self.level = 0
        self.nodes = reachable([n for n in (root, offset, mask) if n is not None])
        self.loads = [n for n in self.nodes if n.op == "load"]

    @property
    def rounds(self) -> bool:
        """Whether it adds up floats, and so rounding errors."""
        return self.reducer is not None and self.reducer.name == "sum" and self.root.elem.kind in "fc"


class Nest:
    """Stages over one domain. The ``order`` of its dimensions puts the outer loops first; ``outer`` counts them.

    Stages of one level share their innermost loops; a stage that needs another's reduction runs a level later.
    """

    def __init__(
        self,
        domain: tuple[int, ...],
        nodes: Nodes,
        order: tuple[int, ...] | None = None,
        outer: int | None = None,
        exclusive: bool = False,
        alone: int | None = None,
    ) -> None:
        self.domain = domain
        self.nodes = nodes
        self.order = tuple(range(len(domain))) if order is None else order
        self.outer = outer  # None while nothing is reduced: then all loops are inner
        self.exclusive = exclusive
        self.alone = alone  # a dimension along which one step reads what the step before wrote
        self.stages: list[Stage] = []
        self.part: tuple[str, str] | None = (
            None  # the values between which the outermost loop runs, if not all of it
        )
        self.here: dict[Leaf, Stage] = {}
        self.local_bytes = 0
        self.local_offset = 0

    @property
    def reads(self) -> list[Leaf]:
        leaves = [n.attr[0] for s in self.stages for n in s.loads]
        return leaves + [s.leaf for s in self.stages if s.accumulate]

    @property
    def writes(self) -> list[Leaf]:
        return [s.leaf for s in self.stages]

    def admits(self, stage: Stage, order: tuple[int, ...], outer: int | None) -> bool:
        """Whether ``stage`` can run in these loops: what it reads of this nest, it must read at its own place."""
        if self.exclusive or order != self.order:
            return False
        if None not in (outer, self.outer) and outer != self.outer:
            return False
        for node in stage.loads:
            other = self.here.get(node.attr[0])
            if other is None and node.attr[0].root in self.here:
                return False
            if other is not None and (node.attr[1] != other.target or node.attr[2] is not None):
                return False
        return True

    def add(self, stage: Stage, outer: int | None) -> None:
        if outer is not None:
            self.outer = outer
        for node in stage.loads:
            other = self.here.get(node.attr[0])
            if other is not None:
                stage.level = max(stage.level, other.level + (other.reducer is not None))
        self.stages.append(stage)
        self.here[stage.leaf] = stage

    def settle(self, used_elsewhere: Callable[[Leaf], bool]) -> None:
        """Decides what must be stored: all of it, one row at a time, or nothing where it is used at once."""
        levels: dict[Leaf, set[int]] = {}
        for stage in self.stages:
            for node in stage.loads:
                levels.setdefault(node.attr[0], set()).add(stage.level)
        for stage in self.stages:
            leaf = stage.leaf
            if used_elsewhere(leaf) or self.exclusive:
                continue
            leaf.stored = not stage.reducer and bool(levels.get(leaf, set()) - {stage.level})
            leaf.row = leaf.stored and bool(self.outer)


def outer_target(domain: tuple[int, ...], kept: tuple[int, ...]) -> Affine:
    """Where a reduction's result stands in its array: the kept dimensions, contiguous."""
    total, step = zero(len(domain)), 1
    places = identity(domain)
    for d in reversed(kept):
        total = total.add(places[d].times(step))
        step *= domain[d]
    return total
