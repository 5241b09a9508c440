"""``jax.tree_util``: trees of Python containers, under JAX's names.

A *tree* is a leaf, or a node of a registered type whose children are trees: tuples, lists, dictionaries, None, named
tuples and whatever `register_pytree_node` adds.
"""

from __future__ import annotations

from .pytree.definition import (
    PyTreeDef,
    flatten_one_level,
    tree_flatten,
    tree_leaves,
    tree_structure,
    tree_unflatten,
    treedef_children,
    treedef_is_leaf,
    treedef_tuple,
)
from .pytree.keys import (
    DictKey,
    FlattenedIndexKey,
    GetAttrKey,
    KeyEntry,
    KeyPath,
    SequenceKey,
    keystr,
)
from .pytree.mapping import (
    all_leaves,
    tree_all,
    tree_broadcast,
    tree_map,
    tree_reduce,
    tree_reduce_associative,
    tree_transpose,
)
from .pytree.partial import Partial
from .pytree.paths import (
    flatten_one_level_with_keys,
    tree_flatten_with_path,
    tree_leaves_with_path,
    tree_map_with_path,
)
from .pytree.registry import (
    default_registry,
    is_tree_node,
    register_dataclass,
    register_pytree_node,
    register_pytree_node_class,
    register_pytree_with_keys,
    register_pytree_with_keys_class,
    register_static,
)

__all__ = [
    "DictKey",
    "FlattenedIndexKey",
    "GetAttrKey",
    "KeyEntry",
    "KeyPath",
    "Partial",
    "PyTreeDef",
    "SequenceKey",
    "all_leaves",
    "default_registry",
    "flatten_one_level",
    "flatten_one_level_with_keys",
    "is_tree_node",
    "keystr",
    "register_dataclass",
    "register_pytree_node",
    "register_pytree_node_class",
    "register_pytree_with_keys",
    "register_pytree_with_keys_class",
    "register_static",
    "tree_all",
    "tree_broadcast",
    "tree_flatten",
    "tree_flatten_with_path",
    "tree_leaves",
    "tree_leaves_with_path",
    "tree_map",
    "tree_map_with_path",
    "tree_reduce",
    "tree_reduce_associative",
    "tree_structure",
    "tree_transpose",
    "tree_unflatten",
    "treedef_children",
    "treedef_is_leaf",
    "treedef_tuple",
]
