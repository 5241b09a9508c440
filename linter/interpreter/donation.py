"""Buffers that are given away: which arrays a call deletes, by which other names they go, and who uses them after.

An array is deleted where the result has an array of its shape and dtype that can take over its memory.  Shape, dtype
and length of a deleted array can still be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import Array, Box, DictValue, InstanceValue, ListValue, Mapping, TupleValue, Value
from ..events import DonatedUse
from ..syntax.walk import in_order
from .containers import contents
from .imports import dotted
from .variables import kind_of_object

if TYPE_CHECKING:
    from .machine import Interpreter

METADATA = frozenset(
    "T jnp.zeros_like jnp.ones_like jnp.empty_like jnp.full_like jnp.asarray jax.device_put jnp.result_type".split()
)
"""Operations that need no buffer, or hand the array on as it is."""
_DEPTH = 6


@dataclass(frozen=True, slots=True, eq=False)
class Donation:
    """A call that gives a buffer away, and by which name it was passed."""

    name: str
    call: cst.CSTNode


class Donations:
    """Names of the same array, and the arrays that were given away."""

    def __init__(self) -> None:
        self.any = False
        self._places: dict[tuple[Box, object], set[tuple[Box, object]]] = {}

    # --- names of the same array -------------------------------------------------------------------------------

    def named(self, interp: Interpreter, target: tuple[Box, object], value: cst.BaseExpression) -> None:
        """`target = value`: two names of one object, where the value is a name or an attribute."""
        source = place_of(interp, value)
        if source is None or source == target:
            return
        group = self._places.setdefault(source, {source})
        group.add(target)
        self._places[target] = group

    def rebound(self, place: tuple[Box, object]) -> None:
        """A name gets another value."""
        group = self._places.pop(place, None)
        if group is not None:
            group.discard(place)

    # --- giving away -------------------------------------------------------------------------------------------

    def give(
        self, interp: Interpreter, argument: cst.BaseExpression, call: cst.CSTNode, result: Value
    ) -> None:
        """The arrays in an argument of a call are deleted, in favour of those in its result."""
        place = place_of(interp, argument)
        if place is None or interp.trace is not None:
            return
        value = interp.state.read(*place)
        if value is None:
            return
        donation = Donation(dotted(argument) or place[1].__str__(), call)
        room = list(leaves(result))
        deleted = self._delete(interp, value, donation, room)
        if deleted is value:
            return
        self.any = True
        for box, key in self._places.get(place, {place}):
            if interp.state.read(box, key) is value:
                interp.state.write(box, key, deleted)

    def _delete(
        self, interp: Interpreter, value: Value, donation: Donation, room: list[Value], depth: int = 0
    ) -> Value:
        """The value with its arrays deleted; containers change in place."""
        if depth > _DEPTH:
            return value
        match value:
            case Array() if not value.traced and any(takes_over(one, value) for one in room):
                self.any = True
                return replace(value, donated=donation)
            case TupleValue():
                return replace(
                    value,
                    items=tuple(self._delete(interp, v, donation, room, depth + 1) for v in value.items),
                )
            case InstanceValue() if kind_of_object(value) == "Variable":
                return value  # what the call did to it is written back
            case ListValue() | DictValue() | InstanceValue():
                for key, item in list(value.box.slots.items()):
                    if isinstance(item, Mapping):
                        pairs = tuple(
                            (k, self._delete(interp, v, donation, room, depth + 1)) for k, v in item.items
                        )
                        interp.state.write(value.box, key, replace(item, items=pairs))
                    elif isinstance(item, Value):
                        interp.state.write(
                            value.box, key, self._delete(interp, item, donation, room, depth + 1)
                        )
        return value

    # --- use afterwards ----------------------------------------------------------------------------------------

    def used(self, interp: Interpreter, values: Iterable[Value], node: cst.CSTNode) -> None:
        """Values take part in an operation outside every trace."""
        if not self.any or interp.trace is not None:
            return
        for value in values:
            for leaf in leaves(value):
                donation = leaf.donated if isinstance(leaf, Array) else None
                if isinstance(donation, Donation):
                    # In a loop, given a second time
                    error = "ValueError" if donation.call is node else "RuntimeError"
                    where = _mention(node, donation.name)
                    interp.tell(DonatedUse, where, name=donation.name, call=donation.call, error=error)
                    return


def place_of(interp: Interpreter, node: cst.BaseExpression) -> tuple[Box, object] | None:
    """The slot that a name, or an attribute of an instance, stands for."""
    if isinstance(node, cst.Name):
        box, _ = interp.find(node.value)
        return (box, node.value) if box is not None else None
    if isinstance(node, cst.Attribute) and dotted(node):
        owner = interp.evaluate(node.value)
        if isinstance(owner, InstanceValue) and interp.state.read(owner.box, node.attr.value) is not None:
            return owner.box, node.attr.value
    return None


def leaves(value: Value, depth: int = 0) -> Iterator[Value]:
    """Whatever is no container in a value."""
    if isinstance(value, TupleValue):
        parts: Iterable[Value] = (*value.items, *(() if value.rest is None else (value.rest,)))
    elif isinstance(value, ListValue | DictValue | InstanceValue):
        parts = contents(value)
    else:
        yield value
        return
    if depth < _DEPTH:
        for part in parts:
            yield from leaves(part, depth + 1)


def takes_over(result: Value, array: Array) -> bool:
    """Whether a result may live in the memory of an array, as far as both are known."""
    if not isinstance(result, Array):
        return True
    if result.dtype is not None and array.dtype is not None and result.dtype != array.dtype:
        return False
    if result.shape is None or array.shape is None:
        return True
    return len(result.shape) == len(array.shape) and all(
        a is None or b is None or a == b for a, b in zip(result.shape, array.shape, strict=True)
    )


def _mention(node: cst.CSTNode, name: str) -> cst.CSTNode:
    """Where an expression mentions a name; the expression where it does not."""
    for part in in_order(node):
        if isinstance(part, cst.Name | cst.Attribute) and dotted(part) == name:
            return part
    return node
