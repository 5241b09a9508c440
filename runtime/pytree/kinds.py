"""The kinds of nodes: how values of each Python type come apart into children, and together again."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from .keys import DictKey, FlattenedIndexKey, GetAttrKey, KeyEntry, SequenceKey

Flatten = Callable[[Any], tuple[Iterable[Any], Any]]
Unflatten: TypeAlias = Callable[[Any, tuple[Any, ...]], Any]
FlattenKeys = Callable[[Any], Iterable[KeyEntry]]


class NodeKind:
    """How the values of one type are taken apart. One object a type, so kinds compare by identity."""

    __slots__ = ("family", "flatten", "keys", "type", "unflatten")

    def __init__(
        self, type_: type, family: str, flatten: Flatten, unflatten: Unflatten, keys: FlattenKeys
    ) -> None:
        self.type = type_
        self.family = family
        self.flatten = flatten
        self.unflatten = unflatten
        self.keys = keys

    def __reduce__(self) -> tuple[Any, ...]:
        return _kind_of, (self.type,)


def _kind_of(type_: type) -> NodeKind | None:
    return KINDS[type_]


def _sequence_keys(tree: Any) -> list[KeyEntry]:
    return [SequenceKey(i) for i in range(len(tree))]


def sorted_keys(tree: dict[Any, Any]) -> tuple[Any, ...]:
    """The keys in the order in which a dictionary flattens. Raises ValueError if they have none."""
    try:
        return tuple(sorted(tree))
    except Exception as error:
        raise ValueError("Comparator raised exception while sorting pytree dictionary keys.") from error


def _flatten_dict(tree: dict[Any, Any]) -> tuple[list[Any], tuple[Any, ...]]:
    keys = sorted_keys(tree)
    return [tree[key] for key in keys], keys


def _unflatten_dict(keys: tuple[Any, ...], children: tuple[Any, ...]) -> dict[Any, Any]:
    return dict(zip(keys, children, strict=True))


def _sorted_dict_keys(tree: dict[Any, Any]) -> list[KeyEntry]:
    return [DictKey(key) for key in sorted_keys(tree)]


def _flatten_defaultdict(tree: defaultdict[Any, Any]) -> tuple[list[Any], tuple[Any, tuple[Any, ...]]]:
    keys = sorted_keys(tree)
    return [tree[key] for key in keys], (tree.default_factory, keys)


def _unflatten_defaultdict(data: tuple[Any, tuple[Any, ...]], children: tuple[Any, ...]) -> Any:
    return defaultdict(data[0], zip(data[1], children, strict=True))


def _flatten_ordereddict(tree: OrderedDict[Any, Any]) -> tuple[list[Any], tuple[Any, ...]]:
    return list(tree.values()), tuple(tree)


def _unflatten_ordereddict(keys: tuple[Any, ...], children: tuple[Any, ...]) -> Any:
    return OrderedDict(zip(keys, children, strict=True))


def _ordered_keys(tree: Any) -> list[KeyEntry]:
    return [DictKey(key) for key in tree]


def _no_data(tree: Any) -> tuple[Any, None]:
    return tree, None


def _field_keys(tree: Any) -> list[KeyEntry]:
    return [GetAttrKey(name) for name in tree._fields]


def flat_index_keys(tree: Any) -> Iterable[KeyEntry]:
    """Keys for a type that does not name its children: endless, the caller takes what it needs."""
    index = 0
    while True:
        yield FlattenedIndexKey(index)
        index += 1


TUPLE = NodeKind(tuple, "tuple", _no_data, lambda _, children: children, _sequence_keys)
LIST = NodeKind(list, "list", _no_data, lambda _, children: list(children), _sequence_keys)
DICT = NodeKind(dict, "dict", _flatten_dict, _unflatten_dict, _sorted_dict_keys)
NONE = NodeKind(type(None), "none", lambda _: ((), None), lambda *_: None, lambda _: ())


class _Kinds(dict[type, "NodeKind | None"]):
    """The kind of each type seen so far; None for the types of leaves. Named tuples are found on first sight."""

    def __missing__(self, type_: type) -> NodeKind | None:
        kind: NodeKind | None = None
        if issubclass(type_, tuple) and hasattr(type_, "_fields"):
            kind = NodeKind(type_, "namedtuple", _no_data, lambda _, children: type_(*children), _field_keys)
        self[type_] = kind
        return kind


KINDS = _Kinds(
    {
        tuple: TUPLE,
        list: LIST,
        dict: DICT,
        type(None): NONE,
        defaultdict: NodeKind(
            defaultdict, "custom", _flatten_defaultdict, _unflatten_defaultdict, _sorted_dict_keys
        ),
        OrderedDict: NodeKind(
            OrderedDict, "custom", _flatten_ordereddict, _unflatten_ordereddict, _ordered_keys
        ),
    }
)
