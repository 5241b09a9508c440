"""Gives nodes that were made without layout what libcst's parser finds between them.

The two trees have one shape, so they are walked side by side.  Where they have not (two ways of writing that mean the
same), the parser's node takes the place of the other one.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import libcst as cst

from .statements import LaterBlock
from .walk import is_layout

_set = object.__setattr__
_fields: dict[type, tuple[tuple[str, bool], ...]] = {}


def fill(node: Any, parsed: Any, indent: str) -> list[cst.CSTNode]:
    """Completes a tree by one of the same text; gives the nodes that are in it no more.

    `indent` is one step of the parsed text's indentation; the next version of the file may have another.
    """
    retired: list[cst.CSTNode] = []
    pending: list[tuple[Any, Any]] = [(node, parsed)]
    while pending:
        ours, theirs = pending.pop()
        for name, layout in _fields_of(type(theirs)):
            value = getattr(theirs, name)
            if layout:
                _set(ours, name, indent if name == "indent" and value is None else value)
                continue
            mine = getattr(ours, name)
            if not _fits(mine, value, pending):
                several = mine if isinstance(mine, list) else [mine]
                retired += [one for one in several if isinstance(one, cst.CSTNode)]
                _set(ours, name, value)
    return retired


def end_lines(node: cst.CSTNode, newline: str) -> None:
    """Has a tree end its lines in this way, where it leaves that to its module."""
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, cst.Newline) and current.value is None:
            _set(current, "value", newline)
        pending += current.children


def _fits(mine: Any, value: Any, pending: list[tuple[Any, Any]]) -> bool:
    """Whether a value has the shape of the parser's, and may stay; what is in it has still to be completed."""
    if isinstance(value, cst.CSTNode):
        if type(mine) is not type(value) and not isinstance(mine, LaterBlock):
            return False
        pending.append((mine, value))
        return True
    if isinstance(value, list | tuple) and isinstance(mine, list | tuple) and len(mine) == len(value):
        if any(type(one) is not type(other) for one, other in zip(mine, value, strict=True)):
            return False
        pending += zip(mine, value, strict=True)
        return True
    return False


def _fields_of(kind: type) -> tuple[tuple[str, bool], ...]:
    """The fields of a kind of node, each with whether it is layout."""
    known = _fields.get(kind)
    if known is None:
        known = _fields[kind] = tuple((field.name, is_layout(field.name)) for field in fields(kind))
    return known
