"""Results of calls that are remembered: what a call has made itself is made anew when it is called again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..domain import (
    Array,
    Arrays,
    Box,
    ClassValue,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    Mapping,
    Static,
    TupleValue,
    Union,
    Unknown,
    Value,
)
from ..records import record
from .generators import renewed
from .tracing.buffers import new_buffer
from .tracing.donation import leaves

if TYPE_CHECKING:
    from .machine import Interpreter
    from .state import Watch

_LASTING = Const, Static, Unknown, ExternalValue, FunctionValue, ClassValue
"""What holds no arrays, and nothing that changes."""


@record(frozen=True, slots=True)
class Remembered:
    """What a call gave, and while what it has read is as it was: boxes and buffers from these numbers on are its own.

    `given` are the arrays that it was given, which it may hand back.
    """

    value: Value
    watch: Watch
    boxes: int
    buffers: int
    given: tuple[Array, ...] = ()


def remembered(
    interp: Interpreter, value: Value, watch: Watch, boxes: int, buffers: int, args: Iterable[Value]
) -> Remembered:
    """What is kept of a call that has just ended: what becomes of its result later does not matter."""
    if isinstance(value, _LASTING):
        return Remembered(value, watch, boxes, buffers)
    given = tuple(leaf for arg in args for leaf in leaves(arg) if isinstance(leaf, Array))
    kept = Remembered(value, watch, boxes, buffers, given)
    return replace(kept, value=_Copy(interp, kept).of(value))


def again(interp: Interpreter, kept: Remembered) -> Value:
    """What the same call gives once more."""
    return _Copy(interp, kept).of(kept.value)


class _Copy:
    """One copy of a result: what is shared inside of it stays shared."""

    def __init__(self, interp: Interpreter, kept: Remembered) -> None:
        self._interp = interp
        self._kept = kept
        self._boxes: dict[Box, Box] = {}
        self._buffers: dict[int, int] = {}
        # copies of immutable containers, which may hold one part many times
        self._parts: dict[int, Value] = {}

    def of(self, value: Value) -> Value:
        """The copy of a part; of what was not made by the call, the part itself."""
        if not isinstance(value, TupleValue | Mapping | Array):
            return self._of(value)
        copy = self._parts.get(id(value))
        if copy is None:
            copy = self._parts[id(value)] = self._of(value)
        return copy

    def _of(self, value: Value) -> Value:
        match value:
            case Array() if not any(value is one for one in self._kept.given):
                return replace(value)
            case Static() if value.buffer > self._kept.buffers:
                buffer = self._buffers.get(value.buffer) or new_buffer()
                self._buffers[value.buffer] = buffer
                if value.buffer in self._interp.lifetimes.memory.wide:
                    self._interp.lifetimes.memory.wide.add(buffer)
                return replace(value, buffer=buffer)
            case TupleValue():
                rest = None if value.rest is None else self.of(value.rest)
                return replace(value, items=tuple(map(self.of, value.items)), rest=rest)
            case Mapping():
                rest = None if value.rest is None else self.of(value.rest)
                return Mapping(tuple((key, self.of(item)) for key, item in value.items), rest)
            case ListValue(kind="iterator"):
                return renewed(self._interp, value)
            case ListValue() | DictValue() if value.box.serial > self._kept.boxes:
                return replace(value, box=self._box(value.box))
            case InstanceValue() if value.box.serial > self._kept.boxes and _is_data(value.box):
                return replace(value, box=self._box(value.box))
        return value

    def _box(self, box: Box) -> Box:
        made = self._boxes.get(box)
        if made is None:
            made = self._boxes[box] = self._interp.new_box(box.name, box.parent, box.site)
            made.origin = box.origin
            made.slots.update({key: self.of(item) for key, item in box.slots.items()})
        return made


def _is_data(box: Box) -> bool:
    """Whether an object holds data alone, and no method bound to itself."""
    plain = Arrays | Const | Static | TupleValue | ListValue | DictValue | Union | Unknown
    return all(isinstance(item, plain) for item in box.slots.values())
