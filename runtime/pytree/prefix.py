"""Trees that should fit together and do not: where the first difference is, and what it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .keys import KeyPath, keystr
from .kinds import KINDS

Wording = Callable[[str], str]  # From what the caller calls the prefix to the rest of the message.


def differences(prefix: Any, full: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, str, Wording]]:
    """Each place where `prefix` is no prefix of `full`: its path, the kind of difference, and what it is."""
    kind = KINDS[type(prefix)]
    if kind is None:
        return
    if type(prefix) is not type(full):
        yield (
            path,
            "different types",
            lambda name: (
                f"At that key path, the prefix pytree {name} has a subtree of type\n    {type(prefix)}\n"
                f"but at the same key path the full pytree has a subtree of different type\n    {type(full)}."
            ),
        )
        return
    (left, mine), (right, theirs) = kind.flatten(prefix), kind.flatten(full)
    left, right = list(left), list(right)
    if len(left) != len(right):
        yield path, *_lengths(prefix, full, len(left), len(right))
        return
    if mine != theirs:
        yield (
            path,
            "different pytree metadata",
            lambda name: (
                f"At that key path, the prefix pytree {name} has a subtree of type\n    {type(prefix)}\n"
                f"with metadata\n    {mine}\n"
                f"but at the same key path the full pytree has a subtree of the same type but with metadata\n    {theirs}\n"
                f"so the diff in the metadata at these pytree nodes is\n{_diff(str(mine), str(theirs))}"
            ),
        )
        return
    for key, child, against in zip(kind.keys(prefix), left, right, strict=False):
        yield from differences(child, against, (*path, key))


def _lengths(prefix: Any, full: Any, mine: int, theirs: int) -> tuple[str, Wording]:
    """How nodes of one type with different numbers of children differ."""
    if isinstance(prefix, (list, tuple)):
        known = type(prefix).__name__
        return (
            f"different lengths of {known}",
            lambda name: (
                f"At that key path, the prefix pytree {name} has a subtree of type {known} of length {mine}, "
                f"but the full pytree has a subtree of the same type but of length {theirs}."
            ),
        )
    left, right = _keys(prefix), _keys(full)
    apart = " ".join(key for key in (*left, *right) if (key in left) != (key in right))
    return (
        "different numbers of pytree children",
        lambda name: (
            f"At that key path, the prefix pytree {name} has a subtree of type\n    {type(prefix)}\n"
            f"with {mine} child keys\n    {' '.join(left)}\n"
            f"but at the same key path the full pytree has a subtree of the same type but with {theirs} child keys\n"
            f"    {' '.join(right)}\nso the symmetric difference on key sets is\n    {apart}"
        ),
    )


def _keys(node: Any) -> list[str]:
    kind = KINDS[type(node)]
    return [keystr((key,), simple=True) for key in kind.keys(node)] if kind is not None else []


def _diff(mine: str, theirs: str) -> str:
    from difflib import ndiff
    from textwrap import indent

    return indent("\n".join(ndiff(mine.splitlines(), theirs.splitlines())), "    ")


def prefix_error(prefix: Any, full: Any, name: str) -> ValueError | None:
    """The error that says where `prefix`, which the caller knows as `name`, fits no more into `full`."""
    for path, what, wording in differences(prefix, full):
        return ValueError(
            f"pytree structure error: {what} at key path\n    {name}{keystr(path)}\n{wording(name)}"
        )
    return None
