"""Where the names of a function's body stand, looked up without walking over it again."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import libcst as cst

from ..syntax.memo import NodeMemo
from ..syntax.walk import children

Span: TypeAlias = tuple[int, int]


@dataclass(slots=True)
class Uses:
    """The places of one name, in the order of the text: alone, before an attribute, or before an item's literal key."""

    all: list[int] = field(default_factory=list)
    alone: list[int] = field(default_factory=list)
    attributes: dict[str, list[int]] = field(default_factory=dict)
    items: dict[str, list[int]] = field(default_factory=dict)

    def but_for_attributes(self, others: set[str]) -> Iterator[list[int]]:
        """The places other than those where only such attributes are used."""
        yield self.alone
        yield from self.items.values()
        yield from (places for name, places in self.attributes.items() if name not in others)

    def but_for_other_items(self, item: str) -> Iterator[list[int]]:
        """The places other than those where only other items are used."""
        yield self.alone
        yield from self.attributes.values()
        yield self.items.get(item, [])


@dataclass(slots=True)
class Occurrences:
    """The names of a body; a place is a number that grows along the text, a span the places of a node and all inside.

    `spans` holds those of statements, by the identity of the node.
    """

    uses: dict[str, Uses] = field(default_factory=dict)
    spans: dict[int, Span] = field(default_factory=dict)
    loops: list[Span] = field(default_factory=list)
    functions: list[Span] = field(default_factory=list)
    blocks: list[Span] = field(default_factory=list)  # of what may not be run, or not to its end
    bindings: dict[str, list[int]] = field(default_factory=dict)  # `name = value`, no use of the old one


@NodeMemo
def occurrences(body: cst.CSTNode) -> Occurrences:
    """The names in a function's body, its statements, and the loops and functions in it."""
    found = Occurrences()
    place = 0
    under_way: list[tuple[cst.CSTNode, int, Iterator[cst.CSTNode]]] = []

    def enter(node: cst.CSTNode) -> None:
        nonlocal place
        if type(node) is cst.Name:
            _note(found, node, place, under_way[-1][0] if under_way else None)
        under_way.append((node, place, iter(children(node))))
        place += 1

    enter(body)
    while under_way:
        node, start, waiting = under_way[-1]
        inner = next(waiting, None)
        if inner is not None:
            enter(inner)
            continue
        under_way.pop()
        if isinstance(node, cst.BaseSmallStatement | cst.BaseCompoundStatement):
            found.spans[id(node)] = start, place
        if isinstance(node, cst.BaseCompoundStatement) and not isinstance(node, cst.With):
            found.blocks.append((start, place))
        elif type(node) is cst.Assign:
            _note_bindings(found, node, start, place)
        if isinstance(node, cst.For | cst.While):
            found.loops.append((start, place))
        elif isinstance(node, cst.FunctionDef | cst.Lambda):
            found.functions.append((start, place))
    return found


def _note(found: Occurrences, node: cst.Name, place: int, parent: cst.CSTNode | None) -> None:
    uses = found.uses.setdefault(node.value, Uses())
    uses.all.append(place)
    if type(parent) is cst.Attribute and parent.value is node:
        uses.attributes.setdefault(parent.attr.value, []).append(place)
    elif type(parent) is cst.Subscript and parent.value is node and (key := literal_key(parent)) is not None:
        uses.items.setdefault(key, []).append(place)
    else:
        uses.alone.append(place)


def _note_bindings(found: Occurrences, node: cst.Assign, start: int, end: int) -> None:
    for target in node.targets:
        parts = target.target.elements if type(target.target) is cst.Tuple else (target.target,)
        for part in parts:
            name = part.value if isinstance(part, cst.Element) else part
            if type(name) is cst.Name:
                places = [place for place in found.uses[name.value].all if start <= place < end]
                if len(places) == 1:
                    found.bindings.setdefault(name.value, []).extend(places)


def literal_key(node: cst.Subscript) -> str | None:
    """The key of `state["a"]`, where it is a text."""
    part = node.slice[0].slice
    key = part.value if type(part) is cst.Index else None
    literal = key.evaluated_value if type(key) is cst.SimpleString else None
    return literal if isinstance(literal, str) else None


def stands_within(places: list[int], start: float, end: float) -> bool:
    """Whether one of the places is in a span."""
    first = bisect_left(places, start)
    return first < len(places) and places[first] < end
