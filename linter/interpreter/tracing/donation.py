"""Buffers that are given away: which arrays a call deletes, where else they are to be found, and who uses them after.

An array is deleted where the result has an array of its shape and dtype that can take over its memory.  Shape, dtype
and length of a deleted array can still be read.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    Array,
    Box,
    BoxedValue,
    DictValue,
    InstanceValue,
    ListValue,
    Mapping,
    PartialValue,
    TupleValue,
    Value,
)
from ...events import DonatedUse, Place
from ...records import record
from ...syntax.walk import in_order
from ..imports import dotted
from ..libraries.variables import kind_of_object
from ..python.containers import contents

if TYPE_CHECKING:
    from ..machine import Interpreter

METADATA = frozenset(
    "T jnp.zeros_like jnp.ones_like jnp.empty_like jnp.full_like jnp.asarray jax.device_put jnp.result_type".split()
)
"""Operations that need no buffer, or hand the array on as it is."""
_DEPTH = 6
_MOST = 5_000  # slots that are looked at


@record(frozen=True, slots=True, eq=False)
class Donation:
    """A call that gives a buffer away, and by which name it was passed."""

    name: str
    call: Place


class Donations:
    """The arrays that were given away, by whatever names and in whatever containers they are still to be found.

    One array is one object here too: a name, an attribute or an item that is bound to it holds the same value.
    """

    def __init__(self) -> None:
        self.any = False

    # --- giving away -------------------------------------------------------------------------------------------

    def give(
        self,
        interp: Interpreter,
        argument: cst.BaseExpression,
        value: Value,
        call: cst.CSTNode,
        result: Value,
    ) -> None:
        """The arrays in an argument of a call are deleted, in favour of those in its result."""
        if interp.trace is not None:
            return
        donation = Donation(dotted(argument) or "the argument", Place(call, interp.source))
        room = list(leaves(result))
        deleted = {
            id(leaf): (leaf, replace(leaf, donated=donation))
            for leaf in leaves(value)
            if isinstance(leaf, Array) and not leaf.traced and any(takes_over(one, leaf) for one in room)
        }
        if deleted:
            self.any = True
            _Deletion(interp, deleted).everywhere()

    def shared(
        self,
        interp: Interpreter,
        donated: Iterable[tuple[cst.BaseExpression, Value]],
        others: Iterable[Value],
        call: cst.CSTNode,
        result: Value,
    ) -> None:
        """An array that a call gives away is passed to it a second time."""
        if interp.trace is not None:
            return
        room = [leaf for leaf in leaves(result) if isinstance(leaf, Array)]
        given = list(donated)
        everything = [*others, *(value for _, value in given)]
        boxes = [value.box for value in everything if isinstance(value, InstanceValue)]
        if len(set(map(id, boxes))) < len(boxes):
            return  # one object stands for what several calls of a function made
        seen = {id(leaf) for value in others for leaf in leaves(value)}
        for argument, value in given:
            for leaf in leaves(value):
                if not isinstance(leaf, Array) or leaf.traced or not leaf.sure:
                    continue
                if id(leaf) in seen and any(takes_over(one, leaf) for one in room):
                    name, place = dotted(argument) or "the argument", Place(call, interp.source)
                    interp.tell(
                        DonatedUse, call, name=name, call=place, error="JaxRuntimeError", at_once=True
                    )
                    return
                seen.add(id(leaf))

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
                    error = "ValueError" if donation.call.node is node else "RuntimeError"
                    where = _mention(node, donation.name)
                    interp.tell(DonatedUse, where, name=donation.name, call=donation.call, error=error)
                    return


@dataclass(slots=True)
class _Deletion:
    """Replaces arrays that were deleted, by identity, in all that the code under way can still reach."""

    interp: Interpreter
    deleted: dict[int, tuple[Array, Array]]
    seen: set[int] = field(default_factory=set)
    left: int = _MOST

    def everywhere(self) -> None:
        """In the scopes of the calls under way, and what they hold."""
        for frame in reversed(self.interp.frames):
            box: Box | None = frame.scope
            while box is not None:
                self._box(box)
                box = box.parent

    def _box(self, box: Box) -> None:
        if box.serial in self.seen or self.left <= 0:
            return
        self.seen.add(box.serial)
        for key, value in list(box.slots.items()):
            self.left -= 1
            new = self._value(value)
            if new is not value:
                self.interp.state.write(box, key, new)

    def _value(self, value: Value) -> Value:
        match value:
            case Array():
                return self.deleted[id(value)][1] if id(value) in self.deleted else value
            case TupleValue():
                items = tuple(map(self._value, value.items))
                same = all(one is other for one, other in zip(items, value.items, strict=True))
                return value if same else replace(value, items=items)
            case Mapping():
                pairs = tuple((key, self._value(item)) for key, item in value.items)
                same = all(one[1] is other[1] for one, other in zip(pairs, value.items, strict=True))
                return value if same else replace(value, items=pairs)
            case InstanceValue() if kind_of_object(value) == "Variable":
                return value  # what the call did to it is written back
            case ListValue() | DictValue() | InstanceValue():
                self._box(value.box)
            case PartialValue():
                args = tuple(map(self._value, value.args))
                return value if all(map(operator.is_, args, value.args)) else replace(value, args=args)
        return value


def leaves(value: Value, depth: int = 0) -> Iterator[Value]:
    """Whatever is no container in a value."""
    if isinstance(value, TupleValue):
        parts: Iterable[Value] = (*value.items, *(() if value.rest is None else (value.rest,)))
    elif isinstance(value, BoxedValue):
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
