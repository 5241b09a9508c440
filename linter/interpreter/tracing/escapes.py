"""Tracers that a trace stores outside: they have escaped if they are still there when it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...domain import Box, Mapping, TupleValue, Value, roots_of
from ..closures import captured_tracer
from .traces import Trace, level_of

if TYPE_CHECKING:
    from ..machine import Interpreter


def settle(interp: Interpreter, trace: Trace, since: int) -> None:
    """Tells of what a trace that ends now, the last ones noted, has stored outside and not taken away again."""
    leaks = interp.lifetimes.leaks
    for escape in leaks.escapes[since:]:
        if _holds_tracer(interp, escape.box, escape.key, trace):
            interp.listener(escape.event)
            continue
        for stores in leaks.stores.values():
            if escape.store in stores:
                stores.remove(escape.store)


def _holds_tracer(interp: Interpreter, box: Box, key: Any, trace: Trace) -> bool:
    """Whether a slot holds a tracer that means nothing outside a trace, or something with one inside."""
    value = interp.state.read(box, key)
    parts: tuple[Value | None, ...] = (value,)
    if isinstance(value, TupleValue):
        parts = (*value.items, value.rest)
    elif isinstance(value, Mapping):
        parts = (*(item for _, item in value.items), value.rest)
    for part in parts:
        kept = None if part is None else captured_tracer(part) or (part if level_of(part) else None)
        if kept is not None and not belongs_outside(kept, trace.parent):
            return True
    return False


def belongs_outside(value: Value, home: Trace | None) -> bool:
    """Whether the tracers in a value belong to a trace that stands around."""
    roots = roots_of([value])
    if home is None or not roots:
        return False
    outer = set()
    trace: Trace | None = home
    while trace is not None:
        outer.add(id(trace.entry))
        trace = trace.parent
    return all(root.entry is not None and id(root.entry) in outer for root in roots)
