"""Registering classes as nodes of trees."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from .definition import PyTreeDef, flatten_one_level, tree_flatten
from .keys import GetAttrKey, KeyEntry
from .kinds import KINDS, FlattenKeys, NodeKind, flat_index_keys

_Class = TypeVar("_Class", bound=type)
FlattenWithKeys = Callable[[Any], tuple[Iterable[tuple[KeyEntry, Any]], Any]]


def _register(type_: type, family: str, flatten: Any, unflatten: Any, keys: FlattenKeys) -> None:
    kind = KINDS.get(type_)
    if kind is not None and kind.family != "namedtuple":
        raise ValueError(f"Duplicate custom PyTreeDef type registration for {type_}.")
    KINDS[type_] = NodeKind(type_, family, flatten, unflatten, keys)


def register_pytree_node(
    nodetype: type,
    flatten_func: Callable[[Any], tuple[Iterable[Any], Any]],
    unflatten_func: Callable[[Any, Any], Any],
    flatten_with_keys_func: FlattenWithKeys | None = None,
) -> None:
    """Make `nodetype` a node: `flatten_func` gives children and data, `unflatten_func` takes data and children.

    Raises:
        ValueError: if the type is registered already.
    """

    def flatten(tree: Any) -> tuple[Iterable[Any], Any]:
        parts = flatten_func(tree)
        if not isinstance(parts, tuple) or len(parts) != 2:
            raise ValueError(
                "The to_iterable function for a custom PyTree node should return a (children, aux_data) tuple, "
                f"got {parts!r}"
            )
        if not hasattr(parts[0], "__iter__"):
            raise ValueError(
                "The to_iterable function for a custom PyTree node should return a (children, aux_data) tuple "
                f"where 'children' is iterable, got {parts!r}"
            )
        return parts

    keys: FlattenKeys = flat_index_keys
    if flatten_with_keys_func is not None:
        keyed = flatten_with_keys_func

        def keys(tree: Any) -> Iterable[KeyEntry]:
            return [key for key, _ in keyed(tree)[0]]

    _register(nodetype, "custom", flatten, unflatten_func, keys)


def register_pytree_with_keys(
    nodetype: type,
    flatten_with_keys: FlattenWithKeys,
    unflatten_func: Callable[[Any, Any], Any],
    flatten_func: Callable[[Any], tuple[Iterable[Any], Any]] | None = None,
) -> None:
    """Like `register_pytree_node`, with children that carry their keys."""
    if flatten_func is None:

        def flatten_func(tree: Any) -> tuple[Iterable[Any], Any]:
            keyed, data = flatten_with_keys(tree)
            return [child for _, child in keyed], data

    register_pytree_node(nodetype, flatten_func, unflatten_func, flatten_with_keys)


def register_pytree_node_class(cls: _Class) -> _Class:
    """Class decorator: the class has methods ``tree_flatten`` and (class method) ``tree_unflatten``."""
    register_pytree_node(cls, lambda tree: tree.tree_flatten(), cls.tree_unflatten)  # type: ignore[attr-defined]
    return cls


def register_pytree_with_keys_class(cls: _Class) -> _Class:
    """Class decorator: the class has methods ``tree_flatten_with_keys`` and (class method) ``tree_unflatten``."""
    flatten = (lambda tree: tree.tree_flatten()) if hasattr(cls, "tree_flatten") else None
    register_pytree_with_keys(
        cls,
        lambda tree: tree.tree_flatten_with_keys(),
        cls.tree_unflatten,  # type: ignore[attr-defined]
        flatten,
    )
    return cls


def register_static(cls: _Class) -> _Class:
    """Class decorator: instances are nodes without leaves; the object itself is the metadata."""
    register_pytree_node(cls, lambda tree: ((), tree), lambda data, _: data)
    return cls


def register_dataclass(
    nodetype: _Class,
    data_fields: Sequence[str] | None = None,
    meta_fields: Sequence[str] | None = None,
    drop_fields: Sequence[str] = (),
) -> _Class:
    """Make a dataclass a node: `data_fields` are its children, `meta_fields` its metadata.

    Without the two lists, a field whose metadata says ``static=True`` is metadata, and every other one a child.

    Raises:
        TypeError: if only one list is given.
        ValueError: if the lists miss a field or name an unknown one.
    """
    if (data_fields is None) != (meta_fields is None):
        raise TypeError(
            "register_dataclass: data_fields and meta_fields must both be specified when either is specified. "
            f"Got {data_fields=} {meta_fields=}."
        )
    if data_fields is None or meta_fields is None:
        if not dataclasses.is_dataclass(nodetype):
            raise TypeError(
                "register_dataclass: data_fields and meta_fields are required when nodetype is not a dataclass. "
                f"Got {nodetype=}."
            )
        fields = dataclasses.fields(nodetype)
        data_fields = [f.name for f in fields if not f.metadata.get("static", False)]
        meta_fields = [f.name for f in fields if f.metadata.get("static", False)]
    data, meta = tuple(data_fields), tuple(meta_fields)
    if dataclasses.is_dataclass(nodetype):
        _check_fields(nodetype, {*data, *meta}, set(drop_fields))

    def flatten(tree: Any) -> tuple[list[Any], tuple[Any, ...]]:
        return [getattr(tree, name) for name in data], tuple([getattr(tree, name) for name in meta])

    def unflatten(values: tuple[Any, ...], children: tuple[Any, ...]) -> Any:
        return nodetype(**dict(zip(meta, values, strict=True)), **dict(zip(data, children, strict=True)))

    _register(nodetype, "dataclass", flatten, unflatten, lambda _: [GetAttrKey(name) for name in data])
    return nodetype


def _check_fields(nodetype: type, named: set[str], dropped: set[str]) -> None:
    wanted = {f.name for f in dataclasses.fields(nodetype) if f.init} - dropped
    rule = "data_fields and meta_fields must include all dataclass fields with ``init=True`` and only them."
    if missing := wanted - named:
        raise ValueError(f"{rule} Missing fields: {missing}. Add them to drop_fields to suppress this error.")
    if unexpected := named - wanted:
        raise ValueError(f"{rule} Unexpected fields: {unexpected}.")


def is_tree_node(typ: type) -> bool:
    """Whether values of `typ` are nodes, not leaves."""
    return isinstance(typ, type) and KINDS[typ] is not None


class PyTreeRegistry:
    """The registry as an object: there is one, `default_registry`."""

    def flatten(self, tree: Any, leaf_predicate: Any = None) -> tuple[list[Any], PyTreeDef]:
        """See `tree_flatten`."""
        return tree_flatten(tree, leaf_predicate)

    def flatten_one_level(self, tree: Any) -> tuple[Iterable[Any], Any] | None:
        """The children of the root and its data; None for a leaf."""
        return flatten_one_level(tree) if is_tree_node(type(tree)) else None

    def register_node(self, nodetype: type, to_iterable: Any, from_iterable: Any) -> None:
        """See `register_pytree_node`."""
        register_pytree_node(nodetype, to_iterable, from_iterable)


default_registry = PyTreeRegistry()


class Entry(NamedTuple):
    """How values of a registered type are taken apart and put together."""

    to_iter: Callable[[Any], tuple[Iterable[Any], Any]]
    from_iter: Callable[[Any, Any], Any]


class _RegisteredTypes(Mapping[type, Entry]):
    """The types of nodes, as libraries see them that look into JAX's own table. Named tuples are not in it."""

    def __getitem__(self, type_: type) -> Entry:
        kind = KINDS.get(type_)
        if kind is None or kind.family == "namedtuple":
            raise KeyError(type_)
        return Entry(kind.flatten, lambda data, children: kind.unflatten(data, tuple(children)))

    def __iter__(self) -> Iterator[type]:
        return (type_ for type_ in list(KINDS) if type_ in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


registered_types = _RegisteredTypes()
