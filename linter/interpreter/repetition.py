"""What a loop does to a compiled function: new static values, new shapes, new function objects at each step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import libcst as cst

from ..domain import (
    Array,
    Box,
    Const,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    MethodValue,
    PartialValue,
    SequenceValue,
    Static,
    TransformedValue,
    TupleValue,
    Value,
    Wrapper,
)
from ..events import TracedCall, TransformApplied
from .closures import settings_in
from .python.containers import items_of

if TYPE_CHECKING:
    from ..files.source import SourceFile
    from .machine import Interpreter

MANY = 5  # different static values in one loop from which recompiling is worth a word
GROWING = 3  # different shapes


@dataclass(slots=True, eq=False)
class CallSite:
    """The calls of one transformed function at one place in a loop."""

    node: cst.CSTNode
    source: SourceFile
    transformed: TransformedValue
    statement: cst.CSTNode | None
    statics: dict[str, list[Value]] = field(default_factory=dict)
    objects: dict[str, list[Value]] = field(
        default_factory=dict
    )  # made in the loop, each equal to itself alone
    shapes: dict[str, list[Any]] = field(default_factory=dict)


class Repetition:
    """What is noted of transforms inside loops, and told when the module has been run."""

    def __init__(self) -> None:
        self.calls: dict[int, int] = {}
        self._applied: dict[tuple[int, object, int], list[TransformApplied]] = {}
        self._applied_in: dict[int, tuple[int, ...]] = {}
        self._sites: dict[tuple[int, int], CallSite] = {}
        self._kept: list[Value] = []  # by caches
        self._filed: set[int] = set()  # in dicts, by a key of their own
        self._made: dict[int, tuple[Value, tuple[int, ...]]] = {}  # functions made in loops

    def made(self, interp: Interpreter, function: Value) -> None:
        """A function object is made, perhaps inside a loop."""
        if interp.loop_nodes and interp.trace is None:
            self._made[id(function)] = function, interp.loop_nodes

    def keep(self, value: Value) -> None:
        """What a cache gives is the same in other turns of a loop."""
        self._kept.append(value)

    def in_loop(self, function: Value) -> bool:
        """Whether a loop has made the function."""
        return id(function) in self._made

    def _is_made_here(self, interp: Interpreter, function: Value) -> bool:
        """Whether the function inside wrappers is the innermost loop's own, or stands outside of all loops."""
        made = self._made.get(id(_inside(function)))
        return made is None or made[1] == interp.loop_nodes

    def _is_new(self, interp: Interpreter, value: Value) -> bool:
        """Whether the innermost loop has made an object that equals itself alone."""
        from .python.equality import compared_by_identity

        if any(value is kept or value == kept for kept in self._kept):
            return False
        if isinstance(value, InstanceValue):
            return value.box.serial > interp.loop_starts[-1] and compared_by_identity(interp, value)
        made = self._made.get(id(value))
        return made is not None and made[1] == interp.loop_nodes

    def applied(self, interp: Interpreter, event: TransformApplied) -> None:
        """A transform is applied to a new function object inside a loop."""
        function = event.transformed.function
        receiver = _receiver(function)
        if not self._is_made_here(interp, function):
            return  # each of several functions that were there before is transformed once
        kept = receiver is not None and receiver.box.serial <= interp.loop_starts[-1]
        owner = receiver.box.serial if receiver is not None and kept else 0
        self._applied.setdefault((id(event.node), _code(function), owner), []).append(event)
        self._applied_in[event.transformed.serial] = interp.loop_nodes
        interp.state.note_effect()  # another turn of the loop makes another one

    def staged(self, interp: Interpreter, function: Value, kind: str, node: cst.CSTNode) -> None:
        """A structured loop or branch outside of every trace compiles its function for itself."""
        if not isinstance(function, FunctionValue | PartialValue | MethodValue | TransformedValue):
            return
        transformed = TransformedValue(kind, function, node, interp.source, serial=-len(self.calls) - 1)
        event = TransformApplied(
            node=node, source=interp.source, entry=None, sure=interp.certain, statement=interp.frame.statement,
            transformed=transformed, loop=True, fresh=True,
        )  # fmt: skip
        self.applied(interp, event)
        self.called(interp, transformed)

    def called(self, interp: Interpreter, transformed: TransformedValue) -> None:
        """A transformed function is called: elsewhere than in the loop that made it, it was kept on purpose."""
        self.calls[transformed.serial] = self.calls.get(transformed.serial, 0) + 1
        if interp.loop_nodes != self._applied_in.get(transformed.serial):
            self._applied_in.pop(transformed.serial, None)

    def filed(self, interp: Interpreter, box: Box, value: Value, replaced: Value | None = None) -> None:
        """A value is put into a dict: one that was there before the loop is a cache of programs, unless they take each other's place."""
        if isinstance(replaced, TransformedValue):
            self._filed.discard(replaced.serial)
        elif (
            isinstance(value, TransformedValue)
            and interp.loop_starts
            and box.serial <= interp.loop_starts[-1]
        ):
            self._filed.add(value.serial)

    def arguments(
        self,
        interp: Interpreter,
        transformed: TransformedValue,
        node: cst.CSTNode,
        static: Mapping[str, Value],
        traced: Mapping[str, Value],
    ) -> None:
        """A compiled function is called inside a loop, with these static and traced arguments."""
        if not interp.loop_nodes or interp.trace is not None:
            return
        site = self._sites.setdefault(
            (transformed.serial, id(node)), CallSite(node, interp.source, transformed, interp.frame.statement)
        )
        for name, value in static.items():
            values = site.statics.setdefault(name, [])
            if self._is_new(interp, value):
                site.objects.setdefault(name, []).append(value)
            elif value not in values:
                values.append(value)
        for name, value in traced.items():
            shape = signature(interp, value)
            shapes = site.shapes.setdefault(name, [])
            if shape is not None and shape not in shapes:
                shapes.append(shape)

    def tell(self, interp: Interpreter) -> None:
        """Tells of what was done anew at each step."""
        for events in self._applied.values():
            serials = [event.transformed.serial for event in events]
            objects = {id(event.transformed.function) for event in events}
            if 1 < len(events) == len(objects) and all(
                self.calls.get(s) == 1 and s in self._applied_in and s not in self._filed for s in serials
            ):
                first, *others = (settings_in(event.transformed.function) for event in events)
                if any(first.get(name) != other.get(name) for other in others for name in first | other):
                    continue  # other programs, each made once
                interp.listener(events[0])
        for site in self._sites.values():
            for name, values in site.statics.items():
                if changes(values):
                    self._tell(interp, site, "static-changes", name, "changes at each turn of the loop")
            for name, values in site.objects.items():
                if any(is_same_again(values[0], other) for other in values[1:]):
                    what = _kind_of_object(values[0])
                    self._tell(
                        interp, site, "static-changes", name,
                        f"is a new {what} at each turn of the loop, which equals none before it",
                    )  # fmt: skip
            for name, shapes in site.shapes.items():
                if len(shapes) >= GROWING:
                    shown = ", ".join(map(str, shapes[:3]))
                    self._tell(interp, site, "shape-changes", name, f"{shown}, ...")

    @staticmethod
    def _tell(interp: Interpreter, site: CallSite, problem: str, name: str, detail: str) -> None:
        interp.listener(
            TracedCall(
                node=site.node, source=site.source, entry=None, statement=site.statement, transformed=site.transformed,
                problem=problem, parameter=name, detail=detail,
            )
        )  # fmt: skip


def _inside(function: Value) -> Value:
    """The function inside wrappers."""
    from .functions import underlying

    return underlying(function)


def _code(function: Value) -> object:
    """The text of a function, by which the objects made of it are known."""
    inner = _inside(function)
    if not isinstance(inner, ExternalValue):
        return id(getattr(inner, "node", inner))
    held = function.receiver if isinstance(function, MethodValue) else None
    parts = held.items if isinstance(held, TupleValue) else ()  # a library's method of the user's functions
    return inner.name, *(_code(part) for part in parts if isinstance(part, FunctionValue))


def _receiver(function: Value) -> InstanceValue | None:
    """The object that a bound method inside wrappers is bound to."""
    while isinstance(function, Wrapper):
        if isinstance(function, MethodValue):
            return function.receiver if isinstance(function.receiver, InstanceValue) else None
        function = function.function
    return None


def changes(values: list[Value]) -> bool:
    """Whether a static argument is the loop's own counter, or took many numbers, or another one at each turn that was followed."""
    if any(isinstance(value, Static) and value.varies for value in values):
        return True
    numbers = sum(map(_is_numeric, values))
    goes_on = any(isinstance(value, Static) and value.kind in ("int", "float") for value in values)
    return numbers >= (GROWING if goes_on else MANY)


def _is_numeric(value: Value) -> bool:
    """Whether a value is a number, or a tuple of numbers."""
    if isinstance(value, TupleValue):
        return bool(value.items) and value.rest is None and all(map(_is_numeric, value.items))
    return isinstance(value, Const) and type(value.value) in (int, float)


def is_same_again(value: Value, other: Value) -> bool:
    """Whether an object is another one, made by the same code of the same parts."""
    if value is other:
        return False
    if isinstance(value, InstanceValue) and isinstance(other, InstanceValue):
        apart = value.box is not other.box and value.box.site is other.box.site
        return apart and value.cls == other.cls and value.box.slots == other.box.slots
    return type(value) is type(other) and _code(value) == _code(other)


def _kind_of_object(value: Value) -> str:
    if isinstance(value, InstanceValue):
        return value.box.name
    return "partial" if isinstance(value, PartialValue) else "function"


def signature(interp: Interpreter, value: Value) -> Any:
    """The shape, or number of items, that a compiled function is keyed by; None where it is not known."""
    if isinstance(value, Array) and value.shape is not None and None not in value.shape:
        return value.shape
    if (
        isinstance(value, Static)
        and value.kind == "ndarray"
        and value.shape is not None
        and None not in value.shape
    ):
        return value.shape
    if isinstance(value, SequenceValue):
        items = items_of(interp, value)
        return f"{len(items)} items" if items is not None else None
    return None
