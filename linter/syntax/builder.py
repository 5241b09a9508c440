"""Makes libcst's nodes without layout, and notes what part of Python's tree each comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import libcst as cst

from .places import Origin, spelled
from .text import Text

N = TypeVar("N", bound=cst.CSTNode)


_new = object.__new__
_set = object.__setattr__  # the nodes are frozen


def _setter(kind: type[cst.CSTNode], field: str) -> Callable[[Any, Any], None]:
    """What sets a field of a node: its slot, without looking for that by name each time."""
    set_field: Callable[[Any, Any], None] = getattr(kind, field).__set__
    return set_field


_set_name = _setter(cst.Name, "value")


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
        _set_name(node, spelled(value, origin, self.text) if self.text.spellings else value)
        self.origins[id(node)] = origin
        return node

    def dotted(self, path: str, origin: Origin) -> cst.Name | cst.Attribute:
        """`a.b.c`, as it stands in an import."""
        first, *rest = path.split(".")
        node: cst.Name | cst.Attribute = self.name(first, origin)
        for part in rest:
            node = self.make(cst.Attribute, origin, value=node, attr=self.name(part, origin))
        return node


def with_one(kind: type[N], field: str) -> Callable[[Builder, Origin, Any], N]:
    """As `Builder.make` for a kind of which there are many, with this field."""
    set_field = _setter(kind, field)

    def make(to: Builder, origin: Origin, value: Any) -> N:
        node = _new(kind)
        set_field(node, value)
        to.origins[id(node)] = origin
        return node

    return make


def with_two(kind: type[N], first: str, second: str) -> Callable[[Builder, Origin, Any, Any], N]:
    """As `with_one`, with two fields."""
    set_first, set_second = _setter(kind, first), _setter(kind, second)

    def make(to: Builder, origin: Origin, one: Any, other: Any) -> N:
        node = _new(kind)
        set_first(node, one)
        set_second(node, other)
        to.origins[id(node)] = origin
        return node

    return make


def with_three(
    kind: type[N], first: str, second: str, third: str
) -> Callable[[Builder, Origin, Any, Any, Any], N]:
    """As `with_one`, with three fields."""
    set_first, set_second, set_third = (_setter(kind, field) for field in (first, second, third))

    def make(to: Builder, origin: Origin, one: Any, two: Any, three: Any) -> N:
        node = _new(kind)
        set_first(node, one)
        set_second(node, two)
        set_third(node, three)
        to.origins[id(node)] = origin
        return node

    return make


def ordered(nodes: Sequence[Any]) -> list[Any]:
    """Nodes of Python's tree in the order of the text."""
    return sorted(nodes, key=lambda node: (node.lineno, node.col_offset))
