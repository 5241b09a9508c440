"""Trees that should fit together and do not: where the first difference is, and what it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .keys import KeyPath, keystr
from .kinds import KINDS, NodeKind


def _data_of(kind: NodeKind, tree: Any) -> Any:
    return kind.flatten(tree)[1]


def differences(
    prefix: Any, full: Any, path: KeyPath = (), *, exact: bool = False
) -> Iterator[tuple[KeyPath, str]]:
    """Each place where `prefix` is no prefix of `full`, with the difference in words.

    With `exact` the two trees must have the same structure.
    """
    kind, other = KINDS[type(prefix)], KINDS[type(full)]
    if kind is None:
        if exact and other is not None:
            yield path, f"a leaf of type {type(prefix)} against a subtree of type {type(full)}"
        return
    if kind is not other:
        yield path, f"different types: {type(prefix)} against {type(full)}"
        return
    left, right = list(kind.flatten(prefix)[0]), list(kind.flatten(full)[0])
    if len(left) != len(right):
        yield path, f"different lengths of {kind.type.__name__}: {len(left)} against {len(right)}"
        return
    if (mine := _data_of(kind, prefix)) != (theirs := _data_of(kind, full)):
        yield path, f"different pytree metadata: {mine!r} against {theirs!r}"
        return
    for key, child, against in zip(kind.keys(prefix), left, right, strict=False):
        yield from differences(child, against, (*path, key), exact=exact)


def prefix_error(prefix: Any, full: Any, name: str) -> ValueError | None:
    """The error that says where `prefix`, which the caller knows as `name`, fits no more into `full`."""
    for path, difference in differences(prefix, full):
        kind, _, detail = difference.partition(":")
        return ValueError(
            f"pytree structure error: {kind} at key path\n    {name}{keystr(path)}\n"
            f"there, the prefix tree and the full tree have{detail}"
        )
    return None
