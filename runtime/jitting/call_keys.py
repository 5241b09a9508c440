"""Cheap keys of calls: what decides which program a call runs, found without making avals or tree structures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..arrays.array import ArrayImpl
from ..pytree.kinds import KINDS


def note(values: Iterable[Any], key: list[Any], leaves: list[Any]) -> bool:
    """Adds to `key` what the types of `values` are, and the leaves to `leaves`; False for a leaf of an unusual type.

    The key tells trees apart as their structures do: each node stands before its children, with their number.
    """
    for value in values:
        kind = type(value)
        if kind is ArrayImpl:
            key.append(value.aval)
            leaves.append(value)
            continue
        node = KINDS[kind]
        if node is not None:
            children, data = node.flatten(value)
            children = list(children)
            key += (node, data, len(children))
            if not note(children, key, leaves):
                return False
            continue
        if kind is float or kind is bool or (kind is int and -0x80000000 <= value < 0x80000000):
            key.append(kind)
        elif kind.__module__ == "numpy" and hasattr(value, "dtype"):
            key.append((value.dtype, value.shape))
        else:
            return False
        leaves.append(value)
    return True
