"""Memory that NumPy arrays and jax arrays share, or that JAX may not have read yet: changes of it in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import UNKNOWN, Array, Level, Static, Tree, Unknown, Value, members
from ...events import ArrayMutation, BufferChanged, Place
from ..arrays.precision import may_be_wide
from ..imports import dotted
from ..later_use import consumed, is_seen
from .buffers import new_buffer
from .donation import leaves

if TYPE_CHECKING:
    from ..machine import Interpreter


@dataclass(slots=True, eq=False)
class SharedMemory:
    """The buffers of NumPy, by number, that jax arrays have to do with."""

    aliased: dict[int, Place] = field(default_factory=dict)
    inside: set[int] = field(
        default_factory=set
    )  # of those, parts of trees, which are not followed any further
    handed: dict[int, Place] = field(default_factory=dict)  # of calls that may not have run yet
    wide: set[int] = field(default_factory=set)  # of 64-bit elements, of which JAX makes copies
    read_only: set[int] = field(default_factory=set)  # of NumPy arrays that are jax arrays
    whole: dict[int, int] = field(default_factory=dict)  # of a part of a buffer, the buffer

    def part(self, buffer: int) -> int:
        """The number of a part of a buffer, from one index to another: what it shares with other parts is not known."""
        number = new_buffer()
        self.whole[number] = buffer
        if buffer in self.wide:
            self.wide.add(number)
        if buffer in self.read_only:
            self.read_only.add(number)
        return number

    def changed(
        self, interp: Interpreter, buffer: int, node: cst.CSTNode, named: cst.BaseExpression | None = None
    ) -> None:
        """A NumPy buffer is changed in place; a jax array may share its memory.

        `named` is what holds it, where the node is no store to it and no call of one of its methods.
        """
        around = list(self._around(buffer))
        for one in around:
            interp.state.note_buffer(one)
            if interp.trace is None:
                interp.lifetimes.frozen.changed_buffer(interp, one, node)
        if buffer in self.read_only:
            interp.tell(ArrayMutation, node, value=UNKNOWN, how="view", error="ValueError")
        alias = self._of(self.aliased, buffer, around, lambda one: one in self.inside or is_seen(interp, one))
        handed = self._of(self.handed, buffer, around) if alias is None else alias
        converted = buffer in self.wide and not may_be_wide(interp)
        if handed is not None and not converted:
            place = node.func if type(node) is cst.Call else node  # `buffer.fill(0)`, `buffer[0] = 1`
            whole = place.value if isinstance(place, cst.Attribute | cst.Subscript) else place
            whole = whole if named is None else named
            name = dotted(whole) if isinstance(whole, cst.BaseExpression) else ""
            how = "call" if alias is None else "alias"
            interp.tell(BufferChanged, node, name=name or "...", handed=handed, how=how)

    def _around(self, buffer: int) -> Iterator[int]:
        """A buffer, and those that it is a part of."""
        while buffer:
            yield buffer
            buffer = self.whole.get(buffer, 0)

    def _of(
        self,
        places: dict[int, Place],
        buffer: int,
        around: list[int],
        counts: Callable[[int], bool] = lambda one: True,
    ) -> Place | None:
        """Where a buffer that counts was given to JAX, one that it is a part of, or a part of it."""
        found = next((places[one] for one in around if one in places and counts(one)), None)
        if found is None and buffer:
            parts = ((one, place) for one, place in places.items() if buffer in self._around(one))
            found = next((place for one, place in parts if counts(one)), None)
        return found

    def made_of(self, interp: Interpreter, tree: Value, node: cst.CSTNode) -> None:
        """A jax array is made of each NumPy array in a tree, and may share its memory."""
        arrays = [leaf for leaf in leaves(tree) if isinstance(leaf, Static) and leaf.buffer]
        if not arrays:
            return
        places = self.handed if consumed(interp, node) else self.aliased
        for array in arrays:
            places[array.buffer] = Place(node, interp.source)
            if array is not tree:
                self.inside.add(array.buffer)

    def marked(self, value: Value, result: Value) -> Value:
        """The jax array that is made of a NumPy array, with the buffer that it may share."""
        if not isinstance(value, Static) or value.kind != "ndarray":
            return result
        made = Array(Level.CONCRETE, value.shape, "bool" if value.mask else None)
        return replace(result if isinstance(result, Array) else made, buffer=value.buffer)

    def hand_over(self, interp: Interpreter, values: Iterable[Value], node: cst.CSTNode) -> None:
        """JAX is given NumPy arrays, and reads them when it comes to it, which may be after it has returned."""
        if interp.trace is None:
            for value in values:
                for leaf in leaves(value):
                    if isinstance(leaf, Static | Array) and leaf.buffer:
                        self.handed[leaf.buffer] = Place(node, interp.source)

    def waited(self, values: Iterable[Value]) -> None:
        """Something waits for these values, of which one may be an array: what it is made of has been read."""
        parts = (part for value in values for leaf in leaves(value) for part in members(leaf))
        if any(isinstance(part, Array | Tree | Unknown) for part in parts):
            self.handed.clear()
