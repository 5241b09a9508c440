"""Functions over whole trees: map, reduce, transpose, broadcast."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from .definition import IsLeaf, PyTreeDef, tree_flatten, tree_leaves, tree_structure
from .kinds import KINDS
from .prefix import prefix_error


class _Unspecified:
    """The default of an argument for which None is a value."""


_UNSPECIFIED = _Unspecified()


def flatten_as(treedef: PyTreeDef, tree: Any, other: Any, name: str = "tree_map tree") -> list[Any]:
    """The subtrees of `other` at the leaves of `tree`, whose structure is `treedef`.

    Raises:
        ValueError: naming the first place where `other` differs.
    """
    try:
        return treedef.flatten_up_to(other)
    except ValueError as error:
        raise (prefix_error(tree, other, name) or error) from None


def tree_map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: IsLeaf | None = None) -> Any:
    """``f(leaf, *others)`` on each leaf of `tree` and the subtrees of `rest` in its place.

    Raises:
        ValueError: if the structure of `tree` is no prefix of one of `rest`.
    """
    leaves, treedef = tree_flatten(tree, is_leaf)
    if not rest:
        return treedef.unflatten([f(leaf) for leaf in leaves])
    columns = [flatten_as(treedef, tree, other) for other in rest]
    return treedef.unflatten([f(*row) for row in zip(leaves, *columns, strict=True)])


def tree_reduce(
    function: Callable[[Any, Any], Any],
    tree: Any,
    initializer: Any = _UNSPECIFIED,
    is_leaf: IsLeaf | None = None,
) -> Any:
    """Fold `function` over the leaves, left to right."""
    leaves = tree_leaves(tree, is_leaf)
    if initializer is _UNSPECIFIED:
        return functools.reduce(function, leaves)
    return functools.reduce(function, leaves, initializer)


def tree_reduce_associative(
    operation: Callable[[Any, Any], Any],
    tree: Any,
    *,
    identity: Any = _UNSPECIFIED,
    is_leaf: IsLeaf | None = None,
) -> Any:
    """Fold an associative `operation` over the leaves as a balanced tree.

    Raises:
        TypeError: if there are no leaves and no `identity`.
    """
    leaves = tree_leaves(tree, is_leaf)
    if not leaves:
        if identity is _UNSPECIFIED:
            raise TypeError("Must specify identity for parallel reduction of empty sequence.")
        return identity

    def fold(part: list[Any]) -> Any:
        if len(part) == 1:
            return part[0]
        middle = len(part) // 2
        return operation(fold(part[:middle]), fold(part[middle:]))

    return fold(leaves)


def tree_all(tree: Any, *, is_leaf: IsLeaf | None = None) -> bool:
    """Whether every leaf is true."""
    return all(tree_leaves(tree, is_leaf))


def all_leaves(iterable: Iterable[Any], is_leaf: IsLeaf | None = None) -> bool:
    """Whether each item is a leaf."""
    if is_leaf is None:
        return all(KINDS[type(item)] is None for item in iterable)
    items = list(iterable)
    return all(
        len(leaves) == 1 and leaves[0] is item
        for item, leaves in ((item, tree_leaves(item, is_leaf)) for item in items)
    )


def tree_transpose(
    outer_treedef: PyTreeDef, inner_treedef: PyTreeDef | None, pytree_to_transpose: Any
) -> Any:
    """Turn an outer tree of inner trees inside out.

    Raises:
        TypeError: if the tree does not have the composed structure.
    """
    leaves, treedef = tree_flatten(pytree_to_transpose)
    if inner_treedef is None:
        inner_treedef = tree_structure(outer_treedef.flatten_up_to(pytree_to_transpose)[0])
    inner_size, outer_size = inner_treedef.num_leaves, outer_treedef.num_leaves
    expected = outer_treedef.compose(inner_treedef)
    if treedef != expected:
        raise TypeError(f"Mismatch\n{treedef}\n != \n{expected}")
    if not inner_size or not outer_size:
        return inner_treedef.unflatten([outer_treedef.unflatten([])] * inner_size)
    columns = [leaves[i::inner_size] for i in range(inner_size)]
    return inner_treedef.unflatten([outer_treedef.unflatten(column) for column in columns])


def broadcast_prefix(prefix: Any, full: Any, is_leaf: IsLeaf | None = None) -> list[Any]:
    """The leaves of `prefix`, each as often as there are leaves of `full` below it.

    Raises:
        ValueError: if `prefix` is no prefix of `full`.
    """
    leaves, treedef = tree_flatten(prefix, is_leaf)
    subtrees = flatten_as(treedef, prefix, full, "broadcast_prefix prefix_tree")
    result: list[Any] = []
    for leaf, subtree in zip(leaves, subtrees, strict=True):
        result += [leaf] * tree_structure(subtree).num_leaves
    return result


def tree_broadcast(prefix_tree: Any, full_tree: Any, is_leaf: IsLeaf | None = None) -> Any:
    """A tree like `full_tree`, each leaf the one of `prefix_tree` above it."""
    return tree_structure(full_tree).unflatten(broadcast_prefix(prefix_tree, full_tree, is_leaf))
