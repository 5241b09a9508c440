"""Makes libcst's nodes without layout, and notes what part of Python's tree each comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import libcst as cst

from .places import Origin, spelled
from .text import Text

N = TypeVar("N", bound=cst.CSTNode)


_new = object.__new__
_set = object.__setattr__  # the nodes are frozen


class Builder:
    """What the translation of one stretch of text has in common.

    Attributes:
        origins: where each node comes from, by its identity.
        indent: the white space before the first block that was met; empty before.
        retired: nodes that are in no tree any more, kept so that no other one gets their identity.
    """

    def __init__(self, text: Text) -> None:
        self.text = text
        self.origins: dict[int, Origin] = {}
        self.indent = ""
        self.retired: list[cst.CSTNode] = []

    def make(self, kind: type[N], origin: Origin, **values: Any) -> N:
        """A node with these fields alone."""
        node = _new(kind)
        for name, value in values.items():
            _set(node, name, value)
        self.origins[id(node)] = origin
        return node

    def name(self, value: str, origin: Origin) -> cst.Name:
        """A name that has no node of its own in Python's tree."""
        node = _new(cst.Name)
        _set(node, "value", spelled(value, origin, self.text) if self.text.spellings else value)
        self.origins[id(node)] = origin
        return node

    def dotted(self, path: str, origin: Origin) -> cst.Name | cst.Attribute:
        """`a.b.c`, as it stands in an import."""
        first, *rest = path.split(".")
        node: cst.Name | cst.Attribute = self.name(first, origin)
        for part in rest:
            node = self.make(cst.Attribute, origin, value=node, attr=self.name(part, origin))
        return node


def ordered(nodes: Sequence[Any]) -> list[Any]:
    """Nodes of Python's tree in the order of the text."""
    return sorted(nodes, key=lambda node: (node.lineno, node.col_offset))
