"""The graph of one loop body: loads, indices, and operations, each expressed once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeAlias

from .builder import Value
from .index import Affine, strides
from .types import BOOL, I64, Element, NotLowered


class Leaf:
    """An array in memory, or a scalar in a register, that loop bodies read and steps write."""

    __slots__ = (
        "alias",
        "elem",
        "keepers",
        "name",
        "owned",
        "pointer",
        "reads",
        "row",
        "shape",
        "stored",
        "strides",
        "value",
    )

    def __init__(self, name: str, shape: tuple[int, ...], elem: Element, pointer: str | None = None) -> None:
        self.name = name
        self.shape = shape
        self.elem = elem
        self.strides = strides(shape)
        self.pointer = pointer
        self.value: Value | None = None
        self.reads: list[int] = []
        self.row = False
        self.stored = True
        self.owned = pointer is None
        self.alias: Leaf | None = None
        self.keepers: list[Leaf] = []  # this memory may be that of these leaves, too

    @property
    def size(self) -> int:
        total = 1
        for n in self.shape:
            total *= n
        return total

    @property
    def is_scalar(self) -> bool:
        return self.shape == ()

    @property
    def last_read(self) -> int:
        """The step that reads this memory last; -1 if there is none."""
        return max([*self.reads, *(keeper.root.last_read for keeper in self.keepers)], default=-1)

    @property
    def root(self) -> Leaf:
        """The leaf whose memory this one uses."""
        return self.alias.root if self.alias else self

    @property
    def address(self) -> str:
        """The pointer to this leaf's memory. Raises NotLowered if none was assigned."""
        pointer = self.root.pointer
        if pointer is None and not self.size:
            return "null"  # Nothing is read or written there.
        if pointer is None:
            raise NotLowered(self.name, "no memory was assigned")
        return pointer


Rule: TypeAlias = Callable[..., Value]


class Node:
    """One operation of a loop body. ``dims`` is the mask of the loop dimensions that it depends on."""

    __slots__ = ("args", "attr", "dims", "elem", "id", "op", "rule")

    def __init__(
        self,
        number: int,
        op: str,
        args: tuple[Node, ...],
        attr: Any,
        elem: Element,
        dims: int,
        rule: Rule | None,
    ) -> None:
        self.id = number
        self.op = op
        self.args = args
        self.attr = attr
        self.elem = elem
        self.dims = dims
        self.rule = rule

    @property
    def is_known(self) -> bool:
        """Whether it is a constant, which `attr` then is."""
        return self.op == "const"

    @property
    def affine(self) -> Affine | None:
        if self.op == "load":
            affine: Affine = self.attr[1]
            return affine
        if self.op in ("index", "inside"):
            return self.attr[0]
        return None


class Nodes:
    """Makes the nodes of one loop domain, and makes each only once."""

    def __init__(self, rank: int) -> None:
        self.rank = rank
        self._table: dict[Hashable, Node] = {}

    def _node(
        self,
        key: Hashable,
        op: str,
        args: tuple[Node, ...],
        attr: Any,
        elem: Element,
        dims: int,
        rule: Rule | None = None,
    ) -> Node:
        node = self._table.get(key)
        if node is None:
            for arg in args:
                dims |= arg.dims
            node = self._table[key] = Node(len(self._table), op, args, attr, elem, dims, rule)
        return node

    def const(self, value: Any, elem: Element) -> Node:
        return self._node(("const", elem, elem.literal(value)), "const", (), value, elem, 0)

    def load(self, leaf: Leaf, affine: Affine, offset: Node | None = None, mask: Node | None = None) -> Node:
        """``leaf[affine + offset]``; where ``mask`` is false nothing is read and the value is arbitrary."""
        if mask is not None and mask.is_known and mask.attr:
            mask = None
        args = tuple(a for a in (offset, mask) if a is not None)
        attr = (leaf, affine, offset, mask)
        key = ("load", id(leaf), affine, offset and offset.id, mask and mask.id)
        return self._node(key, "load", args, attr, leaf.elem, affine.dims)

    def index(self, affine: Affine, elem: Element = I64) -> Node:
        return self._node(("index", affine, elem), "index", (), (affine,), elem, affine.dims)

    def inside(self, affine: Affine, low: int, high: int) -> Node:
        """Whether ``low <= affine < high``."""
        if not affine.dims:
            return self.const(low <= affine.const < high, BOOL)
        return self._node(("inside", affine, low, high), "inside", (), (affine, low, high), BOOL, affine.dims)

    def compute(
        self, name: str, rule: Rule, args: tuple[Node, ...], elem: Element, params: Any = None
    ) -> Node:
        key: Hashable = (name, elem, tuple(a.id for a in args), _frozen(params))
        return self._node(key, name, args, params, elem, 0, rule)


def _frozen(params: Any) -> Hashable:
    if not params:
        return None
    return tuple((k, repr(v)) for k, v in sorted(params.items()))


def reachable(roots: list[Node]) -> list[Node]:
    """The nodes that ``roots`` need, arguments before users."""
    seen: dict[int, Node] = {}
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node.id not in seen:
            seen[node.id] = node
            stack.extend(node.args)
    return [seen[k] for k in sorted(seen)]
