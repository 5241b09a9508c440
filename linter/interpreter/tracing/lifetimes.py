"""What outlives a trace: leaked tracers met later, outside values frozen by it, buffers given away to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import libcst as cst

from ...domain import (
    UNKNOWN,
    Array,
    Box,
    ClassValue,
    Const,
    Entry,
    ExternalValue,
    FunctionValue,
    Level,
    ListValue,
    MethodValue,
    ModuleValue,
    PartialValue,
    Root,
    Static,
    TransformedValue,
    Tree,
    TupleValue,
    Unknown,
    Value,
    Wrapper,
    members,
    traced_parts,
)
from ...events import (
    ArrayMutation,
    BufferChanged,
    ConstantCaptured,
    Converted,
    Discarded,
    Escaped,
    Event,
    FrozenRead,
    OutsideKind,
    Place,
    Truth,
)
from ..arrays.precision import may_be_wide
from ..imports import dotted
from .donation import Donations, leaves
from .programs import Program, Seen

if TYPE_CHECKING:
    from ...files.source import SourceFile
    from ..machine import Interpreter


LARGE = 100_000  # elements of a captured array from which it is worth telling


@dataclass(slots=True, eq=False)
class Store:
    """Where a tracer was stored outside its trace."""

    node: cst.CSTNode
    source: SourceFile
    entry: Entry
    value: Value
    where: OutsideKind
    target: str
    statement: cst.CSTNode | None
    sure: bool
    shapes: tuple[Any, ...] = ()
    used: bool = False


@dataclass(slots=True, eq=False)
class Escape:
    """A tracer that a trace under way has stored outside, and the slot that it was stored in."""

    event: Event
    store: Store
    box: Box
    key: Any


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
    rebound: cst.CSTNode | None = None


@dataclass(slots=True, eq=False)
class Lifetimes:
    """What the interpreter remembers across traces."""

    stores: dict[int, list[Store]] = field(default_factory=dict)
    reads: dict[tuple[Box, Any], list[Read]] = field(default_factory=dict)
    logs: set[Box] = field(default_factory=set)  # lists that traces change
    donations: Donations = field(default_factory=Donations)
    unseen: dict[Box, dict[int, tuple[str | None, Discarded]]] = field(default_factory=dict)
    # By the node that changes the copy: the attribute, None of containers
    running: list[Program | None] = field(default_factory=list)  # the programs of the calls under way
    cached: dict[Any, Value] = field(default_factory=dict)  # tracers that an `lru_cache` keeps, by call
    aliased: dict[int, Place] = field(default_factory=dict)
    wide: set[int] = field(default_factory=set)  # buffers of 64-bit elements, of which JAX makes copies
    large: dict[int, tuple[Value, str, Place]] = field(default_factory=dict)  # arrays that traces have read
    metadata: bool = False  # an attribute is read that says of an array how it is made alone
    contents: dict[int, Box] = field(default_factory=dict)  # by buffer
    handed: dict[int, Place] = field(default_factory=dict)  # buffers of calls that may not have run yet
    read_only: set[int] = field(default_factory=set)  # buffers of NumPy that are jax arrays
    escapes: list[Escape] = field(default_factory=list)  # of the traces under way
    stages: dict[int, Root] = field(default_factory=dict)  # the marks of inner traces, by entry point
    programs: dict[tuple[FunctionValue, tuple[tuple[str, Value], ...]], int] = field(default_factory=dict)

    # --- leaks -------------------------------------------------------------------------------------------------

    def stored(
        self,
        interp: Interpreter,
        value: Value,
        node: cst.CSTNode,
        where: OutsideKind,
        target: str,
        sure: bool,
        source: SourceFile | None = None,
        slot: tuple[Box, Any] | None = None,
    ) -> None:
        """A tracer was stored where it outlives its trace, if it is in that slot still; `source` holds the node."""
        assert interp.trace is not None
        event = interp.event(Escaped, node, sure, source, value=value, where=where, target=target)
        if slot is None:
            interp.listener(event)
        store = Store(
            node, source or interp.source, interp.trace.entry, value, where, target, interp.frame.statement,
            sure and interp.certain and not interp.swallowed, _entry_shapes(interp, interp.trace.entry),
        )  # fmt: skip
        trace = interp.trace
        while trace is not None:
            self.stores.setdefault(id(trace.entry), []).append(store)
            trace = trace.parent  # type: ignore[assignment]
        if slot is not None:
            self.escapes.append(Escape(event, store, *slot))

    def used(
        self,
        interp: Interpreter,
        values: Collection[Value],
        node: cst.CSTNode,
        error: str = "UnexpectedTracerError",
    ) -> None:
        """Values take part in an operation: a tracer whose trace has ended is refused, and so is a deleted array."""
        self.donations.used(interp, values, node)
        self.kept_alive(interp, values, node, error)

    def kept_alive(
        self,
        interp: Interpreter,
        values: Collection[Value],
        node: cst.CSTNode,
        error: str = "UnexpectedTracerError",
    ) -> None:
        """Values are used, or returned from a trace: one that belongs to a trace that has ended is refused."""
        if not self.stores:
            return
        active: set[int] | None = None
        for value in values:
            for member in traced_parts(value):
                if not member.traced or not member.roots:
                    continue
                if active is None:
                    active = active_entries(interp)
                for owner in {id(root.entry) for root in member.roots} - active:
                    for store in self.stores.get(owner, ()):
                        if not _perhaps_cached(interp, store):
                            self._tell_used(interp, store, node, error)

    def stage(self, entry: Entry, name: str, node: cst.CSTNode, source: SourceFile) -> Root:
        """What the results of operations have among their roots that a trace inside another one stages: its own mark."""
        return self.stages.setdefault(
            id(entry), Root("operation", name or "an operation", entry, node, source)
        )

    def refused(
        self, interp: Interpreter, event: type[Event], value: Value, node: cst.CSTNode, error: str | None
    ) -> None:
        """Python asks a leaked tracer for its value, which it refuses as it did while it was alive."""
        shaped = getattr(value, "shape", None) not in (None, ())
        if event is Truth:
            error = "ValueError" if shaped else "TracerBoolConversionError"
        elif event is Converted:
            error = error or "ConcretizationTypeError"
        if error is not None:
            self.used(interp, (value,), node, error)

    def _tell_used(self, interp: Interpreter, store: Store, node: cst.CSTNode, error: str) -> None:
        if store.used:
            return
        store.used = True
        interp.listener(
            Escaped(
                node=store.node, source=store.source, entry=store.entry, sure=store.sure, statement=store.statement,
                value=store.value, where=store.where, target=store.target,
                used=node if interp.source is store.source else None, error=error,
            )
        )  # fmt: skip

    # --- changed copies ----------------------------------------------------------------------------------------

    def changed_copy(
        self, interp: Interpreter, box: Box, key: str | None, value: Value, node: cst.CSTNode
    ) -> None:
        """A trace changes its copy of a container, or the attribute `key` of its copy of an object, that the caller keeps."""
        called = interp.trace is not None and interp.trace.entry.transform in ("jit", "vmap", "pmap")
        if box.origin is not None and called and interp.trace is not None and interp.certain:
            event = Discarded(
                node=node, source=interp.source, entry=interp.trace.entry, statement=interp.frame.statement,
                value=value, how="argument",
            )  # fmt: skip
            self.unseen.setdefault(box.origin, {})[id(node)] = key, event

    def looked_at(self, interp: Interpreter, box: Box, key: str | None = None) -> None:
        """The caller looks into its own container, or at an attribute of its object: the change is not to be seen there."""
        if interp.trace is None and box in self.unseen and not self.running:
            changes = self.unseen[box]
            for place in [place for place, (changed, _) in changes.items() if changed == key]:
                interp.listener(changes.pop(place)[1])

    def changed_buffer(
        self, interp: Interpreter, buffer: int, node: cst.CSTNode, named: cst.BaseExpression | None = None
    ) -> None:
        """A NumPy buffer is changed in place; a jax array may share its memory.

        `named` is what holds it, where the node is no store to it and no call of one of its methods.
        """
        interp.state.note_buffer(buffer)
        if interp.trace is None and buffer in self.contents:
            self.written(interp, self.contents[buffer], "items", UNKNOWN, node)
        if buffer in self.read_only:
            interp.tell(ArrayMutation, node, value=UNKNOWN, how="view", error="ValueError")
        alias = self.aliased.get(buffer) if buffer else None
        handed = self.handed.get(buffer) if buffer and alias is None else alias
        converted = buffer in self.wide and not may_be_wide(interp)
        if handed is not None and not converted:
            place = node.func if type(node) is cst.Call else node  # `buffer.fill(0)`, `buffer[0] = 1`
            whole = place.value if isinstance(place, cst.Attribute | cst.Subscript) else place
            whole = whole if named is None else named
            name = dotted(whole) if isinstance(whole, cst.BaseExpression) else ""
            how = "call" if alias is None else "alias"
            interp.tell(BufferChanged, node, name=name or "...", handed=handed, how=how)

    def hand_over(self, interp: Interpreter, values: Iterable[Value], node: cst.CSTNode) -> None:
        """JAX is given NumPy arrays, and reads them when it comes to it, which may be after it has returned."""
        if interp.trace is None:
            for value in values:
                for leaf in leaves(value):
                    if isinstance(leaf, Static) and leaf.buffer:
                        self.handed[leaf.buffer] = Place(node, interp.source)

    def asked(self, interp: Interpreter, values: Collection[Value], node: cst.CSTNode) -> None:
        """Python, or another library, asks for the numbers in an array, and waits until they are there."""
        self.donations.used(interp, values, node)
        if self.handed:
            self.waited(values)

    def waited(self, values: Iterable[Value]) -> None:
        """Something waits for these values, of which one may be an array: what it is made of has been read."""
        parts = (part for value in values for leaf in leaves(value) for part in members(leaf))
        if any(isinstance(part, Array | Tree | Unknown) for part in parts):
            self.handed.clear()

    # --- frozen values -----------------------------------------------------------------------------------------

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
        if self.metadata and isinstance(value, Array | Static):
            return
        if not self.running:
            return
        self._note_content(interp, value, node, name_of(box, key, node, kind), kind)
        self._note(interp, box, key, value, node, name_of(box, key, node, kind), kind)

    def read_local(self, interp: Interpreter, name: str, value: Value, node: cst.CSTNode) -> None:
        """A trace reads a variable of its own, which may hold something of the world outside: what a partial has bound."""
        from ..functions import find_parameter

        if self.running:
            self._note_content(interp, value, node, name, "list")
        frame = interp.frame
        if interp.staging and frame.function is not None and _size(value) >= LARGE:
            if find_parameter(frame.function, name) is not None:
                self.large.setdefault(id(value), (value, name, Place(node, interp.source)))

    def _note_content(
        self, interp: Interpreter, value: Value, node: cst.CSTNode, name: str, kind: str
    ) -> None:
        """A list or an array of NumPy is read, whose content may change."""
        if isinstance(value, ListValue) and value.box.context is None:
            self._note(interp, value.box, "items", UNKNOWN, node, name, kind)
        if isinstance(value, Static) and value.buffer and kind != "list":
            self._note(interp, self._content_of(value.buffer), "items", UNKNOWN, node, name, kind)

    def _content_of(self, buffer: int) -> Box:
        """What stands for the content of a buffer among the slots that traces read."""
        return self.contents.setdefault(buffer, Box("buffer"))

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
        if program is None or interp.trace is None:
            return
        entries = self.reads.setdefault((box, key), [])
        if not any(read.node is node and read.program == program for read in entries):
            entries.append(Read(node, interp.source, interp.trace.entry, program, name, kind, value))

    def outermost(self) -> Program | None:
        """The outermost of the programs under way: while it is found again, nothing inside is run."""
        return next((program for program in self.running if program is not None), None)

    def written(self, interp: Interpreter, box: Box, key: str, value: Value, node: cst.CSTNode) -> None:
        """A slot gets another value; what traces have read of it is out of date."""
        if self.reads and not self.running:
            for read in self.reads.get((box, key), ()):
                if (read.value != value or isinstance(value, Array | Tree | Unknown)) and not _wraps(
                    value, read.value
                ):
                    read.rebound = node

    def changed_list(self, interp: Interpreter, box: Box, node: cst.CSTNode) -> None:
        """A list is changed in place; one that traces change is a log of theirs, whose content they do not depend on."""
        if interp.trace is not None:
            self.logs.add(box)
        else:
            self.written(interp, box, "items", UNKNOWN, node)

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
                if read.rebound is None or _is_back(read, box.slots.get(key)):
                    continue
                if read.program.may_be(program):
                    interp.listener(
                        FrozenRead(
                            node=read.node, source=read.source, entry=read.entry, sure=interp.certain, name=read.name,
                            kind=read.kind, rebound=read.rebound if interp.source is read.source else None,
                        )
                    )  # fmt: skip


def _is_back(read: Read, value: Value | None) -> bool:
    """Whether a slot holds again what a trace has read of it, so that it does not matter what it held meanwhile."""
    return isinstance(value, Const) and value == read.value


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


def _perhaps_cached(interp: Interpreter, store: Store) -> bool:
    """Whether this is a later call of the function that stored the tracer, which JAX may answer from its cache.

    Only a call with other shapes or dtypes is sure to run the function again.
    """
    trace = interp.trace
    while trace is not None:
        entry = trace.entry
        if entry is not store.entry and entry.node is store.entry.node and entry.transform in CACHED:
            now = _entry_shapes(interp, entry)
            return len(now) != len(store.shapes) or not any(
                before != after and None not in (*before, *after)
                for before, after in zip(store.shapes, now, strict=True)
            )
        trace = trace.parent
    return False


COMPILING = frozenset(("jit", "filter_jit", "pmap", "lift"))
"""The kinds of transforms whose calls may find what an earlier call has compiled."""
CACHED = frozenset(
    ("jit", "pjit", "pmap", "filter_jit", "checkpoint", "scan", "while_loop", "fori_loop", "cond")
)
"""The transforms that trace a function once for the same shapes and dtypes."""


def _entry_shapes(interp: Interpreter, entry: Entry) -> tuple[Any, ...]:
    """Shape and dtype of what the parameters of an entry point's function hold, None where they are not known."""
    function = entry.function
    for frame in interp.frames:
        if function is not None and frame.function is not None and frame.function.node is function.node:
            params = function.node.params
            held = [frame.scope.slots.get(p.name.value) for p in (*params.posonly_params, *params.params)]
            return tuple((getattr(value, "shape", None), getattr(value, "dtype", None)) for value in held)
    return ()


def active_entries(interp: Interpreter) -> set[int]:
    """The entry points of the traces that are under way."""
    found = set()
    trace = interp.trace
    while trace is not None:
        found.add(id(trace.entry))
        trace = trace.parent
    return found


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
