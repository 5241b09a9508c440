"""Flattening and mapping with the key path of each leaf."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .definition import LEAF, PyTreeDef
from .keys import KeyEntry, KeyPath
from .kinds import KINDS
from .mapping import flatten_as


def _flatten_with_path(
    tree: Any, path: KeyPath, found: list[tuple[KeyPath, Any]], is_leaf: Callable[[KeyPath, Any], bool] | None
) -> PyTreeDef:
    kind = None if is_leaf is not None and is_leaf(path, tree) else KINDS[type(tree)]
    if kind is None:
        found.append((path, tree))
        return LEAF
    children, data = kind.flatten(tree)
    before = len(found)
    nodes = tuple(
        _flatten_with_path(child, (*path, key), found, is_leaf)
        for child, key in zip(children, kind.keys(tree), strict=False)
    )
    return PyTreeDef(kind, data, nodes, len(found) - before)


def tree_flatten_with_path(
    tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
) -> tuple[list[tuple[KeyPath, Any]], PyTreeDef]:
    """The leaves of `tree`, each with its key path, and the structure."""
    stop = is_leaf
    if is_leaf is not None and not is_leaf_takes_path:
        test = is_leaf

        def stop(path: KeyPath, value: Any) -> bool:
            return test(value)

    found: list[tuple[KeyPath, Any]] = []
    treedef = _flatten_with_path(tree, (), found, stop)
    return found, treedef


def tree_leaves_with_path(
    tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
) -> list[tuple[KeyPath, Any]]:
    """The leaves of `tree`, each with its key path."""
    return tree_flatten_with_path(tree, is_leaf, is_leaf_takes_path)[0]


def tree_map_with_path(
    f: Callable[..., Any],
    tree: Any,
    *rest: Any,
    is_leaf: Callable[..., bool] | None = None,
    is_leaf_takes_path: bool = False,
) -> Any:
    """``f(path, leaf, *others)`` on each leaf of `tree` and the subtrees of `rest` in its place."""
    found, treedef = tree_flatten_with_path(tree, is_leaf, is_leaf_takes_path)
    columns = [flatten_as(treedef, tree, other) for other in rest]
    paths, leaves = [path for path, _ in found], [leaf for _, leaf in found]
    return treedef.unflatten([f(*row) for row in zip(paths, leaves, *columns, strict=True)])


def flatten_one_level_with_keys(tree: Any) -> tuple[Iterable[tuple[KeyEntry, Any]], Any]:
    """The children of the root, each with its key, and its data. Raises ValueError for a leaf."""
    kind = KINDS[type(tree)]
    if kind is None:
        raise ValueError(f"can't tree-flatten type: {type(tree)}")
    children, data = kind.flatten(tree)
    keyed = tuple(zip(kind.keys(tree), children, strict=False))
    return keyed, kind.type if kind.family == "namedtuple" else data
