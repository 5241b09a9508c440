"""What traces have frozen: values of the world outside that they have read, and that may be others when they are run again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import libcst as cst

from ...domain import (
    NONE,
    UNKNOWN,
    Array,
    Box,
    ClassValue,
    Const,
    Entry,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Level,
    ListValue,
    MethodValue,
    ModuleValue,
    PartialValue,
    Static,
    TransformedValue,
    Tree,
    TupleValue,
    Unknown,
    Value,
    Wrapper,
    members,
)
from ...events import ConstantCaptured, FrozenRead, Place
from ...syntax.memo import NodeMemo
from ...syntax.walk import in_order
from ..closures import names_in, own_names
from ..imports import dotted
from ..python.flattening import is_structure
from .programs import Program, Seen

if TYPE_CHECKING:
    from ...files.source import SourceFile
    from ..machine import Frame, Interpreter

LARGE = 100_000  # elements of a captured array from which it is worth telling
COMPILING = frozenset(("jit", "filter_jit", "pmap", "lift"))
"""The kinds of transforms whose calls may find what an earlier call has compiled."""
METADATA = frozenset(("shape", "ndim", "size", "dtype"))
"""What says of an array how it is made alone."""


@dataclass(slots=True, eq=False)
class Read:
    """Where a trace read a name of the world outside, and what it found."""

    node: cst.CSTNode
    source: SourceFile
    entry: Entry
    program: Program
    name: str
    kind: str
    value: Value
    asked: str = ""  # the attribute of it that is read, if no more of it is
    rebound: cst.CSTNode | None = None


@dataclass(slots=True, eq=False)
class FrozenReads:
    """What the traces that JAX keeps have read of the world outside, by slot."""

    reads: dict[tuple[Box, Any], list[Read]] = field(default_factory=dict)
    logs: set[Box] = field(default_factory=set)  # lists that traces change
    own: set[tuple[Box, Any]] = field(default_factory=set)  # what the program under way has written itself
    filed: set[int] = field(default_factory=set)  # programs that dicts hold under keys that are not known
    running: list[Program | None] = field(default_factory=list)  # the programs of the calls under way
    programs: dict[tuple[FunctionValue, tuple[tuple[str, Value], ...]], int] = field(default_factory=dict)
    contents: dict[int, Box] = field(default_factory=dict)  # what stands for the content of a buffer of NumPy
    large: dict[int, tuple[Value, str, Place]] = field(default_factory=dict)  # arrays that traces have read
    asked: str = (
        ""  # the attribute that is read of what is read now, the last one that says how an array is made
    )

    def read(
        self, interp: Interpreter, box: Box, key: str, value: Value, node: cst.CSTNode, kind: str
    ) -> None:
        """A trace reads a slot of an object of the world outside."""
        if interp.trace is None or box.context is not None:
            return
        if not is_data(value):
            if self.running and isinstance(value, FunctionValue | TransformedValue | PartialValue):
                self._note(interp, box, key, value, node, name_of(box, key, node, kind), kind)
            return
        if interp.staging:
            for part in _parts(value):
                if _size(part) >= LARGE:
                    self.large[id(part)] = part, key, Place(node, interp.source)
        if self.asked in METADATA and isinstance(value, Array | Static):
            return
        if not self.running:
            return
        self._note_content(interp, value, node, name_of(box, key, node, kind), kind)
        self._note(interp, box, key, value, node, name_of(box, key, node, kind), kind)

    def read_local(self, interp: Interpreter, name: str, value: Value, node: cst.CSTNode) -> None:
        """A trace reads a variable of its own, which may hold something of the world outside: what a partial has bound."""
        if self.running:
            self._note_content(interp, value, node, name, "list")
        function = interp.frame.function
        if function is not None and _size(value) >= LARGE and interp.staging:
            from ..functions import find_parameter

            if find_parameter(function, name) is not None:
                self.large.setdefault(id(value), (value, name, Place(node, interp.source)))

    def _note_content(
        self, interp: Interpreter, value: Value, node: cst.CSTNode, name: str, kind: str
    ) -> None:
        """A list or an array of NumPy is read, whose content may change."""
        if isinstance(value, ListValue) and value.box.context is None:
            self._note(interp, value.box, "items", UNKNOWN, node, name, kind)
        if isinstance(value, Static) and value.buffer and kind != "list":
            self._note(
                interp,
                self.contents.setdefault(value.buffer, Box("buffer")),
                "items",
                UNKNOWN,
                node,
                name,
                kind,
            )

    def baked(self, interp: Interpreter, values: Iterable[Value]) -> None:
        """The program under way takes these values: arrays of the world outside among them become constants of it."""
        for value in values:
            found = self.large.get(id(value))
            if found is not None:
                _, name, place = found
                interp.tell(ConstantCaptured, place.node, source=place.source, name=name, size=_size(value))

    def _note(
        self, interp: Interpreter, box: Box, key: str, value: Value, node: cst.CSTNode, name: str, kind: str
    ) -> None:
        """Notes what the trace under way has read of the world outside."""
        program = self.outermost()
        if program is None or interp.trace is None or (box, key) in self.own:
            return
        entries = self.reads.setdefault((box, key), [])
        if not any(read.node is node and read.program == program for read in entries):
            entries.append(
                Read(node, interp.source, interp.trace.entry, program, name, kind, value, self.asked)
            )

    def left(self) -> None:
        """The innermost of the programs under way has been traced."""
        self.running.pop()
        if not self.running:
            self.own.clear()

    def outermost(self) -> Program | None:
        """The outermost of the programs under way: while it is found again, nothing inside is run."""
        return next((program for program in self.running if program is not None), None)

    def written(self, interp: Interpreter, box: Box, key: str, value: Value, node: cst.CSTNode) -> None:
        """A slot gets another value; what traces have read of it is out of date."""
        if self.running:
            self.own.add((box, key))
        elif self.reads:
            for read in self.reads.get((box, key), ()):
                if (read.value != value or isinstance(value, Array | Tree | Unknown)) and not _wraps(
                    value, read.value
                ):
                    read.rebound = node

    def kept(self, interp: Interpreter, frame: Frame, value: Value, node: cst.CSTNode | None) -> None:
        """A call gives, or runs, a program that an earlier call of the same function has made of its own parameters.

        A parameter, or what is worked out from one, that is another now was no part of what the program was looked up by.
        """
        function, now = frame.function, frame.scope
        if not isinstance(value, TransformedValue) or value.kind not in COMPILING or function is None:
            return
        if value.serial in self.filed:
            return
        from ..functions import find_parameter, underlying  # each call of a function comes by here

        inner = underlying(value)
        if not isinstance(inner, FunctionValue):
            return
        before = inner.scope
        if before is now or before.site is not function.node:
            return
        parameters = {name for name in now.slots if find_parameter(function, name) is not None}
        if any(now.slots[name] is value for name in parameters):
            return  # the caller passes it
        captured = names_in(inner.node) - own_names(inner.node)
        for name in sorted(captured & before.slots.keys()):
            other = now.slots[name] if name in parameters else _worked_out(interp, function, name)
            if other is not None and _told_apart(before.slots[name], other):
                place = next(n for n in in_order(inner.node) if type(n) is cst.Name and n.value == name)
                interp.tell(
                    FrozenRead, place, source=inner.source, name=name,
                    kind="parameter" if name in parameters else "local",
                    rebound=node if frame.source is inner.source else None,
                )  # fmt: skip

    def changed_list(self, interp: Interpreter, box: Box, node: cst.CSTNode) -> None:
        """A list is changed in place; one that traces change is a log of theirs, whose content they do not depend on."""
        if interp.trace is not None:
            self.logs.add(box)
        else:
            self.written(interp, box, "items", UNKNOWN, node)

    def changed_buffer(self, interp: Interpreter, buffer: int, node: cst.CSTNode) -> None:
        """A buffer of NumPy is changed in place outside every trace."""
        if buffer in self.contents:
            self.written(interp, self.contents[buffer], "items", UNKNOWN, node)

    def forget(self, serial: int | None = None) -> None:
        """The programs of a compiled function, or all, are thrown away: its next call is traced again."""
        for entries in self.reads.values():
            entries[:] = [read for read in entries if serial is not None and read.program.serial != serial]

    def program(
        self, transformed: TransformedValue, seen: Callable[[], tuple[tuple[str, Seen], ...]]
    ) -> Program | None:
        """What a trace is known by that is kept for later calls: that of a function that is jitted anew is found again.

        None for transforms that run their function at each call.
        """
        function = transformed.function
        if transformed.kind not in COMPILING:
            return None
        if transformed.kind != "jit" or not isinstance(function, FunctionValue):
            return Program(transformed.serial, seen())
        options = tuple((name, value) for name, value in transformed.options if name != "name")
        return Program(self.programs.setdefault((function, options), transformed.serial), seen())

    def entered(self, interp: Interpreter, program: Program | None) -> None:
        """A compiled function is called again: what it has read before may be out of date."""
        if program is None or self.outermost() is not None:
            return
        for (box, key), entries in self.reads.items():
            for read in entries if box not in self.logs else ():
                if read.rebound is None or _is_back(interp, read, box.slots.get(key)):
                    continue
                if read.program.may_be(program):
                    interp.listener(
                        FrozenRead(
                            node=read.node, source=read.source, entry=read.entry, sure=interp.certain, name=read.name,
                            kind=read.kind, rebound=read.rebound if interp.source is read.source else None,
                        )
                    )  # fmt: skip


def _is_back(interp: Interpreter, read: Read, value: Value | None) -> bool:
    """Whether a slot holds again what a trace has read of it, so that it does not matter what it held meanwhile."""
    if isinstance(value, Const) and value == read.value:
        return True
    if not read.asked:
        return False
    held = [one for one in members(read.value) if one != NONE]  # None has no attributes
    return all(isinstance(one, InstanceValue) and _keeps(interp, one, value, read.asked) for one in held)


def _keeps(interp: Interpreter, before: InstanceValue, value: Value | None, name: str) -> bool:
    """Whether what stands in the place of an object has the same attribute of that name."""
    if isinstance(value, InstanceValue):
        one, other = before.box.slots.get(name), value.box.slots.get(name)
        return one is not None and one == other and not isinstance(one, Array | Tree)
    return not isinstance(value, Const) and is_structure(interp, before, name)


def _worked_out(interp: Interpreter, function: FunctionValue, name: str) -> Value | None:
    """What a local name would be now that a call of the function ends, where one plain assignment gives its value."""
    given = _assigned(function.node).get(name, [])
    if len(given) != 1:
        return None
    listener, interp.listener = interp.listener, lambda event: None
    mark = interp.state.mark()
    try:
        return interp.evaluate(given[0])
    finally:
        interp.state.rollback(mark)
        interp.listener = listener


@NodeMemo
def _assigned(node: cst.CSTNode) -> dict[str, list[cst.BaseExpression]]:
    """The values that assignments in a function give to names."""
    found: dict[str, list[cst.BaseExpression]] = {}
    for item in in_order(node):
        match item:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name)), *_], value=value):
                found.setdefault(name, []).append(value)
            case (
                cst.AugAssign(target=cst.Name(name), value=value) | cst.For(target=cst.Name(name), iter=value)
            ):
                found.setdefault(name, []).append(value)
    return found


def _told_apart(one: Value, other: Value) -> bool:
    """Whether two values are surely different."""
    if isinstance(one, Const) and isinstance(other, Const):
        return one != other
    if isinstance(one, InstanceValue) and isinstance(other, InstanceValue):
        return one.box is not other.box and one.box.site is not other.box.site
    return isinstance(one, FunctionValue) and isinstance(other, FunctionValue) and one.node is not other.node


def _parts(value: Value) -> tuple[Value, ...]:
    """The value, and what stands directly inside a tuple or list."""
    if isinstance(value, ListValue):
        held = value.box.slots.get("items")
        return held.items if isinstance(held, TupleValue) else ()
    return (value, *value.items) if isinstance(value, TupleValue) else (value,)


def _size(value: Value) -> int:
    """How many elements an array of NumPy or JAX outside every trace has; 0 for anything else."""
    concrete = isinstance(value, Array) and value.level is Level.CONCRETE
    if not concrete and not (isinstance(value, Static) and value.kind == "ndarray"):
        return 0
    shape = value.shape if isinstance(value, Array | Static) else None
    return math.prod(length or 1 for length in shape) if shape else 0


def _wraps(value: Value, before: Value) -> bool:
    """Whether a value is what was there before, jitted or bound."""
    while isinstance(value, Wrapper) and value is not before:
        value = value.function
    return value is before and not isinstance(value, Array | Tree | Unknown)


def name_of(box: Box, key: str, node: cst.CSTNode, kind: str) -> str:
    """What a slot is called in messages."""
    if kind == "attribute":
        return f"{box.name}.{key}"
    return _item_text(node, key) if kind == "item" else key


def _item_text(node: cst.CSTNode, key: str) -> str:
    """`config['scale']`, as far as the container has a name."""
    container = None
    if type(node) is cst.Subscript:
        container = dotted(node.value)
    elif type(node) is cst.Call and type(node.func) is cst.Attribute:  # `config.get('scale')`
        container = dotted(node.func.value)
    return f"{container or '...'}{key}"


def is_data(value: Value) -> bool:
    """Whether a value is data, no function, class or module."""
    return not isinstance(
        value,
        FunctionValue
        | ClassValue
        | ModuleValue
        | ExternalValue
        | TransformedValue
        | PartialValue
        | MethodValue
        | Unknown,
    )
