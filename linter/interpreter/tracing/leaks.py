"""Leaked tracers: those that are still outside when their trace ends, and who meets them afterwards."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import libcst as cst

from ...domain import Box, Entry, Mapping, Root, TupleValue, Value, roots_of, traced_parts
from ...events import Escaped, Event, OutsideKind
from ..closures import captured_tracer
from .traces import Trace, entries_of, level_of, outward

if TYPE_CHECKING:
    from ...files.source import SourceFile
    from ..machine import Interpreter

CACHED = frozenset(
    ("jit", "pjit", "pmap", "filter_jit", "checkpoint", "scan", "while_loop", "fori_loop", "cond")
)
"""The transforms that trace a function once for the same shapes and dtypes."""


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
class Leaks:
    """The tracers that were stored outside of their traces, by the entry points of these."""

    stores: dict[int, list[Store]] = field(default_factory=dict)
    escapes: list[Escape] = field(default_factory=list)  # of the traces under way
    stages: dict[int, Root] = field(default_factory=dict)  # the marks of inner traces, by entry point
    cached: dict[Any, Value] = field(default_factory=dict)  # tracers that an `lru_cache` keeps, by call
    # The outermost call under way that records operations
    recording: tuple[cst.CSTNode, SourceFile] | None = None

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
        for trace in outward(interp.trace):
            self.stores.setdefault(id(trace.entry), []).append(store)
        if slot is not None:
            self.escapes.append(Escape(event, store, *slot))

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
                    active = entries_of(interp.trace)
                for owner in {id(root.entry) for root in member.roots} - active:
                    for store in self.stores.get(owner, ()):
                        if not _perhaps_cached(interp, store):
                            self._tell_used(interp, store, node, error)

    def settle(self, interp: Interpreter, trace: Trace, since: int) -> None:
        """Tells of what a trace that ends now has stored outside since, and not taken away again.

        What belongs to the traces around it is left for these to settle.
        """
        left = []
        for escape in self.escapes[since:]:
            home = cast("Trace | None", escape.box.context)
            kept = _kept_tracers(interp, escape.box, escape.key)
            if any(not belongs_outside(tracer, trace.parent) for tracer in kept):
                interp.listener(escape.event)
            elif any(not belongs_outside(tracer, home) for tracer in kept):
                left.append(escape)
            else:
                for stores in self.stores.values():
                    if escape.store in stores:
                        stores.remove(escape.store)
        self.escapes[since:] = left

    def stage(self, entry: Entry, name: str, node: cst.CSTNode, source: SourceFile) -> Root:
        """What the results of operations have among their roots that a trace inside another one stages: its own mark."""
        return self.stages.setdefault(
            id(entry), Root("operation", name or "an operation", entry, node, source)
        )

    def _tell_used(self, interp: Interpreter, store: Store, node: cst.CSTNode, error: str) -> None:
        if store.used:
            return
        store.used = True
        source = interp.source
        if error == "UnexpectedTracerError" and self.recording is not None:
            # Operations take any tracer while they are recorded: the program that comes of them is refused
            node, source = self.recording
        interp.listener(
            Escaped(
                node=store.node, source=store.source, entry=store.entry, sure=store.sure, statement=store.statement,
                value=store.value, where=store.where, target=store.target,
                used=node if source is store.source else None, error=error,
            )
        )  # fmt: skip


def _perhaps_cached(interp: Interpreter, store: Store) -> bool:
    """Whether this is a later call of the function that stored the tracer, which JAX may answer from its cache.

    Only a call with other shapes or dtypes is sure to run the function again.
    """
    for trace in outward(interp.trace):
        entry = trace.entry
        if entry is not store.entry and entry.node is store.entry.node and entry.transform in CACHED:
            now = _entry_shapes(interp, entry)
            return len(now) != len(store.shapes) or not any(
                before != after and None not in (*before, *after)
                for before, after in zip(store.shapes, now, strict=True)
            )
    return False


def _entry_shapes(interp: Interpreter, entry: Entry) -> tuple[Any, ...]:
    """Shape and dtype of what the parameters of an entry point's function hold, None where they are not known."""
    function = entry.function
    for frame in interp.frames:
        if function is not None and frame.function is not None and frame.function.node is function.node:
            params = function.node.params
            held = [frame.scope.slots.get(p.name.value) for p in (*params.posonly_params, *params.params)]
            return tuple((getattr(value, "shape", None), getattr(value, "dtype", None)) for value in held)
    return ()


def _kept_tracers(interp: Interpreter, box: Box, key: Any) -> list[Value]:
    """The tracers that a slot holds, or what it holds with one inside."""
    value = interp.state.read(box, key)
    parts: tuple[Value | None, ...] = (value,)
    if isinstance(value, TupleValue):
        parts = (*value.items, value.rest)
    elif isinstance(value, Mapping):
        parts = (*(item for _, item in value.items), value.rest)
    held = ((part, captured_tracer(part)) for part in parts if part is not None)
    return [part if tracer is None else tracer for part, tracer in held if tracer or level_of(part)]


def belongs_outside(value: Value, home: Trace | None) -> bool:
    """Whether the tracers in a value belong to a trace that stands around."""
    roots = roots_of([value])
    if home is None or not roots:
        return False
    outer = entries_of(home)
    return all(root.entry is not None and id(root.entry) in outer for root in roots)
