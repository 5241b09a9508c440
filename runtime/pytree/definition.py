"""`PyTreeDef`: the structure of a tree without its leaves; and flattening, which makes it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

from .kinds import DICT, KINDS, LIST, NONE, TUPLE, NodeKind

IsLeaf = Callable[[Any], bool]


class PyTreeDef:
    """The structure of a tree. Hashable and comparable; printed as JAX prints it, ``PyTreeDef((*, [*]))``."""

    __slots__ = ("_children", "_hash", "data", "kind", "num_leaves")

    kind: NodeKind | None
    """How the root comes apart; None for a leaf."""
    data: Any
    """What the root keeps besides its children: keys, metadata fields."""

    def __init__(
        self, kind: NodeKind | None, data: Any, children: tuple[PyTreeDef, ...], num_leaves: int
    ) -> None:
        self.kind = kind
        self.data = data
        self._children = children
        self.num_leaves = num_leaves
        self._hash = 0

    @property
    def num_nodes(self) -> int:
        """How many nodes and leaves there are, the root included."""
        return 1 + sum(child.num_nodes for child in self._children)

    def children(self) -> list[PyTreeDef]:
        """The structures of the root's children."""
        return list(self._children)

    def node_data(self) -> tuple[type, Any] | None:
        """The root's type and its data; None for a leaf."""
        if self.kind is None:
            return None
        return self.kind.type, list(self.data) if self.kind is DICT else self.data

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """The tree of this structure with `leaves`. Raises ValueError if there are too few or too many."""
        if not isinstance(leaves, (list, tuple)):
            leaves = list(leaves)
        if len(leaves) < self.num_leaves:
            raise ValueError(f"Too few leaves for PyTreeDef; expected {self.num_leaves}, got {len(leaves)}")
        if len(leaves) > self.num_leaves:
            raise ValueError(f"Too many leaves for PyTreeDef; expected {self.num_leaves}.")
        kind = self.kind
        if kind is None:
            return leaves[0]
        if self.num_leaves == len(self._children) and all(c is LEAF for c in self._children):
            return kind.unflatten(self.data, tuple(leaves))
        return _unflatten(self, iter(leaves))

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """The subtrees of `tree` at the leaves of this structure.

        Raises:
            ValueError: if this structure is no prefix of `tree`.
        """
        subtrees: list[Any] = []
        _flatten_up_to(self, tree, subtrees)
        return subtrees

    def compose(self, inner: PyTreeDef) -> PyTreeDef:
        """This structure with `inner` in the place of each leaf."""
        if self.kind is None:
            return inner
        children = tuple(child.compose(inner) for child in self._children)
        return PyTreeDef(self.kind, self.data, children, self.num_leaves * inner.num_leaves)

    def walk(
        self,
        visit_node: Callable[[Any, Any], Any] | None,
        visit_leaf: Callable[[Any], Any] | None,
        leaves: Any,
    ) -> Any:
        """Fold the tree from below: `visit_leaf` on each leaf, `visit_node` on its children's results and data."""
        return self._walk(visit_node, visit_leaf, iter(leaves))

    def _walk(self, visit_node: Any, visit_leaf: Any, leaves: Iterator[Any]) -> Any:
        if self.kind is None:
            leaf = next(leaves)
            return visit_leaf(leaf) if visit_leaf is not None else leaf
        results = tuple(child._walk(visit_node, visit_leaf, leaves) for child in self._children)
        return visit_node(results, self.data) if visit_node is not None else results

    @staticmethod
    def from_node_data_and_children(
        registry: Any, node_data: tuple[type, Any] | None, children: Iterable[PyTreeDef]
    ) -> PyTreeDef:
        """The structure whose `node_data()` and `children()` are these."""
        if node_data is None:
            return LEAF
        kind = KINDS[node_data[0]]
        if kind is None:
            raise ValueError(f"{node_data[0]} is not a registered pytree node type.")
        data = tuple(node_data[1]) if kind is DICT else node_data[1]
        nodes = tuple(children)
        return PyTreeDef(kind, data, nodes, sum(node.num_leaves for node in nodes))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, PyTreeDef):
            return NotImplemented
        return (
            self.kind is other.kind
            and self.num_leaves == other.num_leaves
            and (self.data is other.data or bool(self.data == other.data))
            and self._children == other._children
        )

    def __hash__(self) -> int:
        # Metadata stays out of the hash, as in JAX: it need not be hashable, only comparable.
        if not self._hash:
            keys = self.data if self.kind is DICT else None
            self._hash = hash((id(self.kind), keys, self._children)) or 1
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        if self.kind is None:
            return _leaf, ()
        return PyTreeDef, (self.kind, self.data, self._children, self.num_leaves)

    def __repr__(self) -> str:
        return f"PyTreeDef({self._inner_repr()})"

    def _inner_repr(self) -> str:
        kind = self.kind
        if kind is None:
            return "*"
        children = [child._inner_repr() for child in self._children]
        inside = ", ".join(children)
        if kind is NONE:
            return "None"
        if kind is TUPLE:
            return f"({inside},)" if len(children) == 1 else f"({inside})"
        if kind is LIST:
            return f"[{inside}]"
        if kind is DICT:
            return "{" + ", ".join(f"{k!r}: {c}" for k, c in zip(self.data, children, strict=True)) + "}"
        if kind.family == "namedtuple":
            return f"CustomNode(namedtuple[{kind.type.__name__}], [{inside}])"
        return f"CustomNode({kind.type.__name__}[{self.data}], [{inside}])"


LEAF = PyTreeDef(None, None, (), 1)


def _leaf() -> PyTreeDef:
    return LEAF


_NONE_DEF = PyTreeDef(NONE, None, (), 0)
# Arguments and results are mostly flat tuples: these structures exist once, and so compare by identity.
_FLAT_TUPLES = [PyTreeDef(TUPLE, None, (LEAF,) * n, n) for n in range(32)]


def _flatten(tree: Any, leaves: list[Any]) -> PyTreeDef:
    kind = KINDS[type(tree)]
    if kind is None:
        leaves.append(tree)
        return LEAF
    if kind is NONE:
        return _NONE_DEF
    children, data = kind.flatten(tree)
    before = len(leaves)
    nodes = []
    flat = True
    for child in children:
        if KINDS[type(child)] is None:
            leaves.append(child)
            nodes.append(LEAF)
        else:
            flat = False
            nodes.append(_flatten(child, leaves))
    if flat and kind is TUPLE and len(nodes) < 32:
        return _FLAT_TUPLES[len(nodes)]
    return PyTreeDef(kind, data, tuple(nodes), len(leaves) - before)


def _flatten_until(tree: Any, leaves: list[Any], is_leaf: IsLeaf) -> PyTreeDef:
    kind = None if is_leaf(tree) else KINDS[type(tree)]
    if kind is None:
        leaves.append(tree)
        return LEAF
    children, data = kind.flatten(tree)
    before = len(leaves)
    nodes = tuple([_flatten_until(child, leaves, is_leaf) for child in children])
    return PyTreeDef(kind, data, nodes, len(leaves) - before)


def tree_flatten(tree: Any, is_leaf: IsLeaf | None = None) -> tuple[list[Any], PyTreeDef]:
    """The leaves of `tree`, left to right, and its structure. `is_leaf` stops the descent where it is true."""
    leaves: list[Any] = []
    if is_leaf is None:
        return leaves, _flatten(tree, leaves)
    return leaves, _flatten_until(tree, leaves, is_leaf)


def tree_leaves(tree: Any, is_leaf: IsLeaf | None = None) -> list[Any]:
    """The leaves of `tree`, left to right."""
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree: Any, is_leaf: IsLeaf | None = None) -> PyTreeDef:
    """The structure of `tree`."""
    return tree_flatten(tree, is_leaf)[1]


def tree_unflatten(treedef: PyTreeDef, leaves: Iterable[Any]) -> Any:
    """The tree of structure `treedef` with `leaves`. Raises ValueError if there are too few or too many."""
    return treedef.unflatten(leaves)


def treedef_is_leaf(treedef: PyTreeDef) -> bool:
    """Whether the structure is that of a single leaf."""
    return treedef.kind is None


def treedef_children(treedef: PyTreeDef) -> list[PyTreeDef]:
    """The structures of the root's children."""
    return treedef.children()


def treedef_tuple(treedefs: Iterable[PyTreeDef]) -> PyTreeDef:
    """The structure of a tuple of trees of these structures."""
    nodes = tuple(treedefs)
    return PyTreeDef(TUPLE, None, nodes, sum(node.num_leaves for node in nodes))


def flatten_one_level(tree: Any) -> tuple[Iterable[Any], Hashable]:
    """The children of the root and its data. Raises ValueError for a leaf."""
    kind = KINDS[type(tree)]
    if kind is None:
        raise ValueError(f"can't tree-flatten type: {type(tree)}")
    children, data = kind.flatten(tree)
    return children, kind.type if kind.family == "namedtuple" else data


def _unflatten(treedef: PyTreeDef, leaves: Iterator[Any]) -> Any:
    kind = treedef.kind
    if kind is None:
        return next(leaves)
    children = [next(leaves) if child is LEAF else _unflatten(child, leaves) for child in treedef._children]
    return kind.unflatten(treedef.data, tuple(children))


_EXPECTED = {"tuple": "tuple", "list": "list", "dict": "dict", "namedtuple": "named tuple"}


def _flatten_up_to(treedef: PyTreeDef, tree: Any, subtrees: list[Any]) -> None:
    kind = treedef.kind
    if kind is None:
        subtrees.append(tree)
        return
    if kind is NONE:
        if tree is not None:
            raise ValueError(f"Expected None, got {tree!r}.")
        return
    if KINDS[type(tree)] is not kind:
        if kind.family in _EXPECTED and not (
            kind.family == "namedtuple" and isinstance(tree, tuple) and hasattr(tree, "_fields")
        ):
            raise ValueError(f"Expected {_EXPECTED[kind.family]}, got {tree!r}.")
        raise ValueError(f"Custom node type mismatch: expected type: {kind.type}, value: {tree!r}.")
    found, data = kind.flatten(tree)
    children = list(found)
    if kind is DICT:
        if data != treedef.data:
            raise ValueError(
                f"Dict key mismatch; expected keys: {list(treedef.data)}; present keys: {list(data)}."
            )
    elif len(children) != len(treedef._children):
        name = {"tuple": "Tuple", "list": "List"}.get(kind.family, "Custom type")
        what = kind.family if kind.family in ("tuple", "list") else "value"
        raise ValueError(
            f"{name} arity mismatch: {len(children)} != {len(treedef._children)}; {what}: {tree!r}."
        )
    elif not (data is treedef.data or data == treedef.data):
        raise ValueError(
            f"Mismatch custom {'dataclass ' if kind.family == 'dataclass' else ''}node data: "
            f"{treedef.data!r} != {data!r}; value: {tree!r}."
        )
    for child, value in zip(treedef._children, children, strict=True):
        _flatten_up_to(child, value, subtrees)
